// What a level does: decided by one thread of every CTA from the counts behind the grid barrier,
// the same in all CTAs, and kept in shared memory for the others.
#pragma once
#include "frontier_listing.cuh"

enum Kind { kDone = 0, kPush = 1, kPull = 2, kSmall = 3, kSolo = 4, kEmit = 5 };

template <typename Offset>
struct Step {
    RowList<Offset> frontier;
    Sink sink;  // where finds are listed
    Sink rest;  // where a pull lists what it leaves to its last step
    Kind kind;
    int level;    // of the frontier
    int turn;     // steps so far: chooses the size
    int flip;     // which list is read
    int current;  // which status buffer is valid
    int depth;
    i64 reached;
    i64 edges_before;  // of the frontier of the step before
};

// What a pull costs beside its looks, in edges pushed: about ten microseconds.
constexpr i64 kPullOverhead = 600'000;

// Frontier edges past which a pull is cheaper.  A push looks at all of them; a pull looks, for each
// open row, at mean degree entries, or at as many as it takes to meet one of the frontier's,
// whichever is less.
__device__ __forceinline__ i64 pull_from(const Search& s, i64 reached) {
    const float open = static_cast<float>(max(i64{1}, s.n - reached));
    const float entries = static_cast<float>(s.edges), rows = static_cast<float>(max(1, s.n));
    const float budget = open / s.push_cost;
    return kPullOverhead +
           static_cast<i64>(fminf(budget * (entries / rows), sqrtf(budget * entries)));
}

// How far past the switch a level must be expected to be before a push does not even list its
// finds.
constexpr float kCertain = 16;
// A pull does not list them while more than a third of all rows are open and the frontier has more
// than a sixteenth of all entries: it finds so many that another pull follows.
constexpr int kManyOpen = 3, kDense = 16;

// Chooses how a frontier is expanded; `complete`: its list holds all of it.
template <typename Offset, bool kDeep>
__device__ __forceinline__ void choose(const Search& s, Step<Offset>& step, bool complete) {
    FrontierSize* const sizes = s.control->size;
    // The size that the next step fills was read one step ago.
    if (blockIdx.x == 0) sizes[(step.turn + 2) % 3] = FrontierSize{};
    const i64 edges = step.frontier.edges, from = pull_from(s, step.reached);
    const bool pushes = complete && (s.direction == kPush || step.frontier.source >= 0 ||
                                     (s.direction != kPull && edges <= from));
    if (kDeep && complete && s.cluster_words && edges <= s.cluster_enter)
        step.kind = kSmall;
    else if (pushes && edges <= s.solo_enter)
        step.kind = kSolo;
    else
        step.kind = pushes ? kPush : kPull;

    // More than `from` edges found say that the next step pulls and needs no list.  So does, for a
    // large level, its growth: then nothing is listed at all.
    i64 limit = s.direction == kPush ? i64{1} << kEdgeBits : max(i64{1}, from);
    const bool large = step.kind == kPush && edges >= gridDim.x * kThreads && step.edges_before > 0;
    if (large && static_cast<float>(edges) / step.edges_before * edges >
                     kCertain * static_cast<float>(limit))
        limit = 0;
    const i64 open = s.n - step.reached;
    if (step.kind == kPull && open * kManyOpen > s.n && (!complete || edges * kDense > s.edges))
        limit = 0;
    step.edges_before = edges;
    FrontierSize* const out = sizes + (step.turn + 1) % 3;
    step.sink = Sink{s.queue[step.flip ^ 1], out, s.queue_capacity, limit};
    // A pull does not read its frontier's list.
    step.rest = Sink{s.queue[step.flip], out, s.queue_capacity, i64{1} << kEdgeBits};
}

// After a step: on to the frontier it found, or the end.
template <typename Offset, bool kDeep>
__device__ __forceinline__ void advance(const Search& s, Step<Offset>& step) {
    if (step.kind == kPull) step.current ^= 1;
    if (step.kind == kSmall || step.kind == kSolo) {
        const int to = __ldcg(&s.control->level);
        if (step.kind == kSolo)
            step.flip ^= (to - step.level - 1) & 1;  // it alternates lists by level
        step.level = to - 1;
    }
    ++step.level;
    ++step.turn;
    step.flip ^= 1;
    const FrontierSize& size = s.control->size[step.turn % 3];
    const ulonglong2 counts = __ldcg(reinterpret_cast<const ulonglong2*>(&size));
    const bool complete = __ldcg(&size.overflow) == 0;
    const i64 vertices = static_cast<i64>(counts.y);
    const int reached_at = static_cast<int>(__ldcg(&s.control->target_level)) - 1;
    if (s.trace && blockIdx.x == 0 && (step.kind == kPush || step.kind == kPull))
        trace_level(s, step.level, step.kind, step.edges_before, vertices);
    if (vertices > 0) step.depth = step.level;
    step.reached += vertices;
    const i64 reached = step.reached + static_cast<i64>(__ldcg(&s.control->tier_reached));
    // Others may be a level ahead: a target that they reach there does not count yet.
    if (vertices == 0 || reached >= s.n || step.level >= s.max_depth ||
        (reached_at >= 0 && reached_at <= step.level)) {
        step.kind = kDone;
        return;
    }
    // The edges of an incomplete list still say that more than the limit was found.
    step.frontier = RowList<Offset>{s.queue[step.flip], rows_of(counts.x),
                                    static_cast<Offset>(edges_of(counts.x))};
    choose<Offset, kDeep>(s, step, complete);
}
