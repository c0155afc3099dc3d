// The list of rows to expand, and how it is cut into equal work.
//
// One 64-bit atomic carries (rows, edges): it hands out slots in the list and, in the order of the
// slots, the number of edges before each row.  So the level that reads the list cuts it into equal
// runs of edges by a search, whatever the degrees, and no scan runs in between.
#pragma once
#include "bfs_state.cuh"
#include "warp_reduce.cuh"

__device__ __forceinline__ u64 edges_of(u64 queued) { return queued & ((1ull << kEdgeBits) - 1); }
__device__ __forceinline__ int rows_of(u64 queued) { return static_cast<int>(queued >> kEdgeBits); }

// A row of the list: vertex, where its entries begin, how many edges of the list lie before it.
template <typename Offset>
struct QueuedRow {
    int vertex;
    Offset begin;
    Offset before;

    __device__ static QueuedRow load(const int4* at) {
        const int4 x = *at;  // cached: the barrier before this level dropped what L1 held
        const i64 begin = static_cast<i64>(x.w & 0xffff) << 32 | static_cast<u32>(x.y);
        const i64 before = static_cast<i64>(x.w >> 16) << 32 | static_cast<u32>(x.z);
        return {x.x, static_cast<Offset>(begin), static_cast<Offset>(before)};
    }
    __device__ void store(int4* at) const {
        const i64 b = begin, f = before;
        *at = make_int4(vertex, static_cast<int>(b), static_cast<int>(f),
                        static_cast<int>(b >> 32 | (f >> 32) << 16));
    }
};

// Rows to expand: a list, or the one row of a source, which nobody has to write down.
template <typename Offset>
struct RowList {
    const int4* rows;
    int count;
    Offset edges;
    int source = -1;
    Offset begin = 0;

    __device__ __forceinline__ QueuedRow<Offset> operator[](int i) const {
        if (i >= count) return {-1, 0, edges};
        return rows ? QueuedRow<Offset>::load(rows + i) : QueuedRow<Offset>{source, begin, 0};
    }
};

template <typename T>
__device__ __forceinline__ T scan_warp(T x) {
    const int lane = threadIdx.x & 31;
#pragma unroll
    for (int d = 1; d < 32; d <<= 1) {
        const T y = __shfl_up_sync(kFull, x, d);
        if (lane >= d) x += y;
    }
    return x;
}

constexpr int kFlight = 4;  // edges in flight a lane

// Edges [at, stop) of the rows that a warp's lanes hold, kFlight a lane, asked for.
template <typename Offset>
struct EdgeBatch {
    int neighbour[kFlight];  // -1: no edge
    int row[kFlight];

    __device__ __forceinline__ EdgeBatch(const QueuedRow<Offset>& mine, Offset at, Offset stop,
                                         const int* indices) {
        const Offset shift = mine.begin - mine.before;
#pragma unroll
        for (int u = 0; u < kFlight; ++u) {
            const Offset edge = at + 32 * u + (threadIdx.x & 31);
            int owner = 0;
#pragma unroll
            for (int step = 16; step; step >>= 1)
                if (__shfl_sync(kFull, mine.before, owner + step) <= edge) owner += step;
            const Offset entry = __shfl_sync(kFull, shift, owner) + edge;
            row[u] = __shfl_sync(kFull, mine.vertex, owner);
            neighbour[u] = -1;
            if (edge < stop) neighbour[u] = __ldg(indices + entry);
        }
    }
};

// Calls visit_edges(neighbours, rows) for every edge, kFlight a lane, by all lanes of a warp
// together; a neighbour of -1 is no edge.  The first `ctas` CTAs share the work.
template <typename Offset, typename Visit>
__device__ __forceinline__ void expand_edges(const RowList<Offset>& list, const int* indices,
                                             int ctas, Visit&& visit_edges) {
    const int lane = threadIdx.x & 31;
    const int warp = (threadIdx.x >> 5) * ctas + blockIdx.x;  // small lists spread over all SMs
    const Offset warps = ctas * kWarps;
    const Offset run = ((list.edges + warps - 1) / warps + 31) & ~Offset{31};
    Offset at = warp * run;
    const Offset end = min(list.edges, static_cast<Offset>(at + run));
    if (at >= end) return;
    int row = 0;  // the last one with no more than `at` edges before it, by 32 probes at a time
    for (int range = list.count; range > 1;) {
        const int step = (range + 31) / 32;
        const int probe = row + lane * step;
        const bool before = lane * step < range && list[probe].before <= at;
        const int skip = (__popc(__ballot_sync(kFull, before)) - 1) * step;
        row += skip;
        range = min(step, range - skip);
    }
    for (; at < end; row += 31) {
        // Lane 31's row only bounds the run of the others.
        const QueuedRow<Offset> mine = list[row + lane];
        const Offset stop = min(end, __shfl_sync(kFull, mine.before, 31));
        if (at >= stop) continue;
        EdgeBatch<Offset> ahead(mine, at, stop, indices);
        while (at < stop) {
            const EdgeBatch<Offset> now = ahead;
            at += 32 * kFlight;
            if (at < stop) ahead = EdgeBatch<Offset>(mine, at, stop, indices);
            visit_edges(now.neighbour, now.row);
        }
        at = stop;
    }
}

