// Three decisions about a level, each from the counts of its frontier: which way it goes, who runs
// it, and whether what it finds is listed.
#pragma once
#include "cuda/bfs/frontier_finds.cuh"

// How a level is run; traces have these numbers, see STEPS in cuda/bfs/result.py.  kPush and kPull
// are the tier of the grid.
enum StepKind {
    kDone = 0,
    kPush = 1,
    kPull = 2,
    kPushCluster = 3,
    kPushCta = 4,
    kEmit = 5,
    kPushPart = 6  // in traces: a push of the tail
};

// What Search::direction asks for.
enum Direction { kByCounts = 0, kPushOnly = 1, kPullWherePossible = 2 };
// What Search::schedule asks of a level, if anything.
enum Forced { kNotForced = 0, kForcedPush = 1, kForcedPull = 2, kForcedCachedPull = 3 };

__device__ __forceinline__ Forced forced_at(const Search& s, int level) {
    if (s.schedule == nullptr) return kNotForced;
    return static_cast<Forced>(__ldg(s.schedule + min(level, s.scheduled - 1)));
}

constexpr float kNever = 1e30f;  // edges: a threshold that no frontier passes

// What a step costs, in edges that a push looks at (8 us a million on an H200; what a pull looks at
// counts by Search::pull_weight); Search::pushed_find and pull_in_vain are by the matrix.  Fitted
// to single levels of 20 graphs, half of them real: docs/performance-notes-cuda.md, eighth round.
constexpr float kPullOverhead = 270'000;  // what a pull takes longer, whatever it looks at
constexpr float kPullRow = 1.2f;          // a row, open or not
// A frontier of so few edges is pushed and its finds are listed, whatever they lead to: nothing is
// divided for it (third round, "the decision").
constexpr i64 kFewEdges = 65'536;
// From so many edges on, what a frontier has found says how evenly edges lie among the rows.
constexpr i64 kTellingEdges = 16'384;
constexpr float kLeastShare = 1.0f / 64;
// What they find where nothing has been told yet, as on skewed graphs; from which share on edges
// count as leading anywhere.
constexpr float kSkewedShare = 0.5f, kEvenShare = 0.3f;
// How many times the switch a frontier must have for its pull to be certain; how many times what
// even a pull in vain costs one must be expected to have for a push not even to begin to list it
// (third and sixth round, where a list is given up).
constexpr float kListed = 2, kCertain = 6;
// What a find costs at least that is listed and pushed: to list it takes as long as eight edges,
// and it has one.  A pull does not list its finds where that is more than another pull would cost
// (eleventh round).
constexpr float kListedFind = 9;

// Of several GPUs.  A frontier whose edges are hardly more than its rows is pushed as its lists are
// read: what a warp may have to do alone is bounded by how many there are beside one a row, these
// and one in so many.
constexpr i64 kLightEdges = 512, kLightRows = 64;
__device__ __forceinline__ bool is_light(i64 rows, i64 edges) {
    return edges - rows <= kLightEdges + rows / kLightRows;
}
// One in so many vertices: open rows of a pull that sets no bits at other GPUs, and edges of a push
// that does; edges of all levels of a tail, and of one beside one a row, so that those that run it
// are done long before results are written.
constexpr i64 kOpenToSend = 128, kEdgesToSend = 128, kTailShare = 2048, kTailBeside = 16'384;

// What the decisions know of the frontier.
struct FrontierCounts {
    i64 edges;         // where its list holds all of it, else about
    i64 edges_before;  // of the frontier before it
    i64 open;          // rows that nobody has reached
    float share;       // see found_evenly
    bool complete;     // its list holds all of it

    __device__ __forceinline__ bool few() const { return complete && edges <= kFewEdges; }
};

// Rows that a frontier's edges find where they lead anywhere.  Elsewhere, in webs and on maps, they
// find a share of that, which is learned from level to level: what a pull costs is above all the
// open rows that it looks through in vain.
__device__ __forceinline__ float found_evenly(const Search& s, float edges, float open) {
    return open * (1 - __expf(-__fdividef(edges, static_cast<float>(s.rows))));
}
__device__ __forceinline__ float share_found(const Search& s, i64 found, i64 edges, i64 open) {
    const float even = found_evenly(s, static_cast<float>(edges), static_cast<float>(open));
    return fminf(1, fmaxf(kLeastShare, __fdividef(static_cast<float>(found), even)));
}

