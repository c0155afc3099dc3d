// Greedy algorithms, which take vertices one after the other, by all threads of a grid with the
// same result: a vertex decides as soon as all neighbours that are earlier in the order have.
//
// No rounds: a warp looks again and again at those of its vertices that wait, for what any other
// may have decided meanwhile.  The earliest that is undecided waits for nobody, and all CTAs are
// resident, so that there is always a warp that comes to it.
//
// Blelloch, Fineman, Shun: Greedy sequential maximal independent set and matching are parallel on
// average (2012); Burtscher, Devale, Azimi, Jaiganesh, Powers: A high-quality and fast maximal
// independent set implementation for GPUs (2018), for the one launch without rounds.
#pragma once
#include "cuda/grid/counts.cuh"

namespace spbfs {

// CTAs that share a multiprocessor, as many as its threads and 40 registers of each allow: what
// waits is hidden by others.  On 7.0 it takes 64 registers, on 7.5 there are no more threads.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ <= 750
constexpr int kResident = 4;
#else
constexpr int kResident = kSpillsEarly ? 5 : 6;
#endif

// What is known of a vertex, read while others may write it.  It is known for good once it is
// decided and nothing else is read on account of it, so that no order of memory is needed: who
// reads what was there before looks again.
__device__ __forceinline__ unsigned peek(const unsigned char* at) {
    unsigned value;
    asm volatile("ld.relaxed.gpu.global.u8 %0, [%1];" : "=r"(value) : "l"(at));
    return value;
}
__device__ __forceinline__ void post(unsigned char* at, unsigned value) {
    asm volatile("st.relaxed.gpu.global.u8 [%0], %1;" ::"l"(at), "r"(value) : "memory");
}

__device__ __forceinline__ int peek(const int* at) {
    int value;
    asm volatile("ld.relaxed.gpu.global.s32 %0, [%1];" : "=r"(value) : "l"(at));
    return value;
}
__device__ __forceinline__ void post(int* at, int value) {
    asm volatile("st.relaxed.gpu.global.s32 [%0], %1;" ::"l"(at), "r"(value) : "memory");
}

// Between two looks at what waits: a few cycles for other warps.
__device__ __forceinline__ void pause() { __nanosleep(20); }

}  // namespace spbfs
