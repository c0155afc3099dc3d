// How far every vertex is peeled: whoever has no more than k neighbours left leaves, and takes a
// neighbour from each of them, k rising.
//
// Rounds of the whole grid: one looks for those that leave by themselves among those that are left,
// whose list is written anew when half of it has gone; each takes neighbours from whom the one
// before it has listed, until nobody is.  A CTA goes on with the short rows that it finds, while
// others still look, too: whoever leaves is claimed once, in whatever order.  Where nobody leaves k
// goes on to the least number of neighbours that anybody has left.
//
// The caller guarantees a symmetric pattern; loops are passed over.
//
// Kabir, Madduri: Parallel k-core decomposition on multicore platforms (2017).
#include "cuda/grid/work_items.cuh"

using namespace spbfs;

using u64 = unsigned long long;

constexpr u64 kHere = ~0ull;
// Nobody has so many neighbours.
constexpr int kMany = 0x7fffffff;

// What a round does: decided by one thread of every CTA, the same everywhere.
struct PeelingRound {
    int *alive, *other;     // who is looked through, and where they are listed anew
    const WorkItem* items;  // of the rows that are taken
    WorkItem* next;         // where others are listed, behind them
    RoundCounts* adding;
    unsigned count, listed;  // items, or who is looked through
    unsigned here;           // who has not left
    int k;
    bool looks, rewrites;

    // On to the round after one that found so much.
    __device__ void advance(const RoundCounts& found) {
        here -= static_cast<unsigned>(found.taken);
        if (looks && rewrites) {
            int* const gaps = alive;
            alive = other;
            other = gaps;
            listed = found.kept;
        }
        items = next;
        next += found.found;
        count = found.found;
        if (count == 0)
            k = looks && found.taken == 0 ? kMany - static_cast<int>(found.most) : k + 1;
        looks = count == 0;
        rewrites = looks && here < listed / 2;
    }
};

// Neighbours of every vertex, and a list of all.
template <typename Offset>
__device__ void count_neighbours(const Offset* indptr, const int* indices, int n, int* left,
                                 u64* cores, int* alive) {
    const i64 all = static_cast<i64>(gridDim.x) * kThreads;
    for (i64 i = thread_of(); i < n; i += all) {
        const int v = static_cast<int>(i);
        Offset first = indptr[v], last = indptr[v + 1];
        int its = static_cast<int>(last - first);
        // Columns rise: a loop is found by halves.
        while (first < last) {
            const Offset middle = first + (last - first) / 2;
            if (indices[middle] < v)
                first = middle + 1;
            else
                last = middle;
        }
        if (first < indptr[v + 1] && indices[first] == v) --its;
        left[v] = its;
        cores[v] = kHere;
        alive[v] = v;
    }
}

// 0 < n.  `left` is no more than k for those that have left.
template <typename Offset>
__global__ void __launch_bounds__(kThreads, 4)
    core_numbers(const Offset* __restrict__ indptr, const int* __restrict__ indices, int n,
                 int* left, u64* cores, int* alive, int* other, WorkItem* items, Rounds* rounds) {
    constexpr int kFlight = kMostFlight;
    __shared__ OwnRows own_rows;
    __shared__ Finds::Room room;
    __shared__ PeelingRound s;
    OwnTurns own(own_rows);
    Finds finds(room);
    Round round(rounds);
    count_neighbours(indptr, indices, n, left, cores, alive);
    round.begin();
    if (threadIdx.x == 0) {
        const auto all = static_cast<unsigned>(n);
        s = {.alive = alive, .other = other, .next = items, .listed = all, .here = all, .k = -1};
    }
    const auto advance = [&](const RoundCounts& found) {
        s.advance(found);
        s.adding = round.adding();
    };
    round.end(0, 0, advance);
    while (s.here != 0) {
        round.begin();
        const int k = s.k;
        int fewest = kMany;
        unsigned taken = 0;
        const auto list = [&](unsigned find, bool is) {
            const int v = static_cast<int>(find);
            is = is && atomicCAS(cores + v, kHere, static_cast<u64>(k)) == kHere;
            taken += is;
            Listing<Offset> row(indptr, v, is);
            row.keep(own, kItemEntries);  // Nothing is done in vain.
            if (!__any_sync(kAll, row.count != 0)) return;
            row.write(s.next, reserve(&s.adding->found, row.items()));
        };
        // Those who leave by themselves.
        visit_vertices<kFlight>(
            s.looks ? s.listed : 0, [&](unsigned i) { return s.alive[i]; },
            [&](const int (&v)[kFlight], unsigned mine) {
                int its[kFlight];
                unsigned stay = 0, leave = 0, found[kFlight];
#pragma unroll
                for (int u = 0; u < kFlight; ++u) its[u] = __ldcg(left + v[u]);
#pragma unroll
                for (int u = 0; u < kFlight; ++u) {
                    const unsigned bit = mine & 1u << u;
                    found[u] = static_cast<unsigned>(v[u]);
                    if (its[u] > k) {
                        stay |= bit;
                        fewest = min(fewest, its[u]);
                    } else if (bit != 0 && __ldcg(cores + v[u]) == kHere) {
                        leave |= bit;
                    }
                }
                if (s.rewrites) {
                    int* to = s.other;
                    to += reserve(&s.adding->kept, static_cast<unsigned>(__popc(stay)));
#pragma unroll
                    for (int u = 0; u < kFlight; ++u)
                        if (stay >> u & 1) *to++ = v[u];
                }
                finds.add(found, leave, list);
            });
        const auto take = [](const WorkItem&) {};
        const auto visit = [&](const int (&)[kFlight], const Offset(&places)[kFlight],
                               unsigned mine) {
            unsigned found[kFlight];
            int its[kFlight];
#pragma unroll
            for (int u = 0; u < kFlight; ++u) found[u] = static_cast<unsigned>(indices[places[u]]);
#pragma unroll
            for (int u = 0; u < kFlight; ++u) its[u] = __ldcg(left + found[u]);
#pragma unroll
            for (int u = 0; u < kFlight; ++u)
                if ((mine >> u & 1) != 0 && its[u] > k) its[u] = atomicSub(left + found[u], 1);
#pragma unroll
            for (int u = 0; u < kFlight; ++u)
                if (its[u] != k + 1) mine &= ~(1u << u);
            finds.add(found, mine, list);
        };
        visit_items<kFlight, Offset>(s.items, s.count, own, take, visit,
                                     [&] { finds.finish(list); });
        round.end(taken, static_cast<unsigned>(kMany - fewest), advance);
    }
}
