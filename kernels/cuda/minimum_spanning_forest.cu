// The edges of the one minimum spanning forest, directions aside, by Boruvka's rounds: every
// component takes the least edge that leaves it, and what is joined becomes one component.
//
// Edges are ordered by key, then by their ends.  That is more than one atomic takes, so a round
// looks at all entries twice: for the least key that leaves a component, and for the least ends of
// the edges of this key.  Next to choosing no cycle arises: along edges taken keys fall, but where
// two components take the same edge, of which then the lesser one stays a root.
//
// The caller guarantees a square CSR in canonical order.  A weight that is NaN ends the call.
//
// Boruvka (1926).
#include "bisect.cuh"
#include "rounds.cuh"

using namespace spbfs;

using u64 = unsigned long long;

// Of which an edge may be as heavy, but no pair of ends is as great.
constexpr u64 kMost = ~0ull;

struct ForestState {
    u64 chosen;
    unsigned nan, padding;
};
// STATE_BYTES of cuda/algorithms/minimum_spanning_forest.py.
SHARED_STRUCT(ForestState, 16, FIELD(chosen, 0) FIELD(nan, 8));

// Weights as unsigned numbers of the same order; both zeros have the same key.
__device__ __forceinline__ u64 key_of(int x) { return static_cast<u64>(x) ^ 1ull << 63; }
__device__ __forceinline__ u64 key_of(long long x) { return static_cast<u64>(x) ^ 1ull << 63; }
__device__ __forceinline__ u64 key_of(unsigned x) { return x; }
__device__ __forceinline__ u64 key_of(u64 x) { return x; }
__device__ __forceinline__ u64 key_of(double x) {
    const u64 bits = static_cast<u64>(__double_as_longlong(x + 0.0));
    return bits >> 63 ? ~bits : bits | 1ull << 63;
}
__device__ __forceinline__ u64 key_of(float x) { return key_of(static_cast<double>(x)); }

template <typename Weight>
__device__ __forceinline__ bool is_nan(Weight x) {
    return x != x;
}

// Components by their roots, and the least edge that leaves each.
struct Components {
    int* parents;
    int* next;  // of roots, after the round
    u64* keys;
    u64* pairs;  // the lesser end, the greater one in the lower half; kMost where none leaves

    __device__ int of(int v) const { return __ldcg(parents + v); }
    __device__ void offer(int root, u64 key) const {
        if (key < __ldcg(keys + root)) atomicMin(keys + root, key);
    }
    __device__ void offer_pair(int root, u64 key, u64 pair) const {
        if (key == __ldcg(keys + root) && pair < __ldcg(pairs + root))
            atomicMin(pairs + root, pair);
    }
};

// Where root r goes with its edge, which is listed by the one of two that takes it.
__device__ void choose(const Components& s, int r, u64 begin, int* low, int* high,
                       RoundCounts* adding) {
    s.next[r] = r;
    const u64 pair = s.pairs[r];
    if (pair == kMost) return;
    const int u = static_cast<int>(pair >> 32), v = static_cast<int>(pair & 0xffffffffu);
    const int other = s.of(u) == r ? s.of(v) : s.of(u);
    if (s.keys[other] == s.keys[r] && s.pairs[other] == pair && r < other) return;
    s.next[r] = other;
    const u64 at = begin + atomicAdd(&adding->kept, 1u);
    low[at] = u;
    high[at] = v;
}

// The place of the entry that an edge is: the lighter of two, or else that of the lesser end's row.
template <typename Offset, typename Weight>
__device__ i64 place_of(const Offset* indptr, const int* indices, const Weight* weights, i64 stride,
                        int low, int high) {
    i64 at[2];
    const int ends[2] = {low, high};
    for (int k = 0; k < 2; ++k) {
        const i64 first = indptr[ends[k]], last = static_cast<i64>(indptr[ends[k] + 1]) - 1;
        const int sought = ends[1 - k];
        at[k] = first <= last ? last_not_above(indices, first, last, sought) : -1;
        if (at[k] >= 0 && indices[at[k]] != sought) at[k] = -1;
    }
    if (at[0] < 0 || at[1] < 0) return at[0] < 0 ? at[1] : at[0];
    return key_of(weights[at[1] * stride]) < key_of(weights[at[0] * stride]) ? at[1] : at[0];
}

// `keys` and the like have n elements, `low`, `high` and `places` n.  A stride of 0 is that of
// weights that are all one.  0 < n.
template <typename Offset, typename Weight>
__global__ void __launch_bounds__(kThreads, 4)
    minimum_spanning_forest(const Offset* __restrict__ indptr, const int* __restrict__ indices,
                            const Weight* __restrict__ weights, i64 stride, i64 n, int* parents,
                            int* next, u64* keys, u64* pairs, int* low, int* high,
                            long long* places, RowPiece* pieces, Rounds* rounds,
                            ForestState* state) {
    const Components s{parents, next, keys, pairs};
    Round round(rounds);
    const i64 all = static_cast<i64>(gridDim.x) * kThreads;
    for (i64 v = thread_of(); v < n; v += all) {
        parents[v] = static_cast<int>(v);
        keys[v] = pairs[v] = kMost;
    }
    round.begin();
    round.end();
    u64 chosen = 0;
    const auto row = [](i64 i) { return static_cast<int>(i); };
    for (;;) {
        RoundCounts* adding = round.adding();
        const auto offer = [&](int u, i64 p) {
            const int a = s.of(u), b = s.of(indices[p]);
            if (a == b) return;
            const Weight weight = weights[p * stride];
            if (is_nan(weight)) state->nan = 1;
            adding->found = 1;
            const u64 key = key_of(weight);
            s.offer(a, key);
            s.offer(b, key);
        };
        const bool any = visit_round(round, indptr, n, pieces, row, offer).found != 0;
        if (!any || __ldcg(&state->nan) != 0) break;
        const auto offer_pair = [&](int u, i64 p) {
            const int v = indices[p], a = s.of(u), b = s.of(v);
            if (a == b) return;
            const u64 key = key_of(weights[p * stride]);
            const u64 pair = static_cast<u64>(min(u, v)) << 32 | static_cast<unsigned>(max(u, v));
            s.offer_pair(a, key, pair);
            s.offer_pair(b, key, pair);
        };
        visit_round(round, indptr, n, pieces, row, offer_pair);
        round.begin();
        for (i64 v = thread_of(); v < n; v += all)
            if (s.of(static_cast<int>(v)) == v)
                choose(s, static_cast<int>(v), chosen, low, high, round.adding());
        chosen += round.end().kept;
        round.begin();
        for (i64 v = thread_of(); v < n; v += all) {
            if (s.of(static_cast<int>(v)) != v) continue;
            parents[v] = next[v];
            keys[v] = pairs[v] = kMost;
        }
        round.end();
        round.begin();
        for (i64 v = thread_of(); v < n; v += all) {
            int root = s.of(static_cast<int>(v));
            for (int above; (above = s.of(root)) != root;) root = above;
            parents[v] = root;
        }
        round.end();
    }
    for (i64 i = thread_of(); i < static_cast<i64>(chosen); i += all)
        places[i] = place_of(indptr, indices, weights, stride, __ldcg(low + i), __ldcg(high + i));
    if (thread_of() == 0) state->chosen = chosen;
}
