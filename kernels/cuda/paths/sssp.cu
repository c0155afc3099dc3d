// Shortest paths by near and far, and a tree of them.
//
// Rounds of the whole grid: each relaxes the edges of the vertices listed before; where there are
// none, the far list is looked through for those who are near by now.  Who came nearer than a bound
// that is done was relaxed with it, and leaves the list.  In small rounds a CTA goes on with the
// short rows that it finds: some are relaxed once more than in rounds of all, but the grid has
// nothing else to do, and a road's long chains of vertices take no round of the grid each.  For the
// same reason the span grows where few vertices are within it.  The fixed point is one, whatever
// the order of threads.
//
// Then one look at all edges finds those that shortest paths consist of.  The parent is that of a
// path of fewest edges, and of these the least: integers count edges with their distances.  Doubles
// do not, and where a vertex has several such edges it is left undecided.
#include "cuda/memory/cache_hints.cuh"
#include "cuda/paths/near_far.cuh"

using namespace spbfs;

constexpr unsigned kNobody = ~0u;

// The least vertex before each on a path as short and of as few edges, of the items of all vertices
// that are reached.  Sets `undecided` where numbers of edges, which were not counted, tell.
template <int kFlight, typename Offset, typename Weight, typename Key, bool real>
__device__ __forceinline__ void find_parents(const Distances<Key, real>& distances,
                                             const int* indices, const Weight* weights, i64 stride,
                                             const WorkItem* items, unsigned count, OwnTurns& own,
                                             Key last, unsigned* parents, unsigned* undecided) {
    Key from;
    int row;
    const auto take = [&](const WorkItem& item) {
        from = distances.get(item.row);
        row = item.row;
    };
    const auto look = [&](const int (&owners)[kFlight], const Offset(&places)[kFlight],
                          unsigned mine) {
        int v[kFlight];
        Key d[kFlight], there[kFlight];
#pragma unroll
        for (int u = 0; u < kFlight; ++u) v[u] = indices[places[u]];
#pragma unroll
        for (int u = 0; u < kFlight; ++u)
            d[u] = distances.along(__shfl_sync(kAll, from, owners[u]),
                                   weights[stride == 0 ? 0 : places[u]]);
#pragma unroll
        for (int u = 0; u < kFlight; ++u) there[u] = distances.get(v[u]);
#pragma unroll
        for (int u = 0; u < kFlight; ++u) {
            const auto its = static_cast<unsigned>(__shfl_sync(kAll, row, owners[u]));
            const bool is_level = __shfl_sync(kAll, from, owners[u]) == there[u];
            const bool is = mine >> u & 1 && d[u] == there[u] && there[u] <= last;
            if (!is || its == static_cast<unsigned>(v[u])) continue;
            const unsigned before = is_level ? its : atomicMin(parents + v[u], its);
            if (distances.bits == 0 && before != kNobody) *undecided = 1;
        }
    };
    visit_items<kFlight, Offset>(items, count, own, take, look, [] {});
}

// Sources are distinct and in range, one where there are to be parents, null elsewhere; `target` is
// -1 where there is none, and nobody who is farther is told of.  A stride of 0 is that of weights
// that are all one.  0 < n.
template <typename Offset, typename Weight, typename Key, bool real>
__global__ void __launch_bounds__(kThreads,
                                  sizeof(Offset) + sizeof(Key) == 16 || kSpillsEarly ? 3 : 4)
    sssp(const Offset* __restrict__ indptr, const int* __restrict__ indices,
         const Weight* __restrict__ weights, i64 stride, int n, const int* __restrict__ sources,
         int source_count, u64 limit, int bits, double least_span, int target, Key* at,
         WorkItem* near, WorkItem* next, int* far, int* farther, int* stamp, unsigned char* is_far,
         u64* numbers, unsigned char* present, unsigned* parents, Rounds* rounds, Totals* totals,
         unsigned* undecided) {
    __shared__ OwnRows own_rows;
    __shared__ Finds::Room room;
    __shared__ PathRound<Key> s;
    OwnTurns own(own_rows);
    Finds finds(room);
    const Distances<Key, real> distances{at, limit, bits};
    constexpr Key kNone = distances.kNone;
    // As many as registers are there for.
    constexpr int kFlight = sizeof(Key) == 8 ? 2 : kMostFlight, kLook = kFlight / 2;
    Round round(rounds);
    const i64 all = static_cast<i64>(gridDim.x) * kThreads;
    for (i64 v = thread_of(); v < n; v += all) {
        at[v] = kNone;
        stamp[v] = 0;
        is_far[v] = 0;
        if (parents != nullptr) parents[v] = kNobody;
    }
    round.begin();
    round.end();
    round.begin();
    // The sources wait to begin with.
    for (i64 i = thread_of(); i < source_count; i += all) {
        far[i] = sources[i];
        at[sources[i]] = 0;
        is_far[sources[i]] = 1;
        if (parents != nullptr) parents[sources[i]] = static_cast<unsigned>(sources[i]);
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
        visit_vertices<kLook>(
            s.far, [&](unsigned i) { return s.lists.farther[i]; },
            [&](const int (&v)[kLook], unsigned mine) {
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
                    give_back(is_far, v[u]);
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
            if (!s.tiny) {
#pragma unroll
                for (int u = 0; u < kFlight; ++u) before[u] = distances.get(v[u]);
#pragma unroll
                for (int u = 0; u < kFlight; ++u)
                    if (d[u] >= before[u]) mine &= ~(1u << u);
                if (!__any_sync(kAll, mine != 0)) return;
            } else {
                // Most come nearer, and are listed next.
#pragma unroll
                for (int u = 0; u < kFlight; ++u)
                    if (mine >> u & 1) bring_near(indptr + v[u]);
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
    const Key last = target < 0 ? static_cast<Key>(kNone - 1)
                                : min(distances.as_far(distances.get(target)), Key{kNone - 1});
    if (parents != nullptr) {
        round.begin();
        visit_vertices<kLook>(
            static_cast<unsigned>(n), [](unsigned i) { return static_cast<int>(i); },
            [&](const int (&v)[kLook], unsigned mine) {
                unsigned found[kLook];
#pragma unroll
                for (int u = 0; u < kLook; ++u) {
                    found[u] = static_cast<unsigned>(v[u]);
                    if (distances.get(v[u]) > last) mine &= ~(1u << u);
                }
                finds.add(found, mine, list);
            });
        finds.finish(list);
        round.end(0, 0, advance);
        find_parents<kFlight, Offset>(distances, indices, weights, stride, s.lists.near, s.near,
                                      own, last, parents, undecided);
    }
    i64 reached = 0;
    for (i64 v = thread_of(); v < n; v += all) {
        const Key d = distances.get(static_cast<int>(v));
        const bool is = d <= last;
        present[v] = is;
        numbers[v] = is ? d >> bits : 0;
        reached += is;
    }
    add_to(totals, reached, thread_of() == 0 ? static_cast<i64>(s.edges) : 0);
}
