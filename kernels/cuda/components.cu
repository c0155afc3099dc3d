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
#include "row_teams.cuh"

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

// Every vertex of the grid's share has its root for parent, if no sets are joined meanwhile.
__device__ void flatten(int* parents, int n) {
    const i64 all = static_cast<i64>(gridDim.x) * kThreads;
    for (i64 v = thread_of(); v < n; v += all) {
        const int before = parent_of(parents, static_cast<int>(v));
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

// Vertices outside the large set, whose edges are looked at.
struct Outside {
    int* parents;
    int large;

    struct Row {
        int root;
    };
    struct Item {
        int parent;
    };
    __device__ int vertex(i64 i) const { return static_cast<int>(i); }
    __device__ bool wants(int v) const { return parent_of(parents, v) != large; }
    __device__ Row begin(int v) const { return {root_of(parents, v)}; }
    __device__ Item look(i64, int column) const { return {parent_of(parents, column)}; }
    __device__ void take(Row& row, int, Item item) const {
        if (item.parent != row.root) row.root = unite(parents, row.root, item.parent);
    }
    template <class Lanes>
    __device__ void end(const Row&, i64, Lanes) const {}
    __device__ void in_pieces(i64) const {}
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
    // The second: the first greater one, where the first led nowhere.
    for (i64 v = thread_of(); v < n; v += all) {
        Offset at = indptr[v];
        const Offset end = indptr[v + 1];
        if (at < end && indices[at] < v) ++at;
        if (at < end) unite(parents, root_of(parents, static_cast<int>(v)), indices[at]);
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
    const Outside outside{parents, __ldcg(&state->large)};
    const bool both = !symmetric && back_indptr != nullptr;
    const RowPieces rows{pieces, &state->rows}, columns{back_pieces, &state->columns};
    visit_rows_by_teams(indptr, indices, n, rows, outside);
    if (both) visit_rows_by_teams(back_indptr, back_indices, n, columns, outside);
    grid_barrier(&state->barrier);
    visit_pieces_by_warps(indices, n, rows, __ldcg(&state->rows), outside);
    if (both) visit_pieces_by_warps(back_indices, n, columns, __ldcg(&state->columns), outside);
    grid_barrier(&state->barrier);
    for (i64 v = thread_of(); v < n; v += all) labels[v] = root_of(parents, static_cast<int>(v));
}
