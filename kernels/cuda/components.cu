// Afforest on the GPU: the least vertex of everybody's component, edges taken without direction.
//
// Sets of vertices are joined along a few edges of each first, until nearly all vertices are in one
// set, where a graph has one large component.  Its rows need no second look: an edge that leaves it
// is in the other end's row too, or in that of the transpose.  Where neither is known every row is
// looked at, most of whose entries have their row's parent.
//
// The first joins may lose some: a root has one parent, the least that anybody had for it, since
// many that wait for each other to hook a few roots is what takes time.  No edge is lost by that:
// what is left to join is found by the look at rows, whose joins are complete.
//
// A set is a tree whose root is its least vertex: a root is only ever hooked to a lesser vertex.
// That makes all of it indifferent to the order in which threads run, up to the shape of trees.
//
// Sutton, Ben-Nun, Barak: Optimizing parallel graph connectivity computation via subgraph sampling
// (IPDPS 2018); Jaiganesh, Burtscher: A high-performance connected components implementation for
// GPUs (HPDC 2018), for the first, lesser neighbour as parent.
#include "grid_barrier.cuh"
#include "row_teams.cuh"

using namespace spbfs;

struct ComponentsState {
    u32 barrier;
    unsigned rows, columns;  // pieces of long rows, and of those of the transpose
    unsigned padding;
};
// STATE_BYTES of cuda/algorithms/components.py.
SHARED_STRUCT(ComponentsState, 16, FIELD(barrier, 0) FIELD(rows, 4) FIELD(columns, 8));

// Rounds of first joins at most, and how many of a sample must need no more of them.
constexpr int kJoins = 4;
constexpr int kNearlyAll = kThreads - kThreads / 32;

// Parents change while they are read: not from a cache that is the multiprocessor's own.
__device__ __forceinline__ int parent_of(const int* parents, i64 v) { return __ldcg(parents + v); }

// The root above v.  Who looks on the way halves it for the others: their parents become what is
// above these, which holds whatever others write meanwhile.
__device__ int root_of(int* parents, int v) {
    int above = parent_of(parents, v);
    for (int below = v, next; above != (next = parent_of(parents, above)); above = next) {
        parents[below] = next;
        below = above;
    }
    return above;
}

// Joins the sets of a root, or of who was one a moment ago, and of v; returns the lesser root.
// Other threads may hook either meanwhile: the loop goes on from where that led.
__device__ int unite(int* parents, int root, int v) {
    int other = root_of(parents, v);
    while (root != other) {
        const int high = max(root, other), low = min(root, other);
        const int above = atomicCAS(parents + high, high, low);
        if (above == high) return low;
        root = low;
        other = root_of(parents, above);
    }
    return root;
}

// Everybody's parent becomes a root, if no sets are joined meanwhile.  Step by step: what others
// have written so far doubles every step.
__device__ void flatten(int* parents, int n) {
    const i64 all = static_cast<i64>(gridDim.x) * kThreads;
    for (i64 first = thread_of(); first < n; first += kAtOnce * all) {
        int above[kAtOnce];
#pragma unroll
        for (int j = 0; j < kAtOnce; ++j)
            above[j] = first + j * all < n ? parent_of(parents, first + j * all) : -1;
        for (bool rises = true; rises;) {
            rises = false;
            int next[kAtOnce];
#pragma unroll
            for (int j = 0; j < kAtOnce; ++j)
                next[j] = above[j] < 0 ? -1 : parent_of(parents, above[j]);
#pragma unroll
            for (int j = 0; j < kAtOnce; ++j) {
                if (next[j] == above[j]) continue;
                parents[first + j * all] = above[j] = next[j];
                rises = true;
            }
        }
    }
}

