// Shortest paths by near and far: the vertices nearer than a bound relax their edges until none of
// them comes nearer any more; who is farther waits on a list, and then the bound rises, to a span
// behind the nearest of those who wait.
//
// Rounds of the whole grid: each relaxes the edges of the vertices listed before; where there are
// none, the far list is looked through for those who are near by now.  Who came nearer than a bound
// that is done was relaxed with it, and leaves the list.  In small rounds a CTA goes on with the
// short rows that it finds: some are relaxed once more than in rounds of all, but the grid has
// nothing else to do, and a road's long chains of vertices take no round of the grid each.  For the
// same reason the span grows where few vertices are within it.
//
// A distance is a Key whose order is that of unsigned numbers, so that atomicMin serves: integers
// as they are, doubles by their bits, none of which is negative; all ones where there is no path.
// The fixed point is one, whatever the order of threads.
//
// Davidson, Baxter, Garland, Owens: Work-efficient parallel GPU methods for single-source shortest
// paths (IPDPS 2014); Zhang et al.: Optimizing ordered graph algorithms with GraphIt (CGO 2020),
// for going on within a bucket.
#include "work_items.cuh"

using namespace spbfs;

using u64 = unsigned long long;

// Elements of a round's list, a CTA, up to which it goes on with its own; edges relaxed, a CTA, up
// to which a span is too small, and how many times as many are too many.
constexpr unsigned kSmallRound = 64;
constexpr unsigned kFewRelaxed = 512, kManyTimes = 8;
// What a find is told by, beside the vertex.
constexpr unsigned kFar = 1u << 31;

// Distances as Keys, of integers or, where `real`, of doubles.
template <typename Key, bool real>
struct Distances {
    static constexpr Key kNone = ~Key{0};
    Key* at;
    u64 limit;  // no vertex is farther, a key of 64 bits

    __device__ static double number(Key d) {
        if constexpr (real)
            return __longlong_as_double(static_cast<long long>(d));
        else
            return static_cast<double>(d);
    }
    __device__ Key get(int v) const { return __ldcg(at + v); }
    // The end of a way from distance d, or kNone where that is beyond the limit.
    template <typename Length>
    __device__ Key along(Key d, Length length) const {
        u64 sum;
        if constexpr (real)
            sum = static_cast<u64>(__double_as_longlong(number(d) + static_cast<double>(length)));
        else
            sum = static_cast<u64>(d) + static_cast<u64>(length);
        return sum > limit ? kNone : static_cast<Key>(sum);
    }
    // A bound so far behind d, which is less than that in any case.
    __device__ Key behind(Key d, double span) const {
        const double sum = number(d) + span;
        if (!real && sum > static_cast<double>(limit)) return static_cast<Key>(limit + 1);
        const Key bound = real ? static_cast<Key>(__double_as_longlong(sum))  //
                               : static_cast<Key>(sum);
        return max(bound, static_cast<Key>(d + 1));
    }
};

// Who is on lists; of near ones and of far ones there are two each, by turns.
struct PathLists {
    WorkItem *near, *next;
    int *far, *farther;
    int* stamp;             // of the round in which a vertex was last listed as near
    unsigned char* is_far;  // whether it is on the far list
};

// What a round does: decided by one thread of every CTA, the same everywhere.
template <typename Key>
struct PathRound {
    PathLists lists;
    RoundCounts* adding;
    double span;
    Key done, bound, nearest;  // of bounds, the one before; of those who wait
    unsigned near, far;        // items to relax, or far ones to look through
    unsigned waiting;          // far ones that were listed before
    u64 relaxed, edges;        // since the bound rose, and in all
    int number;
    bool small, ended;

    // On to the round after one that found so much.
    template <class Distances>
    __device__ void advance(const Distances& distances, const RoundCounts& found, double least_span,
                            int target) {
        swap(lists.near, lists.next);
        waiting += found.kept;
        relaxed += found.taken;
        edges += found.taken;
        nearest = min(nearest, static_cast<Key>(~static_cast<Key>(found.most)));
        near = found.found;
        far = 0;
        if (near == 0) {
            ended = waiting == 0 || (target >= 0 && distances.get(target) < bound);
            if (relaxed < kFewRelaxed * gridDim.x)
                span *= 2;
            else if (relaxed > kManyTimes * kFewRelaxed * gridDim.x && span > least_span)
                span /= 2;
            done = bound;
            bound = distances.behind(nearest, span);
            nearest = distances.kNone;
            relaxed = 0;
            swap(lists.far, lists.farther);
            far = waiting;
            waiting = 0;
        }
        small = near + far <= gridDim.x * kSmallRound;
        ++number;
    }

    // A find a lane, if it has one.
    template <typename Offset>
    __device__ __forceinline__ void list(const Offset* indptr, const OwnTurns& own, unsigned find,
                                         bool is) const {
        const int v = static_cast<int>(find & ~kFar);
        const bool is_far = is && (find & kFar) != 0;
        Listing<Offset> row(indptr, v, is && !is_far);
        if (small) row.keep(own);
        // Once a round at most, so that there is room for all.
        if (row.count != 0 && atomicExch(lists.stamp + v, number) == number) row.count = 0;
        // Both counts at once: `kept` lies behind `found`.
        const u64 mine = static_cast<u64>(is_far) << 32 | row.items();
        if (!__any_sync(kAll, mine != 0)) return;
        const u64 at = reserve(reinterpret_cast<u64*>(&adding->found), mine);
        row.write(lists.next, static_cast<unsigned>(at));
        if (is_far) lists.far[waiting + (at >> 32)] = v;
    }

