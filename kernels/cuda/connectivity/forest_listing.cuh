// The edges that a minimum spanning forest is sought in: which of them are listed, with the
// components that they connect, and the marks of those chosen.
#pragma once
#include "cuda/connectivity/forest_edges.cuh"
#include "cuda/memory/bisect.cuh"

namespace spbfs {

using u32 = unsigned int;

struct ForestState {
    u32 barrier;
    unsigned nan;
    u64 listed[2];  // edges, of the light ones and of the others
    u64 bound[2];   // a Rank: no light edge is heavier
    // Whether edges are left: of a round, of the one before it, and cleared for the one behind it.
    unsigned left[3];
    unsigned padding;
};
// STATE_BYTES of cuda/algorithms/minimum_spanning_forest.py.
SHARED_STRUCT(ForestState, 56, FIELD(barrier, 0) FIELD(nan, 4));

template <typename Offset, typename Weight>
struct Csr {
    const Offset* indptr;
    const int* indices;
    const Weight* weights;
    i64 stride;  // 0 where weights are all one
    i64 n, entries;

    __device__ auto rank(i64 place) const {
        return rank_of<Offset>(weights[place * stride], place);
    }
    // Of an entry that is there.
    __device__ i64 place_of(int row, int column) const {
        return last_not_above(indices, indptr[row], static_cast<i64>(indptr[row + 1]) - 1, column);
    }
};

__device__ __forceinline__ int number_among(unsigned lanes) {
    return __popc(lanes & ((1u << lane_of()) - 1));
}

template <bool one_word>
struct Forest {
    int* parents;
    Least<one_word> least;
    Edge<one_word>* edges;
    u32* marked;  // a bit an entry

    __device__ void mark(i64 place) const { atomicOr(marked + place / 32, 1u << (place % 32)); }
    // The component `skipped` takes none.
    __device__ void offer(const Edge<one_word>& edge, int skipped) const {
        if (edge.a != skipped) least.offer(edge.a, edge.rank);
        if (edge.b != skipped) least.offer(edge.b, edge.rank);
    }
    // Behind a barrier, where places are not in the keys.
    __device__ void offer_place(const Edge<one_word>& edge, int skipped) const {
        if (edge.a != skipped) least.offer_place(edge.a, edge.rank);
        if (edge.b != skipped) least.offer_place(edge.b, edge.rank);
    }
    // By which of its components an edge is taken, a bit each.
    __device__ unsigned takers(const Edge<one_word>& edge) const {
        const unsigned a = least.is(edge.a, edge.rank), b = least.is(edge.b, edge.rank);
        return a | b << 1;
    }
    __device__ void take(const Edge<one_word>& edge, unsigned takers) const {
        if (takers == 0) return;
        mark(static_cast<i64>(edge.rank.place()));
        const bool a_rises = takers == 1 || (takers == 3 && edge.a > edge.b);
        parents[a_rises ? edge.a : edge.b] = a_rises ? edge.b : edge.a;
    }
};

// Edges that a warp has found, listed many at a time: one atomic for all of them.
constexpr int kStaged = 128;

template <bool one_word>
struct Stage {
    Edge<one_word>* buffer;  // kStaged
    Forest<one_word> forest;
    int count;

    __device__ void push(bool wanted, const Edge<one_word>& edge, u64* listed, int skipped) {
        const unsigned pushing = __ballot_sync(kAll, wanted);
        if (wanted) buffer[count + number_among(pushing)] = edge;
        count += __popc(pushing);
        if (count > kStaged - kWarp) flush(listed, skipped);
    }
    // Lists what there is, and offers it to its components.
    __device__ void flush(u64* listed, int skipped) {
        __syncwarp();
        u64 begin = 0;
        if (lane_of() == 0 && count != 0) begin = atomicAdd(listed, static_cast<u64>(count));
        begin = __shfl_sync(kAll, begin, 0);
        for (int k = lane_of(); k < count; k += kWarp) {
            const Edge<one_word> edge = buffer[k];
            forest.edges[begin + k] = edge;
            forest.offer(edge, skipped);
        }
        __syncwarp();
        count = 0;
    }
};

// Lists the edges up to a bound, or all; everybody is a component.
template <typename Offset, typename Weight>
struct LightEdges {
    static constexpr bool one_word = kOneWord<Offset, Weight>;
    Csr<Offset, Weight> S;
    Stage<one_word> stage;
    bool bounded;
    Rank<one_word> bound;
    ForestState* state;

