// What a level does: decided by one thread of every CTA from the counts behind the grid barrier,
// the same in all CTAs, and kept in shared memory for the others.
#pragma once
#include "cuda/bfs/bfs_policy.cuh"

template <typename Offset>
struct Step {
    RowList<Offset> frontier;
    Sink sink;       // where finds are listed
    Sink long_rows;  // where a pull lists what it leaves to its last step; a push of several GPUs
                     // those rows of the frontier that have edges here
    StepKind kind;
    bool shown;  // whether it has the visited bits that other GPUs set: a pull shows them
    Forced forced;
    int level;    // of the frontier
    int turn;     // steps so far: chooses the size
    int flip;     // which list is read
    int current;  // which buffer of visited bits is valid
    int depth;
    i64 reached;
    i64 open;                    // vertices with entries that nobody has reached
    i64 edges_before;            // of the frontier of the step before
    float share = kSkewedShare;  // of what edges would find where they led anywhere, they find
};

// Chooses how a frontier of so many vertices is expanded; `complete`: its list holds all of it.
template <typename Offset, bool kDeep>
__device__ __forceinline__ void choose(const Search& s, Step<Offset>& step, i64 vertices,
                                       bool complete) {
    FrontierSize* const sizes = s.control->size;
    // The size that the next step fills was read one step ago.
    if (blockIdx.x == 0) sizes[(step.turn + 2) % 3] = FrontierSize{};
    if (step.edges_before >= kTellingEdges)
        step.share = share_found(s, vertices, step.edges_before, step.open + vertices);
    // Of an incomplete list: as many as rows have in the mean, or as were counted before it was
    // given up, or as a push was certain of that did not begin one.  Hubs have many times the mean.
    i64 edges = i64{step.frontier.edges};
    if (!complete) {
        edges = max(edges, static_cast<i64>(static_cast<float>(vertices) * s.mean_degree));
        if (step.kind == kPush && !step.sink.list.lists())
            edges =
                max(edges, static_cast<i64>(in_vain(s, static_cast<float>(step.open + vertices))));
    }
    const FrontierCounts frontier{edges, step.edges_before, step.open, step.share, complete};
    step.forced = forced_at(s, step.level);
    ListPolicy list{kListAll};
    if (step.forced == kNotForced) {
        const Outlook level = outlook(s, frontier);
        // A source's own bit may not be set yet when its row is expanded: it is not pulled.
        const bool is_listed = step.frontier.source < 0;
        const bool pulled = is_listed && pulls(s, frontier, level);
        step.kind = tier_of<kDeep>(s, frontier, pulled);
        list = list_policy(s, frontier, step.kind, level);
    } else {
        const bool pulled = step.forced != kForcedPush || !complete;
        // Other tiers push several levels, which only the last of a schedule is for.
        const bool by_grid = pulled || step.level + 1 < s.scheduled;
        step.kind = by_grid ? (pulled ? kPull : kPush) : tier_of<kDeep>(s, frontier, false);
        // A pull reads no list.
        if (forced_at(s, step.level + 1) != kForcedPush) list.most_edges = kListNothing;
    }
    step.edges_before = frontier.edges;
    FrontierSize* const out = sizes + (step.turn + 1) % 3;
    step.sink = Sink{s.queue[step.flip ^ 1], out, s.queue_capacity, list};
    // A pull does not read its frontier's list; of several GPUs another one may do so meanwhile.
    step.long_rows = Sink{s.queue[step.flip], out, s.queue_capacity, {kListAll}};
    if constexpr (kPeers)
        step.long_rows = Sink{s.peers->list, out, static_cast<int>(s.peers->capacity), {kListAll}};
}

// What a step has found, at all GPUs: (queued, reports), whether lists miss any, and the target.
struct Counted {
    ulonglong2 counts;
    u32 overflow, target_level;
};
__device__ __forceinline__ Counted counted(const Search& s, const FrontierSize& size) {
    if constexpr (kPeers) {
        const Meeting& met = *s.peers->meeting;
        return {__ldcg(reinterpret_cast<const ulonglong2*>(&met)), __ldcg(&met.overflow),
                __ldcg(&met.target_level)};
    }
    return {__ldcg(reinterpret_cast<const ulonglong2*>(&size)), __ldcg(&size.overflow),
            __ldcg(&s.control->target_level)};
}

// After a step: on to the frontier it found, or the end.  By value: one thread decides while all
// others wait, and would itself wait for every access to shared memory.
template <typename Offset, bool kDeep>
__device__ __forceinline__ Step<Offset> advance(const Search& s, Step<Offset> step) {
    if (step.kind == kPull) step.current ^= 1;
    if (kPeers) step.shown = step.kind == kPull;
    if (step.kind == kPushCluster || step.kind == kPushCta) {
        const int to = __ldcg(&s.control->size[(step.turn + 1) % 3].level);
        if (step.kind == kPushCta)
            step.flip ^= (to - step.level - 1) & 1;  // it alternates lists by level
        step.level = to - 1;
    }
    ++step.level;
    ++step.turn;
    step.flip ^= 1;
    const FrontierSize& size = s.control->size[step.turn % 3];
    const auto [counts, overflow, target_level] = counted(s, size);
    const bool complete = overflow == 0;
    const i64 vertices = static_cast<i64>(vertices_of(counts.y));
    const int reached_at = static_cast<int>(target_level) - 1;
    const i64 passed = static_cast<i64>(__ldcg(&size.passed));
    const int deepest = __ldcg(&size.depth);
    // Labels 0 is in the trace since the start.
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
    // Those of an incomplete list are fewer than were found, and the next step pulls.
    step.frontier = RowList<Offset>{s.queue[step.flip], rows_of(counts.x),
                                    static_cast<Offset>(edges_of(counts.x))};
    choose<Offset, kDeep>(s, step, vertices, complete);
    return step;
}
