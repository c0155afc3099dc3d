// One level of a search, in each of the ways in which it can be run.
#pragma once
#include "cuda/bfs/bfs_cluster.cuh"
#include "cuda/bfs/bfs_cta.cuh"
#include "cuda/bfs/bfs_meeting.cuh"
#include "cuda/bfs/bfs_ordered.cuh"
#include "cuda/bfs/bfs_pull.cuh"
#include "cuda/bfs/bfs_push.cuh"

#ifdef PULL_SHARED_BYTES
static_assert(sizeof(PullShared) == PULL_SHARED_BYTES, "PullShared and PULL_SHARED differ");
#endif
#ifdef CLUSTER_SHARED_BYTES
static_assert(sizeof(ClusterShared) == CLUSTER_SHARED_BYTES,
              "ClusterShared and CLUSTER_SHARED differ");
#endif

template <typename Offset, typename Labels, bool kDeep>
struct Traversal {
    const Search& s;
    Step<Offset>& step;  // in shared memory
    Stage& stage;
    Met& met;               // of several GPUs
    unsigned char* memory;  // dynamic shared memory: pull's lists and cache, or the cluster tier's

    __device__ bool leads() const { return blockIdx.x == 0 && threadIdx.x == 0; }
    __device__ const Offset* out_indptr() const { return static_cast<const Offset*>(s.out_indptr); }
    __device__ void barrier() {
        grid_barrier(&s.control->barrier, [this] { stage.clear(); });
    }
    __device__ const FrontierSize& size_of_finds() const {
        return s.control->size[(step.turn + 1) % 3];
    }
    // Of several GPUs so many CTAs of each meet.
    __device__ void barrier_and_advance(u32 ctas = gridDim.x) {
        const auto go_on = [this] {
            stage.clear();
            step = advance<Offset, kDeep>(s, step, met);
        };
        if constexpr (kPeers)
            peers_barrier(s, size_of_finds(), met, ctas, go_on);
        else
            grid_barrier(&s.control->barrier, go_on);
    }
    // The lengths by which finds are listed: of several GPUs those at all of them.
    __device__ const Offset* found_indptr() const {
        if constexpr (kPeers) return static_cast<const Offset*>(s.peers->degrees);
        return out_indptr();
    }

    __device__ void push() {
        if constexpr (kPeers) {
            // A source needs no list.
            if (step.frontier.source < 0) {
                if (is_light(step.frontier.count, step.frontier.edges)) return push_lists();
                bring_frontier();
            }
        } else if constexpr (kPinned) {
            order_frontier();
        }
        u32* const visited = s.visited[step.current];
        Finds<Offset> finds(stage, step.sink, found_indptr());
        push_level<Offset, Labels>(s, step.frontier, visited, step.level, step.sends, finds);
        finds.finish();
    }

    // A push of what all GPUs have found, while their lists are read.
    __device__ void push_lists() {
        u32* const visited = s.visited[step.current];
        Finds<Offset> finds(stage, step.sink, found_indptr());
        const PushEdges<Offset, Labels> visit_edges{s, visited, -1, step.level, step.sends, finds};
        expand_lists(s, met, step.flip, gridDim.x, out_indptr(), visited, visit_edges);
        finds.finish();
    }

    // What a push expands here of what all GPUs have found.
    __device__ void bring_frontier() {
        list_frontier(s, met, step.flip, out_indptr(), s.visited[step.current], step.long_rows);
        grid_barrier(&s.control->barrier, [this] {
            const u64 listed = __ldcg(&step.long_rows.size->long_rows);
            step.frontier = RowList<Offset>{step.long_rows.rows, rows_of(listed),
                                            static_cast<Offset>(edges_of(listed))};
        });
    }

    // Puts the frontier's list in order, where it is long and its levels tell what is on it; what
    // the cluster tier leaves is another list.
    __device__ void order_frontier() {
        if (step.frontier.count < s.ordered_from || step.frontier.rows != step.long_rows.rows ||
            !tells_levels<Labels>(s, step.level))
            return;
        // Nothing is listed there yet of what the level finds.
        u64* const counts = reinterpret_cast<u64*>(step.sink.rows);
        list_in_order<Offset, Labels>(s, s.visited[step.current], step.level,
                                      *reinterpret_cast<PullShared*>(memory), counts,
                                      step.long_rows.rows, [this] { barrier(); });
        barrier();
    }

    // The visited bits of the frontier that other GPUs have: a row that is open has no neighbour
    // that was reached before.  Lists may miss some of the frontier; then all bits are taken.
    __device__ void bring_visited() {
        if constexpr (kPeers) {
            if (met.overflow)
                take_visited(s, step.current);
            else
                show_frontier(s, met, step.flip, s.visited[step.current]);
        }
    }

    // False when all CTAs have passed a barrier since the last find.
    __device__ bool pull() {
        if (kPeers && !step.shown) {
            bring_visited();
            barrier();
        }
        PullShared& shared = *reinterpret_cast<PullShared*>(memory);
        u32* const cache = reinterpret_cast<u32*>(memory + sizeof(PullShared));
        const bool sparse = is_sparse<Labels>(s, step.open);
        // A few probes are not worth the copy.
        const bool cached = step.forced ? step.forced == kForcedCachedPull : !sparse;
        const CachedVisited visited{cache, s.visited[step.current], cached ? s.cached : 0};
        u32* const next = s.visited[step.current ^ 1];
        {
            Finds<Offset> finds(stage, step.sink, found_indptr());
            pull_level<Offset, Labels>(s, visited, next, cache, shared, sparse, step.sends,
                                       step.level, step.long_rows, finds);
            finds.finish();
        }
        barrier();
        const u64 unlisted = __ldcg(&step.long_rows.size->unlisted);
        const u64 left = unlisted ? ~unlisted : __ldcg(&step.long_rows.size->long_rows);
        if (left == 0) return false;
        Finds<Offset> finds(stage, step.sink, found_indptr());
        pull_long_rows<Offset, Labels>(s,
                                       RowList<Offset>{step.long_rows.rows, rows_of(left),
                                                       static_cast<Offset>(edges_of(left))},
                                       visited, next, step.sends, step.level, finds);
        finds.finish();
        return true;
    }

    // One CTA runs levels alone; the others take over from what it leaves.
    __device__ void cta_tier() {
        if (blockIdx.x != 0) return;
        cta_levels<Offset, Labels>(s, step.frontier, step.leaves, s.visited[step.current],
                                   step.level, step.flip, step.sink.size);
    }

    // The cluster tier runs many levels in one step; the frontier that it leaves is like any other.
    __device__ void cluster_tier() {
        if constexpr (kDeep) {
            if (blockIdx.x < kClusterCtas)
                cluster_levels<Offset, Labels>(s, *reinterpret_cast<ClusterShared*>(memory),
                                               step.frontier, s.visited[step.current], step.level,
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
};
