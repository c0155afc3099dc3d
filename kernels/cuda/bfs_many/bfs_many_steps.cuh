// What the next level of a search from many sources does, from the counts behind the barrier.
#pragma once
#include "cuda/bfs_many/bfs_many_state.cuh"

enum { kManyDone, kManyPush, kManyPull };

struct ManyStep {
    int kind;
    int level;    // the one to find
    int current;  // which frontier is expanded
    bool listed;  // ... has a list and a queue that may be pushed
    bool sparse;
    bool zeroed;       // rows of both frontiers without an `any` bit are zero
    bool narrow;       // narrow searches were pushed before the level's pull
    bool mostly_full;  // the level before was a pull of a dense frontier: most rows are nearly full
    u32 vertices;
    u64 queued;
    i64 unfilled;  // in-entries of rows that some search has not reached
};

__device__ __forceinline__ bool first_thread() { return blockIdx.x == 0 && threadIdx.x == 0; }
__device__ __forceinline__ ManyCounts* counts_of(const ManySearch& s, const ManyStep& step) {
    return &s.control->counts[step.level % 3];
}

// Direction: whether the next level, a frontier of so many edges, is pushed.  A push costs the
// clearing of frontiers as well where they are not zeroed, so that what little is left is pulled,
// but for a deep graph.
template <int kWords>
__device__ __forceinline__ bool pushes(const ManySearch& s, const ManyStep& step, u64 edges) {
    if (s.direction) return s.direction == 1;
    const float clearing = step.zeroed ? 0.0f : static_cast<float>(s.n) * Row<kWords>::kLanes;
    return edges * s.push_cost + clearing < static_cast<float>(step.unfilled);
}

// Whether a pull of such a frontier looks at `any` bits first.
__device__ __forceinline__ bool is_sparse(const ManySearch& s, const ManyStep& step, u64 edges) {
    return !step.zeroed || edges < s.dense * s.edges;
}

// What the next level does.  One thread of every CTA, behind the barrier that ends a level.
template <int kWords>
__device__ __forceinline__ void decide(const ManySearch& s, ManyStep& step) {
    const ManyCounts& c = *counts_of(s, step);
    const u32 listed = __ldcg(&c.listed);
    const bool was_relisted = step.kind == kManyPush && !step.listed;
    const u64 queued = __ldcg(&c.queued);
    step.listed = listed > 0 && listed < s.ordered_from;
    step.vertices = listed ? listed : __ldcg(&c.vertices);
    step.queued = queued;
    step.unfilled -= static_cast<i64>(__ldcg(&c.filled));
    const u64 edges = listed ? edges_of(queued) : __ldcg(&c.edges);
    if (first_thread()) {
        s.control->counts[(step.level + 2) % 3] = ManyCounts{};
        if (was_relisted) s.control->relisted[step.level & 1] = ManyCounts{};
        for (u64& queued : s.control->narrow[step.level & 1]) queued = 0;
        s.control->joint = step.vertices + (step.level ? s.control->joint : 0);
        if (step.vertices || step.level == 0) s.control->depth = step.level;
        if (step.level < s.trace_capacity) {
            i64* const row = s.trace + 4 * static_cast<i64>(step.level);
            row[0] = step.kind == kManyPull ? (step.narrow ? 4 : 2 + step.sparse) : step.kind;
            row[1] = step.vertices;
            row[2] = edges;
            row[3] = nanoseconds();
        }
    }
    step.narrow = false;
    const int most = (1 << s.plane_count) - 2;
    if (step.vertices == 0 || step.level >= min(s.max_depth, most)) {
        if (first_thread()) s.control->truncated = step.vertices && step.level < s.max_depth;
        step.kind = kManyDone;
        return;
    }
    step.mostly_full = step.kind == kManyPull && !step.sparse;
    step.kind = pushes<kWords>(s, step, edges) ? kManyPush : kManyPull;
    step.sparse = is_sparse(s, step, edges);
    step.current = step.level & 1;
    ++step.level;
}
