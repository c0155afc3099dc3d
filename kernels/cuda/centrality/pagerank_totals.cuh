// Sums over all threads of a round, which every CTA makes for itself and all make alike.
#pragma once
#include "cuda/grid/counts.cuh"
#include "cuda/grid/grid_barrier.cuh"

namespace spbfs {

// Of shares of 1, in so many parts of it: sums of integers are the same in whatever order they are
// made.  There is room for 8, and a round changes scores that sum to 1 by no more than 2.
constexpr double kOne = 0x1p60;

template <typename Number>
__device__ __forceinline__ i64 parts_of_one(Number x) {
    return llrint(x * static_cast<Number>(kOne));
}

struct Pair {
    i64 change, total;
};

__device__ __forceinline__ Pair sum_of_warp(Pair x) {
    for (int by = kWarp / 2; by > 0; by /= 2) {
        x.change += __shfl_down_sync(kAll, x.change, by);
        x.total += __shfl_down_sync(kAll, x.total, by);
    }
    return x;
}

// The sum over the CTA's threads, in all of them.
__device__ Pair cta_total(Pair x) {
    __shared__ Pair of_warps[kThreads / kWarp];
    __shared__ Pair sum;
    x = sum_of_warp(x);
    if (lane_of() == 0) of_warps[threadIdx.x / kWarp] = x;
    __syncthreads();
    if (threadIdx.x == 0) {
        sum = {};
        for (const Pair& part : of_warps) {
            sum.change += part.change;
            sum.total += part.total;
        }
    }
    __syncthreads();
    return sum;
}

// The sum over the first `ctas` CTAs, in all threads.
__device__ Pair total_of(const Pair* sums, int ctas) {
    Pair mine{};
    for (int i = threadIdx.x; i < ctas; i += kThreads) {
        mine.change += sums[i].change;
        mine.total += sums[i].total;
    }
    return cta_total(mine);
}

// The sum over all threads of the grid, in all of them; `sums` has an element a CTA, and two calls
// one after the other take two.
__device__ Pair grid_total(Pair x, Pair* sums, u32* barrier) {
    x = cta_total(x);
    if (threadIdx.x == 0) sums[blockIdx.x] = x;
    grid_barrier(barrier);
    return total_of(sums, static_cast<int>(gridDim.x));
}

// The sum over the threads of the CTA before this one.
__device__ unsigned sum_before(unsigned mine) {
    __shared__ unsigned of_warps[kThreads / kWarp];
    unsigned sum = mine;
    for (int by = 1; by < kWarp; by *= 2) {
        const unsigned before = __shfl_up_sync(kAll, sum, by);
        if (lane_of() >= by) sum += before;
    }
    if (lane_of() == kWarp - 1) of_warps[threadIdx.x / kWarp] = sum;
    __syncthreads();
    for (int w = 0; w < static_cast<int>(threadIdx.x / kWarp); ++w) sum += of_warps[w];
    return sum - mine;
}

}  // namespace spbfs
