// The tables behind block_operator: names times types, a loop each that the compiler vectorises.
#include "cpu/operators/block_operators.h"

#include <math.h>

#include <cmath>
#include <limits>
#include <type_traits>

#include "common/semiring.h"

namespace spbfs {
namespace {

template <class T>
constexpr Type type_of() {
    if constexpr (std::is_same_v<T, bool>) return Type::Bool;
    if constexpr (std::is_same_v<T, float>) return Type::Fp32;
    if constexpr (std::is_same_v<T, double>) return Type::Fp64;
    constexpr bool sign = std::is_signed_v<T>;
    if constexpr (sizeof(T) == 1) return sign ? Type::Int8 : Type::UInt8;
    if constexpr (sizeof(T) == 2) return sign ? Type::Int16 : Type::UInt16;
    if constexpr (sizeof(T) == 4) return sign ? Type::Int32 : Type::UInt32;
    return sign ? Type::Int64 : Type::UInt64;
}

template <class Op, class T>
void unary(const void* const* operands, void* results, std::int64_t count) {
    const T* __restrict x = static_cast<const T*>(operands[0]);
    auto* __restrict out = static_cast<decltype(Op{}(T{}))*>(results);
    for (std::int64_t i = 0; i < count; ++i) out[i] = Op{}(x[i]);
}

template <class Op, class T>
void binary(const void* const* operands, void* results, std::int64_t count) {
    const T* __restrict x = static_cast<const T*>(operands[0]);
    const T* __restrict y = static_cast<const T*>(operands[1]);
    auto* __restrict out = static_cast<decltype(Op{}(T{}, T{}))*>(results);
    for (std::int64_t i = 0; i < count; ++i) out[i] = Op{}(x[i], y[i]);
}

// The operands are a condition, what is chosen where it holds, and what elsewhere.
template <class T>
void choose(const void* const* operands, void* results, std::int64_t count) {
    const bool* __restrict condition = static_cast<const bool*>(operands[0]);
    const T* __restrict x = static_cast<const T*>(operands[1]);
    const T* __restrict y = static_cast<const T*>(operands[2]);
    T* __restrict out = static_cast<T*>(results);
    for (std::int64_t i = 0; i < count; ++i) out[i] = condition[i] ? x[i] : y[i];
}

template <class T>
constexpr bool integral = std::is_integral_v<T> && !std::is_same_v<T, bool>;

// Unlike Min and Max, a NaN wins.
template <class T>
struct Minimum {
    T operator()(T x, T y) const { return x < y || x != x ? x : y; }
};
template <class T>
struct Maximum {
    T operator()(T x, T y) const { return x > y || x != x ? x : y; }
};

// Quotients rounded down, and what they leave, as Python and NumPy have them.
template <class T>
struct FloorDivide {
    T operator()(T x, T y) const {
        if constexpr (std::is_floating_point_v<T>) {
            if (y == 0) return x / y;
            const T rest = std::fmod(x, y);
            T quotient = (x - rest) / y;
            if (rest != 0 && (y < 0) != (rest < 0)) quotient -= 1;
            if (quotient == 0) return std::copysign(T{0}, x / y);
            const T whole = std::floor(quotient);
            return quotient - whole > T{0.5} ? whole + 1 : whole;
        } else {
            if (y == 0) return 0;
            const T quotient = divide(x, y);
            const bool below = Traits<T>::is_signed && (x < 0) != (y < 0);
            return below && static_cast<T>(quotient * y) != x ? quotient - 1 : quotient;
        }
    }
};
template <class T>
struct Remainder {
    T operator()(T x, T y) const {
        if constexpr (std::is_floating_point_v<T>) {
            const T rest = std::fmod(x, y);
            if (y == 0) return rest;
            if (rest == 0) return std::copysign(T{0}, y);
            return (y < 0) != (rest < 0) ? rest + y : rest;
        } else {
            if (y == 0 || (Traits<T>::is_signed && y == static_cast<T>(-1))) return 0;
            const T rest = x % y;
            return rest != 0 && Traits<T>::is_signed && (rest < 0) != (y < 0) ? rest + y : rest;
        }
    }
};

template <class T>
struct Identity {
    T operator()(T x) const { return x; }
};
template <class T>
struct Negative {
    T operator()(T x) const {
        if constexpr (integral<T>)
            return static_cast<T>(Wide{0} - static_cast<Wide>(x));
        else if constexpr (std::is_floating_point_v<T>)
            return -x;
        else
            return x;
    }
};
template <class T>
struct Absolute {
    T operator()(T x) const {
        if constexpr (std::is_floating_point_v<T>)
            return std::fabs(x);
        else if constexpr (std::is_signed_v<T>)
            return x < 0 ? Negative<T>{}(x) : x;
        else
            return x;
    }
};
template <class T>
struct Not {
    bool operator()(T x) const { return x == 0; }
};
template <class T>
struct Invert {
    T operator()(T x) const {
        if constexpr (integral<T>)
            return static_cast<T>(~x);
        else
            return !x;
    }
};
template <class T>
struct Root {
    T operator()(T x) const { return std::sqrt(x); }
};

// Functions of C that NumPy calls as well, a value at a time.
template <class T>
struct Hypotenuse {
    T operator()(T x, T y) const { return std::hypot(x, y); }
};
template <class T>
struct Rest {
    T operator()(T x, T y) const { return std::fmod(x, y); }
};
template <class T>
struct CopySign {
    T operator()(T x, T y) const { return std::copysign(x, y); }
};

// Functions of C, in double precision whatever the type.
template <class T>
struct Erf {
    T operator()(T x) const { return static_cast<T>(std::erf(double{x})); }
};
template <class T>
struct Erfc {
    T operator()(T x) const { return static_cast<T>(std::erfc(double{x})); }
};
template <class T>
struct Gamma {
    T operator()(T x) const { return static_cast<T>(std::tgamma(double{x})); }
};
template <class T>
struct LogGamma {
    T operator()(T x) const {
        int sign;  // `std::lgamma` keeps it where all threads write
        return static_cast<T>(::lgamma_r(double{x}, &sign));
    }
};

// Floats beyond an integer's range become the nearest there is, NaN becomes 0; integers wrap.
template <class From, class To>
struct Cast {
    To operator()(From x) const {
        if constexpr (std::is_same_v<To, bool>) {
            return x != 0;
        } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
            using Limits = std::numeric_limits<To>;
            if (x != x) return 0;
            if (x <= static_cast<From>(Limits::min())) return Limits::min();
            if (x >= static_cast<From>(Limits::max())) return Limits::max();
            return static_cast<To>(x);
        } else {
            return static_cast<To>(x);
        }
    }
};

struct Named {
    std::string_view name;
    BlockOperator found;
};

template <class Op, class T>
constexpr BlockOperator one() {
    return {unary<Op, T>, 1, type_of<decltype(Op{}(T{}))>()};
}
template <class Op, class T>
constexpr BlockOperator two() {
    return {binary<Op, T>, 2, type_of<decltype(Op{}(T{}, T{}))>()};
}

template <std::size_t size>
BlockOperator look_up(const Named (&table)[size], std::string_view name) {
    for (const Named& entry : table)
        if (entry.name == name) return entry.found;
    return {};
}

template <class T>
BlockOperator find_ordinary(std::string_view name) {
    static constexpr Named table[] = {
        {"plus", two<Plus<T>, T>()},
        {"times", two<Times<T>, T>()},
        {"minus", two<Minus<T>, T>()},
        {"rminus", two<RMinus<T>, T>()},
        {"min", two<Min<T>, T>()},
        {"max", two<Max<T>, T>()},
        {"cdiv", two<CDiv<T>, T>()},
        {"rdiv", two<RDiv<T>, T>()},
        {"any", two<First<T>, T>()},
        {"first", two<First<T>, T>()},
        {"second", two<Second<T>, T>()},
        {"pair", two<Pair<T>, T>()},
        {"land", two<Land<T>, T>()},
        {"lor", two<Lor<T>, T>()},
        {"lxor", two<Lxor<T>, T>()},
        {"lxnor", two<Lxnor<T>, T>()},
        {"iseq", two<IsEq<T>, T>()},
        {"isne", two<IsNe<T>, T>()},
        {"isgt", two<IsGt<T>, T>()},
        {"islt", two<IsLt<T>, T>()},
        {"isge", two<IsGe<T>, T>()},
        {"isle", two<IsLe<T>, T>()},
        {"eq", two<Eq<T>, T>()},
        {"ne", two<Ne<T>, T>()},
        {"gt", two<Gt<T>, T>()},
        {"lt", two<Lt<T>, T>()},
        {"ge", two<Ge<T>, T>()},
        {"le", two<Le<T>, T>()},
        {"identity", one<Identity<T>, T>()},
        {"lnot", one<Not<T>, T>()},
        {"where", {choose<T>, 3, type_of<T>()}},
    };
    return look_up(table, name);
}

template <class T>
BlockOperator find_of_numbers(std::string_view name) {
    static constexpr Named table[] = {
        {"ainv", one<Negative<T>, T>()},        {"abs", one<Absolute<T>, T>()},
        {"minimum", two<Minimum<T>, T>()},      {"maximum", two<Maximum<T>, T>()},
        {"floordiv", two<FloorDivide<T>, T>()}, {"mod", two<Remainder<T>, T>()},
    };
    return look_up(table, name);
}

template <class T>
BlockOperator find(std::string_view name) {
    BlockOperator found = find_ordinary<T>(name);
    if (found.function != nullptr) return found;
    if constexpr (!std::is_same_v<T, bool>) found = find_of_numbers<T>(name);
    if (found.function != nullptr) return found;
    if constexpr (std::is_floating_point_v<T>) {
        if (name == "truediv") return two<CDiv<T>, T>();
        if (name == "rtruediv") return two<RDiv<T>, T>();
        if (name == "hypot") return two<Hypotenuse<T>, T>();
        if (name == "fmod") return two<Rest<T>, T>();
        if (name == "copysign") return two<CopySign<T>, T>();
        if (name == "sqrt") return one<Root<T>, T>();
        if (name == "erf") return one<Erf<T>, T>();
        if (name == "erfc") return one<Erfc<T>, T>();
        if (name == "tgamma") return one<Gamma<T>, T>();
        if (name == "lgamma") return one<LogGamma<T>, T>();
    }
    if constexpr (integral<T>) {
        if (name == "band") return two<Band<T>, T>();
        if (name == "bor") return two<Bor<T>, T>();
        if (name == "bxor") return two<Bxor<T>, T>();
        if (name == "bxnor") return two<Bxnor<T>, T>();
        if (name == "bnot") return one<Invert<T>, T>();
    }
    return {};
}

}  // namespace

BlockOperator block_operator(std::string_view name, Type type) {
    return with_type(type, [name](auto zero) { return find<decltype(zero)>(name); });
}

BlockOperator block_cast(Type from, Type to) {
    return with_type(from, [to](auto x) {
        return with_type(to,
                         [](auto y) { return one<Cast<decltype(x), decltype(y)>, decltype(x)>(); });
    });
}

}  // namespace spbfs
