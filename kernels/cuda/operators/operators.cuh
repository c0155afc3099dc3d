// Operators that only this engine's kernels call: those of semirings that the CPU engine leaves to
// NumPy, with NumPy's arithmetic, and the functions that user-defined operators are made of.
#pragma once

#include "cuda/operators/subnormals.cuh"

namespace spbfs {

template <class A, class B>
constexpr bool same_type = false;
template <class A>
constexpr bool same_type<A, A> = true;

// A cast between GraphBLAS types.  Hardware and compilers differ for floats beyond an integer type:
// here they become its least or greatest value, and NaN becomes 0.
template <class To, class From>
__device__ To cast_to(From x) {
    if constexpr (Traits<From>::is_float && !Traits<To>::is_float && !Traits<To>::is_bool) {
        if (x != x) return 0;
        if (x <= static_cast<From>(Traits<To>::lowest())) return Traits<To>::lowest();
        if (x >= static_cast<From>(Traits<To>::highest())) return Traits<To>::highest();
    }
    constexpr bool from_float = same_type<From, float>, to_float = same_type<To, float>;
    if constexpr (from_float && Traits<To>::is_bool) {
        return is_true(x);
    } else if constexpr (from_float && Traits<To>::is_float && !to_float) {
        return widened(x);
    } else if constexpr (to_float && Traits<From>::is_float && !from_float) {
        return narrowed(x);
    } else {
        return static_cast<To>(x);
    }
}

// Rounded down; a zero divisor gives zero.
template <class T>
struct FloorDiv {
    __device__ T operator()(T x, T y) const {
        if constexpr (Traits<T>::is_float) {
            if (y == 0) return x / y;
            const T rest = fmod(x, y);
            T quotient = (x - rest) / y;
            if (rest != 0 && (y < 0) != (rest < 0)) quotient -= 1;
            if (quotient == 0) return copysign(T{0}, x / y);
            const T whole = floor(quotient);
            return quotient - whole > T(0.5) ? whole + 1 : whole;
        } else {
            if (y == 0) return 0;
            const T quotient = divide(x, y);
            const Wide back = static_cast<Wide>(quotient) * static_cast<Wide>(y);
            const bool exact = static_cast<T>(back) == x;
            return quotient - static_cast<T>(!exact && (x < 0) != (y < 0));
        }
    }
};
// Of the sign of the divisor, as in Python.
template <class T>
struct Modulo {
    __device__ T operator()(T x, T y) const {
        if constexpr (Traits<T>::is_float) {
            const T rest = fmod(x, y);
            if (rest == 0) return copysign(T{0}, y);
            return (y < 0) != (rest < 0) ? rest + y : rest;
        } else {
            if (y == 0) return 0;
            const Wide floored = static_cast<Wide>(FloorDiv<T>{}(x, y)) * static_cast<Wide>(y);
            return static_cast<T>(static_cast<Wide>(x) - floored);
        }
    }
};
// In doubles for integers, clipped to their range; NaN where an operand is.
template <class T>
struct Pow {
    __device__ T operator()(T x, T y) const {
        if constexpr (Traits<T>::is_bool) {
            return x || !y;
        } else if constexpr (Traits<T>::is_float) {
            return x != x || y != y ? x + y : pow(x, y);
        } else {
            double power = pow(static_cast<double>(x), static_cast<double>(y));
            // The library's may miss a whole number by its last bit.
            if (fabs(power) > 0.75) power = rint(power);
            return cast_to<T>(power);
        }
    }
};

#define SPBFS_FLOATING(Name, expression)                                 \
    template <class T>                                                   \
    struct Name {                                                        \
        __device__ T operator()(T x, T y) const { return (expression); } \
    }

SPBFS_FLOATING(Hypot, hypot(x, y));
SPBFS_FLOATING(Atan2, atan2(x, y));
SPBFS_FLOATING(Fmod, fmod(x, y));
SPBFS_FLOATING(Remainder, remainder(x, y));
SPBFS_FLOATING(CopySign, copysign(x, y));
#undef SPBFS_FLOATING

// Shifts by any number of places, as NumPy has them.
template <class T>
__device__ T shifted_left(T x, T places) {
    const bool inside = places >= 0 && places < Traits<T>::bits;
    return inside ? static_cast<T>(static_cast<Wide>(x) << static_cast<int>(places)) : T{0};
}
template <class T>
__device__ T shifted_right(T x, T places) {
    const bool inside = places >= 0 && places < Traits<T>::bits;
    return static_cast<T>(x >> (inside ? static_cast<int>(places) : Traits<T>::bits - 1) >>
                          (inside || x < 0 ? 0 : 1));
}

// `Op` with its operands exchanged.
template <template <class> class Op, class T>
struct Flipped {
    __device__ auto operator()(T x, T y) const { return Op<T>{}(y, x); }
};

}  // namespace spbfs
