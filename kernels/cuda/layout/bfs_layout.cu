// A graph as the fused search reads it, built on the GPU; `cuda/graph/layout.py` says what every
// array is for and in which order these run, `bfs_layout_counts.cu` first.  Sorting is CUB's, in
// between.
#include "cuda/layout/bfs_layout_order.cuh"
#include "cuda/layout/bfs_layout_prefixes.cuh"
#include "cuda/layout/bfs_layout_rows.cuh"

// A warp a group of 32 labels: masks of those in the tail and of hubs, and the first id of either.
__global__ void layout_words(const int* rank, int n, int hubs, uint4* words) {
    const int lane = threadIdx.x & 31;
    const i64 groups = (static_cast<i64>(n) + 31) / 32;
    for (i64 g = thread_number() / 32; g < groups; g += thread_count() / 32) {
        const i64 v = g * 32 + lane;
        const int id = v < n ? rank[v] : -1;
        const u32 tail = __ballot_sync(kFull, id >= hubs);
        const u32 hub = __ballot_sync(kFull, id >= 0 && id < hubs);
        const int first = __shfl_sync(kFull, id, tail ? __ffs(tail) - 1 : 0);
        const int first_hub = __shfl_sync(kFull, id, hub ? __ffs(hub) - 1 : 0);
        if (lane == 0) words[g] = make_uint4(tail, tail ? first : 0, hub, hub ? first_hub : 0);
    }
}
