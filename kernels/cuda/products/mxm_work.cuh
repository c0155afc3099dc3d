// The products of two matrices, numbered row by row: `through` says which numbers belong to which
// entry of A.
#pragma once
#include "cuda/operators/semiring_sums.cuh"
#include "cuda/products/mxm_numbers.cuh"

namespace spbfs {

// A product: where it goes, the entries of A and of B that it is of, and the column of the first.
struct Meeting {
    i64 row, column, inner, in_a, in_b;
};

template <class I>
struct Work {
    Rows<I> A;
    i64 nrows;
    const Semiring::X* x;
    i64 x_stride;
    Rows<I> B;
    const Semiring::Y* y;
    i64 y_stride;
    const i64* through;  // number of the first product of each entry of A, and of all at the end
    i64 entries;

    __device__ Semiring::Out product(const Meeting& of) const {
        Semiring::X a{};
        Semiring::Y b{};
        if constexpr (Semiring::reads_first) a = x[of.in_a * x_stride];
        if constexpr (Semiring::reads_second) b = y[of.in_b * y_stride];
        return Semiring::product(a, b, of.row, of.inner, of.column);
    }

    // send(meeting) for the products in [begin, end), by a warp, several of them under way.
    template <class Send>
    __device__ void each(i64 begin, i64 end, Send&& send) const {
        each_among<false>(0, 0, entries, begin, end, send);
    }
    // The same of one row.
    template <class Send>
    __device__ void each_of_row(i64 row, i64 begin, i64 end, Send&& send) const {
        each_among<true>(row, A.indptr[row], A.indptr[row + 1], begin, end, send);
    }

  private:
    // Products that entries [first, last) have among them, of one row or of any.
    template <bool of_row, class Send>
    __device__ void each_among(i64 one, i64 first, i64 last, i64 begin, i64 end,
                               Send&& send) const {
        constexpr int kAtOnce = 4;
        constexpr bool has_inner = Semiring::reads_inner;
        // Each lane knows one entry of A, and its row of B.
        i64 row = one, shift = 0;
        [[maybe_unused]] I inner = 0;
        const auto fetch = [&](i64 mine) {
            const I its = A.indices[first + mine];
            shift = B.indptr[its] - through[first + mine];
            if constexpr (!of_row) row = above(A.indptr, nrows + 1, first + mine) - 1;
            if constexpr (has_inner) inner = its;
        };
        const auto use = [&](i64 number, const int (&owner)[kAtOnce], i64 entry, i64 stop) {
            i64 in_b[kAtOnce];
            I column[kAtOnce];
#pragma unroll
            for (int k = 0; k < kAtOnce; ++k) {
                in_b[k] = __shfl_sync(kAll, shift, owner[k]) + number + k * kWarp;
                column[k] = number + k * kWarp < stop ? B.indices[in_b[k]] : -1;
            }
#pragma unroll
            for (int k = 0; k < kAtOnce; ++k) {
                i64 its_row = row, its_inner = 0;
                if constexpr (!of_row) its_row = __shfl_sync(kAll, row, owner[k]);
                if constexpr (has_inner) its_inner = __shfl_sync(kAll, inner, owner[k]);
                if (column[k] >= 0)
                    send(Meeting{its_row, static_cast<i64>(column[k]), its_inner,
                                 first + entry + owner[k], in_b[k]});
            }
        };
        each_number<kAtOnce>(through + first, last - first, begin, end, fetch, use);
    }
};

}  // namespace spbfs
