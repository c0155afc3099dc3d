// Betweenness by Brandes's way: what shortest paths from up to four sources give the vertices
// between their ends, times a number, added to `totals`.
//
// All sources are searched at once, level by level.  A vertex is in a level for some of them, a bit
// each: whoever looks at an edge gets the bits of its end, a byte of an array that the cache
// holds, and only where one of them counts the end's four numbers, which are one sector.
//
// Forward a level is either looked for from below, by every vertex that is not found for all
// sources, which adds up paths in the same look; or from above, where the frontier has few edges:
// its vertices mark their neighbours, and add up their own paths beside that, one barrier a level.
// Either way a vertex pulls paths, and so it does backward, from the level behind its own: nothing
// is added by atomic operations, and no sum depends on the order of threads.
//
// Brandes: A faster algorithm for betweenness centrality (2001); McLaughlin, Bader: Scalable and
// high performance betweenness centrality on the GPU (SC 2014), for lists of the levels' vertices;
// Beamer, Asanovic, Patterson: Direction-optimizing breadth-first search (SC 2012).
#include "cuda/centrality/betweenness_rows.cuh"

using namespace spbfs;

// A walk of one phase over rows, or over the parts of rows that it has listed.
template <typename Offset, class Count>
__device__ __forceinline__ void sum_paths(const Search<Offset, Count>& s, PhaseCounts* adding,
                                          const Course& at, bool in_parts) {
    const Levels<Count> levels = s.levels;
    const auto listed = [&](i64 i) -> Wanted {
        const int v = levels.order[at.begin + i];
        const u8 mask = levels.mark(at.level)[v];
        levels.masks[at.begin + i] = mask;
        return {v, mask};
    };
    const RowParts parts{s.list, &adding->parts};
    Tally tally;
    Forward<Offset, Count, false> summing{
        {s.in_indices, levels.mark(at.level - 1), levels.values, s.list, s.part_sums},
        levels,
        s.in,
        s.out,
        at.level,
        at.begin,
        s.all,
        adding,
        tally};
    if (in_parts)
        walk_parts(parts, summing);
    else
        walk_rows<false>(s.in, at.size(), parts, listed, summing);
    tally.add_to(adding);
}
template <typename Offset, class Count>
__device__ __forceinline__ void look(const Search<Offset, Count>& s, PhaseCounts* adding,
                                     const Course& at, bool in_parts) {
    const Levels<Count> levels = s.levels;
    const Offset* const in = s.in;
    const unsigned all = s.all;
    const auto missing = [&](i64 i) -> Wanted {
        const int v = static_cast<int>(i);
        return {v, in[v] == in[v + 1] ? 0 : all & ~levels.seen[v]};
    };
    const RowParts parts{s.list, &adding->parts};
    Tally tally;
    Forward<Offset, Count, true> looking{
        {s.in_indices, levels.mark(at.level), levels.values, s.list, s.part_sums},
        levels,
        in,
        s.out,
        at.level + 1,
        at.end,
        all,
        adding,
        tally};
    if (in_parts)
        walk_parts(parts, looking);
    else
        walk_rows<false>(in, static_cast<unsigned>(s.n), parts, missing, looking);
    tally.add_to(adding);
}
template <typename Offset, class Count>
__device__ __forceinline__ void discover(const Search<Offset, Count>& s, PhaseCounts* adding,
                                         const Course& at, bool in_parts) {
    const Levels<Count> levels = s.levels;
    const auto marked = [&](i64 i) -> Wanted {
        const int v = levels.order[at.begin + i];
        return {v, levels.mark(at.level)[v]};
    };
    const RowParts parts{s.other_list, &adding->other_parts};
    Tally tally;
    Discovery<Offset, Count> discovery{s.out_indices, s.out,  levels, at.level + 1,
                                       at.end,        adding, tally};
    if (in_parts)
        walk_parts(parts, discovery);
    else
        walk_rows<true>(s.out, at.size(), parts, marked, discovery);
    tally.add_to(adding);
}
template <typename Offset, class Count>
__device__ __forceinline__ void sum_shares(const Search<Offset, Count>& s, PhaseCounts* adding,
                                           const Course& at, bool in_parts) {
    const Levels<Count> levels = s.levels;
    const auto listed = [&](i64 i) -> Wanted {
        const int v = levels.order[at.begin + i];
        const u8 mask = levels.masks[at.begin + i];
        levels.mark(at.level)[v] = mask;
        return {v, mask};
    };
    const RowParts parts{s.list, &adding->parts};
    Backward<Count> shares{
        {s.out_indices, levels.mark(at.level + 1), levels.values, s.list, s.part_sums},
        levels.values,
        s.totals,
        s.scale};
    if (in_parts)
        walk_parts(parts, shares);
    else
        walk_rows<false>(s.out, at.size(), parts, listed, shares);
}

// Nobody is seen or marked; whether there are long rows.
template <typename Offset>
__device__ void prepare(u8* bytes, i64 size, const Offset* in, const Offset* out, int n,
                        int* long_rows) {
    const i64 all = static_cast<i64>(gridDim.x) * kThreads;
    for (i64 i = thread_of(); i < size / 16; i += all)
        reinterpret_cast<uint4*>(bytes)[i] = make_uint4(0, 0, 0, 0);
    bool any = false;
    for (i64 v = thread_of(); v < n; v += all)
        any |= in[v + 1] - in[v] > kPartEntries || out[v + 1] - out[v] > kPartEntries;
    if (any) *long_rows = 1;
}

