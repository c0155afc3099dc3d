// The table behind segment_function, monoids times types; and sums over monoids that are programs.
#include "cpu/operators/segment_sums.h"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "common/semiring.h"
#include "cpu/operators/pairs.h"

namespace spbfs {
namespace {

// Values that a program sums one after the other: a long segment has many such pieces.
constexpr std::int64_t kPiece = 16;

// A monoid that is no more than its operator.
template <class Op, class T>
struct Plain {
    using Value = T;
    static constexpr bool keeps_nan = false;
    T sum(T x, T y) const { return Op{}(x, y); }
    T fold(T x, T y) const { return sum(x, y); }
};

// Sums of value(t).
template <class Monoid, class Value>
[[gnu::always_inline]] inline void sum_segments(const Value& value, const std::int32_t* ends,
                                                std::int64_t segments, const void* begun,
                                                typename Monoid::Value* __restrict sums) {
    constexpr Monoid monoid;
    using T = typename Monoid::Value;
    std::int32_t begin = 0;
    for (std::int64_t s = 0; s < segments; ++s) {
        const std::int32_t end = ends[s];
        const bool goes_on = s == 0 && begun != nullptr;
        const T first = value(begin);
        const T start = goes_on ? monoid.sum(*static_cast<const T*>(begun), first) : first;
        T sum = start;
        for (std::int32_t t = begin + 1; t < end; ++t) sum = monoid.fold(sum, value(t));
        if constexpr (Monoid::keeps_nan) {
            if (sum != sum) {
                sum = start;
                for (std::int32_t t = begin + 1; t < end; ++t) sum = monoid.sum(sum, value(t));
            }
        }
        sums[s] = sum;
        begin = end;
    }
}

template <class Monoid>
void sums_of(const void* from, const std::int32_t* ends, std::int64_t segments, const void* begun,
             void* sums) {
    using T = typename Monoid::Value;
    const T* __restrict values = static_cast<const T*>(from);
    sum_segments<Monoid>([=](std::int32_t t) { return values[t]; }, ends, segments, begun,
                         static_cast<T*>(sums));
}

template <class Monoid, template <class> class Op>
void sums_of_products(const void* first, const void* second, const std::int32_t* ends,
                      std::int64_t segments, const void* begun, void* sums) {
    using T = typename Monoid::Value;
    const T* __restrict x = static_cast<const T*>(first);
    const T* __restrict y = static_cast<const T*>(second);
    sum_segments<Monoid>([=](std::int32_t t) { return Op<T>{}(x[t], y[t]); }, ends, segments, begun,
                         static_cast<T*>(sums));
}

struct Named {
    std::string_view name;
    SegmentFunction function;
};

template <class T>
SegmentFunction find(std::string_view name) {
    static constexpr Named table[] = {
        {"plus", sums_of<PlusMonoid<T>>},     {"times", sums_of<Plain<Times<T>, T>>},
        {"min", sums_of<MinMonoid<T>>},       {"max", sums_of<MaxMonoid<T>>},
        {"land", sums_of<Plain<Land<T>, T>>}, {"lor", sums_of<Plain<Lor<T>, T>>},
        {"lxor", sums_of<Plain<Lxor<T>, T>>}, {"lxnor", sums_of<Plain<Lxnor<T>, T>>},
        {"eq", sums_of<Plain<IsEq<T>, T>>},
    };
    for (const Named& entry : table)
        if (entry.name == name) return entry.function;
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
        if (name == "band") return sums_of<Plain<Band<T>, T>>;
        if (name == "bor") return sums_of<Plain<Bor<T>, T>>;
        if (name == "bxor") return sums_of<Plain<Bxor<T>, T>>;
        if (name == "bxnor") return sums_of<Plain<Bxnor<T>, T>>;
    }
    return nullptr;
}

// Of monoids most of whose products pull.cpp has no loop for.
template <class Monoid>
ProductFunction find_product(std::string_view multiply) {
    static constexpr std::pair<std::string_view, ProductFunction> table[] = {
        {"plus", sums_of_products<Monoid, Plus>},   {"times", sums_of_products<Monoid, Times>},
        {"minus", sums_of_products<Monoid, Minus>}, {"rminus", sums_of_products<Monoid, RMinus>},
        {"min", sums_of_products<Monoid, Smaller>}, {"max", sums_of_products<Monoid, Larger>},
    };
    for (const auto& [name, function] : table)
        if (name == multiply) return function;
    return nullptr;
}

template <class T>
ProductFunction find_product(std::string_view monoid, std::string_view multiply) {
    if (monoid == "plus") return find_product<PlusMonoid<T>>(multiply);
    if (monoid == "times") return find_product<Plain<Times<T>, T>>(multiply);
    return nullptr;
}

}  // namespace

ProductFunction product_function(std::string_view monoid, std::string_view multiply, Type in,
                                 Type out) {
    if (in != out) return nullptr;
    switch (out) {
        case Type::Int32:
            return find_product<std::int32_t>(monoid, multiply);
        case Type::Int64:
            return find_product<std::int64_t>(monoid, multiply);
        case Type::Fp32:
            return find_product<float>(monoid, multiply);
        case Type::Fp64:
            return find_product<double>(monoid, multiply);
        default:
            return nullptr;
    }
}

SegmentFunction segment_function(std::string_view name, Type type) {
    return with_type(type, [name](auto zero) { return find<decltype(zero)>(name); });
}

void SegmentSums::operator()(void* values, const std::int32_t* ends, std::int64_t segments,
                             const void* begun, void* sums) {
    if (function_ != nullptr) return function_(values, ends, segments, begun, sums);
    with_size(size_, [&]<class T>(T) {
        by_pieces(static_cast<T*>(values), ends, segments, static_cast<const T*>(begun),
                  static_cast<T*>(sums));
    });
}

// All pieces of all segments at once, then the pieces of each.
template <class T>
void SegmentSums::by_pieces(T* values, const std::int32_t* ends, std::int64_t segments,
                            const T* begun, T* sums) {
    const auto open = [&](auto&& each) {
        open_.clear();
        for (std::int64_t s = 0, begin = 0; s < segments; begin = ends[s++])
            each(begin, ends[s] - begin);
    };
    open([&](std::int64_t begin, std::int64_t count) {
        for (std::int64_t at = 0; at < count; at += kPiece)
            open_.push_back({begin + at, std::min(kPiece, count - at)});
    });
    fold(values, 1);
    open([&](std::int64_t begin, std::int64_t count) {
        if (count > kPiece) open_.push_back({begin, (count + kPiece - 1) / kPiece});
    });
    fold(values, kPiece);
    for (std::int64_t s = 0, begin = 0; s < segments; begin = ends[s++]) sums[s] = values[begin];
    if (begun != nullptr && segments > 0) {
        const T before = *begun, after = sums[0];
        (*add_)(&before, &after, sums, 1);
    }
}

// The spans' values, `step` apart; the list is used up.
template <class T>
void SegmentSums::fold(T* values, std::int64_t step) {
    T x[kBlock], y[kBlock], sum[kBlock];
    for (std::int64_t nth = 1; !open_.empty(); ++nth) {
        std::erase_if(open_, [nth](const Span& span) { return span.count <= nth; });
        for (std::size_t t = 0; t < open_.size(); ++t) {
            x[t] = values[open_[t].begin];
            y[t] = values[open_[t].begin + nth * step];
        }
        if (!open_.empty()) (*add_)(x, y, sum, static_cast<std::int64_t>(open_.size()));
        for (std::size_t t = 0; t < open_.size(); ++t) values[open_[t].begin] = sum[t];
    }
}

}  // namespace spbfs
