// What sources are sorted by so that those that share a hub lie together.
#include "cuda/grid/counts.cuh"

using namespace spbfs;

// Rows longer than that have a CTA's threads, not a warp's.
constexpr i64 kLongRow = 1024;

// An out-neighbour, none below zero, and its own out-entries.
struct Hub {
    i64 degree, vertex;
};

__device__ __forceinline__ Hub better(Hub a, Hub b) {
    const bool first = a.degree > b.degree || (a.degree == b.degree && a.vertex < b.vertex);
    return b.vertex < 0 || (a.vertex >= 0 && first) ? a : b;
}

// The best of every `by`-th entry.
template <typename Offset, typename Index>
__device__ Hub best_of(const Offset* indptr, const Index* indices, i64 at, i64 end, int by) {
    Hub best{0, -1};
#pragma unroll 4
    for (; at < end; at += by) {
        const i64 v = indices[at];
        best = better(best, Hub{static_cast<i64>(indptr[v + 1] - indptr[v]), v});
    }
    return best;
}

__device__ Hub best_of_warp(Hub best) {
    for (int by = kWarp / 2; by > 0; by /= 2) {
        const Hub other{__shfl_xor_sync(kAll, best.degree, by),
                        __shfl_xor_sync(kAll, best.vertex, by)};
        best = better(best, other);
    }
    return best;
}

// Rows of `keys`, `count` each, as a lexicographic sort takes them, the last one first: fewer
// out-entries, the hub, fewer out-entries of the hub, without any.  A hub is the out-neighbour of
// most out-entries, the least of several.
template <typename Offset, typename Index>
__global__ void __launch_bounds__(kThreads)
    hub_keys(const Offset* indptr, const Index* indices, const i64* sources, i64 count, i64* keys) {
    constexpr int kWarps = kThreads / kWarp;
    __shared__ Hub of_warps[kWarps];
    const int warp = threadIdx.x / kWarp;
    const auto write = [&](i64 j, i64 length, Hub hub) {
        keys[j] = -length;
        keys[count + j] = hub.vertex;
        keys[2 * count + j] = -hub.degree;
        keys[3 * count + j] = hub.vertex < 0;
    };
    for (i64 first = blockIdx.x * i64{kWarps}; first < count; first += gridDim.x * i64{kWarps}) {
        const i64 mine = first + warp;
        if (mine < count) {
            const i64 begin = indptr[sources[mine]], end = indptr[sources[mine] + 1];
            if (end - begin <= kLongRow) {
                const Hub hub =
                    best_of_warp(best_of(indptr, indices, begin + lane_of(), end, kWarp));
                if (lane_of() == 0) write(mine, end - begin, hub);
            }
        }
        for (i64 j = first; j < min(count, first + kWarps); ++j) {
            const i64 begin = indptr[sources[j]], end = indptr[sources[j] + 1];
            if (end - begin <= kLongRow) continue;
            const Hub hub =
                best_of_warp(best_of(indptr, indices, begin + threadIdx.x, end, kThreads));
            if (lane_of() == 0) of_warps[warp] = hub;
            __syncthreads();
            if (threadIdx.x == 0) {
                Hub best = of_warps[0];
                for (int w = 1; w < kWarps; ++w) best = better(best, of_warps[w]);
                write(j, end - begin, best);
            }
            // Nobody writes for the next row before it is read.
            __syncthreads();
        }
    }
}
