// What a pull asks of its neighbours.
#pragma once
#include "cuda/bfs/bfs_state.cuh"
#include "cuda/memory/predicated_loads.cuh"

// Visited bits as the level begins: those of the first `cached` vertices from shared memory.
struct CachedVisited {
    const u32* shared;
    const u32* global;
    int cached;

    // Which of the valid vertices are visited, as bits; all are asked for before one is used.
    template <int K>
    __device__ __forceinline__ u32 among(const int (&v)[K], u32 valid) const {
        u32 word[K];
        const u32 base = shared_address(shared);
#pragma unroll
        for (int i = 0; i < K; ++i) {
            word[i] = 0;
            load_shared_if((valid >> i & 1) && v[i] < cached, base + 4 * word_of(v[i]), word[i]);
        }
#pragma unroll
        for (int i = 0; i < K; ++i)
            load_cached_if((valid >> i & 1) && v[i] >= cached, global + word_of(v[i]), word[i]);
        u32 visited = 0;
#pragma unroll
        for (int i = 0; i < K; ++i) visited |= (word[i] & bit_of(v[i]) ? 1u : 0u) << i;
        return visited;
    }
};
