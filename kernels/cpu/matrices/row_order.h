// The order in which rows that are read whole are read: as they are, or from short to long.
//
// How often the loop over a row is gone through no processor can know where lengths vary.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "cpu/memory/entry_stream.h"
#include "cpu/python/bindings.h"

namespace spbfs {

// Rows of no more entries than this, on average, are told apart by their lengths.  A uniform graph
// of mean degree 16 takes 81 for 40 ms a round of pagerank() when sorted (a program of the same
// loops, one thread of a 2-core AMD EPYC, Zen 4, others at work on it, 2026-11-23).
constexpr std::int64_t kShortRow = 4;
// ... where one row of so many has another length than the one before it.
constexpr std::int64_t kSurprise = 16;
// ... of which one of so many is looked at: to look at all takes a third of a product of a grid.
constexpr std::int64_t kLookStep = 8;
// Rows that are taken together, whose entries and sums are in the nearest cache then, and up to
// which length there is a list for each.
constexpr std::int64_t kListed = 128;
constexpr std::size_t kOwnList = 6;

// Whether the rows of [begin, end) are better read from short to long than as they are.
template <class O, class I>
bool lengths_vary(const Csr<O, I>& csr, std::int64_t begin, std::int64_t end) {
    if (csr.indptr[end] - csr.indptr[begin] > kShortRow * (end - begin)) return false;
    std::int64_t looks = 0, surprises = 0;
    for (std::int64_t v = begin + 1; v < end; v += kLookStep, ++looks)
        surprises += csr.indptr[v + 1] - csr.indptr[v] != csr.indptr[v] - csr.indptr[v - 1];
    return surprises * kSurprise > looks;
}

// f(row, begin, end) for the rows of [first, last), kListed at most, from short to long, with
// an `end` that the compiler knows for most: the loop over a short row is then no loop.
template <class O, class I, class Fetch, class F>
[[gnu::always_inline]] inline void by_length(const Csr<O, I>& csr, std::int64_t first,
                                             std::int64_t last, const Fetch& fetch, const F& f) {
    std::uint8_t rows[kOwnList + 1][kListed];
    int count[kOwnList + 1] = {};
    std::int64_t p = csr.indptr[first];
    for (std::int64_t row = first; row < last; ++row) {
        const std::int64_t end = csr.indptr[row + 1];
        const auto list = std::min(static_cast<std::size_t>(end - p), kOwnList);
        rows[list][count[list]++] = static_cast<std::uint8_t>(row - first);
        fetch(p + kStreamAhead);
        p = end;
    }
    const auto of_length = [&]<std::size_t length>() {
        for (int i = 0; i < count[length]; ++i) {
            const std::int64_t row = first + rows[length][i], begin = csr.indptr[row];
            if constexpr (length < kOwnList)
                f(row, begin, begin + static_cast<std::int64_t>(length));
            else
                f(row, begin, csr.indptr[row + 1]);
        }
    };
    [&]<std::size_t... lengths>(std::index_sequence<lengths...>) {
        (of_length.template operator()<lengths>(), ...);
    }(std::make_index_sequence<kOwnList + 1>());
}

// f(row, begin, end) for the rows of [first, last), in the order in which they are best read, while
// fetch(p) of entries behind them makes these be there when f needs them.  Both are functors that
// are inlined.
//
// Of road-like graphs of 2^16, 2^18 and 2^20 vertices a product with a vector takes .30, 1.30 and
// 7.5 ms for .63, 2.57 and 11.2 in FP32, .31, 2.0 and 10.3 for .63, 2.8 and 12.4 in FP64
// (plus_times, one thread of a 2-core AMD EPYC, Zen 4, medians of 15 in a program of the same
// loops, others at work on it, 2026-11-26).
template <class O, class I, class Fetch, class F>
[[gnu::always_inline]] inline void for_rows(const Csr<O, I>& csr, std::int64_t first,
                                            std::int64_t last, const Fetch& fetch, const F& f) {
    for (std::int64_t from = first; from < last; from += kListed) {
        const std::int64_t to = std::min(from + kListed, last);
        if (lengths_vary(csr, from, to)) {
            by_length(csr, from, to, fetch, f);
            continue;
        }
        std::int64_t p = csr.indptr[from];
        for (std::int64_t row = from; row < to; ++row) {
            const std::int64_t end = csr.indptr[row + 1];
            for (int line = 0; line < kStreamLines; ++line)
                fetch(p + kStreamAhead + line * kStreamLine);
            f(row, p, end);
            p = end;
        }
    }
}

}  // namespace spbfs
