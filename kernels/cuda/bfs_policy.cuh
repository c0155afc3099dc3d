// Three decisions about a level, each from the counts of its frontier: which way it goes, who runs
// it, and whether what it finds is listed.
#pragma once
#include "frontier_finds.cuh"

// How a level is run; traces have these numbers, see STEPS in cuda/found.py.  kPush and kPull are
// the tier of the grid.
enum StepKind { kDone = 0, kPush = 1, kPull = 2, kPushCluster = 3, kPushCta = 4, kEmit = 5 };

// What Search::direction asks for.
enum Direction { kByCounts = 0, kPushOnly = 1, kPullWherePossible = 2 };

// The figures behind these constants are in docs/performance-notes-cuda.md.
//
// What a pull costs beside its probes, in edges pushed, about ten microseconds (first table, "push
// or pull by estimated looks").
constexpr i64 kPullOverhead = 600'000;
// A frontier of so few edges is pushed and its finds are listed, whatever they lead to: nothing is
// divided for it (third round, "the decision").
constexpr i64 kFewEdges = 65'536;
// Past how many times the switch edges found are not listed any more, a pull being certain; and how
// many times that a level must be expected to find before a push does not even begin to list
// (third and sixth round, where a list is given up).
constexpr i64 kListed = 2;
constexpr float kCertain = 3;
// A pull does not list its finds while more than a third of all rows are open and the frontier has
// more than a sixteenth of all entries: it finds so many that another pull follows (second round,
// "pulls list their finds unless the frontier is dense").
constexpr int kManyOpen = 3, kDense = 16;

// How many times as many edges as a frontier has its growth is believed to have lost, at most
// (third round, "spread").
constexpr float kMostUneven = 16;

// What the decisions know of the frontier.
struct FrontierCounts {
    i64 edges;
    i64 edges_before;  // of the frontier before it
    i64 open;          // rows that nobody has reached
    bool complete;     // its list holds all of it

    __device__ __forceinline__ bool few() const { return complete && edges <= kFewEdges; }
};

// Frontier edges past which a pull is cheaper.  A push looks at all of them; a pull probes, for
// each open row, mean degree entries, or as many as it takes to meet one of the frontier's,
// whichever is less.  That is the more the less evenly the frontier lies among the rows: where its
// edges lead anywhere it has, times the mean degree and the open share, as many as the one before.
__device__ __forceinline__ i64 estimated_threshold(const Search& s, i64 edges, i64 before,
                                                   float open) {
    const float entries = static_cast<float>(s.edges), budget = open * s.pull_weight;
    const float even = static_cast<float>(before) * s.mean_degree * open / s.rows;
    const float uneven = fminf(fmaxf(1, __fdividef(even, static_cast<float>(edges))), kMostUneven);
    const float product = budget * entries * uneven;
    return kPullOverhead +
           static_cast<i64>(fminf(budget * s.mean_degree, product * rsqrtf(product)));
}
__device__ __forceinline__ i64 pull_threshold(const Search& s, const FrontierCounts& frontier) {
    if (s.direction != kByCounts || frontier.few()) return kListAll;
    return estimated_threshold(s, frontier.edges, frontier.complete ? frontier.edges_before : 0,
                               static_cast<float>(max(i64{1}, frontier.open)));
}

// Direction: whether the level pulls.  A frontier without a complete list cannot be pushed.
__device__ __forceinline__ bool pulls(const Search& s, const FrontierCounts& frontier,
                                      i64 threshold) {
    return !frontier.complete || s.direction == kPullWherePossible || frontier.edges > threshold;
}

// Tier: one cluster or one CTA where edges are few, else the grid.
template <bool kDeep>
__device__ __forceinline__ StepKind tier_of(const Search& s, const FrontierCounts& frontier,
                                            bool pulled) {
    if (kDeep && frontier.complete && frontier.edges <= s.cluster_enter) return kPushCluster;
    if (!pulled && frontier.edges <= s.cta_enter) return kPushCta;
    return pulled ? kPull : kPush;
}

// List: a push is expected to find so many edges that a pull follows whatever they are, judging by
// how the frontier has grown.
__device__ __forceinline__ bool push_finds_too_many(const Search& s, const FrontierCounts& frontier,
                                                    i64 most_edges) {
    const float edges = static_cast<float>(frontier.edges);
    const float growth = __fdividef(edges, static_cast<float>(frontier.edges_before));
    const float found = fminf(growth * edges, static_cast<float>(s.edges));
    return found > kCertain * static_cast<float>(most_edges);
}
__device__ __forceinline__ bool pull_finds_too_many(const Search& s,
                                                    const FrontierCounts& frontier) {
    return frontier.open * kManyOpen > s.rows &&
           (!frontier.complete || frontier.edges * kDense > s.edges);
}
__device__ __forceinline__ ListPolicy list_policy(const Search& s, const FrontierCounts& frontier,
                                                  StepKind kind, i64 threshold) {
    ListPolicy list{min(kListed * threshold, kListAll)};
    const bool may_outgrow = kind == kPush && !frontier.few() && frontier.edges_before > 0;
    if (may_outgrow && push_finds_too_many(s, frontier, list.most_edges))
        list.most_edges = kListNothing;
    if (kind == kPull && pull_finds_too_many(s, frontier)) list.most_edges = kListNothing;
    // While most rows are open, those found have more entries than the mean, if anything.
    if (s.direction == kByCounts && !frontier.few() && frontier.open * 2 > s.rows)
        list.pull_certain_from = __fdividef(static_cast<float>(threshold), s.mean_degree);
    const float staged = static_cast<float>(kStaged * gridDim.x);
    list.beyond_stage = staged < list.pull_certain_from &&
                        staged * s.mean_degree < static_cast<float>(list.most_edges);
    return list;
}
