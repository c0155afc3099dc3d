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

// Same labels: levels and parents are where they belong; only what was not reached is missing.
__device__ __forceinline__ void emit_unreached(const Search& s, const u32* visited) {
    const int blocks = (s.n + kBlock - 1) / kBlock, lane = threadIdx.x & 31;
    for (int b = (threadIdx.x >> 5) * gridDim.x + blockIdx.x; b < blocks; b += gridDim.x * kWarps) {
        const uint4 bits = reinterpret_cast<const uint4*>(visited)[b];
        __syncwarp();
        if (lane == 0) reinterpret_cast<uint4*>(s.visited[0])[b] = make_uint4(0, 0, 0, 0);
        if (!owns(s, b * kBlock)) continue;
        const u32 missing = (~bits.x >> lane & 1) | (~bits.y >> lane & 1) << 1 |
                            (~bits.z >> lane & 1) << 2 | (~bits.w >> lane & 1) << 3;
        const int v = b * kBlock + lane * 4;
        if (missing && s.out_levels) write_missing(s.out_levels, v, s.n - v, missing);
        if (missing && s.out_parents) write_missing(s.out_parents, v, s.n - v, missing);
    }
}
