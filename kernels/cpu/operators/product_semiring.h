// What a product kernel is given of its semiring: one object S with
//
//     S::Value, S::any, S::pattern      the sum's type; first product wins; there are no values
//     S::interpreted                    by function pointers
//     S::logical                        a sum of truths, which can be done with any entry
//     S::reads_matrix                   whether products depend on the matrix's values
//     s.product(x, y, row, inner, col)  the product of entry x of the matrix and entry y of the
//                                       other operand, or of their positions
//     s.product_if(has, x, y, ...)      the same, or anything where the other operand has no entry
//     s.in_line()                       whether every entry has a value of its own in every operand
//                                       that is read; then s.template product<true>(...) will do
//     s.fold(a, b), S::keeps_nan        the monoid for an `a` that is no NaN, which it may keep
//     S::neutral()                      what fold() may begin with and be given at any time
//     s.sum(a, b), s.done(a)            the monoid, and whether nothing can change `a` any more
//     s.prefetch(x)                     entry x of the matrix will be read
//     s.load(w, i), s.store(w, i, a)    element i of an output array of the sum's type
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "common/semiring.h"
#include "cpu/memory/fetch.h"
#include "cpu/operators/operators.h"

namespace spbfs {

// Values of the two operands; a stride of 0 repeats the first element (iso).
struct Operands {
    const void* x = nullptr;
    std::int64_t x_stride = 0;
    const void* y = nullptr;
    std::int64_t y_stride = 0;
};

template <class T>
T element(const void* values, std::int64_t i) {
    return static_cast<const T*>(values)[i];
}

// `a` where it is wanted, else `b`: by a mask, as compilers like to branch between numbers.
template <class T>
[[gnu::always_inline]] inline T chosen(bool wanted, T a, T b) {
    using Narrow = std::conditional_t<sizeof(T) == 1, std::uint8_t, std::uint32_t>;
    using U = std::conditional_t<sizeof(T) == 8, std::uint64_t, Narrow>;
    static_assert(sizeof(T) == sizeof(U));
    const U mask = static_cast<U>(U{} - static_cast<U>(wanted));
    return std::bit_cast<T>(
        static_cast<U>((std::bit_cast<U>(a) & mask) | (std::bit_cast<U>(b) & ~mask)));
}

// As Min and Max, without a branch, which compilers make of two conditions on floats.
template <class T>
struct Smaller {
    T operator()(T x, T y) const { return chosen(x != x, y, y < x ? y : x); }
};
template <class T>
struct Larger {
    T operator()(T x, T y) const { return chosen(x != x, y, y > x ? y : x); }
};

template <class T>
struct MultiplyOne {
    static constexpr bool reads_matrix = false;
    explicit MultiplyOne(const Operands&) {}
    bool in_line() const { return true; }
    SPBFS_FETCHES void prefetch(std::int64_t) const {}
    template <bool>
    T of(std::int64_t, std::int64_t, std::int64_t) const {
        return 1;
    }
};
template <class T>
struct MultiplyInner {
    static constexpr bool reads_matrix = false;
    explicit MultiplyInner(const Operands&) {}
    bool in_line() const { return true; }
    SPBFS_FETCHES void prefetch(std::int64_t) const {}
    template <bool>
    T of(std::int64_t, std::int64_t, std::int64_t inner) const {
        return static_cast<T>(inner);
    }
};
template <class T>
struct MultiplyFirst {
    static constexpr bool reads_matrix = true;
    explicit MultiplyFirst(const Operands& o) : x(o.x), stride(o.x_stride) {}
    bool in_line() const { return stride == 1; }
    SPBFS_FETCHES void prefetch(std::int64_t i) const {
        __builtin_prefetch(static_cast<const T*>(x) + i * stride);
    }
    template <bool InLine>
    T of(std::int64_t i, std::int64_t, std::int64_t) const {
        return element<T>(x, InLine ? i : i * stride);
    }
    const void* x;
    std::int64_t stride;
};
template <class T>
struct MultiplySecond {
    static constexpr bool reads_matrix = false;
    explicit MultiplySecond(const Operands& o) : y(o.y), stride(o.y_stride) {}
    bool in_line() const { return stride == 1; }
    SPBFS_FETCHES void prefetch(std::int64_t) const {}
    template <bool InLine>
    T of(std::int64_t, std::int64_t j, std::int64_t) const {
        return element<T>(y, InLine ? j : j * stride);
    }
    const void* y;
    std::int64_t stride;
};
template <class T, template <class> class Op>
struct MultiplyBoth {
    static constexpr bool reads_matrix = true;
    explicit MultiplyBoth(const Operands& operands) : o(operands) {}
    bool in_line() const { return o.x_stride == 1 && o.y_stride == 1; }
    SPBFS_FETCHES void prefetch(std::int64_t i) const {
        __builtin_prefetch(static_cast<const T*>(o.x) + i * o.x_stride);
    }
    template <bool InLine>
    T of(std::int64_t i, std::int64_t j, std::int64_t) const {
        return Op<T>{}(element<T>(o.x, InLine ? i : i * o.x_stride),
                       element<T>(o.y, InLine ? j : j * o.y_stride));
    }
    // What memory holds where there is no entry may be a number that takes a processor a hundred
    // cycles to multiply (a subnormal one, as pointers are).
    template <bool InLine>
    T of_kept(bool has, std::int64_t i, std::int64_t j) const {
        return Op<T>{}(element<T>(o.x, InLine ? i : i * o.x_stride),
                       chosen(has, element<T>(o.y, InLine ? j : j * o.y_stride), T{}));
    }
    Operands o;
};

// Whether one is true of truths, each a byte.
struct LorMonoid {
    using Value = std::uint8_t;
    static constexpr bool any = false, logical = true, keeps_nan = false;
    Value sum(Value x, Value y) const { return x | y; }
    Value fold(Value x, Value y) const { return x | y; }
    bool done(Value x) const { return x != 0; }
    static constexpr Value neutral() { return 0; }
};

template <class Add, class Multiply, bool Pattern = false>
struct Semiring {
    using Value = typename Add::Value;
    static constexpr bool any = Add::any, pattern = Pattern, interpreted = false;
    static constexpr bool logical = requires { Add::logical; };
    static constexpr bool reads_matrix = Multiply::reads_matrix;
    static constexpr bool keeps_nan = [] {
        if constexpr (Add::any)
            return false;
        else
            return Add::keeps_nan;
    }();

