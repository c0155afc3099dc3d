// How many products the entries of a matrix have in a product, and its rows by how many they have.
//
// Each class of rows is a power of two, from 8 on.
#include "cuda/products/mxm_classes.cuh"

using namespace spbfs;

// Rows of a CTA.
constexpr int kRows = 8 * kThreads;

// What each of `entries` meets in the rows of B.
template <class I>
__global__ void __launch_bounds__(kThreads)
    entry_products(const I* indices, i64 entries, const i64* b_indptr, i64* products) {
    const i64 entry = thread_of();
    if (entry < entries) products[entry] = b_indptr[indices[entry] + 1] - b_indptr[indices[entry]];
}

__device__ inline bool is_first(unsigned lanes) {
    return lane_of() == __ffs(static_cast<int>(lanes)) - 1;
}

struct Sizes {
    const i64* indptr;
    const i64* through;
    i64 nrows;

    __device__ int class_of(i64 row) const {
        const i64 products = through[indptr[row + 1]] - through[indptr[row]];
        if (products == 0) return 0;
        const int log = products == 1 ? 0 : 64 - __clzll(products - 1);
        return min(max(log - 2, 1), kClasses - 1);
    }
    // take(row, class, lanes of the warp whose rows have it) for a CTA's rows.
    template <class Take>
    __device__ void each(Take&& take) const {
        const i64 first = static_cast<i64>(blockIdx.x) * kRows + threadIdx.x;
        for (i64 row = first; row - threadIdx.x < min(first - threadIdx.x + kRows, nrows);
             row += kThreads) {
            const int mine = row < nrows ? class_of(row) : -1;
            for (unsigned left = __ballot_sync(kAll, mine >= 0); left != 0;) {
                const int its = __shfl_sync(kAll, mine, __ffs(static_cast<int>(left)) - 1);
                const unsigned same = __ballot_sync(kAll, mine == its);
                take(row, its, same, mine == its);
                left &= ~same;
            }
        }
    }
    // How many of a CTA's rows each class has.
    __device__ void count(unsigned* found) const {
        if (threadIdx.x < kClasses) found[threadIdx.x] = 0;
        __syncthreads();
        each([&](i64, int its, unsigned same, bool) {
            if (is_first(same)) atomicAdd(found + its, static_cast<unsigned>(__popc(same)));
        });
        __syncthreads();
    }
};

// How many rows each class has, added up.
__global__ void __launch_bounds__(kThreads)
    count_classes(const i64* indptr, const i64* through, i64 nrows, unsigned long long* counts) {
    __shared__ unsigned found[kClasses];
    const Sizes sizes{indptr, through, nrows};
    sizes.count(found);
    if (threadIdx.x < kClasses && found[threadIdx.x] != 0)
        atomicAdd(counts + threadIdx.x, static_cast<unsigned long long>(found[threadIdx.x]));
}

// The rows of each class, one after the other; `listed` of each, none at first.
__global__ void __launch_bounds__(kThreads)
    list_classes(const i64* indptr, const i64* through, i64 nrows, const i64* counts,
                 unsigned long long* listed, i64* rows) {
    __shared__ unsigned found[kClasses];
    __shared__ i64 from[kClasses];
    const Sizes sizes{indptr, through, nrows};
    sizes.count(found);
    if (threadIdx.x < kClasses) {
        const unsigned its = found[threadIdx.x];
        from[threadIdx.x] = class_begin(counts, static_cast<int>(threadIdx.x));
        if (its != 0)
            from[threadIdx.x] += static_cast<i64>(
                atomicAdd(listed + threadIdx.x, static_cast<unsigned long long>(its)));
        found[threadIdx.x] = 0;
    }
    __syncthreads();
    sizes.each([&](i64 row, int its, unsigned same, bool is_mine) {
        unsigned before = 0;
        if (is_first(same)) before = atomicAdd(found + its, static_cast<unsigned>(__popc(same)));
        before = __shfl_sync(kAll, before, __ffs(static_cast<int>(same)) - 1);
        if (is_mine) rows[from[its] + before + __popc(same & ((1u << lane_of()) - 1))] = row;
    });
}
