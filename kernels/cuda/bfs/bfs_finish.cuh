// The end of a search.
#pragma once
#include "cuda/bfs/bfs_emit.cuh"
#include "cuda/bfs/bfs_emit_unreached.cuh"
#include "cuda/bfs/bfs_tail.cuh"

// Results where they are looked for, the summary, and everything as the next search expects it.
template <typename Offset, typename Labels, bool kDeep>
__device__ __forceinline__ void finish(Traversal<Offset, Labels, kDeep>& t) {
    const Search& s = t.s;
    Step<Offset>& step = t.step;
    Control& control = *s.control;
    if (t.leads()) {
        control.reached = step.reached;
        control.depth = step.depth;
        if (kPeers) s.peers->meeting->number = t.met.number;
    }
    if constexpr (Labels::kRelabelled) {
        const bool emitted = kPeers && step.emitted;
        if (!emitted || step.current == 0) clear_visited(s, blockIdx.x, gridDim.x);
        if (emitted)
            emit_tail<Offset>(s);
        else if (kPeers)
            emit_own(s, 0, s.own, blockIdx.x, gridDim.x);
        else if (s.words)
            emit_in_order(s);
        else
            emit_by_rank(s);
        // All know since the search began: by its own look at one source, or the barrier behind
        // several.
        if (__ldcg(&control.isolated)) {
            t.barrier();  // what emission writes of such a source is overwritten
            if (blockIdx.x == 0) emit_isolated(s);
        }
    } else {
        emit_unreached(s, s.visited[step.current]);
    }
    __syncthreads();
    if (s.trace && t.leads()) trace_level(s, control.depth + 2, kEmit, 0, 0);
    if (threadIdx.x != 0) return;
    __threadfence();  // the counts above reach whichever CTA is the last
    if (atomicAdd(&control.leaving, 1u) == gridDim.x - 1) {
        s.summary->reached = __ldcg(&control.reached);
        s.summary->depth = __ldcg(&control.depth);
        s.summary->bad_source = __ldcg(&control.bad_source);
        s.summary->finished = nanoseconds();
        control.bad_source = 0;
        for (int i = 0; i < 3; ++i) control.size[i] = FrontierSize{};
        control.unfinished = FrontierSize{};
        control.target_level = 0;
        control.isolated = 0;
        control.leaving = 0;
        if (kPeers) s.peers->meeting->noted = 0;
    }
}
