// How far every vertex is peeled: whoever has no more than k neighbours left leaves, and takes a
// neighbour from each of them, k rising.
//
// Rounds of the whole grid: one looks for those that leave by themselves among those that are left,
// whose list is written anew when half of it has gone; then each takes the vertices that the one
// before it has found, until there are none.  Where nobody leaves k goes on to the least number of
// neighbours that anybody has left.
//
// The caller guarantees a symmetric pattern; loops are passed over.
//
// Kabir, Madduri: Parallel k-core decomposition on multicore platforms (2017), for the count that
// is never below k.
#include "rounds.cuh"

using namespace spbfs;

constexpr long long kHere = -1;
// Nobody has so many neighbours.
constexpr int kMany = 0x7fffffff;

// What the vertices are known by.
struct Peeling {
    int* left;         // neighbours left
    long long* cores;  // kHere until a vertex leaves
    int* leaving;      // in the order in which they do
};

// Neighbours of every vertex, and a list of all.
template <typename Offset>
__device__ void count_neighbours(const Offset* indptr, const int* indices, int n, const Peeling& s,
                                 int* alive) {
    const i64 all = static_cast<i64>(gridDim.x) * kThreads;
    for (i64 i = thread_of(); i < n; i += all) {
        const int v = static_cast<int>(i);
        Offset first = indptr[v], last = indptr[v + 1];
        s.left[v] = static_cast<int>(last - first);
        // Columns rise: a loop is found by halves.
        while (first < last) {
            const Offset middle = first + (last - first) / 2;
            if (indices[middle] < v)
                first = middle + 1;
            else
                last = middle;
        }
        if (first < indptr[v + 1] && indices[first] == v) --s.left[v];
        s.cores[v] = kHere;
        alive[v] = v;
    }
}

// Those who leave by themselves at k, listed behind `gone`; tells how far the fewest neighbours of
// the others are below kMany, and lists these anew where there is a list for them.
__device__ void look_for_leaving(const Peeling& s, const int* alive, unsigned count, int k,
                                 unsigned gone, int* rewritten, RoundCounts* adding) {
    const i64 all = static_cast<i64>(gridDim.x) * kThreads;
    int fewest = 0;
    for (i64 i = thread_of(); i < count; i += all) {
        const int v = alive[i], left = __ldcg(s.left + v);
        if (s.cores[v] != kHere) continue;
        if (left <= k) {
            s.cores[v] = k;
            s.leaving[gone + atomicAdd(&adding->found, 1u)] = v;
            continue;
        }
        fewest = max(fewest, kMany - left);
        if (rewritten != nullptr) rewritten[atomicAdd(&adding->kept, 1u)] = v;
    }
    if (fewest != 0) atomicMax(&adding->fewest, fewest);
}

// 0 < n.
template <typename Offset>
__global__ void __launch_bounds__(kThreads, 4)
    core_numbers(const Offset* __restrict__ indptr, const int* __restrict__ indices, int n,
                 int* left, long long* cores, int* leaving, int* alive, int* other,
                 RowPiece* pieces, Rounds* rounds) {
    const Peeling s{left, cores, leaving};
    Round round(rounds);
    count_neighbours(indptr, indices, n, s, alive);
    round.begin();
    round.end();
    unsigned gone = 0, listed = static_cast<unsigned>(n);
    for (int k = 0; gone < static_cast<unsigned>(n);) {
        const bool rewrite = static_cast<unsigned>(n) - gone < listed / 2;
        round.begin();
        look_for_leaving(s, alive, listed, k, gone, rewrite ? other : nullptr, round.adding());
        RoundCounts found = round.end();
        if (rewrite) {
            listed = found.kept;
            int* const gaps = alive;
            alive = other;
            other = gaps;
        }
        if (found.found == 0) {
            k = kMany - found.fewest;
            continue;
        }
        while (found.found != 0) {
            const unsigned next = gone + found.found;
            RoundCounts* const adding = round.adding();
            const auto row = [&](i64 i) { return __ldcg(s.leaving + gone + i); };
            const auto take = [&](int v, i64 p) {
                const int u = indices[p];
                if (u == v || __ldcg(s.left + u) <= k) return;
                const int before = atomicSub(s.left + u, 1);
                // Others may have taken the last one that could be taken since.
                if (before <= k) atomicAdd(s.left + u, 1);
                if (before != k + 1) return;
                s.cores[u] = k;
                s.leaving[next + atomicAdd(&adding->found, 1u)] = u;
            };
            found = visit_round(round, indptr, found.found, pieces, row, take);
            gone = next;
        }
        ++k;
    }
}
