// Which searches have ended: those that reached nothing new at a level reach nothing later, so that
// no row waits for their bits.  A source outside of the component that the others share would
// otherwise keep every row of that component open, and every pull at its whole length.
#pragma once
#include "cuda/bfs_many/bfs_many_state.cuh"

struct Liveness {
    alignas(16) u32 ended[kMostWords];  // searches that have ended before the level under way
    alignas(16) u32 alive[kMostWords];  // what this CTA has seen reach something new at it
    // Whom a pull does not wait for: those that have ended, and narrow ones (bfs_many_narrow.cuh).
    alignas(16) u32 excused[kMostWords];

    // The bits that a row has, and of searches that will never reach it.
    template <typename Chunk>
    __device__ __forceinline__ Chunk with_ended(int part, Chunk visited) const {
        return visited | reinterpret_cast<const Chunk*>(ended)[part];
    }

    // ... and that reach it without a pull.
    template <typename Chunk>
    __device__ __forceinline__ Chunk with_excused(int part, Chunk visited) const {
        return visited | reinterpret_cast<const Chunk*>(excused)[part];
    }

    // A lane's chunk of the new bits of a row; true once no other search can be seen there.
    template <typename Chunk>
    __device__ __forceinline__ bool note(int part, Chunk fresh) {
        u32* const seen = alive + kChunkWords<Chunk> * part;
        const Chunk had = *reinterpret_cast<const Chunk*>(seen);
        if (is_zero(without(fresh, had))) return is_full(with_ended(part, had));
#pragma unroll
        for (int i = 0; i < kChunkWords<Chunk>; ++i)
            if (word(fresh, i) & ~word(had, i)) atomicOr(seen + i, word(fresh, i));
        return false;
    }

    // What this CTA has seen at a level, told to all, before the barrier that ends the level.
    template <int kWords>
    __device__ __forceinline__ void tell(const ManySearch& s, int level) {
        __syncthreads();
        const int i = threadIdx.x;
        if (i < 2 * kWords && alive[i]) atomicOr(&s.control->alive[level % 3][i], alive[i]);
    }

    // Behind that barrier: who has ended, and how far the others have come.
    template <int kWords>
    __device__ __forceinline__ void begin_after(const ManySearch& s, int level) {
        const int i = threadIdx.x;
        if (i < 2 * kWords) {
            const u32 live = __ldcg(&s.control->alive[level % 3][i]);
            excused[i] = ended[i] = ~live;
            alive[i] = 0;
            if (blockIdx.x == 0) {
                s.control->alive[(level + 2) % 3][i] = 0;
                for (u32 left = live; left; left &= left - 1)
                    s.eccentricity[32 * i + __ffs(left) - 1] = level;
            }
        }
        __syncthreads();
    }
};
