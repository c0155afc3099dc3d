// The edges of the one minimum spanning forest, directions aside, by Boruvka's rounds: every
// component takes the least edge that leaves it, and what is joined becomes one component.
//
// Edges are ordered by key, then by their ends, which is more than one atomic takes.  So a row
// first finds the least of its own edges that leave the component, in registers, and offers its key
// to the component; of the rows whose key is the least the least ends are sought then.  Of one
// row's edges that are as heavy that to the least neighbour has the least ends.  A row none of
// whose edges leaves the component is not looked at again.
//
// Next to choosing no cycle arises: along edges taken keys fall, but where two components take the
// same edge, of which then the lesser one stays a root.
//
// The caller guarantees a square CSR in canonical order that is its own transpose.  A weight that
// is NaN ends the call.
//
// Boruvka (1926).
#include "bisect.cuh"
#include "forest_candidates.cuh"
#include "grid_barrier.cuh"

using namespace spbfs;

struct ForestCounts {
    unsigned rows;     // to be looked at in the next round
    unsigned changed;  // components that take an edge
    unsigned pieces;   // of long rows
    unsigned padding;
};
struct ForestState {
    u32 barrier;
    unsigned nan;
    u64 chosen;
    // Of rounds by turns: of one, of the one before it, and cleared for the one behind it.
    ForestCounts counts[3];
};
// STATE_BYTES of cuda/algorithms/minimum_spanning_forest.py.
SHARED_STRUCT(ForestState, 64, FIELD(barrier, 0) FIELD(nan, 4) FIELD(chosen, 8));

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

template <typename Offset, typename Weight>
struct Csr {
    const Offset* indptr;
    const int* indices;
    const Weight* weights;
    i64 stride;  // 0 where weights are all one
};

// What rounds work with; lists have n elements, `found` one for every piece besides.
struct Boruvka {
    Trees trees;
    Candidate* found;
    RowPiece* pieces;
    int* rows;
    int* next_rows;
    int *changed, *into;  // roots that go up in others
    int *low, *high;      // edges chosen
    u32* barrier;

    template <bool first, typename Offset, typename Weight>
    __device__ __forceinline__ unsigned look(const Csr<Offset, Weight>& A, i64 count,
                                             ForestCounts* counts, unsigned* nan) const {
        const Leaving<Weight, first> visitor{A.weights, A.stride, trees, rows, found, nan};
        const RowPieces listed{pieces, &counts->pieces};
        visit_rows_by_teams(A.indptr, A.indices, count, listed, visitor);
        grid_barrier(barrier);
        const unsigned number = __ldcg(&counts->pieces);
        if (number == 0) return 0;
        visit_pieces_by_warps(A.indices, count, listed, number, visitor);
        grid_barrier(barrier);
        return number;
    }

    // Every candidate, in place i of what was found, of row v.
    template <class Use>
    __device__ __forceinline__ void for_candidates(bool first, i64 count, unsigned listed,
                                                   Use&& use) const {
        const i64 all = static_cast<i64>(gridDim.x) * kThreads;
        for (i64 i = thread_of(); i < count + listed; i += all) {
            const Candidate its = found[i];
            const i64 place = i < count ? i : pieces[i - count].row;
            use(i, place, first ? static_cast<int>(place) : rows[place], its);
        }
    }
    __device__ __forceinline__ void offer_pairs(bool first, i64 count, unsigned listed) const {
        for_candidates(first, count, listed, [&](i64 i, i64 place, int v, Candidate its) {
            if (its.to < 0) return;
            trees.offer_pair(first ? v : trees.parents[v], its.key, pair_of(v, its.to));
            if (i >= count) found[place].to = kSomePiece;
        });
    }
    // Components take their edges, of which there are `chosen` so far, and rows are listed again.
    __device__ __forceinline__ void choose(bool first, i64 count, unsigned listed, u64 chosen,
                                           ForestCounts* counts) const {
        for_candidates(first, count, listed, [&](i64 i, i64, int v, Candidate its) {
            if (i < count && (its.to >= 0 || its.to == kSomePiece))
                next_rows[append(&counts->rows)] = v;
            if (its.to < 0) return;
            const int root = first ? v : trees.parents[v];
            const u64 pair = pair_of(v, its.to);
            if (trees.keys[root] != its.key || trees.pairs[root] != pair) return;
            if (trees.stays(root, its.other)) return;
            const unsigned at = append(&counts->changed);
            changed[at] = root;
            into[at] = its.other;
            low[chosen + at] = min(v, its.to);
            high[chosen + at] = max(v, its.to);
        });
    }
    // Roots that go up in others, and what components offered is forgotten.
    __device__ __forceinline__ void join(unsigned count) const {
        const i64 all = static_cast<i64>(gridDim.x) * kThreads;
        for (i64 i = thread_of(); i < count; i += all) {
            const int root = changed[i], other = into[i];
            trees.parents[root] = other;
            trees.keys[root] = trees.pairs[root] = trees.keys[other] = trees.pairs[other] = kMost;
        }
    }
    // Everybody's parent is a root again; others write theirs meanwhile.
    __device__ __forceinline__ void flatten(i64 n) const {
        const i64 all = static_cast<i64>(gridDim.x) * kThreads;
        for (i64 first = thread_of(); first < n; first += kAtOnce * all) {
            int before[kAtOnce], above[kAtOnce];
#pragma unroll
            for (int j = 0; j < kAtOnce; ++j)
                above[j] = before[j] =
                    first + j * all < n ? __ldcg(trees.parents + first + j * all) : kNobody;
            for (bool rises = true; rises;) {
                rises = false;
#pragma unroll
                for (int j = 0; j < kAtOnce; ++j) {
                    const int next = above[j] < 0 ? above[j] : __ldcg(trees.parents + above[j]);
                    rises |= next != above[j];
                    above[j] = next;
                }
            }
#pragma unroll
            for (int j = 0; j < kAtOnce; ++j)
                if (above[j] != before[j]) trees.parents[first + j * all] = above[j];
        }
    }
};

