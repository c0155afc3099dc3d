// The scalar operators that semirings are made of, as functor structs: `Op<T>{}(x, y)`.
//
// They follow the GraphBLAS C API: integers wrap, integer division truncates and division by zero
// gives the extreme of the dividend's sign, min and max ignore NaN, and over bool plus is "or",
// times is "and", minus is "exclusive or".  Both engines include this file, so it uses no part of
// the standard library beyond limits that NVRTC also has a definition for.
#pragma once

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
#define SPBFS_HD __host__ __device__
#else
#define SPBFS_HD
#endif

namespace spbfs {

using Wide = unsigned long long;

template <class T>
struct Traits {
    static constexpr bool is_bool = false, is_float = false;
    static constexpr bool is_signed = static_cast<T>(-1) < static_cast<T>(0);
    static constexpr int bits = 8 * static_cast<int>(sizeof(T));
    SPBFS_HD static constexpr T lowest() {
        return is_signed ? static_cast<T>(Wide{1} << (bits - 1)) : static_cast<T>(0);
    }
    SPBFS_HD static constexpr T highest() {
        return static_cast<T>(~Wide{0} >> (is_signed ? 65 - bits : 64 - bits));
    }
};
template <>
struct Traits<bool> {
    static constexpr bool is_bool = true, is_float = false, is_signed = false;
    SPBFS_HD static constexpr bool lowest() { return false; }
    SPBFS_HD static constexpr bool highest() { return true; }
};
template <class T>
struct FloatTraits {
    static constexpr bool is_bool = false, is_float = true, is_signed = true;
    SPBFS_HD static constexpr T highest() { return static_cast<T>(__builtin_huge_val()); }
    SPBFS_HD static constexpr T lowest() { return -highest(); }
};
template <>
struct Traits<float> : FloatTraits<float> {};
template <>
struct Traits<double> : FloatTraits<double> {};

// Integer arithmetic runs in 64 unsigned bits: the low bits are right for every width and nothing
// overflows in the language's sense.
#define SPBFS_ARITHMETIC(Name, floating, boolean, integral)                                     \
    template <class T>                                                                          \
    struct Name {                                                                               \
        SPBFS_HD T operator()(T x, T y) const {                                                 \
            if constexpr (Traits<T>::is_float)                                                  \
                return (floating);                                                              \
            else if constexpr (Traits<T>::is_bool)                                              \
                return (boolean);                                                               \
            else {                                                                              \
                [[maybe_unused]] const Wide a = static_cast<Wide>(x), b = static_cast<Wide>(y); \
                return static_cast<T>(integral);                                                \
            }                                                                                   \
        }                                                                                       \
    }

// clang-format off
SPBFS_ARITHMETIC(Plus,   x + y, x || y, a + b);
SPBFS_ARITHMETIC(Times,  x * y, x && y, a * b);
SPBFS_ARITHMETIC(Minus,  x - y, x != y, a - b);
SPBFS_ARITHMETIC(RMinus, y - x, x != y, b - a);
// A NaN loses against everything, whichever operand it is.
SPBFS_ARITHMETIC(Min, (y < x || x != x) ? y : x, x && y, y < x ? y : x);
SPBFS_ARITHMETIC(Max, (y > x || x != x) ? y : x, x || y, y > x ? y : x);
// clang-format on
#undef SPBFS_ARITHMETIC

// The quotient of integers by `truncated` rules; what a zero divisor gives is the caller's choice.
template <class T>
SPBFS_HD T divide(T x, T y) {
    if constexpr (Traits<T>::is_signed && !Traits<T>::is_float) {
        if (y == static_cast<T>(-1)) return static_cast<T>(Wide{0} - static_cast<Wide>(x));
    }
    return static_cast<T>(x / y);
}

template <class T>
struct CDiv {
    SPBFS_HD T operator()(T x, T y) const {
        if constexpr (Traits<T>::is_float) {
            return x / y;
        } else if constexpr (Traits<T>::is_bool) {
            return x;
        } else {
            if (y != 0) return divide(x, y);
            if (x == 0) return 0;
            return x > 0 ? Traits<T>::highest() : Traits<T>::lowest();
        }
    }
};
template <class T>
struct RDiv {
    SPBFS_HD T operator()(T x, T y) const { return CDiv<T>{}(y, x); }
};

#define SPBFS_BINARY(Name, Result, expression)                                         \
    template <class T>                                                                 \
    struct Name {                                                                      \
        SPBFS_HD Result operator()([[maybe_unused]] T x, [[maybe_unused]] T y) const { \
            return static_cast<Result>(expression);                                    \
        }                                                                              \
    }

// clang-format off
SPBFS_BINARY(First,  T, x);
SPBFS_BINARY(Second, T, y);
SPBFS_BINARY(Pair,   T, 1);
SPBFS_BINARY(Land,   T, x != 0 && y != 0);
SPBFS_BINARY(Lor,    T, x != 0 || y != 0);
SPBFS_BINARY(Lxor,   T, (x != 0) != (y != 0));
SPBFS_BINARY(Lxnor,  T, (x != 0) == (y != 0));
SPBFS_BINARY(IsEq,   T, x == y);
SPBFS_BINARY(IsNe,   T, x != y);
SPBFS_BINARY(IsGt,   T, x > y);
SPBFS_BINARY(IsLt,   T, x < y);
SPBFS_BINARY(IsGe,   T, x >= y);
SPBFS_BINARY(IsLe,   T, x <= y);
SPBFS_BINARY(Eq,     bool, x == y);
SPBFS_BINARY(Ne,     bool, x != y);
SPBFS_BINARY(Gt,     bool, x > y);
SPBFS_BINARY(Lt,     bool, x < y);
SPBFS_BINARY(Ge,     bool, x >= y);
SPBFS_BINARY(Le,     bool, x <= y);
// Of integers only.
SPBFS_BINARY(Band,   T, x & y);
SPBFS_BINARY(Bor,    T, x | y);
SPBFS_BINARY(Bxor,   T, x ^ y);
SPBFS_BINARY(Bxnor,  T, ~(x ^ y));
// clang-format on
#undef SPBFS_BINARY

// Monoids that kernels are specialised for: an operator, and whether a sum can still change. fold()
// is the operator where x is no NaN, in one instruction; where `keeps_nan`, a NaN for x stays.
template <class T>
struct AnyMonoid {
    using Value = T;
    static constexpr bool any = true;
    SPBFS_HD T sum(T x, T) const { return x; }
    SPBFS_HD bool done(T) const { return true; }
};
template <class T>
struct PlusMonoid {
    using Value = T;
    static constexpr bool any = false, keeps_nan = false;
    SPBFS_HD T sum(T x, T y) const { return Plus<T>{}(x, y); }
    SPBFS_HD T fold(T x, T y) const { return sum(x, y); }
    SPBFS_HD bool done(T) const { return false; }
    // The negative zero changes no floating number, not even another one.
    SPBFS_HD static constexpr T neutral() { return Traits<T>::is_float ? -T{} : T{}; }
};
template <class T>
struct MinMonoid {
    using Value = T;
    static constexpr bool any = false, keeps_nan = Traits<T>::is_float;
    SPBFS_HD T sum(T x, T y) const { return Min<T>{}(x, y); }
    SPBFS_HD T fold(T x, T y) const { return y < x ? y : x; }
    SPBFS_HD bool done(T x) const { return x == Traits<T>::lowest(); }
    SPBFS_HD static constexpr T neutral() { return Traits<T>::highest(); }
};
template <class T>
struct MaxMonoid {
    using Value = T;
    static constexpr bool any = false, keeps_nan = Traits<T>::is_float;
    SPBFS_HD T sum(T x, T y) const { return Max<T>{}(x, y); }
    SPBFS_HD T fold(T x, T y) const { return y > x ? y : x; }
    SPBFS_HD bool done(T x) const { return x == Traits<T>::highest(); }
    SPBFS_HD static constexpr T neutral() { return Traits<T>::lowest(); }
};

}  // namespace spbfs
