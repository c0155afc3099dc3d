// The rows of a pull that are read whole: of a vector that has every element no entry is looked up,
// and of one that has many what it has not is summed as a number that changes nothing.
//
// What limits them is where their elements of the vector are; so no branch depends on a value, nor
// on which elements there are.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "cpu/matrices/row_order.h"
#include "cpu/memory/entry_stream.h"
#include "cpu/memory/fetch.h"
#include "cpu/operators/product_semiring.h"
#include "cpu/operators/row_sum.h"
#include "cpu/python/bindings.h"

namespace spbfs::pull {

// The elements of a vector that has all of them; Bits of a frontier are those of one that has some.
struct Everything {};

template <class S, class O, class I>
SPBFS_FETCHES void fetch_entry(const S& s, const Csr<O, I>& M, std::int64_t p) {
    __builtin_prefetch(M.indices + p);
    s.prefetch(p);
}

// In what the steps of long rows are summed: those of FP32 in doubles, as a hub has more terms than
// a float has bits for.
template <class S>
inline constexpr bool widens = false;
template <class Multiply, bool Pattern>
inline constexpr bool widens<Semiring<PlusMonoid<float>, Multiply, Pattern>> = true;
template <class S>
using Wide = std::conditional_t<widens<S>, double, typename S::Value>;

// The sum so far and made(p), made(p + 1), ... of a step: of a type of its own a step is summed
// first, as one conversion for each of its terms would take longer than the terms do.
template <class S, class Made>
[[gnu::always_inline]] inline Wide<S> with_step(const S& s, Wide<S> sum, std::int64_t p,
                                                const Made& made) {
    if constexpr (widens<S>) {
        typename S::Value part = made(p);
        for (int i = 1; i < kStreamStep; ++i) part = s.fold(part, made(p + i));
        return sum + part;
    } else {
        for (int i = 0; i < kStreamStep; ++i) sum = s.fold(sum, made(p + i));
        return sum;
    }
}

// The sum over a row with entries; whether there is one.  fold() may keep a NaN that it began with,
// or have kept what it began with from NaNs: then they are summed again.
template <bool InLine, class S, class O, class I, class Elements>
[[gnu::always_inline]] inline bool row_sum(const S& s, const Csr<O, I>& M, std::int64_t begin,
                                           std::int64_t end, const Elements& elements,
                                           typename S::Value& result) {
    using Value = typename S::Value;
    constexpr bool all = std::is_same_v<Elements, Everything>;
    if constexpr (all && std::is_same_v<S, Semiring<PlusMonoid<Value>, MultiplyOne<Value>>>) {
        result = static_cast<Value>(end - begin);
        return true;
    }
    const auto column = [&](std::int64_t at) {
        std::int64_t k = M.indices[at];
        // Kept from being done by vectors: they gather one by one as well, and a row has two loops
        // then, the ends of which no predictor knows.
        asm("" : "+r"(k));
        return k;
    };
    const auto product = [&](std::int64_t at, std::int64_t k) {
        return s.template product<InLine>(at, k, 0, k, 0);
    };
    const bool is_long = end - begin >= kLongRow;
    if constexpr (all) {
        Value sum = product(begin, column(begin));
        std::int64_t p = begin + 1;
        if constexpr (!S::keeps_nan) {
            if (is_long) {
                Wide<S> wide = sum;
                const auto made = [&](std::int64_t at) __attribute__((always_inline)) {
                    return product(at, column(at));
                };
                for (; p + kStreamStep <= end; p += kStreamStep) {
                    fetch_entry(s, M, p + kStreamAhead);
                    wide = with_step(s, wide, p, made);
                }
                sum = static_cast<Value>(wide);
            }
        } else {
            // The least of floats takes four cycles, and the next one need not wait for it.
            if (is_long) {
                Value sums[3] = {sum, sum, sum};
                for (; p + 4 <= end; p += 4) {
                    fetch_entry(s, M, p + kStreamAhead);
                    sum = s.fold(sum, product(p, column(p)));
                    for (int k = 0; k < 3; ++k)
                        sums[k] = s.fold(sums[k], product(p + k + 1, column(p + k + 1)));
                }
                for (const Value other : sums) sum = s.sum(sum, other);
            }
        }
        for (; p < end; ++p) sum = s.fold(sum, product(p, column(p)));
        if constexpr (S::keeps_nan) {
            if (sum != sum)
                for (p = begin + 1; p < end; ++p) sum = s.sum(sum, product(p, column(p)));
        }
        result = sum;
        return true;
    } else {
        Value sum = S::neutral();
        bool found = false;
        const auto made = [&](std::int64_t p) __attribute__((always_inline)) {
            const std::int64_t k = column(p);
            const bool has = elements[k];
            found |= has;
            const Value product = s.template product_if<InLine>(has, p, k, 0, k, 0);
            return chosen(has, product, S::neutral());
        };
        std::int64_t p = begin;
        if (is_long) {
            Wide<S> wide = sum;
            for (; p + kStreamStep <= end; p += kStreamStep) {
                fetch_entry(s, M, p + kStreamAhead);
                wide = with_step(s, wide, p, made);
            }
            sum = static_cast<Value>(wide);
        }
        for (; p < end; ++p) sum = s.fold(sum, made(p));
        if constexpr (S::keeps_nan) {
            if (found && sum == S::neutral()) {
                p = begin;
                while (!elements[M.indices[p]]) ++p;
                sum = product(p, M.indices[p]);
                for (++p; p < end; ++p)
                    if (elements[M.indices[p]]) sum = s.sum(sum, product(p, M.indices[p]));
            }
        }
        result = sum;
        return found;
    }
}

template <class S, class O, class I, class Elements>
bool whole_row(const S& s, const Csr<O, I>& M, std::int64_t p, std::int64_t end,
               const Elements& elements, typename S::Value& sum) {
    return s.in_line() ? row_sum<true>(s, M, p, end, elements, sum)
                       : row_sum<false>(s, M, p, end, elements, sum);
}

// All rows from `begin` to `end`; returns how many have a sum.  By copies: what `present` is
// written through may be anything, so that what others can see would be read anew for every row.
template <bool InLine, class S, class O, class I, class Elements>
std::int64_t whole_rows(const S s, const Csr<O, I> M, std::int64_t begin, std::int64_t end,
                        const Elements& elements, std::uint8_t* present, void* values) {
    std::int64_t found = 0;
    const auto make = [&](std::int64_t row, std::int64_t p,
                          std::int64_t next) __attribute__((always_inline)) {
        typename S::Value sum;
        const bool has = p < next && row_sum<InLine>(s, M, p, next, elements, sum);
        present[row] = has;
        if (has) s.store(values, row, sum);
        found += has;
    };
    if constexpr (InLine) {
        const auto fetch = [&](std::int64_t p)
                               __attribute__((always_inline)) { fetch_entry(s, M, p); };
        for_rows(M, begin, end, fetch, make);
    } else {
        for (std::int64_t row = begin; row < end; ++row)
            make(row, M.indptr[row], M.indptr[row + 1]);
    }
    return found;
}

template <class S, class O, class I, class Elements>
std::int64_t whole_rows(const S& s, const Csr<O, I>& M, std::int64_t begin, std::int64_t end,
                        const Elements& elements, std::uint8_t* present, void* values) {
    return s.in_line() ? whole_rows<true>(s, M, begin, end, elements, present, values)
                       : whole_rows<false>(s, M, begin, end, elements, present, values);
}

}  // namespace spbfs::pull
