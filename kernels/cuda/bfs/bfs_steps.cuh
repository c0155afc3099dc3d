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
    bool sends;    // whether it sets bits at other GPUs, too
    bool sent;     // whether a pull has: what they have as visited[1] is of this search
    bool shown;    // whether other GPUs have sent theirs
    bool tail;     // whether some CTAs run it while others write results: bfs_tail.cuh
    bool emitted;  // and whether that has gone to its end
    Forced forced;
    int level;    // of the frontier
    int turn;     // steps so far: chooses the size
    int flip;     // which list is read
    int current;  // which buffer of visited bits is valid
    int depth;
    i64 reached;
    i64 before_tail = -1;        // `reached` when the tail began
    i64 open;                    // vertices with entries that nobody has reached
    i64 edges_before;            // of the frontier of the step before
    i64 leaves;                  // and of its edges those that are not listed
    float share = kSkewedShare;  // of what edges would find where they led anywhere, they find
};

// Vertices of a frontier whose rows have an entry and are not listed, of so many found.
__device__ __forceinline__ i64 leaves_of(const Search& s, i64 found, i64 listed) {
    return s.shortest > 1 ? found - listed : 0;
}

// Of several GPUs: whether a level sets the visited bits of its finds at the others, too.
//
// A push does while most rows are open, where it has so many edges that a pull may follow, and so
// few that this takes less than to bring all bits.  Not that of a source: nothing is written there
// before the GPUs have met in this search, as others may still end the one before.
//
// A pull does where many rows are open, and where it is the first to write visited[1], which has
// bits of an earlier search; else lists bring what it finds, should a pull follow: that asks for
// the bits of its frontier only, and for none that nobody has reached.
template <typename Offset>
__device__ __forceinline__ bool sends_bits(const Search& s, const Step<Offset>& step) {
    const i64 edges = step.frontier.edges;
    if (step.kind == kPush)
        return step.frontier.source < 0 && 2 * step.open > s.rows && edges >= kTellingEdges &&
               edges * kEdgesToSend <= s.n;
    const bool theirs_will_do = step.current == 1 || step.sent;
    return !theirs_will_do || !step.sink.list.lists() || step.open * kOpenToSend >= s.n;
}

// Whether a level is of the tail: a frontier of little work, once most rows are reached, and no row
// that would take a warp longer than results take.  The levels of a tail that ends by itself find
// few vertices in all; another, after it, is not tried.
template <typename Offset>
__device__ __forceinline__ bool is_of_tail(const Search& s, const Step<Offset>& step) {
    const RowList<Offset>& frontier = step.frontier;
    const bool began = step.before_tail >= 0;
    if (step.kind != kPush || step.forced || !s.label || gridDim.x == 1 || frontier.source >= 0 ||
        2 * step.open > s.rows || step.level + 2 >= kDeepLevel || (began && !step.tail))
        return false;
    const i64 found = began ? step.reached - step.before_tail : 0, edges = frontier.edges;
    return (found + edges) * kTailShare <= s.n && (edges - frontier.count) * kTailBeside <= s.n;
}

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
    step.leaves = complete && step.level > 0 ? leaves_of(s, vertices, step.frontier.count) : 0;
    FrontierSize* const out = sizes + (step.turn + 1) % 3;
    step.sink = Sink{s.queue[step.flip ^ 1], out, s.queue_capacity, list, s.shortest};
    // A pull does not read its frontier's list; of several GPUs another one may do so meanwhile.
    step.long_rows = Sink{s.queue[step.flip], out, s.queue_capacity, {kListAll}};
    if constexpr (kPeers) {
        step.long_rows = Sink{s.peers->list, out, static_cast<int>(s.peers->capacity), {kListAll}};
        step.sends = sends_bits(s, step);
        step.tail = is_of_tail(s, step);
        if (step.tail && step.before_tail < 0) step.before_tail = step.reached;
    }
}

// What all GPUs have found, as every CTA has it in shared memory until they meet again.
struct Met {
    u64 queued;  // of all lists together
    u64 found;
    u32 overflow, target_level;
    u32 number;                        // of the meeting
    alignas(16) int rows[kMostPeers];  // of every list
};

// What a step has found, at all GPUs: (queued, reports), whether lists miss any, and the target.
struct Counted {
    ulonglong2 counts;
    u32 overflow, target_level;
};
__device__ __forceinline__ Counted counted(const Search& s, const FrontierSize& size,
                                           const Met& met) {
    if constexpr (kPeers)
        return {ulonglong2{met.queued, met.found}, met.overflow, met.target_level};
    return {__ldcg(reinterpret_cast<const ulonglong2*>(&size)), __ldcg(&size.overflow),
            __ldcg(&s.control->target_level)};
}

// After a step: on to the frontier it found, or the end.  By value: one thread decides while all
// others wait, and would itself wait for every access to shared memory.
template <typename Offset, bool kDeep>
__device__ __forceinline__ Step<Offset> advance(const Search& s, Step<Offset> step,
                                                const Met& met) {
    if (step.kind == kPull) step.current ^= 1;
    if (kPeers) {
        step.shown = step.sends;
        step.sent |= step.kind == kPull && step.sends && step.current == 1;
    }
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
    const auto [counts, overflow, target_level] = counted(s, size, met);
    const bool complete = overflow == 0;
    const i64 vertices = static_cast<i64>(vertices_of(counts.y));
    const int reached_at = static_cast<int>(target_level) - 1;
    const i64 passed = static_cast<i64>(__ldcg(&size.passed));
    const int deepest = __ldcg(&size.depth);
    // Labels 0 is in the trace since the start.
    if (s.trace && blockIdx.x == 0 && step.level > 0 && (step.kind == kPush || step.kind == kPull))
        trace_level(s, step.level, kPeers && step.tail ? kPushPart : step.kind,
                    step.edges_before + step.leaves, vertices);
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
