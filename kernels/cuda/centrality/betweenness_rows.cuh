// What betweenness does with rows: paths are added up, neighbours marked, shares added up.
#pragma once
#include "cuda/centrality/betweenness_state.cuh"

namespace spbfs {

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
            // A branch each, so that registers are taken for one sector at a time.
#pragma unroll
            for (int i = 0; i < kInFlight; ++i)
                if (marked[i] != 0)
                    add_four(sums, values + static_cast<i64>(kSources) * u[i], marked[i]);
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
    using Outcome = unsigned;  // the sources for which there are paths
    static constexpr bool settles = true;

    Neighbours<Count> from;
    Levels<Count> levels;
    const Offset *in, *out;
    int level;
    i64 next;      // where the level begins
    unsigned all;  // bits of all sources
    PhaseCounts* adding;
    Tally& tally;

    template <int lanes>
    __device__ __forceinline__ unsigned take(Wanted its, i64 begin, int size) {
        return store<lanes>(its, from.template sum<lanes>(its.mask, begin, size));
    }
    __device__ __forceinline__ void take_part(const RowPart& part, unsigned i) {
        Count total;
        if (!from.sum_part(part, i, total)) return;
        const unsigned found = store<kWarp>(part.its, total);
        if (lane_of() == 0) settle(part.its, found);
    }
    template <int lanes>
    __device__ __forceinline__ unsigned store(Wanted its, const Count& paths) {
        const bool is_found = ends<lanes>(its) && positive(paths);
        if (is_found) {
            levels.values[static_cast<i64>(kSources) * its.row + source_of<lanes>()] = paths;
            if (!is_counted(paths)) adding->too_many = 1;
        }
        const unsigned bits = __ballot_sync(kAll, is_found) >> lane_of() / lanes * lanes;
        unsigned found = 0;
        for (int i = 0; i < kSources; ++i) found |= (bits >> i * (lanes / kSources) & 1) << i;
        return found;
    }
    __device__ __forceinline__ void settle(Wanted its, unsigned found) {
        if (found == 0) return;
        const int v = its.row;
        const unsigned seen = levels.seen[v] | found;
        levels.seen[v] = static_cast<u8>(seen);
        if (seen == all) tally.explored += static_cast<unsigned>(in[v + 1] - in[v]);
        if constexpr (looks) {
            tally.frontier += static_cast<unsigned>(out[v + 1] - out[v]);
            levels.mark(level)[v] = static_cast<u8>(found);
            const i64 at = next + append(&adding->found);
            levels.order[at] = v;
            levels.masks[at] = static_cast<u8>(found);
        }
    }
};

// A vertex of the frontier marks its neighbours that are in no level yet, and lists those that
// nobody has marked.
template <typename Offset, class Count>
struct Discovery {
    using Outcome = unsigned;
    static constexpr bool settles = false;

    const int* indices;
    const Offset* out;
    Levels<Count> levels;
    int level;  // that is found
    i64 next;
    PhaseCounts* adding;
    Tally& tally;

    template <int lanes>
    __device__ __forceinline__ unsigned take(Wanted its, i64 begin, int size) {
        // The frontier may be seen only by the end of this phase.
        const u8* const frontier = levels.mark(level - 1);
        const int* const row = indices + begin;
        for (int k = lane_of() % lanes; k < size; k += lanes * kInFlight) {
            int u[kInFlight];
            unsigned missing[kInFlight];
#pragma unroll
            for (int i = 0; i < kInFlight; ++i)
                u[i] = k + i * lanes < size ? row[k + i * lanes] : -1;
#pragma unroll
            for (int i = 0; i < kInFlight; ++i)
                missing[i] =
                    u[i] < 0 ? 0 : its.mask & ~(__ldcg(levels.seen + u[i]) | frontier[u[i]]);
#pragma unroll
            for (int i = 0; i < kInFlight; ++i)
                if (missing[i] != 0) mark(u[i], missing[i]);
        }
        return 0;
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
        if ((before >> shift & 255) != 0) return;
        tally.frontier += static_cast<unsigned>(out[u + 1] - out[u]);
        levels.order[next + append(&adding->found)] = u;
    }
};

// A vertex gets of every next one on a path the share of its paths, and of what that one got.
template <class Count>
struct Backward {
    using Outcome = double;  // of all sources
    static constexpr bool settles = true;

    Neighbours<Count> from;
    Count* values;
    double* totals;
    double scale;

    template <int lanes>
    __device__ __forceinline__ double take(Wanted its, i64 begin, int size) {
        const Count paths = paths_of<lanes>(its);
        return store<lanes>(its, paths, from.template sum<lanes>(its.mask, begin, size));
    }
    __device__ __forceinline__ void take_part(const RowPart& part, unsigned i) {
        Count total;
        if (!from.sum_part(part, i, total)) return;
        const double got = store<kWarp>(part.its, paths_of<kWarp>(part.its), total);
        if (lane_of() == 0) settle(part.its, got);
    }
    template <int lanes>
    __device__ __forceinline__ Count paths_of(Wanted its) const {
        const i64 at = static_cast<i64>(kSources) * its.row + source_of<lanes>();
        return ends<lanes>(its) ? values[at] : Count{};
    }
    template <int lanes>
    __device__ __forceinline__ double store(Wanted its, const Count& paths, const Count& shares) {
        double got = 0.0;
        if (ends<lanes>(its)) {
            got = product(paths, shares);
            values[static_cast<i64>(kSources) * its.row + source_of<lanes>()] =
                quotient(1.0 + got, paths);
        }
        got += from_lane(got, lanes / 2);
        return got + from_lane(got, lanes / 4);
    }
    __device__ __forceinline__ void settle(Wanted its, double got) {
        totals[its.row] += scale * got;
    }
};

}  // namespace spbfs
