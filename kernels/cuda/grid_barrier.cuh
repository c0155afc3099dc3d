// A barrier over all CTAs of a cooperative launch, one 32-bit word, no reset between launches.
#pragma once

using u32 = unsigned int;

// Every CTA adds 1 but the first, which adds what makes the top bit flip once all have arrived. The
// release/acquire pair orders all writes of all CTAs before it against all reads after it.  `then`
// is run by one thread of every CTA before its others go on: it decides for them.
template <typename Then>
__device__ __forceinline__ void grid_barrier(u32* word, Then&& then) {
    __syncthreads();
    if (threadIdx.x == 0) {
        const u32 amount = blockIdx.x == 0 ? 0x80000000u - (gridDim.x - 1) : 1u;
        u32 before, now;
        asm volatile("atom.add.acq_rel.gpu.global.u32 %0, [%1], %2;"
                     : "=r"(before)
                     : "l"(word), "r"(amount)
                     : "memory");
        do {
            asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(now) : "l"(word) : "memory");
        } while (((before ^ now) & 0x80000000u) == 0);
        then();
    }
    __syncthreads();
}

__device__ __forceinline__ void grid_barrier(u32* word) {
    grid_barrier(word, [] {});
}