    explicit Semiring(const Operands& operands) : multiply(operands) {}
    bool in_line() const { return multiply.in_line(); }
    template <bool InLine = false>
    Value product(std::int64_t x, std::int64_t y, std::int64_t, std::int64_t inner,
                  std::int64_t) const {
        return multiply.template of<InLine>(x, y, inner);
    }
    template <bool InLine>
    Value product_if([[maybe_unused]] bool has, std::int64_t x, std::int64_t y, std::int64_t,
                     std::int64_t inner, std::int64_t) const {
        if constexpr (requires { multiply.template of_kept<InLine>(has, x, y); })
            return multiply.template of_kept<InLine>(has, x, y);
        else
            return multiply.template of<InLine>(x, y, inner);
    }
    Value sum(Value a, Value b) const { return Add{}.sum(a, b); }
    Value fold(Value a, Value b) const { return Add{}.fold(a, b); }
    static constexpr Value neutral() { return Add::neutral(); }
    bool done(Value a) const { return Add{}.done(a); }
    SPBFS_FETCHES void prefetch(std::int64_t x) const { multiply.prefetch(x); }
    Value load(const void* w, std::int64_t i) const { return element<Value>(w, i); }
    void store(void* w, std::int64_t i, Value a) const {
        if constexpr (!Pattern) static_cast<Value*>(w)[i] = a;
    }

    Multiply multiply;
};

// Any monoid over any multiplication over any type, by function pointers.
struct InterpretedSemiring {
    using Value = Word;
    static constexpr bool any = false, pattern = false, interpreted = true, reads_matrix = true;
    static constexpr bool logical = false;
    enum class Source { Function, First, Second, One, Row, Inner, Column };

    Value product(std::int64_t x, std::int64_t y, std::int64_t row, std::int64_t inner,
                  std::int64_t column) const {
        switch (source) {
            case Source::Function:
                return multiply(read(operands.x, x * operands.x_stride, in_size),
                                read(operands.y, y * operands.y_stride, in_size));
            case Source::First:
                return read(operands.x, x * operands.x_stride, in_size);
            case Source::Second:
                return read(operands.y, y * operands.y_stride, in_size);
            case Source::One:
                return one;
            case Source::Row:
                return static_cast<Word>(row);
            case Source::Inner:
                return static_cast<Word>(inner);
            case Source::Column:
                return static_cast<Word>(column);
        }
        return 0;
    }
    Value sum(Value a, Value b) const { return add(a, b); }
    SPBFS_FETCHES void prefetch(std::int64_t) const {}
    bool done(Value a) const { return first_wins || (has_terminal && a == terminal); }
    Value load(const void* w, std::int64_t i) const { return read(w, i, out_size); }
    void store(void* w, std::int64_t i, Value a) const {
        std::memcpy(static_cast<char*>(w) + i * out_size, &a, static_cast<std::size_t>(out_size));
    }

    static Word read(const void* values, std::int64_t i, int size) {
        switch (size) {
            case 1:
                return element<std::uint8_t>(values, i);
            case 2:
                return element<std::uint16_t>(values, i);
            case 4:
                return element<std::uint32_t>(values, i);
            default:
                return element<std::uint64_t>(values, i);
        }
    }

    Operands operands;
    Source source = Source::Function;
    WordFunction multiply = nullptr, add = nullptr;
    Word one = 1, terminal = 0;
    bool first_wins = false, has_terminal = false;
    int in_size = 8, out_size = 8;
};

}  // namespace spbfs
