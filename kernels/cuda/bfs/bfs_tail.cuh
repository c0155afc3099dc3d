// The end of a search by several GPUs: levels of little work, between which they meet, run by some
// CTAs of each while all others write results.  What those levels find is written behind them.
//
// A tail that grows is left for the levels of all CTAs, and results are written again at the end.
#pragma once
#include "cuda/bfs/bfs_emit.cuh"
#include "cuda/bfs/bfs_levels.cuh"

// In Peers::list, of which the tail's edges need no other part.
template <typename Offset>
struct Tail {
    Step<Offset> step;  // for all CTAs, as those that ran the tail have left it
    Met met;
    int found[1];  // vertices, Meeting::noted of them
};
static_assert(sizeof(Tail<i64>) <= 1024, "_room in cuda/peers/group.py");

// How many CTAs run a tail, one in 32, and how many results are for the others: each takes twice
// what one of the tail does behind it.
__device__ __forceinline__ u32 ctas_of_tail() { return max(1u, gridDim.x / 32); }
__device__ __forceinline__ u32 beside_tail(const Search& s) {
    const u32 apart = ctas_of_tail(), parts = 2 * gridDim.x - apart;
    return static_cast<u32>(u64{static_cast<u32>(s.own)} * (parts - apart) / parts) & ~127u;
}

// Takes down what a warp has found.
template <typename Offset>
__device__ __forceinline__ void note(const Search& s, Tail<Offset>& tail, const int (&v)[kFlight],
                                     const bool (&found)[kFlight]) {
    u32 mask[kFlight];
    int count = 0;
#pragma unroll
    for (int u = 0; u < kFlight; ++u) {
        mask[u] = __ballot_sync(kFull, found[u]);
        count += __popc(mask[u]);
    }
    if (count == 0) return;
    int place = 0;
    if ((threadIdx.x & 31) == 0) place = atomicAdd(&s.peers->meeting->noted, count);
    place = __shfl_sync(kFull, place, 0);
#pragma unroll
    for (int u = 0; u < kFlight; ++u) {
        if (found[u]) tail.found[place + __popc(mask[u] & lanes_below())] = v[u];
        place += __popc(mask[u]);
    }
}

// Levels as long as they are of the tail, by the first `ctas` CTAs.  In the first meeting others,
// who do not wait for it, are counted as well: nobody tells of the one after it before all have
// heard of the one before it, whose words it takes.
template <typename Offset, typename Labels, bool kDeep>
__device__ __forceinline__ void run_apart(Traversal<Offset, Labels, kDeep>& t, Tail<Offset>& tail,
                                          u32 ctas) {
    const Step<Offset>& step = t.step;
    for (u32 meets = gridDim.x; step.kind != kDone && step.tail; meets = ctas) {
        u32* const visited = t.s.visited[step.current];
        Finds<Offset> finds(t.stage, step.sink, t.found_indptr());
        const PushEdges<Offset, Labels> push{t.s, visited, -1, step.level, false, finds};
        expand_lists(t.s, t.met, step.flip, ctas, t.out_indptr(), visited,
                     [&](const int (&neighbour)[kFlight], const int (&parent)[kFlight]) {
                         bool found[kFlight];
                         push.visit_all(neighbour, parent, found);
                         note(t.s, tail, neighbour, found);
                     });
        finds.finish();
        t.barrier_and_advance(meets);
    }
}

template <typename Offset, typename Labels, bool kDeep>
__device__ __forceinline__ void run_tail(Traversal<Offset, Labels, kDeep>& t) {
    Tail<Offset>& tail = *reinterpret_cast<Tail<Offset>*>(t.s.peers->list);
    const u32 apart = ctas_of_tail(), beside = beside_tail(t.s);
    const bool stays = blockIdx.x >= apart;
    if (stays) {
        if (threadIdx.x < 32) arrive(t.s, t.size_of_finds(), Seat(t.s, t.met), gridDim.x);
    } else {
        run_apart(t, tail, apart);
        if (threadIdx.x == 0) t.step.emitted = t.step.kind == kDone;
        if (t.leads()) {
            tail.step = t.step;
            tail.met = t.met;
        }
    }
    if (stays || t.step.kind == kDone)
        emit_own(t.s, stays ? 0 : beside, stays ? beside : t.s.own,
                 stays ? blockIdx.x - apart : blockIdx.x, stays ? gridDim.x - apart : apart);
    // These have time left.
    if (!stays && t.step.kind == kDone && t.step.current == 1)
        clear_visited(t.s, blockIdx.x, apart);
    t.barrier();
    if (stays && threadIdx.x == 0) {
        t.step = tail.step;
        t.met = tail.met;
    }
    __syncthreads();
    if (t.step.kind != kDone) t.barrier();  // the list is used again
}

// The results of what the tail has found.
template <typename Offset>
__device__ __forceinline__ void emit_tail(const Search& s) {
    const Tail<Offset>& tail = *reinterpret_cast<const Tail<Offset>*>(s.peers->list);
    const int noted = __ldcg(&s.peers->meeting->noted);
    for (int i = blockIdx.x * kThreads + threadIdx.x; i < noted; i += gridDim.x * kThreads) {
        const int v = tail.found[i];
        const u32 byte = __ldcg(static_cast<const unsigned char*>(s.levels) + v);
        write_result(s, among_own(s, v), byte, s.out_parents ? __ldcg(s.parents + v) : -1);
    }
}
