// Afforest on the GPU: the least vertex of everybody's component, edges taken without direction.
//
// Sets of vertices are joined along a few edges of each first, until nearly all vertices are in one
// set, where a graph has one large component.  Its rows need no second look: an edge that leaves it
// is in the other end's row too, or in that of the transpose.  Where neither is known every row is
// looked at, most of whose entries have their row's parent.
//
// The first joins may lose some: a root has one parent, the least that anybody had for it, since
// many that wait for each other to hook a few roots is what takes time.  No edge is lost by that:
// what is left to join is found by the look at rows, whose joins are complete.  They are made along
// one more edge of everybody, which is put where labels will be: a row costs a sector of memory
// each time, however few of its entries are wanted.
//
// A set is a tree whose root is its least vertex: a root is only ever hooked to a lesser vertex.
// That makes all of it indifferent to the order in which threads run, up to the shape of trees.
//
// Sutton, Ben-Nun, Barak: Optimizing parallel graph connectivity computation via subgraph sampling
// (IPDPS 2018); Jaiganesh, Burtscher: A high-performance connected components implementation for
// GPUs (HPDC 2018), for the first, lesser neighbour as parent.
#include "cuda/connectivity/component_trees.cuh"
#include "cuda/grid/grid_barrier.cuh"

using namespace spbfs;

struct ComponentsState {
    u32 barrier;
    unsigned rows, columns;  // pieces of long rows, and of those of the transpose
    unsigned outside;        // whether a row was looked at
};
// STATE_BYTES of cuda/algorithms/components.py.
SHARED_STRUCT(ComponentsState, 16,
              FIELD(barrier, 0) FIELD(rows, 4) FIELD(columns, 8) FIELD(outside, 12));

// Rounds of first joins at most, and how many of a sample must need no more of them.
constexpr int kJoins = 4;
constexpr int kNearlyAll = kThreads - kThreads / 32;
// Sets that are left to join are large where so few of so many vertices a thread are roots: of
// every set, one vertex in kOfMany has edges enough.
constexpr int kLooks = 4, kOfMany = 16;

// The root that most of a sample have, a vertex a thread, how many need no more joins, since they
// have that root or no edges, and whether the other sets are large.  The same in all CTAs while no
// sets are joined.
struct Sample {
    int large, settled;
    bool large_sets;
};
template <typename Offset>
__device__ Sample sample(const Offset* indptr, const int* parents, int n) {
    __shared__ unsigned long long most;
    int v[kLooks], above[kLooks];
#pragma unroll
    for (int k = 0; k < kLooks; ++k) {
        const unsigned where = (k * kThreads + threadIdx.x + 1u) * 2654435761u;
        v[k] = static_cast<int>(static_cast<unsigned long long>(where) * n >> 32);
        above[k] = once_above(parents, v[k]);
    }
    const auto has_edges = [&](int u) { return indptr[u] < indptr[u + 1]; };
    bool root = false;
#pragma unroll
    for (int k = 0; k < kLooks; ++k) root |= above[k] == v[k] && has_edges(v[k]);
    const int mine = has_edges(v[0]) ? root_above(parents, above[0]) : -1;
    if (threadIdx.x == 0) most = 0;
    __syncthreads();
    const unsigned alike = __popc(__match_any_sync(kAll, mine));
    if (mine >= 0)
        atomicMax(&most,
                  static_cast<unsigned long long>(alike) << 32 | static_cast<unsigned>(mine));
    __syncthreads();
    const int large = static_cast<int>(static_cast<unsigned>(most));
    const int settled = __syncthreads_count(mine < 0 || mine == large);
    // Small sets that nothing is left to join to have roots as well, fewer where most are settled.
    return {large, settled, kOfMany * __syncthreads_count(root) <= settled};
}

