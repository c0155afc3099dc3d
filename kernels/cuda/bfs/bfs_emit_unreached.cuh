// After a search in the caller's labels: -1 where nothing was reached, and the visited bits
// cleared.
#pragma once
#include "cuda/bfs/bfs_owners.cuh"

__device__ __forceinline__ void write_missing(int* out, int v, int count, u32 missing) {
    if (missing == 15 && count >= 4) {
        *reinterpret_cast<int4*>(out + v) = make_int4(-1, -1, -1, -1);
    } else {
#pragma unroll
        for (int j = 0; j < 4; ++j)
            if ((missing >> j & 1) && j < count) out[v + j] = -1;
    }
}

// Blocks of a warp under way: their bits are asked for together, as a store to what may be the same
// bits lies between one block and the next.
constexpr int kEmitted = 4;

// Same labels: levels and parents are where they belong; only what was not reached is missing.
__device__ __forceinline__ void emit_unreached(const Search& s, const u32* visited) {
    const int blocks = (s.n + kBlock - 1) / kBlock, lane = threadIdx.x & 31;
    const int stride = gridDim.x * kWarps;
    for (int first = (threadIdx.x >> 5) * gridDim.x + blockIdx.x; first < blocks;
         first += kEmitted * stride) {
        uint4 bits[kEmitted];
#pragma unroll
        for (int i = 0; i < kEmitted; ++i) {
            const int b = first + i * stride;
            if (b < blocks) bits[i] = reinterpret_cast<const uint4*>(visited)[b];
        }
        __syncwarp();
#pragma unroll
        for (int i = 0; i < kEmitted; ++i) {
            const int b = first + i * stride;
            if (b >= blocks) break;
            if (lane == 0) reinterpret_cast<uint4*>(s.visited[0])[b] = make_uint4(0, 0, 0, 0);
            if (!owns(s, b * kBlock)) continue;
            const u32 missing = (~bits[i].x >> lane & 1) | (~bits[i].y >> lane & 1) << 1 |
                                (~bits[i].z >> lane & 1) << 2 | (~bits[i].w >> lane & 1) << 3;
            const int v = b * kBlock + lane * 4;
            if (missing && s.out_levels) write_missing(s.out_levels, v, s.n - v, missing);
            if (missing && s.out_parents) write_missing(s.out_parents, v, s.n - v, missing);
        }
    }
}
