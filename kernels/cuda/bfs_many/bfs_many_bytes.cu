// Many breadth-first searches at once with a status byte a search, a level at a time: side by side,
// or in one joint traversal, which iBFS begins with (Liu, Huang, Hu, SIGMOD 2016, section 4).  For
// comparison with rows of bits.
//
// Joint: row v of `status` has a byte a search, `width` of them, a power of two that divides a CTA,
// and one queue serves all.  Private: every search
// has n bytes and a queue of its own.  A status is a level, or kUnvisited; all writers of one write
// the same.  A CTA works for one search where they are private: grids are multiples of their
// number.
#include "cuda/grid/counts.cuh"

using namespace spbfs;
using Byte = unsigned char;
using u32 = unsigned int;

constexpr int kUnvisited = 255;
constexpr int kWarps = kThreads / kWarp;

// Pairs of a vertex and a search at a level, with the entries of their rows, in totals[0]; of those
// not visited in totals[1].
template <typename Offset, bool kPrivate>
__global__ void __launch_bounds__(kThreads)
    bfs_many_bytes_census(const Byte* status, const Offset* indptr, i64 n, int width, int level,
                          Totals* totals) {
    i64 frontier = 0, edges = 0, open = 0, open_edges = 0;
    auto count = [&](i64 at, i64 v) {
        const int is = status[at];
        if (is != level && is != kUnvisited) return;
        const i64 degree = indptr[v + 1] - indptr[v];
        if (is == level) {
            ++frontier;
            edges += degree;
        } else {
            ++open;
            open_edges += degree;
        }
    };
    if (kPrivate) {
        const i64 j = blockIdx.x % width, all = gridDim.x / width * kThreads;
        for (i64 v = blockIdx.x / width * kThreads + threadIdx.x; v < n; v += all)
            count(j * n + v, v);
    } else {
        const i64 all = static_cast<i64>(gridDim.x) * kThreads;
        const int shift = __ffs(width) - 1;
        for (i64 i = thread_of(); i < n * width; i += all) count(i, i >> shift);
    }
    add_to(totals, frontier, edges);
    __syncthreads();
    add_to(totals + 1, open, open_edges);
}

// A warp looks through a row of statuses, and one of its lanes lists the vertex if any is wanted.
__global__ void __launch_bounds__(kThreads)
    bfs_many_bytes_queue_joint(const Byte* status, i64 n, int width, int wanted, int* queue,
                               u32* tails) {
    const i64 warps = static_cast<i64>(gridDim.x) * kWarps;
    for (i64 v = thread_of() / kWarp; v < n; v += warps) {
        bool any = false;
        for (int j = lane_of(); j < width; j += kWarp) any |= status[v * width + j] == wanted;
        if (__any_sync(kAll, any) && lane_of() == 0)
            queue[atomicAdd(tails, 1u)] = static_cast<int>(v);
    }
}

// A lane looks at a status of one search, and lists the vertex in the queue of that.
__global__ void __launch_bounds__(kThreads)
    bfs_many_bytes_queue_private(const Byte* status, i64 n, int width, int wanted, int* queue,
                                 u32* tails) {
    const i64 j = blockIdx.x % width, ctas = gridDim.x / width;
    for (i64 first = blockIdx.x / width * kThreads; first < n; first += ctas * kThreads) {
        const i64 v = first + threadIdx.x;
        const bool listed = v < n && status[j * n + v] == wanted;
        const u32 lanes = __ballot_sync(kAll, listed);
        u32 at = 0;
        if (lanes && lane_of() == 0) at = atomicAdd(tails + j, static_cast<u32>(__popc(lanes)));
        at = __shfl_sync(kAll, at, 0) + __popc(lanes & ((1u << lane_of()) - 1));
        if (listed) queue[j * n + at] = static_cast<int>(v);
    }
}

// A CTA a vertex of the queue: its neighbours come to shared memory once, and neighbouring threads
// look at the statuses of a neighbour, a search each.
template <typename Offset, bool kPull>
__global__ void __launch_bounds__(kThreads)
    bfs_many_bytes_expand_joint(const Offset* indptr, const int* indices, Byte* status, i64 n,
                                int width, int level, const int* queue, const u32* tails) {
    __shared__ int neighbours[kThreads];
    const int j = threadIdx.x % width, first = threadIdx.x / width, step = kThreads / width;
    for (u32 i = blockIdx.x; i < *tails; i += gridDim.x) {
        const i64 v = queue[i], begin = indptr[v], end = indptr[v + 1];
        Byte* const own = status + v * width + j;
        for (i64 tile = begin; tile < end; tile += kThreads) {
            const int size = static_cast<int>(min(end - tile, static_cast<i64>(kThreads)));
            const bool wants = *own == (kPull ? kUnvisited : level);
            // Whoever is late reads the last tile's neighbours until here.
            if (!__syncthreads_or(wants)) break;
            if (threadIdx.x < size) neighbours[threadIdx.x] = indices[tile + threadIdx.x];
            __syncthreads();
            for (int k = first; wants && k < size; k += step) {
                Byte* const other = status + static_cast<i64>(neighbours[k]) * width + j;
                if (!kPull) {
                    if (*other == kUnvisited) *other = static_cast<Byte>(level + 1);
                } else if (*other <= level) {
                    *own = static_cast<Byte>(level + 1);
                    break;
                }
            }
            __syncthreads();
        }
    }
}

// A warp a vertex of a search's queue, a lane a neighbour.
template <typename Offset, bool kPull>
__global__ void __launch_bounds__(kThreads)
    bfs_many_bytes_expand_private(const Offset* indptr, const int* indices, Byte* status, i64 n,
                                  int width, int level, const int* queue, const u32* tails) {
    const i64 j = blockIdx.x % width, ctas = gridDim.x / width;
    Byte* const own = status + j * n;
    for (i64 i = blockIdx.x / width * kWarps + threadIdx.x / kWarp; i < tails[j];
         i += ctas * kWarps) {
        const i64 v = queue[j * n + i], end = indptr[v + 1];
        for (i64 tile = indptr[v]; tile < end; tile += kWarp) {
            const i64 k = tile + lane_of();
            const int other = k < end ? indices[k] : 0;
            if (!kPull) {
                if (k < end && own[other] == kUnvisited) own[other] = static_cast<Byte>(level + 1);
            } else if (__any_sync(kAll, k < end && own[other] <= level)) {
                if (lane_of() == 0) own[v] = static_cast<Byte>(level + 1);
                break;
            }
        }
    }
}
