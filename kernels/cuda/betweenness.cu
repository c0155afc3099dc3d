// Betweenness by Brandes's way: what shortest paths from up to four sources give the vertices
// between their ends, times a number, added to `totals`.
//
// All sources are searched at once, level by level.  A vertex is in a level for some of them, a bit
// each: whoever looks at an edge gets the bits of its end, a byte of an array that the cache
// holds, and only where one of them counts the end's four numbers, which are one sector.
//
// Forward a level is either looked for from below, by every vertex that is not found for all
// sources, which adds up paths in the same look; or from above, where the frontier has few edges:
// its vertices mark their neighbours, and those that are marked then add up.  Either way a vertex
// pulls, and so it does backward, from the level behind its own: nothing is added by atomic
// operations, and no sum depends on the order of threads.
//
// Brandes: A faster algorithm for betweenness centrality (2001); McLaughlin, Bader: Scalable and
// high performance betweenness centrality on the GPU (SC 2014), for lists of the levels' vertices;
// Beamer, Asanovic, Patterson: Direction-optimizing breadth-first search (SC 2012).
#include "betweenness_state.cuh"

using namespace spbfs;

// What an edge costs that is followed from above, beside one that is looked at from below: bits are
// claimed, and those found are looked at once more.  Not measured yet.
constexpr u64 kPushCost = 4;
// Entries of a lane that are asked for together.
constexpr int kInFlight = 4;

// Numbers of the neighbours that are marked, added up by a group of lanes or, for a long row, by
// whoever ends the last of its parts.
template <class Count>
struct Neighbours {
    const int* indices;
    const u8* marks;
    const Count* values;
    RowPart* parts;
    Count* part_sums;  // four a part

    template <int lanes>
    __device__ __forceinline__ Count sum(unsigned mask, i64 begin, int size) const {
        Count sums[kSources] = {};
        const int* const row = indices + begin;
        for (int k = lane_of() % lanes; k < size; k += lanes * kInFlight) {
            int u[kInFlight];
            unsigned marked[kInFlight];
#pragma unroll
            for (int i = 0; i < kInFlight; ++i)
                u[i] = k + i * lanes < size ? row[k + i * lanes] : -1;
#pragma unroll
            for (int i = 0; i < kInFlight; ++i) marked[i] = u[i] < 0 ? 0 : marks[u[i]] & mask;
#pragma unroll
            for (int i = 0; i < kInFlight; i += 2) {
                // A branch, so that registers are taken for two sectors at a time.
                if ((marked[i] | marked[i + 1]) == 0) continue;
                add_four(sums, values + static_cast<i64>(kSources) * u[i], marked[i]);
                add_four(sums, values + static_cast<i64>(kSources) * u[i + 1], marked[i + 1]);
            }
        }
        return group_sum<lanes>(sums);
    }

    // Whether the row of the warp's part is complete with it; its sum then.
    __device__ __forceinline__ bool sum_part(const RowPart& part, unsigned i, Count& total) const {
        constexpr int kShare = kWarp / kSources;
        const int source = source_of<kWarp>(), place = lane_of() % kShare;
        const Count sum_of_part = sum<kWarp>(part.its.mask, part.begin, part.count);
        if (place == 0) part_sums[static_cast<i64>(kSources) * i + source] = sum_of_part;
        __threadfence();
        __syncwarp();
        unsigned before = 0;
        if (lane_of() == 0) before = atomicAdd(&parts[part.first].ended, 1u);
        if (__shfl_sync(kAll, before, 0) + 1 != part.parts) return false;
        __threadfence();
        total = Count{};
        const Count* const sums = part_sums + static_cast<i64>(kSources) * part.first + source;
        for (unsigned k = place; k < part.parts; k += kShare)
            add(total, written(sums + static_cast<i64>(kSources) * k));
        for (int by = kShare / 2; by > 0; by /= 2) add(total, from_lane(total, by));
        return true;
    }
};

// Whether a lane is the one of its group that ends the row for its source, which the row wants.
template <int lanes>
__device__ __forceinline__ bool ends(Wanted its) {
    return lane_of() % (lanes / kSources) == 0 && (its.mask >> source_of<lanes>() & 1) != 0;
}

// A vertex adds up the paths of its neighbours in the level before; with `looks` it is in the level
// where it has any, and is listed, else it has been listed before.
template <typename Offset, class Count, bool looks>
struct Forward {
    Neighbours<Count> from;
    Levels<Count> levels;
    const Offset *in, *out;
    int level;
    i64 next;      // where the level begins
    unsigned all;  // bits of all sources
    PhaseCounts* adding;
    Tally& tally;

    template <int lanes>
    __device__ __forceinline__ void take(Wanted its, i64 begin, int size) {
        finish<lanes>(its, from.template sum<lanes>(its.mask, begin, size));
    }
    __device__ __forceinline__ void take_part(const RowPart& part, unsigned i) {
        Count total;
        if (from.sum_part(part, i, total)) finish<kWarp>(part.its, total);
    }

