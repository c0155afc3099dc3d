// Shortest paths by near and far: distances are cut into bins, the vertices of the nearest bins
// relax their edges until none of them comes nearer any more, and who is farther waits on a list.
//
// Rounds of the whole grid: each relaxes the edges of the vertices listed before; where there are
// none, the far list is looked through for those of the next bin, or of the least bin that has any.
// Who came nearer than a bin that is done was relaxed with it, and leaves the list.
//
// A distance is a Key whose order is that of unsigned numbers, so that atomicMin serves: integers
// as they are, doubles by their bits, none of which is negative; all ones where there is no path.
// The fixed point is one, whatever the order of threads.
//
// Davidson, Baxter, Garland, Owens: Work-efficient parallel GPU methods for single-source shortest
// paths (IPDPS 2014).
#include "rounds.cuh"

using namespace spbfs;

using u64 = unsigned long long;

struct SearchCounts {
    u64 reached, edges;  // vertices with a distance; edges of those relaxed, as often as they were
};
// COUNTS_BYTES of cuda/algorithms/sssp.py.
SHARED_STRUCT(SearchCounts, 16, FIELD(reached, 0) FIELD(edges, 8));

constexpr int kMostBins = 0x7ffffffe;

// Distances as Keys, of integers or, where `real`, of doubles.
template <typename Key, bool real>
struct Distances {
    static constexpr Key kNone = ~Key{0};
    Key* at;
    u64 limit;       // no vertex is farther, a key of 64 bits
    double per_bin;  // the inverse of a bin's width

    __device__ static double number(Key d) {
        if constexpr (real)
            return __longlong_as_double(static_cast<long long>(d));
        else
            return static_cast<double>(d);
    }
    __device__ Key get(int v) const { return __ldcg(at + v); }
    __device__ int bin(Key d) const {
        const double b = number(d) * per_bin;
        return b < kMostBins ? static_cast<int>(b) : kMostBins;
    }
    // The end of an edge from distance d, or kNone where that is beyond the limit.
    template <typename Weight>
    __device__ Key along(Key d, Weight w) const {
        u64 sum;
        if constexpr (real)
            sum = static_cast<u64>(__double_as_longlong(number(d) + static_cast<double>(w)));
        else
            sum = static_cast<u64>(d) + static_cast<u64>(w);
        return sum > limit ? kNone : static_cast<Key>(sum);
    }
};

// Two lists of vertices each, by turns, and who is on them.
struct PathLists {
    int *near, *next;
    int *far, *farther;
    int* stamp;             // of the round in which a vertex was last listed as near
    unsigned char* is_far;  // whether it is on the far list

    __device__ void list_near(int v, int round, RoundCounts* adding) const {
        if (atomicExch(stamp + v, round) != round) next[atomicAdd(&adding->found, 1u)] = v;
    }
    __device__ void list_far(int v, unsigned behind, RoundCounts* adding) const {
        if (claim(is_far, v)) far[behind + atomicAdd(&adding->kept, 1u)] = v;
    }
};

// The far list after the bins up to `done`: vertices of bins up to `bin` are near now, the others
// are listed anew.
template <typename Key, bool real>
__device__ void look_through(const Distances<Key, real>& distances, const PathLists& lists,
                             unsigned count, int done, int bin, int round, RoundCounts* adding) {
    const i64 all = static_cast<i64>(gridDim.x) * kThreads;
    int fewest = 0;
    for (i64 i = thread_of(); i < count; i += all) {
        const int v = lists.far[i], its = distances.bin(distances.get(v));
        if (its > bin) {
            lists.farther[atomicAdd(&adding->kept, 1u)] = v;
            fewest = max(fewest, kMostBins + 1 - its);
            continue;
        }
        lists.is_far[v] = 0;
        if (its > done) lists.list_near(v, round, adding);
    }
    if (fewest != 0) atomicMax(&adding->fewest, fewest);
}

// Sources are distinct and in range; `target` is -1 where there is none, and nobody who is farther
// is told of.  A stride of 0 is that of weights that are all one.  0 < n.
template <typename Offset, typename Weight, typename Key, bool real>
__global__ void __launch_bounds__(kThreads, 4)
    sssp(const Offset* __restrict__ indptr, const int* __restrict__ indices,
         const Weight* __restrict__ weights, i64 stride, int n, const int* __restrict__ sources,
         int source_count, u64 limit, double per_bin, int target, Key* at, int* near, int* next,
         int* far, int* farther, int* stamp, unsigned char* is_far, u64* numbers,
         unsigned char* present, RowPiece* pieces, Rounds* rounds, SearchCounts* counts) {
    Distances<Key, real> distances{at, limit, per_bin};
    PathLists lists{near, next, far, farther, stamp, is_far};
    Round round(rounds);
    const i64 all = static_cast<i64>(gridDim.x) * kThreads;
    for (i64 v = thread_of(); v < n; v += all) {
        at[v] = distances.kNone;
        stamp[v] = 0;
        is_far[v] = 0;
    }
    round.begin();
    round.end();
    round.begin();
    for (i64 i = thread_of(); i < source_count; i += all) {
        at[sources[i]] = 0;
        near[i] = sources[i];
    }
    RoundCounts found = round.end();
    found.found = static_cast<unsigned>(source_count);
    unsigned waiting = 0;
    u64 edges = 0;
    for (int number = 1, bin = 0;; ++number) {
        if (found.found != 0) {
            RoundCounts* const adding = round.adding();
            const auto row = [&](i64 i) {
                const int u = __ldcg(lists.near + i);
                edges += static_cast<u64>(indptr[u + 1] - indptr[u]);
                return u;
            };
            const auto relax = [&](int u, i64 p) {
                const int v = indices[p];
                const Key d = distances.along(distances.get(u), weights[p * stride]);
                if (d >= distances.get(v) || d >= atomicMin(at + v, d)) return;
                if (distances.bin(d) <= bin)
                    lists.list_near(v, number, adding);
                else
                    lists.list_far(v, waiting, adding);
            };
            found = visit_round(round, indptr, found.found, pieces, row, relax);
            waiting += found.kept;
        } else {
            const bool settled = target >= 0 && distances.get(target) != distances.kNone &&
                                 distances.bin(distances.get(target)) <= bin;
            if (waiting == 0 || settled) break;
            // Where nobody is in the next bin it is known by then which one is.
            const int done = bin;
            bin = found.fewest != 0 ? kMostBins + 1 - found.fewest : bin + 1;
            round.begin();
            look_through(distances, lists, waiting, done, bin, number, round.adding());
            found = round.end();
            waiting = found.kept;
            int* const read = lists.far;
            lists.far = lists.farther;
            lists.farther = read;
        }
        int* const read = lists.near;
        lists.near = lists.next;
        lists.next = read;
    }
    const Key last = target < 0 ? distances.kNone : distances.get(target);
    u64 reached = 0;
    for (i64 v = thread_of(); v < n; v += all) {
        const Key d = distances.get(static_cast<int>(v));
        const bool is = d != distances.kNone && d <= last;
        present[v] = is;
        numbers[v] = is ? d : 0;
        reached += is;
    }
    for (int by = kWarp / 2; by > 0; by /= 2) {
        reached += __shfl_down_sync(kAll, reached, by);
        edges += __shfl_down_sync(kAll, edges, by);
    }
    if (lane_of() == 0) {
        atomicAdd(&counts->reached, reached);
        atomicAdd(&counts->edges, edges);
    }
}
