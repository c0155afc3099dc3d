// Breadth-first search in one cooperative launch: levels and parents of every vertex, direction
// decided on the device (Beamer, Asanovic, Patterson 2012), one grid barrier a level.
//
// - bfs_steps.cuh: what the next level does, from the counts behind the barrier
// - bfs_cluster.cuh: small frontiers of a deep graph; one cluster, queues in its shared memory
// - bfs_solo.cuh: a few thousand edges; one CTA, the others wait
// - bfs_push.cuh: few edges; a list of rows, vertices claimed by atomics
// - bfs_pull.cuh: many edges; status bits only, no list, no atomics
// - bfs_emit.cuh: at the end, into the caller's order
#include "bfs_cluster.cuh"
#include "bfs_emit.cuh"
#include "bfs_pull.cuh"
#include "bfs_push.cuh"
#include "bfs_solo.cuh"
#include "bfs_steps.cuh"
#include "cache_hints.cuh"
#include "grid_barrier.cuh"

#ifdef PULL_SHARED_BYTES
static_assert(sizeof(PullShared) == PULL_SHARED_BYTES, "PullShared and PULL_SHARED differ");
#endif
#ifdef CLUSTER_SHARED_BYTES
static_assert(sizeof(ClusterShared) == CLUSTER_SHARED_BYTES,
              "ClusterShared and CLUSTER_SHARED differ");
#endif

template <typename Offset, typename Level, bool kDeep>
struct Traversal {
    const Search& s;
    Step<Offset>& step;  // in shared memory
    Stage& stage;
    unsigned char* memory;  // dynamic shared memory: pull's lists and cache, or the small tier's

    __device__ bool leads() const { return blockIdx.x == 0 && threadIdx.x == 0; }
    __device__ const Offset* out_indptr() const { return static_cast<const Offset*>(s.out_indptr); }
    __device__ void barrier() {
        grid_barrier(&s.control->barrier, [this] { stage.clear(); });
    }
    __device__ void barrier_and_advance() {
        grid_barrier(&s.control->barrier, [this] {
            stage.clear();
            step = advance<Offset, kDeep>(s, step);
        });
    }

    __device__ void push() {
        u32* const seen = s.seen[step.current];
        Finds<Offset> finds(stage, step.sink, out_indptr());
        push_level<Offset, Level>(s, step.frontier, seen, step.level, finds);
        finds.finish();
    }

    // False when all CTAs have passed a barrier since the last find.
    __device__ bool pull() {
        PullShared& shared = *reinterpret_cast<PullShared*>(memory);
        u32* const cache = reinterpret_cast<u32*>(memory + sizeof(PullShared));
        const bool sparse = is_sparse<Level>(s, step.open);
        // A few looks are not worth the copy.
        const Visited visited{cache, s.seen[step.current], sparse ? 0 : s.cached};
        u32* const next = s.seen[step.current ^ 1];
        {
            Finds<Offset> finds(stage, step.sink, out_indptr());
            pull_level<Offset, Level>(s, visited, next, cache, shared, sparse, step.level,
                                      step.rest, finds);
            finds.finish();
        }
        barrier();
        const u64 unlisted = __ldcg(&step.rest.size->unlisted);
        const u64 left = unlisted ? ~unlisted : __ldcg(&step.rest.size->rest);
        if (left == 0) return false;
        Finds<Offset> finds(stage, step.sink, out_indptr());
        pull_rest<Offset, Level>(
            s, RowList<Offset>{step.rest.rows, rows_of(left), static_cast<Offset>(edges_of(left))},
            visited, next, step.level, finds);
        finds.finish();
        return true;
    }

    // One CTA runs levels alone; the others take over from what it leaves.
    __device__ void solo() {
        if (blockIdx.x != 0) return;
        solo_levels<Offset, Level>(s, step.frontier, s.seen[step.current], step.level, step.flip,
                                   step.sink.size);
    }

    // The small tier runs many levels in one step; the frontier that it leaves is like any other.
    __device__ void small() {
        if constexpr (kDeep) {
            if (blockIdx.x < kCluster)
                small_tier<Offset, Level>(s, *reinterpret_cast<ClusterShared*>(memory),
                                          step.frontier, s.seen[step.current], step.level,
                                          step.sink);
            barrier();
            const u64 left = __ldcg(&s.control->unfinished.queued);
            if (left == 0) return;
            // Nothing is claimed past the level of a target that the tier reached.
            const int reached_at = static_cast<int>(__ldcg(&s.control->target_level)) - 1;
            const int level = __ldcg(&step.sink.size->level);
            const bool stops = reached_at >= 0 && reached_at < level;
            if (threadIdx.x == 0) step.level = level - 1;
            __syncthreads();
            if (threadIdx.x == 0)
                step.frontier = RowList<Offset>{s.unfinished, rows_of(left),
                                                static_cast<Offset>(edges_of(left))};
            __syncthreads();
            if (!stops) push();
            barrier();
            if (leads()) s.control->unfinished.queued = 0;
        }
    }

