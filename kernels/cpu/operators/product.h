// From the names of a semiring to the object that a product kernel is given of it
// (product_semiring.h): with_semiring picks the specialised one, or the interpreted one for
// everything else.
#pragma once

#include <string_view>
#include <type_traits>

#include "cpu/operators/product_semiring.h"

namespace spbfs {

// Names as in Python, for a multiplication whose first operand is the matrix (the left one).
// `first`, `second`, `pair` and the positions `row`, `inner`, `column` read fewer arrays.
struct ProductName {
    std::string_view monoid, multiply;
    Type in, out;
};

// False where even the interpreter has no such product (unknown name, or a cast between).
bool interpret(const ProductName& name, const Operands& operands, InterpretedSemiring& result);

// Kernels that are large, or rarely the whole of a program's time, are specialised for few; pulls
// over numbers, a file for each type, for most.
enum class Specialise { Few, Many, Most };

namespace detail {

template <class S, class F>
bool call(const Operands& operands, F&& f) {
    f(S(operands));
    return true;
}

template <class T, class F>
bool moved_any(std::string_view multiply, const Operands& o, F&& f) {
    using Add = AnyMonoid<T>;
    if (multiply == "first") return call<Semiring<Add, MultiplyFirst<T>>>(o, f);
    if (multiply == "second") return call<Semiring<Add, MultiplySecond<T>>>(o, f);
    return false;
}

// `any` moves values without looking at them, so their size is all that matters.
template <Specialise which, class F>
bool specialised_any(const ProductName& name, const Operands& o, F&& f) {
    using std::int64_t;
    if (name.multiply == "inner")
        return call<Semiring<AnyMonoid<int64_t>, MultiplyInner<int64_t>>>(o, f);
    if (size_of(name.out) == 8) return moved_any<std::uint64_t>(name.multiply, o, f);
    if constexpr (which >= Specialise::Many) {
        if (size_of(name.out) == 4) return moved_any<std::uint32_t>(name.multiply, o, f);
        if (size_of(name.out) == 1) return moved_any<std::uint8_t>(name.multiply, o, f);
    }
    return false;
}

template <Specialise which, class T, class F>
bool specialised_arithmetic(const ProductName& name, const Operands& o, F&& f) {
    const std::string_view add = name.monoid, m = name.multiply;
    if (add == "plus" && m == "times")
        return call<Semiring<PlusMonoid<T>, MultiplyBoth<T, Times>>>(o, f);
    if (add == "plus" && m == "pair") return call<Semiring<PlusMonoid<T>, MultiplyOne<T>>>(o, f);
    if (add == "min" && m == "plus")
        return call<Semiring<MinMonoid<T>, MultiplyBoth<T, Plus>>>(o, f);
    if constexpr (which >= Specialise::Many) {
        if (add == "plus" && m == "second")
            return call<Semiring<PlusMonoid<T>, MultiplySecond<T>>>(o, f);
        if (add == "plus" && m == "first")
            return call<Semiring<PlusMonoid<T>, MultiplyFirst<T>>>(o, f);
        if (add == "min" && m == "second")
            return call<Semiring<MinMonoid<T>, MultiplySecond<T>>>(o, f);
        if (add == "max" && m == "second")
            return call<Semiring<MaxMonoid<T>, MultiplySecond<T>>>(o, f);
        if (add == "max" && m == "plus")
            return call<Semiring<MaxMonoid<T>, MultiplyBoth<T, Plus>>>(o, f);
        if constexpr (std::is_same_v<T, std::int64_t>)
            if (add == "min" && m == "inner")
                return call<Semiring<MinMonoid<T>, MultiplyInner<T>>>(o, f);
    }
    if constexpr (which == Specialise::Most) {
        if (add == "min" && m == "times")
            return call<Semiring<MinMonoid<T>, MultiplyBoth<T, Times>>>(o, f);
        if (add == "max" && m == "times")
            return call<Semiring<MaxMonoid<T>, MultiplyBoth<T, Times>>>(o, f);
        if (add == "min" && m == "max")
            return call<Semiring<MinMonoid<T>, MultiplyBoth<T, Larger>>>(o, f);
        if (add == "max" && m == "min")
            return call<Semiring<MaxMonoid<T>, MultiplyBoth<T, Smaller>>>(o, f);
        if (add == "min" && m == "first")
            return call<Semiring<MinMonoid<T>, MultiplyFirst<T>>>(o, f);
        if (add == "max" && m == "first")
            return call<Semiring<MaxMonoid<T>, MultiplyFirst<T>>>(o, f);
    }
    return false;
}

// Whether sums are over what is multiplied, or over what has one type whatever is multiplied.
inline bool keeps_type(const ProductName& name) {
    return name.in == name.out || name.multiply == "inner" || name.multiply == "pair";
}

template <Specialise which, class F>
bool specialised(const ProductName& name, const Operands& o, F&& f) {
    if (name.monoid == "any") return specialised_any<which>(name, o, f);
    if (!keeps_type(name)) return false;
    switch (name.out) {
        case Type::Int64:
            return specialised_arithmetic<which, std::int64_t>(name, o, f);
        case Type::Fp32:
            return specialised_arithmetic<which, float>(name, o, f);
        case Type::Fp64:
            return specialised_arithmetic<which, double>(name, o, f);
        case Type::Int32:
            if constexpr (which >= Specialise::Many)
                return specialised_arithmetic<which, std::int32_t>(name, o, f);
            return false;
        default:
            return false;
    }
}

}  // namespace detail

// f(s) with the best S there is; false where the product is not built in.
template <Specialise which = Specialise::Many, class F>
bool with_semiring(const ProductName& name, const Operands& operands, F&& f) {
    if (name.monoid == "any" && name.multiply == "pair")
        return detail::call<Semiring<AnyMonoid<bool>, MultiplyOne<bool>, true>>(operands, f);
    if (detail::specialised<which>(name, operands, f)) return true;
    InterpretedSemiring interpreted;
    if (!interpret(name, operands, interpreted)) return false;
    f(interpreted);
    return true;
}

}  // namespace spbfs
