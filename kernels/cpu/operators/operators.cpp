// The table behind word_function: operator names times types.
#include "cpu/operators/operators.h"

#include <bit>
#include <cstring>
#include <type_traits>
#include <utility>

#include "common/semiring.h"
#include "cpu/operators/product.h"

namespace spbfs {
namespace {

template <class T>
T unpack(Word word) {
    T value;
    static_assert(std::endian::native == std::endian::little);
    std::memcpy(&value, &word, sizeof value);
    return value;
}

template <class T>
Word pack(T value) {
    Word word = 0;
    std::memcpy(&word, &value, sizeof value);
    return word;
}

template <class Op, class T>
Word call(Word x, Word y) {
    return pack(Op{}(unpack<T>(x), unpack<T>(y)));
}

struct Named {
    std::string_view name;
    WordFunction function;
};

template <class T>
WordFunction find(std::string_view name) {
    static constexpr Named table[] = {
        {"plus", call<Plus<T>, T>},     {"times", call<Times<T>, T>},
        {"minus", call<Minus<T>, T>},   {"rminus", call<RMinus<T>, T>},
        {"cdiv", call<CDiv<T>, T>},     {"rdiv", call<RDiv<T>, T>},
        {"min", call<Min<T>, T>},       {"max", call<Max<T>, T>},
        {"any", call<First<T>, T>},     {"first", call<First<T>, T>},
        {"second", call<Second<T>, T>}, {"pair", call<Pair<T>, T>},
        {"land", call<Land<T>, T>},     {"lor", call<Lor<T>, T>},
        {"lxor", call<Lxor<T>, T>},     {"lxnor", call<Lxnor<T>, T>},
        {"iseq", call<IsEq<T>, T>},     {"isne", call<IsNe<T>, T>},
        {"isgt", call<IsGt<T>, T>},     {"islt", call<IsLt<T>, T>},
        {"isge", call<IsGe<T>, T>},     {"isle", call<IsLe<T>, T>},
        {"eq", call<Eq<T>, T>},         {"ne", call<Ne<T>, T>},
        {"gt", call<Gt<T>, T>},         {"lt", call<Lt<T>, T>},
        {"ge", call<Ge<T>, T>},         {"le", call<Le<T>, T>},
    };
    for (const Named& entry : table)
        if (entry.name == name) return entry.function;
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
        if (name == "band") return call<Band<T>, T>;
        if (name == "bor") return call<Bor<T>, T>;
        if (name == "bxor") return call<Bxor<T>, T>;
        if (name == "bxnor") return call<Bxnor<T>, T>;
    }
    if constexpr (std::is_floating_point_v<T>) {
        if (name == "truediv") return call<CDiv<T>, T>;
        if (name == "rtruediv") return call<RDiv<T>, T>;
    }
    return nullptr;
}

Word one_of(Type type) {
    return with_type(type, [](auto zero) { return pack(static_cast<decltype(zero)>(1)); });
}

// The value after which no operand can change a sum, where the monoid has one.
bool terminal_of(std::string_view monoid, Type type, Word& terminal) {
    return with_type(type, [&](auto zero) {
        using T = decltype(zero);
        auto found = [&](T value) {
            terminal = pack(value);
            return true;
        };
        if (monoid == "min") return found(Traits<T>::lowest());
        if (monoid == "max") return found(Traits<T>::highest());
        if constexpr (std::is_integral_v<T>) {
            if (monoid == "times" || monoid == "land" || monoid == "band") return found(T{0});
            if (monoid == "lor") return found(T{1});
            if (monoid == "bor") return found(static_cast<T>(~Wide{0}));
        }
        return false;
    });
}

}  // namespace

int size_of(Type type) {
    static constexpr int sizes[] = {1, 1, 2, 4, 8, 1, 2, 4, 8, 4, 8};
    return sizes[static_cast<int>(type)];
}

WordFunction word_function(std::string_view name, Type type) {
    return with_type(type, [name](auto zero) { return find<decltype(zero)>(name); });
}

bool interpret(const ProductName& name, const Operands& operands, InterpretedSemiring& result) {
    using Source = InterpretedSemiring::Source;
    static constexpr std::pair<std::string_view, Source> sources[] = {
        {"first", Source::First}, {"second", Source::Second}, {"pair", Source::One},
        {"row", Source::Row},     {"inner", Source::Inner},   {"column", Source::Column},
    };
    result.operands = operands;
    for (const auto& [word, source] : sources)
        if (word == name.multiply) result.source = source;

    Type product = name.in;
    if (result.source == Source::Function) {
        result.multiply = word_function(name.multiply, name.in);
        if (result.multiply == nullptr) return false;
        static constexpr std::string_view tests[] = {"eq", "ne", "gt", "lt", "ge", "le"};
        for (std::string_view test : tests)
            if (test == name.multiply) product = Type::Bool;
    } else if (result.source == Source::One) {
        product = name.out;
        result.one = one_of(name.out);
    } else if (result.source >= Source::Row) {
        product = Type::Int64;
    }
    // A bool is the integer 0 or 1 as it stands; any other cast is the caller's.
    const bool integral = name.out != Type::Fp32 && name.out != Type::Fp64;
    if (product != name.out && !(product == Type::Bool && integral)) return false;

    result.add = word_function(name.monoid, name.out);
    result.first_wins = name.monoid == "any";
    result.has_terminal = terminal_of(name.monoid, name.out, result.terminal);
    result.in_size = size_of(name.in);
    result.out_size = size_of(name.out);
    return result.add != nullptr;
}

}  // namespace spbfs
