// The rows of a pull of a vector that has every element: no entry is looked up, all are summed.
//
// What limits them is where their elements of the vector are; so no branch depends on a value.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "bindings.h"
#include "product_semiring.h"
#include "row_order.h"

namespace spbfs::pull {

// From p on, with entries.  fold() may keep a NaN that it began with: then they are summed again.
template <bool InLine, class S, class O, class I>
[[gnu::always_inline]] inline typename S::Value row_sum(const S& s, const Csr<O, I>& M,
                                                        std::int64_t begin, std::int64_t end) {
    using Value = typename S::Value;
    if constexpr (std::is_same_v<S, Semiring<PlusMonoid<Value>, MultiplyOne<Value>>>)
        return static_cast<Value>(end - begin);
    const auto product = [&](std::int64_t at) {
        std::int64_t k = M.indices[at];
        // Kept from being done by vectors: they gather one by one as well, and a row has two loops
        // then, the ends of which no predictor knows.
        asm("" : "+r"(k));
        return s.template product<InLine>(at, k, 0, k, 0);
    };
    Value sum = product(begin);
    for (std::int64_t p = begin + 1; p < end; ++p) sum = s.fold(sum, product(p));
    if constexpr (S::keeps_nan) {
        if (sum != sum)
            for (std::int64_t p = begin + 1; p < end; ++p) sum = s.sum(sum, product(p));
    }
    return sum;
}

template <class S, class O, class I>
typename S::Value whole_row(const S& s, const Csr<O, I>& M, std::int64_t p, std::int64_t end) {
    return s.in_line() ? row_sum<true>(s, M, p, end) : row_sum<false>(s, M, p, end);
}

// Rows from `begin` to `end`; returns how many have entries.
template <bool InLine, class S, class O, class I>
std::int64_t rows_in_order(const S& s, const Csr<O, I>& M, std::int64_t begin, std::int64_t end,
                           std::uint8_t* present, void* values) {
    std::int64_t filled = 0;
    std::int64_t p = M.indptr[begin];
    for (std::int64_t row = begin; row < end; ++row) {
        const std::int64_t next = M.indptr[row + 1];
        present[row] = p < next;
        if (p < next) s.store(values, row, row_sum<InLine>(s, M, p, next));
        filled += p < next;
        p = next;
    }
    return filled;
}

// The same in an order that sort_rows() has found.
template <bool InLine, class S, class O, class I>
std::int64_t sorted_rows(const S& s, const Csr<O, I>& M, std::int64_t begin, std::int64_t end,
                         const std::uint16_t* order, std::uint8_t* present, void* values) {
    std::int64_t filled = 0;
    for (std::int64_t i = 0; i < end - begin; ++i) {
        const std::int64_t row = begin + order[i], p = M.indptr[row], next = M.indptr[row + 1];
        present[row] = p < next;
        if (p < next) s.store(values, row, row_sum<InLine>(s, M, p, next));
        filled += p < next;
    }
    return filled;
}

// All rows from `begin` to `end`; returns how many have entries.
//
// Short rows of many lengths are sorted by these for each product, kRows at a time: a road-like
// graph of 2^18 vertices takes 0.9 ms for 1.5 (plus_times, FP32, one thread, the least of 60 in a
// program of the same loops, 2-core AMD EPYC, others at work on it, 2026-11-23).
template <class S, class O, class I>
std::int64_t whole_rows(const S& s, const Csr<O, I>& M, std::int64_t begin, std::int64_t end,
                        std::uint8_t* present, void* values) {
    std::int64_t filled = 0;
    const auto run = [&]<bool InLine>() {
        std::uint16_t order[kRows];
        for (std::int64_t from = begin; from < end; from += kRows) {
            const std::int64_t to = std::min(from + kRows, end);
            if (sort_rows(M, from, to, order))
                filled += sorted_rows<InLine>(s, M, from, to, order, present, values);
            else
                filled += rows_in_order<InLine>(s, M, from, to, present, values);
        }
    };
    if (s.in_line())
        run.template operator()<true>();
    else
        run.template operator()<false>();
    return filled;
}

}  // namespace spbfs::pull
