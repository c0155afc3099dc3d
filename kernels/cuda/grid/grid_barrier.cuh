// A barrier over all CTAs of a cooperative launch, one 32-bit word, no reset between launches.
#pragma once

using u32 = unsigned int;

// Every CTA adds 1 but the first, which adds what makes the top bit flip once all have arrived; it
// cannot flip before, so what it was is asked for before the CTA's own threads have met.  The
// release/acquire pair orders all writes of all CTAs before it against all reads after it.  `then`
// is run by one thread of every CTA before its others go on: it decides for them.
template <typename Then>
__device__ __forceinline__ void grid_barrier(u32* word, Then&& then) {
    u32 before = 0, now;
    if (threadIdx.x == 0)
        asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(before) : "l"(word) : "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        const u32 amount = blockIdx.x == 0 ? 0x80000000u - (gridDim.x - 1) : 1u;
        asm volatile("red.release.gpu.global.add.u32 [%0], %1;" ::"l"(word), "r"(amount)
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