    template <int lanes>
    __device__ __forceinline__ void finish(Wanted its, const Count& paths) {
        const bool is_found = ends<lanes>(its) && positive(paths);
        if (is_found) {
            levels.values[static_cast<i64>(kSources) * its.row + source_of<lanes>()] = paths;
            if (!is_counted(paths)) adding->too_many = 1;
        }
        const unsigned bits = __ballot_sync(kAll, is_found) >> lane_of() / lanes * lanes;
        unsigned found = 0;
        for (int i = 0; i < kSources; ++i) found |= (bits >> i * (lanes / kSources) & 1) << i;
        if (lane_of() % lanes == 0 && found != 0) add_vertex(its.row, found);
    }
    __device__ __forceinline__ void add_vertex(int v, unsigned found) {
        const unsigned seen = levels.seen[v] | found;
        levels.seen[v] = static_cast<u8>(seen);
        if constexpr (looks) {
            const i64 at = next + append(&adding->found);
            levels.order[at] = v;
            levels.masks[at] = static_cast<u8>(found);
            levels.mark(level)[v] = static_cast<u8>(found);
        }
        const auto degree = static_cast<unsigned>(out[v + 1] - out[v]);
        tally.frontier += degree;
        tally.reached += static_cast<u64>(degree) * __popc(found);
        if (seen == all) tally.explored += static_cast<unsigned>(in[v + 1] - in[v]);
    }
};

// A vertex of the frontier marks its neighbours that are not seen, and lists those that nobody has
// marked.
template <class Count>
struct Discovery {
    const int* indices;
    Levels<Count> levels;
    int level;
    i64 next;
    PhaseCounts* adding;

    template <int lanes>
    __device__ __forceinline__ void take(Wanted its, i64 begin, int size) {
        const int* const row = indices + begin;
        for (int k = lane_of() % lanes; k < size; k += lanes * kInFlight) {
            int u[kInFlight];
            unsigned missing[kInFlight];
#pragma unroll
            for (int i = 0; i < kInFlight; ++i)
                u[i] = k + i * lanes < size ? row[k + i * lanes] : -1;
#pragma unroll
            for (int i = 0; i < kInFlight; ++i)
                missing[i] = u[i] < 0 ? 0 : its.mask & ~levels.seen[u[i]];
#pragma unroll
            for (int i = 0; i < kInFlight; ++i)
                if (missing[i] != 0) mark(u[i], missing[i]);
        }
    }
    __device__ __forceinline__ void take_part(const RowPart& part, unsigned) {
        take<kWarp>(part.its, part.begin, part.count);
    }
    __device__ __forceinline__ void mark(int u, unsigned missing) {
        u8* const marks = levels.mark(level);
        if ((missing & ~__ldcg(marks + u)) == 0) return;
        const auto address = reinterpret_cast<u64>(marks + u);
        const int shift = 8 * static_cast<int>(address & 3);
        const unsigned before =
            atomicOr(reinterpret_cast<unsigned*>(address & ~3ull), missing << shift);
        if ((before >> shift & 255) == 0) levels.order[next + append(&adding->found)] = u;
    }
};

// A vertex gets of every next one on a path the share of its paths, and of what that one got.
template <class Count>
struct Backward {
    Neighbours<Count> from;
    Count* values;
    double* totals;
    double scale;

    template <int lanes>
    __device__ __forceinline__ void take(Wanted its, i64 begin, int size) {
        finish<lanes>(its, from.template sum<lanes>(its.mask, begin, size));
    }
    __device__ __forceinline__ void take_part(const RowPart& part, unsigned i) {
        Count total;
        if (from.sum_part(part, i, total)) finish<kWarp>(part.its, total);
    }

    template <int lanes>
    __device__ __forceinline__ void finish(Wanted its, const Count& shares) {
        double dependency = 0.0;
        if (ends<lanes>(its)) {
            Count* const at = values + static_cast<i64>(kSources) * its.row + source_of<lanes>();
            const Count paths = *at;
            dependency = product(paths, shares);
            *at = quotient(1.0 + dependency, paths);
        }
        dependency += from_lane(dependency, lanes / 2);
        dependency += from_lane(dependency, lanes / 4);
        if (lane_of() % lanes == 0 && its.mask != 0) totals[its.row] += scale * dependency;
    }
};

