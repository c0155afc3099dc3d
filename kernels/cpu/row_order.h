// The order in which the rows of a strip are read: as they are, or from short to long.
//
// How often the loop over a row is gone through is then what it was for the row before, which is
// what processors expect.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

#include "bindings.h"
#include "strip_sums.h"

namespace spbfs {

// Rows are sorted by length in strips that have no more entries a row: those are in the nearest
// cache together, in whatever order they are read.  A road-like graph of 10^6 vertices and mean
// degree 2.8 takes 5.4 ms a round of pagerank() for 8.8, but a uniform one of mean degree 16 takes
// 81 for 40 when sorted (a program of the same loops that sorted 64 rows at a time, one thread of a
// 2-core AMD EPYC, Zen 4, others at work on it, 2026-11-23).
constexpr std::int64_t kSortedRow = 4;
// ... and where one row of so many has another length than the one before it.
constexpr std::int64_t kSurprise = 16;
// ... of which one of so many is looked at: to look at all takes a third of a product of a grid.
constexpr std::int64_t kLookStep = 8;
// Rows of so many entries and more are not told apart.
constexpr std::int64_t kLengths = 16;

// Whether the rows of [begin, end) are better read from short to long than as they are.
template <class O, class I>
bool lengths_vary(const Csr<O, I>& csr, std::int64_t begin, std::int64_t end) {
    if (csr.indptr[end] - csr.indptr[begin] > kSortedRow * (end - begin)) return false;
    std::int64_t looks = 0, surprises = 0;
    for (std::int64_t v = begin + 1; v < end; v += kLookStep, ++looks)
        surprises += csr.indptr[v + 1] - csr.indptr[v] != csr.indptr[v] - csr.indptr[v - 1];
    return surprises * kSurprise > looks;
}

// The rows of [begin, end), kRows at most, from short to long, as offsets from the first; false
// where they are as well read as they are.
template <class O, class I>
bool sort_rows(const Csr<O, I>& csr, std::int64_t begin, std::int64_t end, std::uint16_t* order) {
    if (!lengths_vary(csr, begin, end)) return false;
    std::int64_t place[kLengths + 1] = {};
    auto length = [&](std::int64_t v) {
        return std::min<std::int64_t>(csr.indptr[v + 1] - csr.indptr[v], kLengths - 1);
    };
    for (std::int64_t v = begin; v < end; ++v) ++place[length(v) + 1];
    for (int k = 0; k < kLengths; ++k) place[k + 1] += place[k];
    for (std::int64_t v = begin; v < end; ++v)
        order[place[length(v)]++] = static_cast<std::uint16_t>(v - begin);
    return true;
}

// Rows that by_length() takes at a time, whose entries and sums are in the nearest cache together,
// and up to which length it has a list for each.
constexpr std::int64_t kListed = 256;
constexpr std::size_t kOwnList = 6;

// f(row, begin, end) for the rows of [first, last), kListed at most, from short to long, with
// an `end` that the compiler knows for most: the loop over a short row is then no loop.  What
// fetch(p) fetches, of row after row, is there when f needs it.
template <class O, class I, class Fetch, class F>
[[gnu::always_inline]] inline void by_length(const Csr<O, I>& csr, std::int64_t first,
                                             std::int64_t last, Fetch&& fetch, F&& f) {
    std::uint8_t rows[kOwnList + 1][kListed];
    int count[kOwnList + 1] = {};
    std::int64_t p = csr.indptr[first];
    for (std::int64_t row = first; row < last; ++row) {
        const std::int64_t end = csr.indptr[row + 1];
        const auto list = std::min(static_cast<std::size_t>(end - p), kOwnList);
        rows[list][count[list]++] = static_cast<std::uint8_t>(row - first);
        fetch(p);
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

// Those of all strips, kept.
template <class O, class I>
class RowOrder {
  public:
    // As they are, until sort() has seen their strip.
    explicit RowOrder(const Csr<O, I>& csr)
        : csr_(csr),
          order_(new std::uint16_t[csr.rows]),
          sorted_(new bool[(csr.rows + kRows - 1) / kRows]()) {}

    // Of the strip [begin, end).
    void sort(std::int64_t begin, std::int64_t end) {
        sorted_[begin / kRows] = sort_rows(csr_, begin, end, order_.get() + begin);
    }

    // f(v) for the rows of the strip [begin, end).
    template <class F>
    void visit(std::int64_t begin, std::int64_t end, F&& f) const {
        if (sorted_[begin / kRows]) {
            for (std::int64_t i = begin; i < end; ++i) f(begin + order_[i]);
        } else {
            for (std::int64_t v = begin; v < end; ++v) f(v);
        }
    }

  private:
    const Csr<O, I> csr_;
    // Offsets from the first row of the strip.
    const std::unique_ptr<std::uint16_t[]> order_;
    const std::unique_ptr<bool[]> sorted_;
};

}  // namespace spbfs
