// Afforest on the GPU: the least vertex of everybody's component, edges taken without direction.
//
// Sets of vertices are joined along two edges of each first.  By then nearly all vertices are in
// one set where a graph has one large component, and its rows need no second look: an edge that
// leaves it is in the other end's row too, or in that of the transpose.  Where neither is known
// every row is looked at, most of whose entries have their row's parent.
//
// A set is a tree whose root is its least vertex: a root is only ever hooked to a lesser vertex.
// That makes all of it indifferent to the order in which threads run, up to the shape of trees.
//
// Sutton, Ben-Nun, Barak: Optimizing parallel graph connectivity computation via subgraph sampling
// (IPDPS 2018); Jaiganesh, Burtscher: A high-performance connected components implementation for
// GPUs (HPDC 2018), for the first, lesser neighbour as parent.
#include "grid_barrier.cuh"
#include "whole_rows.cuh"

using namespace spbfs;

struct ComponentsState {
    u32 barrier;
    int large;         // the parent that most of a sample have; -1: nobody is passed over
    unsigned rows;     // pieces of long rows, and of those of the transpose
    unsigned columns;  // (each list is written before it is read)
};
// STATE_BYTES of cuda/algorithms/components.py.
SHARED_STRUCT(ComponentsState, 16, FIELD(barrier, 0) FIELD(large, 4) FIELD(rows, 8));

// Parents change while they are read: not from a cache that is the multiprocessor's own.
__device__ __forceinline__ int parent_of(const int* parents, int v) { return __ldcg(parents + v); }

// Joins the sets of u and v.  Other threads may hook a root meanwhile, or shorten a path; either
// way what is above a vertex stays above it, and the loop goes on from there.
__device__ void unite(int* parents, int u, int v) {
    int a = parent_of(parents, u), b = parent_of(parents, v);
    while (a != b) {
        const int high = max(a, b), low = min(a, b);
        const int above = parent_of(parents, high);
        if (above == low) return;
        if (above == high && atomicCAS(parents + high, high, low) == high) return;
        a = parent_of(parents, parent_of(parents, high));
        b = parent_of(parents, low);
    }
}

__device__ int root_of(const int* parents, int v) {
    for (int above; (above = parent_of(parents, v)) != v;) v = above;
    return v;
}

// Every vertex of the grid's share has its root for parent, if no sets are joined meanwhile.
__device__ void flatten(int* parents, int n) {
    const i64 all = static_cast<i64>(gridDim.x) * kThreads;
    for (i64 i = thread_of(); i < n; i += all) {
        const int v = static_cast<int>(i), before = parent_of(parents, v);
        const int root = root_of(parents, before);
        if (root != before) parents[v] = root;
    }
}

// The parent that most of a sample have, a vertex a thread of one CTA.
__device__ void sample(const int* parents, int n, int* large) {
    __shared__ int seen[kThreads];
    __shared__ unsigned long long most;
    const unsigned where = (threadIdx.x + 1u) * 2654435761u;
    const int mine =
        parent_of(parents, static_cast<int>(static_cast<unsigned long long>(where) * n >> 32));
    seen[threadIdx.x] = mine;
    if (threadIdx.x == 0) most = 0;
    __syncthreads();
    unsigned alike = 0;
    for (int i = 0; i < kThreads; ++i) alike += seen[i] == mine;
    atomicMax(&most, static_cast<unsigned long long>(alike) << 32 | static_cast<unsigned>(mine));
    __syncthreads();
    if (threadIdx.x == 0) *large = static_cast<int>(static_cast<unsigned>(most));
}

// `back`, the transpose, is needed only where `symmetric` is false; without it nobody is passed
// over.  0 < n.
template <typename Offset>
__global__ void __launch_bounds__(kThreads, 4)
    components(const Offset* __restrict__ indptr, const int* __restrict__ indices,
               const Offset* __restrict__ back_indptr, const int* __restrict__ back_indices,
               i64 symmetric, int n, int* parents, long long* labels, RowPiece* pieces,
               RowPiece* back_pieces, ComponentsState* state) {
    const i64 all = static_cast<i64>(gridDim.x) * kThreads;
    // The first edge, to a lesser neighbour or none: rows rise, so that it is the least one.
    for (i64 v = thread_of(); v < n; v += all) {
        const int first = indptr[v] < indptr[v + 1] ? indices[indptr[v]] : static_cast<int>(v);
        parents[v] = min(first, static_cast<int>(v));
    }
    grid_barrier(&state->barrier);
    // The second: the first greater one, where the first led nowhere.
    for (i64 v = thread_of(); v < n; v += all) {
        Offset at = indptr[v];
        const Offset end = indptr[v + 1];
        if (at < end && indices[at] < v) ++at;
        if (at < end) unite(parents, static_cast<int>(v), indices[at]);
    }
    grid_barrier(&state->barrier);
    flatten(parents, n);
    grid_barrier(&state->barrier);
    const bool all_rows = !symmetric && back_indptr == nullptr;
    if (blockIdx.x == 0) {
        if (all_rows && threadIdx.x == 0) state->large = -1;
        if (!all_rows) sample(parents, n, &state->large);
    }
    grid_barrier(&state->barrier);

    // One that is joined to the large set meanwhile is looked at or not: its edges to vertices
    // outside are in their rows, too, the others join nothing.
    const int large = __ldcg(&state->large);
    const auto outside = [&](i64 i) {
        const int v = static_cast<int>(i);
        return parent_of(parents, v) == large ? -1 : v;
    };
    const auto along = [&](int v, i64 p) { unite(parents, v, indices[p]); };
    const auto against = [&](int v, i64 p) { unite(parents, v, back_indices[p]); };
    const bool both = !symmetric && back_indptr != nullptr;
    const RowPieces rows{pieces, &state->rows}, columns{back_pieces, &state->columns};
    visit_rows(indptr, n, rows, outside, along);
    if (both) visit_rows(back_indptr, n, columns, outside, against);
    grid_barrier(&state->barrier);
    visit_pieces(rows, __ldcg(&state->rows), along);
    if (both) visit_pieces(columns, __ldcg(&state->columns), against);
    grid_barrier(&state->barrier);
    for (i64 v = thread_of(); v < n; v += all) labels[v] = root_of(parents, static_cast<int>(v));
}