// CTAs that are to share a multiprocessor, as far as no register is spilled: the compiler for the
// generations from 10.0 on takes more of them.
template <typename Weight>
constexpr int kResident = __CUDA_ARCH__ >= 1000 ? 2
                          : sizeof(Weight) == 8 ? 3
                                                : 4;

// `S` has the least weight of both directions, `A` those that are given, of which `places` tells.
// `keys` and the like have n elements.  0 < n.
template <typename Offset, typename Weight>
__global__ void __launch_bounds__(kThreads, kResident<Weight>)
    minimum_spanning_forest(const Offset* __restrict__ indptr, const int* __restrict__ indices,
                            const Weight* __restrict__ weights, i64 stride,
                            const Offset* __restrict__ given_indptr,
                            const int* __restrict__ given_indices,
                            const Weight* __restrict__ given_weights, i64 given_stride, i64 n,
                            int* parents, u64* keys, u64* pairs, Candidate* found, int* rows,
                            int* next_rows, int* changed, int* into, int* low, int* high,
                            long long* places, RowPiece* pieces, ForestState* state) {
    const Csr<Offset, Weight> S{indptr, indices, weights, stride};
    Boruvka s{{parents, keys, pairs}, found, pieces, rows, next_rows, changed, into, low, high,
              &state->barrier};
    const i64 all = static_cast<i64>(gridDim.x) * kThreads;
    for (i64 v = thread_of(); v < n; v += all) {
        parents[v] = static_cast<int>(v);
        keys[v] = pairs[v] = kMost;
    }
    grid_barrier(&state->barrier);
    u64 chosen = 0;
    i64 count = n;
    for (int round = 0; count != 0; ++round) {
        ForestCounts* const counts = state->counts + round % 3;
        if (thread_of() == 0) state->counts[(round + 1) % 3] = {};
        const bool first = round == 0;
        const unsigned listed = first ? s.look<true>(S, count, counts, &state->nan)
                                      : s.look<false>(S, count, counts, &state->nan);
        if (first && __ldcg(&state->nan) != 0) break;
        s.offer_pairs(first, count, listed);
        grid_barrier(&state->barrier);
        s.choose(first, count, listed, chosen, counts);
        grid_barrier(&state->barrier);
        const unsigned changed_now = __ldcg(&counts->changed);
        count = __ldcg(&counts->rows);
        if (changed_now == 0) break;
        chosen += changed_now;
        s.join(changed_now);
        grid_barrier(&state->barrier);
        s.flatten(n);
        grid_barrier(&state->barrier);
        int* const read = s.rows;
        s.rows = s.next_rows;
        s.next_rows = read;
    }
    for (i64 i = thread_of(); i < static_cast<i64>(chosen); i += all)
        places[i] =
            place_of(given_indptr, given_indices, given_weights, given_stride, s.low[i], s.high[i]);
    if (thread_of() == 0) state->chosen = chosen;
}