// Everybody's root is hooked to a lesser one next door, along entry `which` of the rows but the one
// that led to the first parent.  All are flat before.
template <typename Offset>
__device__ void hook(const Offset* indptr, const int* indices, int* parents, int n, int which) {
    const i64 all = static_cast<i64>(gridDim.x) * kThreads;
    for (i64 v = thread_of(); v < n; v += all) {
        const i64 begin = indptr[v], end = indptr[v + 1];
        if (begin + which >= end) continue;
        const i64 at = begin + which + (indices[begin] < v);
        if (at >= end) continue;
        const int a = parent_of(parents, static_cast<int>(v)), b = parent_of(parents, indices[at]);
        const int high = max(a, b), low = min(a, b);
        if (low < parent_of(parents, high)) atomicMin(parents + high, low);
    }
}

// The parent that most of a sample have, a vertex a thread, and how many need no more joins: they
// have that parent, or no edges.  The same in all CTAs while parents do not change.
struct Sample {
    int large, settled;
};
template <typename Offset>
__device__ Sample sample(const Offset* indptr, const int* parents, int n) {
    __shared__ unsigned long long most;
    const unsigned where = (threadIdx.x + 1u) * 2654435761u;
    const int v = static_cast<int>(static_cast<unsigned long long>(where) * n >> 32);
    const int mine = indptr[v] < indptr[v + 1] ? parent_of(parents, v) : -1;
    if (threadIdx.x == 0) most = 0;
    __syncthreads();
    const unsigned alike = __popc(__match_any_sync(kAll, mine));
    if (mine >= 0)
        atomicMax(&most,
                  static_cast<unsigned long long>(alike) << 32 | static_cast<unsigned>(mine));
    __syncthreads();
    const int large = static_cast<int>(static_cast<unsigned>(most));
    return {large, __syncthreads_count(mine < 0 || mine == large)};
}

// Vertices outside the large set, whose edges are looked at.
struct Outside {
    int* parents;
    int large;  // -1: nobody is passed over

    struct Row {
        int root;
    };
    struct Item {
        int parent;
    };
    __device__ bool wants(int v) const { return parent_of(parents, v) != large; }
    __device__ Row begin(int v) const { return {root_of(parents, v)}; }
    __device__ Item look(int column) const { return {parent_of(parents, column)}; }
    __device__ void take(Row& row, Item item) const {
        if (item.parent != row.root) row.root = unite(parents, row.root, item.parent);
    }
};

// `back`, the transpose, is needed only where `symmetric` is false; without it nobody is passed
// over.  0 < n.
template <typename Offset>
__global__ void __launch_bounds__(kThreads, __CUDA_ARCH__ == 750 ? 4 : 6)
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
    flatten(parents, n);
    grid_barrier(&state->barrier);
    const bool both = !symmetric && back_indptr != nullptr, all_rows = !symmetric && !both;
    int large = -1;
    for (int which = 0; which < kJoins; ++which) {
        hook(indptr, indices, parents, n, which);
        grid_barrier(&state->barrier);
        flatten(parents, n);
        grid_barrier(&state->barrier);
        const Sample found = sample(indptr, parents, n);
        if (!all_rows) large = found.large;
        if (found.settled >= kNearlyAll) break;
    }

    // One that is joined to the large set meanwhile is looked at or not: its edges to vertices
    // outside are in their rows, too, the others join nothing.
    const Outside outside{parents, large};
    const RowPieces rows{pieces, &state->rows}, columns{back_pieces, &state->columns};
    visit_rows_by_teams(indptr, indices, n, rows, outside);
    if (both) visit_rows_by_teams(back_indptr, back_indices, n, columns, outside);
    grid_barrier(&state->barrier);
    visit_pieces_by_warps(indices, rows, __ldcg(&state->rows), outside);
    if (both) visit_pieces_by_warps(back_indices, columns, __ldcg(&state->columns), outside);
    grid_barrier(&state->barrier);
    for (i64 v = thread_of(); v < n; v += all) labels[v] = root_of(parents, static_cast<int>(v));
}
