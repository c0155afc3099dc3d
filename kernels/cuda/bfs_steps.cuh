// What a level does: decided by one thread of every CTA from the counts behind the grid barrier,
// the same in all CTAs, and kept in shared memory for the others.
#pragma once
#include "frontier_finds.cuh"

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
    i64 open;          // vertices with entries that nobody has reached
    i64 edges_before;  // of the frontier of the step before
};

// What a pull costs beside its looks, in edges pushed: about ten microseconds.
constexpr i64 kPullOverhead = 600'000;
// A frontier of so few edges is pushed and its finds are listed, whatever they lead to.
constexpr i64 kFewEdges = 65'536;
// Past how many times the switch edges found are not listed any more, a pull being certain; and how
// many times that a level must be expected to find before a push does not even begin to list.
constexpr i64 kListed = 2;
constexpr float kCertain = 3;
// A pull does not list its finds while more than a third of all rows are open and the frontier has
// more than a sixteenth of all entries: it finds so many that another pull follows.
constexpr int kManyOpen = 3, kDense = 16;

// Frontier edges past which a pull is cheaper.  A push looks at all of them; a pull looks, for each
// open row, at mean degree entries, or at as many as it takes to meet one of the frontier's,
// whichever is less.  That is the more the less evenly the frontier lies among the rows: where its
// edges lead anywhere it has, times the mean degree and the open share, as many as the one before.
__device__ __forceinline__ i64 pull_from(const Search& s, i64 edges, i64 before, float open) {
    const float entries = static_cast<float>(s.edges), budget = open * s.pull_weight;
    const float even = static_cast<float>(before) * s.mean_degree * open / s.rows;
    const float uneven = fminf(fmaxf(1, __fdividef(even, static_cast<float>(edges))), 16);
    const float product = budget * entries * uneven;
    return kPullOverhead +
           static_cast<i64>(fminf(budget * s.mean_degree, product * rsqrtf(product)));
}

// Chooses how a frontier is expanded; `complete`: its list holds all of it.
template <typename Offset, bool kDeep>
__device__ __forceinline__ void choose(const Search& s, Step<Offset>& step, bool complete) {
    FrontierSize* const sizes = s.control->size;
    // The size that the next step fills was read one step ago.
    if (blockIdx.x == 0) sizes[(step.turn + 2) % 3] = FrontierSize{};
    const i64 edges = step.frontier.edges, before = step.edges_before;
    const bool few = complete && edges <= kFewEdges;
    i64 from = i64{1} << kEdgeBits;
    if (s.direction == 0 && !few)
        from =
            pull_from(s, edges, complete ? before : 0, static_cast<float>(max(i64{1}, step.open)));
    // The source's own bit may not be set yet when its row is expanded.
    const bool listed = step.frontier.source < 0;
    const bool pulls = listed && (!complete || s.direction == 2 || edges > from);
    if (kDeep && complete && edges <= s.cluster_enter)
        step.kind = kSmall;
    else if (!pulls && edges <= s.solo_enter)
        step.kind = kSolo;
    else
        step.kind = pulls ? kPull : kPush;

    i64 limit = min(kListed * from, i64{1} << kEdgeBits);
    const bool large = step.kind == kPush && !few && before > 0;
    if (large) {
        const float growth = __fdividef(static_cast<float>(edges), static_cast<float>(before));
        const float found = fminf(growth * static_cast<float>(edges), static_cast<float>(s.edges));
        if (found > kCertain * static_cast<float>(limit)) limit = 0;
    }
    if (step.kind == kPull && step.open * kManyOpen > s.rows &&
        (!complete || edges * kDense > s.edges))
        limit = 0;
    // While most rows are open, those found have more entries than the mean, if anything.
    float certain = 1e30f;
    if (s.direction == 0 && !few && step.open * 2 > s.rows)
        certain = __fdividef(static_cast<float>(from), s.mean_degree);
    const float staged = static_cast<float>(kStaged * gridDim.x);
    const bool patient = staged < certain && staged * s.mean_degree < static_cast<float>(limit);
    step.edges_before = edges;
    FrontierSize* const out = sizes + (step.turn + 1) % 3;
    step.sink = Sink{s.queue[step.flip ^ 1], out, s.queue_capacity, limit, patient, certain};
    // A pull does not read its frontier's list.
    step.rest = Sink{s.queue[step.flip], out, s.queue_capacity, i64{1} << kEdgeBits};
}

// After a step: on to the frontier it found, or the end.  By value: one thread decides while all
// others wait, and would itself wait for every access to shared memory.
template <typename Offset, bool kDeep>
__device__ __forceinline__ Step<Offset> advance(const Search& s, Step<Offset> step) {
    if (step.kind == kPull) step.current ^= 1;
    if (step.kind == kSmall || step.kind == kSolo) {
        const int to = __ldcg(&s.control->size[(step.turn + 1) % 3].level);
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
    const i64 vertices = static_cast<i64>(vertices_of(counts.y));
    const int reached_at = static_cast<int>(__ldcg(&s.control->target_level)) - 1;
    const i64 passed = static_cast<i64>(__ldcg(&size.passed));
    const int deepest = __ldcg(&size.depth);
    // Level 0 is in the trace since the start.
    if (s.trace && blockIdx.x == 0 && step.level > 0 && (step.kind == kPush || step.kind == kPull))
        trace_level(s, step.level, step.kind, step.edges_before, vertices);
    step.depth = vertices > 0 ? step.level : max(step.depth, deepest);
    step.reached += vertices + passed;
    // Of several sources any number may be without entries, and are not among the rows.
    const i64 others = s.source_count > 1 ? s.source_count : 0;
    step.open = s.rows + others - step.reached;
    // Others may be a level ahead: a target that they reach there does not count yet.
    if (vertices == 0 || step.open <= 0 || step.level >= s.max_depth ||
        (reached_at >= 0 && reached_at <= step.level)) {
        step.kind = kDone;
        return step;
    }
    // Those of an incomplete list are fewer than were found: the next step pulls whatever they say.
    step.frontier = RowList<Offset>{s.queue[step.flip], rows_of(counts.x),
                                    static_cast<Offset>(edges_of(counts.x))};
    choose<Offset, kDeep>(s, step, complete);
    return step;
}
