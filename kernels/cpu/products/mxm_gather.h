// Products of a row of C = A B side by side, until a block of them is full: rows of B are taken in
// strips of one length, of which what follows a row's end is overwritten.
//
// Rows of a few entries end where no predictor expects it, each of which is as dear as all of its
// products; strips, and then the block, are loops that end where they always do.
#pragma once

#include <algorithm>
#include <cstdint>

#include "cpu/operators/product_semiring.h"
#include "cpu/products/mxm_task.h"

namespace spbfs {

template <class S, class I>
class GatheredProducts {
  public:
    GatheredProducts(const S& s, const MxmTask<I>& task)
        : s_(s), task_(task), entries_(task.B.indptr[task.B.rows]) {}

    bool is_full() const { return count_ > kBlock - kStrip; }

    // The products of entry p of A, which is in row i, with entries [r, end) of a row of B, as many
    // as a strip has; returns how many.
    std::int64_t take(std::int64_t i, std::int64_t p, std::int64_t r, std::int64_t end) {
        row_ = i;
        const std::int64_t taken = std::min(kStrip, end - r);
        if (r + kStrip <= entries_)
            put(p, r, kStrip);
        else
            put(p, r, taken);
        count_ += taken;
        return taken;
    }

    // f(column, product) for each, product() being what it is worth; then there are none.
    template <class F>
    void empty(F&& f) {
        for (std::int64_t q = 0; q < count_; ++q) f(column_[q], [&] { return product(q); });
        count_ = 0;
    }

  private:
    static constexpr std::int64_t kStrip = 8, kBlock = 256;

    [[gnu::always_inline]] void put(std::int64_t p, std::int64_t r, std::int64_t count) {
        for (std::int64_t q = 0; q < count; ++q) column_[count_ + q] = task_.B.indices[r + q];
        for (std::int64_t q = 0; q < count; ++q)
            if constexpr (S::interpreted)
                at_[count_ + q] = {p, r + q};
            else
                value_[count_ + q] = product_of(p, r + q);
    }
    typename S::Value product(std::int64_t q) const {
        if constexpr (S::interpreted)  // not before it is known to be wanted
            return product_of(at_[q].p, at_[q].r);
        else
            return value_[q];
    }
    typename S::Value product_of(std::int64_t p, std::int64_t r) const {
        return s_.product(p, r, row_, task_.A.indices[p], task_.B.indices[r]);
    }

    struct Pair {
        std::int64_t p, r;
    };

    const S& s_;
    const MxmTask<I>& task_;
    const std::int64_t entries_;  // of B
    std::int64_t row_ = 0, count_ = 0;
    I column_[kBlock];
    typename S::Value value_[S::interpreted ? 1 : kBlock];
    Pair at_[S::interpreted ? kBlock : 1];
};

}  // namespace spbfs
