// What a matrix product is made of, C<M> = A B, and how much it is.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>

#include "cpu/memory/fetch.h"
#include "cpu/python/bindings.h"

namespace spbfs {

template <class I>
using Matrix = Csr<std::int64_t, I>;

template <class I>
std::span<const I> row_of(const Matrix<I>& A, std::int64_t i) {
    return {A.indices + A.indptr[i], static_cast<std::size_t>(A.indptr[i + 1] - A.indptr[i])};
}

template <class I>
struct MxmTask {
    Matrix<I> A, B;  // for dots, B is the transpose of the right operand
    std::optional<Matrix<I>> mask;
    bool complement;
    std::int64_t columns, inner;
    const char* b_values;
    std::int64_t b_stride;  // in bytes; 0 where all values are one

    // Whether B stays in a near cache, and nothing needs to be fetched ahead.
    bool is_near() const { return B.indptr[B.rows] <= 1 << 17; }

    // Entry p of A has its turn: begins to fetch the rows of B that later entries will read, each
    // of which lies somewhere else.
    SPBFS_FETCHES void fetch_ahead(std::int64_t p) const {
        if (is_near()) return;
        constexpr std::int64_t kRow = 16, kOffset = 32;  // entries ahead
        const std::int64_t entries = A.indptr[A.rows];
        if (p + kOffset < entries) __builtin_prefetch(B.indptr + A.indices[p + kOffset]);
        if (p + kRow < entries) {
            const std::int64_t k = A.indices[p + kRow];
            for (const std::int64_t r : {B.indptr[k], B.indptr[k + 1] - 1}) {
                __builtin_prefetch(B.indices + r);
                __builtin_prefetch(b_values + r * b_stride);
            }
        }
    }
};

// Products of pairs of entries that row i of C is the sum of, whatever the mask.
template <class I>
std::int64_t products_of(const MxmTask<I>& task, std::int64_t i) {
    std::int64_t products = 0;
    for (I k : row_of(task.A, i)) products += static_cast<std::int64_t>(row_of(task.B, k).size());
    return products;
}

// Entries that rows [begin, end) of C have at most.
template <class I>
std::int64_t most_entries(const MxmTask<I>& task, std::int64_t begin, std::int64_t end) {
    if (task.mask && !task.complement) return task.mask->indptr[end] - task.mask->indptr[begin];
    std::int64_t products = 0;
    for (std::int64_t p = task.A.indptr[begin]; p < task.A.indptr[end]; ++p)
        products += static_cast<std::int64_t>(row_of(task.B, task.A.indices[p]).size());
    return task.columns < products ? std::min(products, (end - begin) * task.columns) : products;
}

// What a complemented mask says of the columns of row i, asked in rising order.
template <class I>
class RefusedColumns {
  public:
    RefusedColumns(const MxmTask<I>& task, std::int64_t i)
        : left_(task.mask ? row_of(*task.mask, i) : std::span<const I>{}) {}
    bool has(I j) {
        while (!left_.empty() && left_.front() < j) left_ = left_.subspan(1);
        return !left_.empty() && left_.front() == j;
    }

  private:
    std::span<const I> left_;
};

}  // namespace spbfs
