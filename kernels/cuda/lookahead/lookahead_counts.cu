// How many vertices each level of a search that ran ahead has, for the host.
#include "cuda/grid/warp_reduce.cuh"
#include "cuda/lookahead/lookahead.cuh"

// Levels that a CTA counts by itself, and of these the first a thread does, a byte each, in two
// words: 79 to 39 us on kron24 (docs/performance-notes-cuda-algebra.md, "counts in a byte a
// level").
constexpr int kBins = 8192;
constexpr int kPacked = 16;
constexpr int kRounds = 63;  // after which a byte may be full: a round counts four levels

// The bytes of a warp's threads added to the CTA's bins.
__device__ inline void add_packed(u32* bins, const u64 (&packed)[2]) {
#pragma unroll
    for (int level = 1; level <= kPacked; ++level) {
        const u32 mine = packed[(level - 1) / 8] >> 8 * ((level - 1) % 8) & 255;
        const u32 all = warp_add(kFull, mine);
        if ((threadIdx.x & 31) == 0 && all) atomicAdd(bins + level, all);
    }
}

__global__ void __launch_bounds__(kThreads)
    count_levels(const int* levels, i64 size, u32* counts, i64 deepest) {
    __shared__ u32 bins[kBins];
    const int used = static_cast<int>(min(deepest + 1, i64{kBins}));
    for (int i = threadIdx.x; i < max(used, kPacked + 1); i += kThreads) bins[i] = 0;
    __syncthreads();
    u64 packed[2] = {0, 0};
    int rounds = 0;
    const i64 lane = threadIdx.x & 31;
    for (i64 i = thread_of() * kSide; i - lane * kSide < size; i += threads_of() * kSide) {
        const int4 four = levels_at(levels, i, size);
        const int level[kSide] = {four.x, four.y, four.z, four.w};
#pragma unroll
        for (int k = 0; k < kSide; ++k) {
            const u32 at = static_cast<u32>(level[k]) - 1;
            if (at < 8)
                packed[0] += u64{1} << 8 * at;
            else if (at < kPacked)
                packed[1] += u64{1} << 8 * (at - 8);
            else if (level[k] > 0)
                atomicAdd(level[k] < kBins ? bins + level[k] : counts + level[k], 1u);
        }
        if (++rounds == kRounds) {
            add_packed(bins, packed);
            packed[0] = packed[1] = rounds = 0;
        }
    }
    add_packed(bins, packed);
    __syncthreads();
    for (int i = threadIdx.x; i < used; i += kThreads)
        if (bins[i]) atomicAdd(counts + i, bins[i]);
}