// Labels of the large set, and of vertices without edges where `lonely` says that these are all who
// have no entries in their rows; whether the caller's warp has others.
template <typename Offset>
__device__ bool label_inside(const Offset* indptr, const int* parents, int n, int large,
                             bool lonely, long long* labels) {
    bool others = false;
    together(n, 1, [&](const int (&v)[kAtOnce], unsigned mine) {
        int above[kAtOnce];
#pragma unroll
        for (int j = 0; j < kAtOnce; ++j) above[j] = parent_of(parents, v[j]);
#pragma unroll
        for (int j = 0; j < kAtOnce; ++j) {
            if ((mine >> j & 1) == 0) continue;
            if (above[j] == large || (lonely && indptr[v[j]] == indptr[v[j] + 1]))
                labels[v[j]] = above[j];
            else
                others = true;
        }
    });
    return __any_sync(kAll, others);
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

// CTAs that share a multiprocessor: as many as spill no registers.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
template <typename Offset>
constexpr int resident = __CUDA_ARCH__ == 750 ? 4 : 5;
#else
template <typename Offset>
constexpr int resident = sizeof(Offset) == 8 ? 5 : 6;
#endif

// `back`, the transpose, is needed only where `symmetric` is false; without it nobody is passed
// over.  0 < n.
template <typename Offset>
__global__ void __launch_bounds__(kThreads, resident<Offset>)
    components(const Offset* __restrict__ indptr, const int* __restrict__ indices,
               const Offset* __restrict__ back_indptr, const int* __restrict__ back_indices,
               i64 symmetric, int n, int* parents, long long* labels, RowPiece* pieces,
               RowPiece* back_pieces, ComponentsState* state) {
    int* const edges = reinterpret_cast<int*>(labels);
    const auto is_flat = [](int, int) {};
    begin_trees(indptr, indices, n, parents, edges);
    grid_barrier(&state->barrier);
    rise(parents, n, is_flat);
    grid_barrier(&state->barrier);
    const bool both = !symmetric && back_indptr != nullptr, all_rows = !symmetric && !both;
    // Roots of sets that few edges leave hook one another in long rows.
    const bool deep = indptr[n] <= static_cast<i64>(kShortRow) * n;
    int large = -1;
    bool everybody = false;
    for (int round = 0, every = 1; round < kJoins; ++round) {
        const Hooked hooked = hook(parents, edges, n, every, deep ? edges + n : nullptr);
        grid_barrier(&state->barrier);
        if (deep) {
            hooked.rise(parents);
            grid_barrier(&state->barrier);
        }
        rise(parents, n, is_flat);
        // Before others may go on to join sets.
        const Sample found = sample(indptr, parents, n);
        grid_barrier(&state->barrier);
        if (!all_rows) large = found.large;
        everybody = found.settled == kThreads;
        if (found.settled >= kNearlyAll) break;
        every = found.large_sets ? kOfMany : 1;
    }

    // Where nearly all are inside they have their labels at once, and most warps are done.
    const bool early = everybody && !all_rows;
    const bool outsiders = !early || label_inside(indptr, parents, n, large, !both, labels);
    // One that is joined to the large set meanwhile is looked at or not: its edges to vertices
    // outside are in their rows, too, the others join nothing.
    const Outside outside{parents, large};
    const RowPieces rows{pieces, &state->rows}, columns{back_pieces, &state->columns};
    if (outsiders) {
        state->outside = 1;
        visit_rows_by_teams(indptr, indices, n, rows, outside);
        if (both) visit_rows_by_teams(back_indptr, back_indices, n, columns, outside);
    }
    grid_barrier(&state->barrier);
    if (__ldcg(&state->outside) == 0) return;
    visit_pieces_by_warps(indices, rows, __ldcg(&state->rows), outside);
    if (both) visit_pieces_by_warps(back_indices, columns, __ldcg(&state->columns), outside);
    grid_barrier(&state->barrier);
    // What is labelled stays so unless the large set was joined to a lesser vertex.
    if (outsiders || parent_of(parents, large) != large)
        rise(parents, n, [&](int v, int root) { labels[v] = root; });
}