    // Before the first level, by all CTAs but the first, for which they mostly wait then: the next
    // search's levels are cleared, and what pushes will write here and there is brought into L2.
    __device__ void prepare() {
        const bool alone = gridDim.x == 1;
        if (blockIdx.x == 0 && !alone) return;
        const int cta = alone ? 0 : blockIdx.x - 1, ctas = alone ? 1 : gridDim.x - 1;
        if constexpr (kRelabelled<Level>) clear(s.next_levels, s.n, cta, ctas);
        if (s.near > 0 && s.levels) bring_near(s.levels, i64{s.n} * sizeof(Level), cta, ctas);
        if (s.near > 1 && s.parents) bring_near(s.parents, i64{s.n} * sizeof(int), cta, ctas);
    }

    // Internal id of a caller's vertex, -1 for none.
    __device__ int internal(int label) {
        if (static_cast<u32>(label) >= static_cast<u32>(s.caller_n)) {
            s.control->bad_source = 1;
            return -1;
        }
        const int v = s.rank ? s.rank[label] : label;
        if (v < 0) s.control->isolated = 1;
        return v;
    }

    // One source needs no list: its row is the frontier.
    __device__ void start_one() {
        if (threadIdx.x == 0) {
            const int source = internal(s.sources ? s.sources[0] : s.source);
            step.kind = kDone;
            step.reached = source >= 0 || s.control->isolated;
            if (source >= 0) {
                if (blockIdx.x == 0) {
                    atomicOr(s.seen[0] + word_of(source), bit_of(source));
                    visit_source<Level>(s, source);
                }
                if (s.max_depth > 0 && source != s.target) {
                    const Offset begin = out_indptr()[source];
                    step.frontier = RowList<Offset>{nullptr, 1, out_indptr()[source + 1] - begin,
                                                    source, begin};
                    choose<Offset, kDeep>(s, step, true);
                }
            }
        }
        __syncthreads();
        // No level follows: emission would read the source's status and level at once.
        if (step.kind == kDone) barrier();
    }

    // Several are claimed and listed first.
    __device__ void start_many() {
        if (threadIdx.x == 0) {
            step.level = -1;
            step.frontier = RowList<Offset>{nullptr, 0, 0};
            choose<Offset, kDeep>(s, step, true);
            step.kind = kPush;
        }
        __syncthreads();
        Finds<Offset> finds(stage, step.sink, out_indptr());
        for (int base = blockIdx.x * kThreads; base < s.source_count;
             base += gridDim.x * kThreads) {
            const int i = base + threadIdx.x;
            const int v = i < s.source_count ? internal(s.sources[i]) : -1;
            const int vertex[1] = {v};
            bool won[1] = {v >= 0};
            claim(s.seen[0], vertex, won);
            if (won[0]) visit_source<Level>(s, v);
            finds.add(vertex, won);
        }
        finds.finish();
        barrier_and_advance();
    }

    __device__ void run() {
        if (threadIdx.x == 0) step = Step<Offset>{.open = s.rows};
        prepare();
        __syncthreads();
        if (s.source_count == 1)
            start_one();
        else if (s.source_count > 1)
            start_many();
        while (step.kind != kDone) {
            bool finds_may_be_under_way = true;
            if (step.kind == kSmall)
                small();
            else if (step.kind == kSolo)
                solo();
            else if (step.kind == kPush)
                push();
            else
                finds_may_be_under_way = pull();
            if (finds_may_be_under_way) {
                barrier_and_advance();
            } else {
                __syncthreads();
                if (threadIdx.x == 0) step = advance<Offset, kDeep>(s, step);
                __syncthreads();
            }
        }
    }

    // Results into the caller's order, the summary, and everything as the next search expects it.
    __device__ void finish() {
        Control& control = *s.control;
        if (leads()) {
            control.reached = step.reached;
            control.depth = step.depth;
        }
        if constexpr (kRelabelled<Level>) {
            clear(s.seen[0], (s.n + kBlock - 1) / kBlock * 16, blockIdx.x, gridDim.x);
            if (s.words)
                emit_in_order(s);
            else
                emit_by_rank(s);
            // All know since the search began: by its own look at one source, or the barrier behind
            // several.
            if (__ldcg(&control.isolated)) {
                barrier();  // what emission writes of such a source is overwritten
                if (blockIdx.x == 0) emit_isolated(s);
            }
        } else {
            emit_unreached(s, s.seen[step.current]);
        }
        __syncthreads();
        if (s.trace && leads()) trace_level(s, control.depth + 2, kEmit, 0, 0);
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
        }
    }
};

template <typename Offset, typename Level, bool kDeep>
__device__ __forceinline__ void search(const Search& s) {
    extern __shared__ __align__(16) unsigned char memory[];
    __shared__ Stage stage;
    __shared__ Step<Offset> step;
    if (threadIdx.x == 0) stage.clear();
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        s.summary->started = nanoseconds();
        if (s.trace) trace_level(s, 0, kDone, 0, s.source_count);
    }
    Traversal<Offset, Level, kDeep> traversal{s, step, stage, memory};
    traversal.run();
    traversal.finish();
}

template <typename Offset, typename Level>
__global__ void __launch_bounds__(kThreads, 1) bfs(const __grid_constant__ Search s) {
    search<Offset, Level, false>(s);
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
template <typename Offset, typename Level>
__global__ void __launch_bounds__(kThreads, 1) __cluster_dims__(kCluster, 1, 1)
    bfs_deep(const __grid_constant__ Search s) {
    search<Offset, Level, true>(s);
}
#endif
