// Breadth-first search in one cooperative launch: levels and parents of every vertex, direction
// decided on the device (Beamer, Asanovic, Patterson 2012), one grid barrier a level.
//
// - bfs_steps.cuh: from one level to the next, by the counts behind the barrier
// - bfs_policy.cuh: direction, tier and list of a level
// - bfs_start.cuh, bfs_levels.cuh, bfs_finish.cuh: the search in the order in which it runs
// - bfs_cluster.cuh: small frontiers of a deep graph; one cluster, queues in its shared memory
// - bfs_cta.cuh: a few thousand edges; one CTA, the others wait
// - bfs_push.cuh: few edges; a list of rows, vertices claimed by atomics
// - bfs_pull.cuh: many edges; visited bits only, no list, no atomics
// - bfs_emit.cuh: at the end, into the caller's order; bfs_emit_own.cuh: of several GPUs each its
// own
// - bfs_tail.cuh: of several GPUs, while their last levels run
#include "cuda/bfs/bfs_finish.cuh"
#include "cuda/bfs/bfs_start.cuh"
#include "cuda/bfs/bfs_tail.cuh"

template <typename Offset, typename Labels, bool kDeep>
__device__ __forceinline__ void run(Traversal<Offset, Labels, kDeep>& t) {
    const Search& s = t.s;
    Step<Offset>& step = t.step;
    if (threadIdx.x == 0) step = Step<Offset>{.open = s.rows};
    prepare(t);
    __syncthreads();
    if (starts_from_list(s))
        start_many(t);
    else if (s.source_count == 1)
        start_one(t);
    while (step.kind != kDone) {
        bool finds_may_be_under_way = true;  // other GPUs' always
        if constexpr (kPeers && Labels::kRelabelled) {
            if (step.tail) {
                run_tail(t);
                continue;
            }
        }
        if (step.kind == kPushCluster)
            t.cluster_tier();
        else if (step.kind == kPushCta)
            t.cta_tier();
        else if (step.kind == kPush)
            t.push();
        else
            finds_may_be_under_way = t.pull() || kPeers;
        if (finds_may_be_under_way) {
            t.barrier_and_advance();
        } else {
            __syncthreads();
            if (threadIdx.x == 0) step = advance<Offset, kDeep>(s, step, t.met);
            __syncthreads();
        }
    }
}

template <typename Offset, typename Labels, bool kDeep>
__device__ __forceinline__ void search(const Search& s) {
    extern __shared__ __align__(16) unsigned char memory[];
    __shared__ Stage stage;
    __shared__ Step<Offset> step;
    __shared__ Met met;
    if (threadIdx.x == 0) stage.clear();
    if (kPeers && threadIdx.x == 0) met.number = __ldcg(&s.peers->meeting->number);
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        s.summary->started = nanoseconds();
        if (s.trace) trace_level(s, 0, kDone, 0, s.source_count);
    }
    Traversal<Offset, Labels, kDeep> traversal{s, step, stage, met, memory};
    run(traversal);
    finish(traversal);
}

template <typename Offset, typename Labels>
__global__ void __launch_bounds__(kThreads, 1) bfs(const __grid_constant__ Search s) {
    search<Offset, Labels, false>(s);
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
template <typename Offset, typename Labels>
__global__ void __launch_bounds__(kThreads, 1) __cluster_dims__(kClusterCtas, 1, 1)
    bfs_deep(const __grid_constant__ Search s) {
    search<Offset, Labels, true>(s);
}
#endif