    struct Item {
        int column;
        Weight weight;
    };
    __device__ Item look(i64 e) const { return {S.indices[e], S.weights[e * S.stride]}; }
    __device__ void take(i64 e, int row, Item item) {
        if (row >= 0 && is_nan(item.weight)) state->nan = 1;
        const auto rank = rank_of<Offset>(item.weight, e);
        const bool wanted = row >= 0 && row < item.column && !(bounded && bound < rank);
        stage.push(wanted, {row, item.column, rank}, &state->listed[0], -1);
    }
};

// Lists the edges that leave components, once each, from rows outside of `largest`, a root.
template <typename Offset, typename Weight>
struct OtherEdges {
    static constexpr bool one_word = kOneWord<Offset, Weight>;
    Csr<Offset, Weight> S;
    Stage<one_word> stage;
    int largest;
    ForestState* state;

    struct Item {};
    __device__ Item look(i64) const { return {}; }
    __device__ void take(i64 e, int row, Item) {
        const int* const parents = stage.forest.parents;
        Edge<one_word> edge{row < 0 ? largest : parents[row], largest, {}};
        bool wanted = edge.a != largest;
        if (wanted) {
            const int column = S.indices[e];
            edge.b = parents[column];
            wanted = edge.a != edge.b && (edge.b == largest || row < column);
            if (wanted) edge.rank = S.rank(row < column ? e : S.place_of(column, row));
        }
        stage.push(wanted, edge, &state->listed[1], largest);
    }
};

// Marks the other entry of every edge, below the diagonal.
template <typename Offset, typename Weight>
struct Mirrored {
    Csr<Offset, Weight> S;
    Forest<kOneWord<Offset, Weight>> forest;

    using Item = bool;
    __device__ Item look(i64 e) const { return __ldcg(forest.marked + e / 32) >> (e % 32) & 1; }
    __device__ void take(i64 e, int row, Item marked) const {
        if (!marked || row < 0) return;
        const int column = S.indices[e];
        if (row < column) forest.mark(S.place_of(column, row));
    }
};

// By one CTA: a bound that about `light` of the entries do not exceed, from a sample of them.
template <typename Offset, typename Weight, class Ranked>
__device__ void sample_bound(const Csr<Offset, Weight>& S, i64 light, Ranked* bound) {
    constexpr int kSample = 2 * kThreads;
    __shared__ Ranked sample[kSample];
    for (int i = threadIdx.x; i < kSample; i += kThreads)  // fractions far from each other
        sample[i] = S.rank(static_cast<i64>(
            __umul64hi((i + 1) * 0x9E3779B97F4A7C15ull, static_cast<u64>(S.entries))));
    __syncthreads();
    const int wanted = static_cast<int>(kSample * light / S.entries);
    for (int i = threadIdx.x; i < kSample; i += kThreads) {
        int less = 0;
        for (int k = 0; k < kSample; ++k)
            less += sample[k] < sample[i] || (k < i && !(sample[i] < sample[k]));
        if (less == wanted) *bound = sample[i];
    }
}

// The root that most of a sample of vertices have, the same in every CTA; nobody's parent changes.
__device__ inline int most_common(const int* parents, i64 n) {
    __shared__ int sample[kThreads];
    __shared__ u64 most;
    if (threadIdx.x == 0) most = 0;
    int mine = static_cast<int>(threadIdx.x * n / kThreads);
    for (int above; (above = parents[mine]) != mine;) mine = above;
    sample[threadIdx.x] = mine;
    __syncthreads();
    unsigned same = 0;
    for (int k = 0; k < kThreads; ++k) same += sample[k] == mine;
    atomicMax(&most, static_cast<u64>(same) << 32 | static_cast<unsigned>(mine));
    __syncthreads();
    return static_cast<int>(static_cast<unsigned>(most));
}

}  // namespace spbfs