  private:
    template <typename T>
    __device__ static void swap(T*& one, T*& other) {
        T* const first = one;
        one = other;
        other = first;
    }
};

// Sources are distinct and in range; `target` is -1 where there is none, and nobody who is farther
// is told of.  A stride of 0 is that of weights that are all one.  0 < n.
template <typename Offset, typename Weight, typename Key, bool real>
__global__ void __launch_bounds__(kThreads, 4)
    sssp(const Offset* __restrict__ indptr, const int* __restrict__ indices,
         const Weight* __restrict__ weights, i64 stride, int n, const int* __restrict__ sources,
         int source_count, u64 limit, double least_span, int target, Key* at, WorkItem* near,
         WorkItem* next, int* far, int* farther, int* stamp, unsigned char* is_far, u64* numbers,
         unsigned char* present, Rounds* rounds, Totals* totals) {
    __shared__ OwnRows own_rows;
    __shared__ Finds::Room room;
    __shared__ PathRound<Key> s;
    OwnTurns own(own_rows);
    Finds finds(room);
    const Distances<Key, real> distances{at, limit};
    constexpr Key kNone = distances.kNone;
    // As many as registers are there for.
    constexpr int kFlight = sizeof(Key) == 8 ? 2 : kMostFlight, kLook = kFlight / 2;
    Round round(rounds);
    const i64 all = static_cast<i64>(gridDim.x) * kThreads;
    for (i64 v = thread_of(); v < n; v += all) {
        at[v] = kNone;
        stamp[v] = 0;
        is_far[v] = 0;
    }
    round.begin();
    round.end();
    round.begin();
    // The sources wait to begin with.
    for (i64 i = thread_of(); i < source_count; i += all) {
        far[i] = sources[i];
        at[sources[i]] = 0;
        is_far[sources[i]] = 1;
    }
    if (threadIdx.x == 0) {
        s = {.lists = {near, next, far, farther, stamp, is_far}, .span = least_span};
        s.waiting = static_cast<unsigned>(source_count);
        s.relaxed = kFewRelaxed * gridDim.x;  // The first span is neither.
    }
    const auto advance = [&](const RoundCounts& found) {
        s.advance(distances, found, least_span, target);
        s.adding = round.adding();
    };
    round.end(0, 0, advance);
    const auto list = [&](unsigned find, bool is) { s.list(indptr, own, find, is); };
    while (!s.ended) {
        round.begin();
        // This thread's.
        Key nearest_far = kNone;
        unsigned taken = 0;
        visit_vertices<kLook>(s.lists.farther, s.far, [&](const int (&v)[kLook], unsigned mine) {
            Key d[kLook];
#pragma unroll
            for (int u = 0; u < kLook; ++u) d[u] = distances.get(v[u]);
            unsigned found[kLook];
#pragma unroll
            for (int u = 0; u < kLook; ++u) {
                found[u] = static_cast<unsigned>(v[u]) | (d[u] < s.bound ? 0 : kFar);
                if ((mine >> u & 1) == 0) continue;
                if (d[u] >= s.bound) {
                    nearest_far = min(nearest_far, d[u]);
                    continue;
                }
                is_far[v[u]] = 0;
                if (d[u] < s.done) mine &= ~(1u << u);
            }
            finds.add(found, mine, list);
        });
        Key from;
        const auto take = [&](const WorkItem& item) {
            from = distances.get(item.row);
            taken += static_cast<unsigned>(item.count);
        };
        const auto relax = [&](const int (&owners)[kFlight], const Offset(&places)[kFlight],
                               unsigned mine) {
            int v[kFlight];
            Key d[kFlight], before[kFlight];
#pragma unroll
            for (int u = 0; u < kFlight; ++u) v[u] = indices[places[u]];
#pragma unroll
            for (int u = 0; u < kFlight; ++u)
                d[u] = distances.along(__shfl_sync(kAll, from, owners[u]),
                                       weights[stride == 0 ? 0 : places[u]]);
            if (!s.small) {
#pragma unroll
                for (int u = 0; u < kFlight; ++u) before[u] = distances.get(v[u]);
#pragma unroll
                for (int u = 0; u < kFlight; ++u)
                    if (d[u] >= before[u]) mine &= ~(1u << u);
                if (!__any_sync(kAll, mine != 0)) return;
            }
#pragma unroll
            for (int u = 0; u < kFlight; ++u)
                if (mine >> u & 1) before[u] = atomicMin(at + v[u], d[u]);
            unsigned found[kFlight];
#pragma unroll
            for (int u = 0; u < kFlight; ++u) {
                found[u] = static_cast<unsigned>(v[u]) | (d[u] < s.bound ? 0 : kFar);
                if ((mine >> u & 1) == 0) continue;
                if (d[u] >= before[u]) {
                    mine &= ~(1u << u);
                } else if (d[u] >= s.bound) {
                    nearest_far = min(nearest_far, d[u]);
                    if (!claim(is_far, v[u])) mine &= ~(1u << u);
                }
            }
            finds.add(found, mine, list);
        };
        visit_items<kFlight, Offset>(s.lists.near, s.near, own, take, relax,
                                     [&] { finds.finish(list); });
        round.end(taken, static_cast<Key>(~nearest_far), advance);
    }
    const Key last = target < 0 ? kNone : distances.get(target);
    i64 reached = 0;
    for (i64 v = thread_of(); v < n; v += all) {
        const Key d = distances.get(static_cast<int>(v));
        const bool is = d != kNone && d <= last;
        present[v] = is;
        numbers[v] = is ? d : 0;
        reached += is;
    }
    add_to(totals, reached, thread_of() == 0 ? static_cast<i64>(s.edges) : 0);
}