// A pull that leaves so many rows open.
__device__ __forceinline__ float in_vain(const Search& s, float open) {
    return kPullOverhead +
           s.pull_weight * (kPullRow * static_cast<float>(s.n) + s.pull_in_vain * open);
}

// What a level is expected to find, and from how many edges of its frontier on it is pulled.
struct Outlook {
    float found;
    float threshold;
};
__device__ __forceinline__ Outlook outlook(const Search& s, float edges, float open, float share) {
    const float found = share * found_evenly(s, edges, open);
    const float threshold = in_vain(s, open - found) - s.pushed_find * found;
    return {found, fmaxf(static_cast<float>(kFewEdges), threshold)};
}
__device__ __forceinline__ Outlook outlook(const Search& s, const FrontierCounts& frontier) {
    if (s.direction != kByCounts || frontier.few()) return {0, kNever};
    return outlook(s, static_cast<float>(frontier.edges),
                   static_cast<float>(max(i64{1}, frontier.open)), frontier.share);
}

// Direction: whether the level pulls.  A frontier without a complete list cannot be pushed.
__device__ __forceinline__ bool pulls(const Search& s, const FrontierCounts& frontier,
                                      const Outlook& level) {
    return !frontier.complete || s.direction == kPullWherePossible ||
           static_cast<float>(frontier.edges) > level.threshold;
}

// Tier: one cluster or one CTA where edges are few, else the grid, as always of several GPUs.
template <bool kDeep>
__device__ __forceinline__ StepKind tier_of(const Search& s, const FrontierCounts& frontier,
                                            bool pulled) {
    if (kDeep && frontier.complete && frontier.edges <= s.cluster_enter) return kPushCluster;
    if (!kPeers && !pulled && frontier.edges <= s.cta_enter) return kPushCta;
    return pulled ? kPull : kPush;
}

// From how many vertices on that the level finds the next one is sure to be pulled: of four shares
// of the open rows the least, each taken for what edges find from here on.
__device__ __forceinline__ float certain_from(const Search& s, const FrontierCounts& frontier) {
    const float open = static_cast<float>(max(i64{1}, frontier.open));
    const float even = found_evenly(s, static_cast<float>(frontier.edges), open);
    float certain = kNever;
#pragma unroll 1
    for (float part = 0.5f; part > 0.05f; part *= 0.5f) {
        const float found = part * open;
        const float share = fminf(1, __fdividef(found, even));
        const float edges = found * s.mean_degree;
        if (edges > kListed * outlook(s, edges, open - found, share).threshold) certain = found;
    }
    return certain;
}

// List: what the level finds is not listed where the next one will pull it whatever it is, judging
// by how the frontier has grown and by what it is expected to find, unless edges lead back.
__device__ __forceinline__ bool finds_too_many(const Search& s, const FrontierCounts& frontier,
                                               StepKind kind, const Outlook& level, float in_vain) {
    if (frontier.share < kEvenShare) return false;
    if (kind == kPull) {
        const float left = static_cast<float>(frontier.open) - level.found;
        const Outlook next = outlook(s, level.found * s.mean_degree, left, frontier.share);
        return kListedFind * level.found > next.threshold;
    }
    const float edges = static_cast<float>(frontier.edges);
    const float growth = __fdividef(edges, static_cast<float>(max(i64{1}, frontier.edges_before)));
    return fminf(growth * edges, static_cast<float>(s.edges)) > kCertain * in_vain;
}
__device__ __forceinline__ ListPolicy list_policy(const Search& s, const FrontierCounts& frontier,
                                                  StepKind kind, const Outlook& level) {
    if (level.threshold >= kNever) return ListPolicy{kListAll};
    const float vain = in_vain(s, static_cast<float>(frontier.open));
    ListPolicy list{static_cast<i64>(vain)};
    if (finds_too_many(s, frontier, kind, level, vain)) list.most_edges = kListNothing;
    list.pull_certain_from = certain_from(s, frontier);
    const float staged = static_cast<float>(kStaged * gridDim.x);
    list.beyond_stage = staged < list.pull_certain_from &&
                        staged * s.mean_degree < static_cast<float>(list.most_edges);
    return list;
}
