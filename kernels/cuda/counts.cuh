// Threads, bytes that are set once, and the counts that a product leaves with its result.
#pragma once

namespace spbfs {

using i64 = long long;

constexpr int kWarp = 32;
constexpr unsigned kAll = 0xffffffffu;
// Threads of a CTA of every kernel of the algebra.
constexpr int kThreads = 256;

__device__ inline int lane_of() { return threadIdx.x % kWarp; }

__device__ inline i64 thread_of() { return static_cast<i64>(blockIdx.x) * kThreads + threadIdx.x; }

// Sets a byte that is zero or one; true for the one caller that found it zero.
__device__ inline bool claim(unsigned char* bytes, i64 i) {
    if (bytes[i]) return false;
    const auto address = reinterpret_cast<unsigned long long>(bytes + i);
    const unsigned bit = 1u << (8 * static_cast<int>(address & 3));
    return !(atomicOr(reinterpret_cast<unsigned*>(address & ~3ull), bit) & bit);
}

// What a product says about its result, and about the pieces of long rows on the way.
struct Totals {
    unsigned long long found;   // entries of the result
    unsigned long long edges;   // entries of the matrix that a push of the result would meet
    unsigned long long pieces;  // of long rows
    unsigned long long spare;
};

// Counts of a warp's lanes, added to a total by one of them.
__device__ inline void add_to(unsigned long long* total, i64 mine) {
    for (int by = kWarp / 2; by > 0; by /= 2) mine += __shfl_down_sync(kAll, mine, by);
    if (lane_of() == 0 && mine != 0) atomicAdd(total, static_cast<unsigned long long>(mine));
}

}  // namespace spbfs
