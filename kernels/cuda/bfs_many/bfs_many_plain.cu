// Many breadth-first searches at once in rows of bits, a level at a time: as iBFS has it (Liu,
// Huang, Hu, SIGMOD 2016, section 6), or as MS-BFS has it (Then et al., VLDB 2014).  For comparison
// with each other and with bfs_many.cu.
//
// iBFS (kKept) keeps all that was visited in every row of bits, the one of the level before as
// well: what is new is their difference, and a vertex that pulls stops at its last bit.  MS-BFS
// gives on the bits of a level alone, which are reset after it, and a vertex that pulls looks at
// all of its neighbours.  Rows have W words of 64 searches; `live` has the bits of searches that
// there are.
//
//            `before`                   `now`                  `next`
//   iBFS     visited a level earlier    visited                visited a level later
//   MS-BFS   at the level               visited                found from it, visited or not
#include "cuda/grid/counts.cuh"

using namespace spbfs;
using u32 = unsigned int;
using u64 = unsigned long long;
using Byte = unsigned char;

constexpr int kWarps = kThreads / kWarp;

__device__ __forceinline__ u64 live_of(int searches, int word) {
    const int left = searches - 64 * word;
    return left >= 64 ? ~u64{0} : left <= 0 ? 0 : (u64{1} << left) - 1;
}

// What is new at a level: its pairs of vertex and search, and the entries of their rows.  MS-BFS
// settles what was found here.  Levels, n of every search, are written where there is room for
// them.
template <typename Offset, int W, bool kKept>
__global__ void __launch_bounds__(kThreads)
    bfs_many_plain_census(u64* before, u64* now, u64* next, const Offset* indptr, i64 n, int level,
                          Byte* levels, Totals* totals) {
    const i64 all = static_cast<i64>(gridDim.x) * kThreads;
    i64 found = 0, edges = 0;
    for (i64 v = thread_of(); v < n; v += all) {
        // Not unrolled: a register would be spilled.
#pragma unroll 1
        for (int w = 0; w < W; ++w) {
            const i64 i = v * W + w;
            u64 fresh;
            if (kKept) {
                fresh = before[i] ^ now[i];
            } else {
                fresh = next[i] & ~now[i];
                now[i] |= fresh;
                before[i] = fresh;
                next[i] = 0;
            }
            found += __popcll(fresh);
            edges += __popcll(fresh) * static_cast<i64>(indptr[v + 1] - indptr[v]);
            for (; levels && fresh; fresh &= fresh - 1) {
                const i64 search = 64 * w + __ffsll(static_cast<i64>(fresh)) - 1;
                levels[search * n + v] = static_cast<Byte>(level);
            }
        }
    }
    add_to(totals, found, edges);
}

// The vertices that are new for some search, or to some search unknown where they pull.
template <int W, bool kKept, bool kPull>
__global__ void __launch_bounds__(kThreads)
    bfs_many_plain_queue(const u64* before, const u64* now, i64 n, int searches, int* queue,
                         u32* tail) {
    const i64 all = static_cast<i64>(gridDim.x) * kThreads;
    for (i64 first = thread_of() - threadIdx.x; first < n; first += all) {
        const i64 v = first + threadIdx.x;
        u64 wanted = 0;
        for (int w = 0; w < W && v < n; ++w) {
            const i64 i = v * W + w;
            if (kPull)
                wanted |= ~now[i] & live_of(searches, w);
            else
                wanted |= kKept ? before[i] ^ now[i] : before[i];
        }
        const u32 lanes = __ballot_sync(kAll, wanted != 0);
        u32 at = 0;
        if (lanes && lane_of() == 0) at = atomicAdd(tail, static_cast<u32>(__popc(lanes)));
        at = __shfl_sync(kAll, at, 0) + __popc(lanes & ((1u << lane_of()) - 1));
        if (wanted) queue[at] = static_cast<int>(v);
    }
}

// A warp a vertex of the queue, a lane a neighbour.
template <typename Offset, int W, bool kKept, bool kPull>
__global__ void __launch_bounds__(kThreads)
    bfs_many_plain_expand(const Offset* indptr, const int* indices, const u64* before,
                          const u64* now, u64* next, int searches, const int* queue,
                          const u32* tail) {
    const u64* const from = kKept ? now : before;
    const i64 warps = static_cast<i64>(gridDim.x) * kWarps;
    for (i64 i = thread_of() / kWarp; i < *tail; i += warps) {
        const i64 v = queue[i], end = indptr[v + 1];
        u64 bits[W];
        for (int w = 0; w < W; ++w)
            bits[w] = kPull ? (kKept ? now[v * W + w] : 0) : from[v * W + w];
        for (i64 tile = indptr[v]; tile < end; tile += kWarp) {
            const i64 k = tile + lane_of();
            const i64 other = k < end ? static_cast<i64>(indices[k]) * W : 0;
            u64 missing = 0;
            for (int w = 0; w < W; ++w) {
                if (!kPull) {
                    if (k < end && (bits[w] & ~next[other + w]))
                        atomicOr(next + other + w, bits[w]);
                    continue;
                }
                u64 found = k < end ? from[other + w] : 0;
                for (int d = 1; d < kWarp; d <<= 1) found |= __shfl_xor_sync(kAll, found, d);
                bits[w] |= found;
                missing |= ~bits[w] & live_of(searches, w);
            }
            if (kPull && kKept && !missing) break;
        }
        if (kPull && lane_of() < W)
            for (int w = 0; w < W; ++w)
                if (lane_of() == w) next[v * W + w] |= bits[w];
    }
}
