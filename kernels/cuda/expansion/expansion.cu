// Level-synchronous breadth-first search by pushing alone, in the ways of the literature: which
// frontier is kept in memory, who walks which row, how duplicates are told.
//
//     expand_contract   vertex queue -> vertex queue
//     contract_expand   edge queue -> edge queue
//     two_phase         contract, edge queue -> vertex queue; expand, vertex queue -> edge queue
//     run_small         contract_expand, level after level, while the edge queue is short
//     run_few           expand_contract, level after level, while the frontier has few edges
//
// Iteration d labels with d what the edge queue of d holds (the first holds the sources), or, in
// expand_contract, labels with d + 1 what the vertex queue of d leads to.  Each kernel reads
// `level[d % 3]` and fills `level[(d + 1) % 3]`.
#include "cuda/expansion/expansion_levels.cuh"

// CTAs of a multiprocessor, which has room for four of them on compute capability 7.5, and on 7.0,
// whose code needs more registers, without spilling some.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ <= 750
constexpr int kCtas = 4;
#else
constexpr int kCtas = 5;
#endif

// Nothing is reached; the edge queue of iteration 0 holds the sources.
__global__ void __launch_bounds__(kCta, kCtas) start(const Traversal t) {
    const i64 first = static_cast<i64>(blockIdx.x) * kCta + threadIdx.x;
    const i64 threads = static_cast<i64>(gridDim.x) * kCta;
    for (i64 v = first; v < t.n; v += threads) {
        t.levels[v] = -1;
        if (t.parents) t.parents[v] = -1;
    }
    for (i64 w = first; w <= t.n / 32; w += threads) t.visited[w] = 0;
    for (i64 i = first; i < t.source_count; i += threads) {
        const int v = t.sources ? t.sources[i] : t.source;
        t.edges[0][i] = v;
        if (t.parents) t.origins[0][i] = v;
    }
    if (first_thread()) {
        *t.control = {};
        t.control->level[0].slots = t.source_count;
    }
}

// Edge queue of `depth` to vertex queue of `depth`.
template <typename Offset>
__global__ void __launch_bounds__(kCta, kCtas) contract(const Traversal t) {
    __shared__ int history[kHistory];
    __shared__ int staged[kWarps][64];
    Discovery discover = discovery(t, history, t.depth);
    WarpQueue<Offset> queue = vertex_queue<Offset>(t, staged, t.depth);
    discover.forget();
    if (first_thread()) level_of(t, t.depth + 2) = {};
    const i64 count = static_cast<i64>(level_of(t, t.depth).slots);
    for (i64 first = static_cast<i64>(blockIdx.x) * kCta; first < count;
         first += static_cast<i64>(gridDim.x) * kCta) {
        const i64 i = first + threadIdx.x;
        const bool valid = i < count;
        const int v = valid ? t.edges[t.depth & 1][i] : 0;
        const int origin = valid && t.parents ? t.origins[t.depth & 1][i] : 0;
        queue.add(v, discover(v, origin, valid));
    }
    queue.flush();
}

// CTAs a multiprocessor for which wide offsets, and counting, leave registers enough.
template <typename Offset>
constexpr int kResident = sizeof(Offset) == 4 ? kCtas : 4;
template <class Strategy, int ctas>
constexpr int kSpared = kCounting<Strategy> ? 3 : ctas;

// Vertex queue of `depth` to edge queue of `depth + 1`.
template <typename Offset, class Strategy>
__global__ void __launch_bounds__(kCta, kSpared<Strategy, kResident<Offset>>)
    expand(const Traversal t) {
    __shared__ ExpandShared<Offset> shared;
    ToEdgeQueue<Offset> visit{t, t.depth + 1, t.lanes};
    expand_frontier<Strategy>(t, t.depth, t.width, shared, visit);
}

// Vertex queue of `depth` to vertex queue of `depth + 1`.
template <typename Offset, class Strategy>
__global__ void __launch_bounds__(kCta, kSpared<Strategy, kCtas>)
    expand_contract(const Traversal t) {
    __shared__ ExpandShared<Offset> shared;
    __shared__ int history[kHistory];
    __shared__ int staged[kWarps][64];
    ToVertexQueue<Offset> visit{t.indices, discovery(t, history, t.depth + 1),
                                vertex_queue<Offset>(t, staged, t.depth + 1), t.lanes};
    visit.discover.forget();
    if (first_thread()) level_of(t, t.depth + 2) = {};
    expand_frontier<Strategy>(t, t.depth, t.width, shared, visit);
    visit.queue.flush();
}

template <typename Offset, class Strategy>
__global__ void __launch_bounds__(kCta, kSpared<Strategy, kCtas>)
    contract_expand(const Traversal t) {
    __shared__ ExpandShared<Offset> shared;
    __shared__ int history[kHistory];
    Discovery discover = discovery(t, history, t.depth);
    discover.forget();
    if (first_thread()) level_of(t, t.depth + 2) = {};
    const i64 count = static_cast<i64>(level_of(t, t.depth).slots);
    contract_and_expand<Offset, Strategy>(t, t.depth, count, discover, shared);
}

// The vertex queue of `depth` again, each vertex once: for levels with so many duplicates that a
// queue overflowed.
template <typename Offset>
__global__ void __launch_bounds__(kCta, kCtas) collect(const Traversal t) {
    __shared__ int staged[kWarps][64];
    WarpQueue<Offset> queue = vertex_queue<Offset>(t, staged, t.depth);
    for (i64 first = static_cast<i64>(blockIdx.x) * kCta; first < t.n;
         first += static_cast<i64>(gridDim.x) * kCta) {
        const i64 v = first + threadIdx.x;
        queue.add(static_cast<int>(v), v < t.n && t.levels[v] == t.depth);
    }
    queue.flush();
}

template <typename Offset>
__global__ void __launch_bounds__(kCta, kCtas) path_sums(const Traversal t) {
    __shared__ ExpandShared<Offset> shared;
    sum_degrees(t.vertices[t.depth & 1], static_cast<i64>(level_of(t, t.depth).vertices),
                static_cast<const Offset*>(t.indptr), t.sums, shared);
}

template <typename Offset>
__global__ void __launch_bounds__(kCta, kCtas) path_rows(const Traversal t) {
    __shared__ ExpandShared<Offset> shared;
    place_rows(t.vertices[t.depth & 1], static_cast<i64>(level_of(t, t.depth).vertices),
               static_cast<const Offset*>(t.indptr), t.sums, static_cast<Offset*>(t.prefix),
               static_cast<Offset*>(t.shift), shared);
}

template <typename Offset>
__global__ void __launch_bounds__(kCta, kCtas) locate(const Traversal t) {
    __shared__ ExpandShared<Offset> shared;
    ToLocations<Offset> visit{static_cast<Offset*>(t.locations), t.owners};
    expand_frontier<Redistributed>(t, t.depth, 1, shared, visit);
}
