// Memory set to zero by the grid.
#pragma once
#include "cuda/bfs/bfs_state.cuh"

// Sets a buffer of `bytes`, rounded up to 16, to zero: the share of one of `ctas`.
__device__ void clear(void* buffer, i64 bytes, int cta, int ctas) {
    for (i64 i = cta * kThreads + threadIdx.x; i < (bytes + 15) / 16; i += ctas * kThreads)
        static_cast<uint4*>(buffer)[i] = make_uint4(0, 0, 0, 0);
}
