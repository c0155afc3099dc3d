// Threads, bytes that are set once, and the counts that a product leaves with its result.
#pragma once
#include "cuda/grid/shared_struct.cuh"

namespace spbfs {

using i64 = long long;

constexpr int kWarp = 32;
constexpr unsigned kAll = 0xffffffffu;
// Threads of a CTA of the kernels of the algebra, THREADS in cuda/runtime/launch.py: more where one
// is to have a multiprocessor to itself (hub_elements.cuh).
#ifndef CTA_THREADS
#define CTA_THREADS 256
#endif
constexpr int kThreads = CTA_THREADS;

// ptxas takes more registers for 8.6 and 8.9 than for its neighbours: kernels with none to spare
// have a CTA less on a multiprocessor there, and spill nothing.
#if defined(__CUDA_ARCH__)
constexpr bool kSpillsEarly = __CUDA_ARCH__ > 800 && __CUDA_ARCH__ < 900;
#else
constexpr bool kSpillsEarly = false;
#endif

__device__ inline int lane_of() { return threadIdx.x % kWarp; }

__device__ inline i64 thread_of() { return static_cast<i64>(blockIdx.x) * kThreads + threadIdx.x; }

// Sets a byte that is zero or one; true for the one caller that found it zero.
__device__ inline bool claim(unsigned char* bytes, i64 i) {
    if (bytes[i]) return false;
    const auto address = reinterpret_cast<unsigned long long>(bytes + i);
    const unsigned bit = 1u << (8 * static_cast<int>(address & 3));
    return !(atomicOr(reinterpret_cast<unsigned*>(address & ~3ull), bit) & bit);
}

// Takes that back, while others claim other bytes.
__device__ inline void give_back(unsigned char* bytes, i64 i) {
    const auto address = reinterpret_cast<unsigned long long>(bytes + i);
    const unsigned bit = 1u << (8 * static_cast<int>(address & 3));
    atomicAnd(reinterpret_cast<unsigned*>(address & ~3ull), ~bit);
}

// Where the caller's element goes in a list of which `count` is the length so far: one atomic for
// all lanes that ask at once, since those of a grid on one address wait for each other.
__device__ inline unsigned append(unsigned* count) {
    const unsigned asking = __activemask(), mine = 1u << lane_of();
    unsigned begin = 0;
    if ((asking & (mine - 1)) == 0) begin = atomicAdd(count, __popc(asking));
    return __shfl_sync(asking, begin, __ffs(asking) - 1) + __popc(asking & (mine - 1));
}

// What a product says about its result, and about the pieces of long rows on the way.
struct Totals {
    unsigned long long found;   // entries of the result
    unsigned long long edges;   // entries of the matrix that a push of the result would meet
    unsigned pieces;            // of long rows
    unsigned taken;             // shares of the rows, by warps that have looked for more
    unsigned long long listed;  // entries of the result that a pull's queue holds
};
// The host reads the first two, see Mailbox in cuda/runtime/mailbox.py.
SHARED_STRUCT(Totals, 32,
              FIELD(found, 0) FIELD(edges, 8) FIELD(pieces, 16) FIELD(taken, 20) FIELD(listed, 24));

// Counts of a CTA's threads added to the totals by one of them: an address that every warp of a
// large grid adds to is what a kernel would wait for.
__device__ inline void add_to(Totals* totals, i64 found, i64 edges) {
    __shared__ unsigned long long sums[2];
    if (threadIdx.x < 2) sums[threadIdx.x] = 0;
    __syncthreads();
    for (int by = kWarp / 2; by > 0; by /= 2) {
        found += __shfl_down_sync(kAll, found, by);
        edges += __shfl_down_sync(kAll, edges, by);
    }
    if (lane_of() == 0 && (found | edges) != 0) {
        atomicAdd(&sums[0], static_cast<unsigned long long>(found));
        atomicAdd(&sums[1], static_cast<unsigned long long>(edges));
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        if (sums[0] != 0) atomicAdd(&totals->found, sums[0]);
        if (sums[1] != 0) atomicAdd(&totals->edges, sums[1]);
    }
}

}  // namespace spbfs