// A phase's rows: item(i), i < count.
template <typename Offset, class ItemOf, class Visitor>
__device__ __forceinline__ void walk(const Phase& phase, bool long_rows, RowPart* list,
                                     const Offset* indptr, unsigned count, ItemOf&& item,
                                     Visitor&& visitor) {
    const RowParts parts{list, &phase.adding()->parts};
    walk_rows(indptr, count, parts, item, visitor);
    if (long_rows) walk_parts(parts, phase.parts(), visitor);
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
__device__ void seed(const Levels<Count>& levels, const int* sources, int count, const Offset* out,
                     PhaseCounts* adding, Tally& tally) {
    for (int i = 0; i < count; ++i) {
        const int v = sources[i];
        if (levels.mark(0)[v] == 0) levels.order[adding->found++] = v;
        levels.mark(0)[v] |= 1 << i;
        set_one(levels.values[static_cast<i64>(kSources) * v + i]);
        tally.reached += static_cast<u64>(out[v + 1] - out[v]);
    }
    for (unsigned i = 0; i < adding->found; ++i) {
        const int v = levels.order[i];
        levels.masks[i] = levels.seen[v] = levels.mark(0)[v];
        tally.frontier += static_cast<unsigned>(out[v + 1] - out[v]);
    }
}

// `in` are the rows of the transpose, which may be those of the matrix; `bytes` has four arrays of
// `stride`, a multiple of 16 that is not less than n.  0 < n, 0 < count <= 4.  Where there are too
// many paths, `totals` are as they were.
template <typename Offset, class Count>
__global__ void __launch_bounds__(kThreads, resident<Count>)
    betweenness(const Offset* __restrict__ out, const int* __restrict__ out_indices,
                const Offset* __restrict__ in, const int* __restrict__ in_indices, int n,
                const int* sources, int count, u8* bytes, i64 stride, int* order, u8* masks,
                long long* starts, Count* values, double* totals, double scale, RowPart* parts,
                Count* part_sums, BetweennessState* state) {
    const Levels<Count> levels{bytes, bytes + stride, stride, order, masks, starts, values};
    const unsigned all = (1u << count) - 1;
    Phase phase(state);
    Tally tally{};
    prepare(bytes, 4 * stride, in, out, n, &state->long_rows);
    phase.begin();
    phase.end(tally);
    const bool long_rows = __ldcg(&state->long_rows) != 0;
    phase.begin();
    if (thread_of() == 0) seed(levels, sources, count, out, phase.adding(), tally);
    PhaseCounts found = phase.end(tally);

    // Level - 2 is [before, begin) of the order, level - 1 [begin, next).
    i64 before = 0, begin = 0, next = found.found;
    u64 unexplored = static_cast<u64>(in[n]);
    int level = 1;
    for (;; ++level) {
        const Neighbours<Count> from{in_indices, levels.mark(level - 1), values, parts, part_sums};
        phase.begin();
        levels.clear(level + 1, before, begin);
        if (kPushCost * found.frontier > unexplored + static_cast<u64>(n)) {
            const auto missing = [&](i64 i) -> Wanted {
                const int v = static_cast<int>(i);
                return {v, in[v] == in[v + 1] ? 0 : all & ~levels.seen[v]};
            };
            Forward<Offset, Count, true> looking{from, levels,         in,   out, level, next,
                                                 all,  phase.adding(), tally};
            walk(phase, long_rows, parts, in, n, missing, looking);
            found = phase.end(tally);
        } else {
            const auto frontier = [&](i64 i) -> Wanted {
                return {order[begin + i], masks[begin + i]};
            };
            Discovery<Count> discovery{out_indices, levels, level, next, phase.adding()};
            walk(phase, long_rows, parts, out, static_cast<unsigned>(next - begin), frontier,
                 discovery);
            const unsigned listed = phase.end(tally).found;
            const auto marked = [&](i64 i) -> Wanted {
                const int v = order[next + i];
                const u8 mask = levels.mark(level)[v];
                masks[next + i] = mask;
                return {v, mask};
            };
            phase.begin();
            Forward<Offset, Count, false> adding{from, levels,         in,   out, level, next,
                                                 all,  phase.adding(), tally};
            walk(phase, long_rows, parts, in, listed, marked, adding);
            found = phase.end(tally);
            found.found = listed;
        }
        if (found.found == 0 || found.too_many != 0) break;
        if (thread_of() == 0) starts[level] = next;
        unexplored -= found.explored;
        before = begin;
        begin = next;
        next += found.found;
    }
    add_from_cta(tally.reached, &state->edges);
    if (found.too_many != 0) {
        if (thread_of() == 0) state->too_many = 1;
        return;
    }

    // The last level gets nothing; level + 1 is [last, end), and begins the level behind that.
    const i64 threads = static_cast<i64>(gridDim.x) * kThreads;
    for (i64 i = begin + thread_of(); i < next; i += threads)
        for (int k = 0; k < kSources; ++k) {
            Count& value = values[static_cast<i64>(kSources) * order[i] + k];
            if ((masks[i] >> k & 1) != 0) value = quotient(1.0, value);
        }
    phase.begin();
    phase.end(tally);
    i64 last = begin, end = next, behind = next;
    for (level -= 2; level > 0; --level) {
        const i64 first = starts[level];
        const auto listed = [&](i64 i) -> Wanted {
            const int v = order[first + i];
            levels.mark(level)[v] = masks[first + i];
            return {v, masks[first + i]};
        };
        phase.begin();
        levels.clear(level + 2, end, behind);
        const Neighbours<Count> from{out_indices, levels.mark(level + 1), values, parts, part_sums};
        Backward<Count> shares{from, values, totals, scale};
        walk(phase, long_rows, parts, out, static_cast<unsigned>(last - first), listed, shares);
        phase.end(tally);
        behind = end;
        end = last;
        last = first;
    }
}
