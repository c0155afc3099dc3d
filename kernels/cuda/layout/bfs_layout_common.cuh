// What the kernels that build a layout share.
#pragma once
#include "cuda/memory/bisect.cuh"
#include "cuda/rows/row_prefix.cuh"

using u32 = unsigned int;
using u64 = unsigned long long;
using i64 = long long;

constexpr u32 kFull = 0xffffffffu;
// Entries that a warp takes at a time, whatever rows they lie in.  No other number has been
// measured: sorting takes most of the time of a layout.
constexpr int kRun = 1024;

__device__ __forceinline__ i64 thread_number() {
    return static_cast<i64>(blockIdx.x) * blockDim.x + threadIdx.x;
}
__device__ __forceinline__ i64 thread_count() { return static_cast<i64>(gridDim.x) * blockDim.x; }

template <typename Offset>
__device__ __forceinline__ u64 length_of(const Offset* indptr, i64 row) {
    return static_cast<u64>(indptr[row + 1] - indptr[row]);
}

// Entries of a row that lead elsewhere.
template <typename Offset>
__device__ __forceinline__ int neighbours_of(const Offset* indptr, const int* indices, i64 row) {
    int count = 0;
    for (i64 e = indptr[row]; e < indptr[row + 1]; ++e) count += indices[e] != row;
    return count;
}