// The sources are level 0, by one thread; one may be there more than once.
template <typename Offset, class Count>
__device__ void seed(const Search<Offset, Count>& s, const int* sources, int count,
                     PhaseCounts* adding) {
    const Levels<Count>& levels = s.levels;
    unsigned listed = 0;
    for (int i = 0; i < count; ++i) {
        const int v = sources[i];
        if (levels.mark(0)[v] == 0) {
            levels.order[listed++] = v;
            adding->frontier += static_cast<u64>(s.out[v + 1] - s.out[v]);
        }
        levels.mark(0)[v] |= 1 << i;
        set_one(levels.values[static_cast<i64>(kSources) * v + i]);
    }
    for (unsigned i = 0; i < listed; ++i) {
        const int v = levels.order[i];
        levels.masks[i] = levels.seen[v] = levels.mark(0)[v];
    }
    adding->found = listed;
}

// Finds all levels and paths, from level 0 on; ends at the last level, or where there are too many
// paths.
template <typename Offset, class Count>
__device__ __forceinline__ void forward(const Search<Offset, Count>& s, Phase& phase, Course& at,
                                        bool long_rows) {
    while (!at.ended && !at.too_many) {
        phase.begin();
        if (const int old = at.level - 2; old >= 0)
            s.levels.clear(old, s.levels.starts[old], s.levels.starts[old + 1]);
        for (int turn = 0; turn <= static_cast<int>(long_rows); ++turn) {
            const bool in_parts = turn == 1;
            if (in_parts) phase.listed();
            if (at.sums) sum_paths(s, phase.adding(), at, in_parts);
            if (!at.looks) discover(s, phase.adding(), at, in_parts);
            if (at.looks && !at.sums) look(s, phase.adding(), at, in_parts);
        }
        phase.end([&](const PhaseCounts& found) { at.go_on(found, s.n, s.levels.starts); });
    }
}

// What the last level gives, which gets nothing, and the edges from all that was reached.
template <typename Offset, class Count>
__device__ void turn_round(const Search<Offset, Count>& s, const Course& at) {
    const i64 all = static_cast<i64>(gridDim.x) * kThreads;
    u64 edges = 0;
    for (i64 i = thread_of(); i < at.end; i += all) {
        const int v = s.levels.order[i];
        const unsigned mask = s.levels.masks[i];
        edges += static_cast<u64>(s.out[v + 1] - s.out[v]) * __popc(mask);
        if (i < at.begin) continue;
        for (int k = 0; k < kSources; ++k) {
            Count& value = s.levels.values[static_cast<i64>(kSources) * v + k];
            if ((mask >> k & 1) != 0) value = quotient(1.0, value);
        }
    }
    add_from_cta(edges, &s.state->edges);
}

// Adds up what vertices get, from the last level back to the neighbours of the sources.
template <typename Offset, class Count>
__device__ __forceinline__ void backward(const Search<Offset, Count>& s, Phase& phase, Course& at,
                                         bool long_rows) {
    const auto go_back = [&](const PhaseCounts&) { at.go_back(s.levels.starts); };
    phase.begin();
    turn_round(s, at);
    phase.end(go_back);
    while (at.level > 0) {
        phase.begin();
        s.levels.clear(at.level + 2, at.behind, at.last);
        for (int turn = 0; turn <= static_cast<int>(long_rows); ++turn) {
            if (turn == 1) phase.listed();
            sum_shares(s, phase.adding(), at, turn == 1);
        }
        phase.end(go_back);
    }
}

// `in` are the rows of the transpose, which may be those of the matrix; `bytes` has five arrays of
// `stride`, a multiple of 16 that is not less than n.  0 < n, 0 < count <= 4.  Where there are too
// many paths, `totals` are as they were.
template <typename Offset, class Count>
__global__ void __launch_bounds__(kThreads, resident<Offset, Count>)
    betweenness(const Offset* __restrict__ out, const int* __restrict__ out_indices,
                const Offset* __restrict__ in, const int* __restrict__ in_indices, int n,
                const int* sources, int count, u8* bytes, i64 stride, int* order, u8* masks,
                long long* starts, Count* values, double* totals, double scale, RowPart* list,
                RowPart* other_list, Count* part_sums, BetweennessState* state) {
    __shared__ Course at;
    const Levels<Count> levels{bytes, bytes + stride, stride, order, masks, starts, values};
    const Search<Offset, Count> search{
        out,        out_indices, in,     in_indices, n,    (1u << count) - 1, levels, list,
        other_list, part_sums,   totals, scale,      state};
    Phase phase(state);
    prepare(bytes, 5 * stride, in, out, n, &state->long_rows);
    phase.begin();
    phase.end([](const PhaseCounts&) {});
    const bool long_rows = __ldcg(&state->long_rows) != 0;
    if (threadIdx.x == 0) {
        at = {};
        at.level = -1;
        at.unexplored = static_cast<u64>(in[n]);
        at.looks = true;
    }
    phase.begin();
    if (thread_of() == 0) seed(search, sources, count, phase.adding());
    phase.end([&](const PhaseCounts& found) { at.go_on(found, n, starts); });
    forward(search, phase, at, long_rows);
    if (!at.too_many)
        backward(search, phase, at, long_rows);
    else if (thread_of() == 0)
        state->too_many = 1;
}
