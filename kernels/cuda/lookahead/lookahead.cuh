// What the kernels that compute steps of a loop ahead share.
#pragma once
#include "cuda/bfs/bfs_visit.cuh"

// Elements that a thread handles side by side, so that its loads and stores are wide: 219 to 72 us
// for the results of kron24 (docs/performance-notes-cuda-algebra.md, "results in wide stores").
constexpr int kSide = 4;

__device__ inline i64 thread_of() { return static_cast<i64>(blockIdx.x) * kThreads + threadIdx.x; }
__device__ inline i64 threads_of() { return static_cast<i64>(gridDim.x) * kThreads; }

// Levels side by side, those past the end not reached.
__device__ inline int4 levels_at(const int* levels, i64 i, i64 size) {
    if (i + kSide <= size) return *reinterpret_cast<const int4*>(levels + i);
    return make_int4(i < size ? levels[i] : -1, i + 1 < size ? levels[i + 1] : -1,
                     i + 2 < size ? levels[i + 2] : -1, -1);
}