// How many times cheaper an edge is that is pushed by bands.
constexpr i64 kBandGain = 4;

// Where rows are listed.  More than `limit` edges are enough to know that the next level pulls and
// needs no list.
struct Sink {
    int4* rows;
    FrontierSize* size;
    int capacity;
    i64 limit;
    int4* hub_rows = nullptr;  // where rows of vertices below `hubs` go
    int hubs = 0;

    __device__ bool fits(u64 queued) const {
        return rows_of(queued) <= capacity && static_cast<i64>(edges_of(queued)) <= limit;
    }
};

__device__ __forceinline__ u64 row_of_length(u64 length) { return (u64{1} << kEdgeBits) + length; }

// Up to K rows of every lane of a warp, on their way into a list.
template <typename Offset, int K>
struct Listing {
    int vertex[K];
    Offset begin[K];
    Offset length[K];  // 0: no row
    int hubs;          // vertices below that go into a list of their own
    u64 own;           // (rows, edges) of this lane
    u64 upto;          // and of it and the lanes below

    __device__ __forceinline__ bool listed(int k, bool hub) const {
        return length[k] > 0 && (vertex[k] < hubs) == hub;
    }
    __device__ __forceinline__ u64 rows(bool hub) const {
        u64 sum = 0;
#pragma unroll
        for (int k = 0; k < K; ++k)
            if (listed(k, hub)) sum += row_of_length(length[k]);
        return sum;
    }
    __device__ __forceinline__ void count(const Sink& sink) {
        hubs = sink.hubs;
        own = rows(false);
        upto = scan_warp(own);
    }

    // Their rows by vertex; all bounds are asked for together.
    __device__ __forceinline__ void look_up(const Offset* indptr, const bool (&active)[K],
                                            const Sink& sink) {
#pragma unroll
        for (int k = 0; k < K; ++k) begin[k] = active[k] ? __ldg(indptr + vertex[k]) : 0;
#pragma unroll
        for (int k = 0; k < K; ++k)
            length[k] = active[k] ? __ldg(indptr + vertex[k] + 1) - begin[k] : 0;
        count(sink);
    }

    // `base`: what the list held before this lane's rows.
    __device__ __forceinline__ void store(int4* to, u64 base, bool hub = false) const {
#pragma unroll
        for (int k = 0; k < K; ++k)
            if (listed(k, hub)) {
                QueuedRow<Offset>{vertex[k], begin[k], static_cast<Offset>(edges_of(base))}.store(
                    to + rows_of(base));
                base += row_of_length(length[k]);
            }
    }

    // With one atomic on `queued`.  False when the list is given up; `unlisted` then says where it
    // ends, since from the first that does not fit on nothing does.
    __device__ __forceinline__ bool append(const Sink& sink, u64* queued,
                                           u64* unlisted = nullptr) const {
        u64 base = 0;
        if ((threadIdx.x & 31) == 31 && upto) base = atomicAdd(queued, upto);
        base = __shfl_sync(kFull, base, 31);
        if (!sink.fits(base + __shfl_sync(kFull, upto, 31))) {
            if (unlisted && (threadIdx.x & 31) == 0) atomicMax(unlisted, ~base);
            return false;
        }
        store(sink.rows, base + upto - own);
        return true;
    }

    // Rows of hubs, of which there is room for all.
    __device__ __forceinline__ bool append_hubs(const Sink& sink, u64* queued) const {
        if (hubs == 0) return true;
        const u64 mine = rows(true);
        if (!__any_sync(kFull, mine != 0)) return true;
        const u64 end = scan_warp(mine);
        u64 base = 0;
        if ((threadIdx.x & 31) == 31) base = atomicAdd(queued, end);
        base = __shfl_sync(kFull, base, 31);
        store(sink.hub_rows, base + end - mine, true);
        return static_cast<i64>(edges_of(base)) <= sink.limit * kBandGain;
    }
};

// The same for one vertex a lane, at once.
template <typename Offset>
__device__ __forceinline__ void enqueue_warp(const Sink& sink, const Offset* indptr, int v,
                                             bool active) {
    Listing<Offset, 1> row;
    row.vertex[0] = v;
    const bool is[1] = {active};
    row.look_up(indptr, is, sink);
    if (!row.append(sink, &sink.size->queued) && (threadIdx.x & 31) == 0) sink.size->overflow = 1;
}
