// How many triangles every vertex is a corner of.
//
// Vertices are ordered by their number of neighbours, then by their own: a row keeps the neighbours
// behind its vertex, of which no row has more than about the root of twice the edges.  A triangle
// is found at its first corner u, as a member of u's kept row and of that of a neighbour v of u,
// and told to all three.  The kept row of u is a hash table in shared memory, to whose slots what
// is found is counted first, so that it takes an atomic of global memory an edge, not one a
// triangle.
//
// Who has few neighbours behind is looked at by one thread, with halvings instead of a table; who
// has some by a warp; all others by a CTA, a table's worth of the row at a time.
//
// The caller guarantees a symmetric pattern with rising columns; loops are passed over.
//
// Chiba, Nishizeki: Arboricity and subgraph listing algorithms (1985), for the order; the tables
// are those of Hu, Guan, Zou: Triangle counting on GPU using fine-grained task distribution (2019)
// and others.
#include "bisect.cuh"
#include "counts.cuh"
#include "grid_barrier.cuh"

using namespace spbfs;

using u64 = unsigned long long;

// Neighbours behind, up to which a thread looks at a vertex alone, or a warp does; not measured.
constexpr int kThreadRow = 4;
constexpr int kWarpRow = 128;
// Slots of the table of a CTA and of those of its warps, which share their memory: half of them at
// most are taken.
constexpr int kWarps = kThreads / kWarp;
constexpr int kCtaBits = 11, kWarpBits = 8;
constexpr int kSlots = 1 << kCtaBits, kWarpSlots = 1 << kWarpBits;
static_assert(2 * kWarpRow == kWarpSlots && kWarpSlots * kWarps == kSlots);
constexpr int kEmpty = -1;

struct TriangleState {
    u32 barrier;
    unsigned listed[2];  // vertices for warps, and for CTAs
    unsigned taken[2];   // ... that somebody is at work on
    unsigned padding[3];
};
// STATE_BYTES of cuda/algorithms/triangles.py.
SHARED_STRUCT(TriangleState, 32, FIELD(barrier, 0));

// Kept rows: where a vertex's begins in `columns` the whole row did, `size` of them are left.
template <typename Offset>
struct KeptRows {
    const Offset* indptr;
    int* columns;
    int* size;

    __device__ int degree(int v) const { return static_cast<int>(indptr[v + 1] - indptr[v]); }
    __device__ bool has(int v, int w) const {
        const i64 first = indptr[v], last = first + size[v] - 1;
        return first <= last && columns[last_not_above(columns, first, last, w)] == w;
    }
};

// A warp a row: the neighbours behind its vertex, in their order.
template <typename Offset>
__device__ void keep(const KeptRows<Offset>& rows, const int* indices, int n) {
    const i64 warps = static_cast<i64>(gridDim.x) * kWarps;
    for (i64 i = thread_of() / kWarp; i < n; i += warps) {
        const int u = static_cast<int>(i), degree = rows.degree(u);
        const i64 begin = rows.indptr[u];
        int kept = 0;
        for (int k = 0; k < degree; k += kWarp) {
            const int at = k + lane_of(), v = at < degree ? indices[begin + at] : u;
            const int its = v == u ? 0 : rows.degree(v);
            const bool behind = v != u && (its > degree || (its == degree && v > u));
            const unsigned all = __ballot_sync(kAll, behind);
            const unsigned before = all & ((1u << lane_of()) - 1);
            if (behind) rows.columns[begin + kept + __popc(before)] = v;
            kept += __popc(all);
        }
        if (lane_of() == 0) rows.size[u] = kept;
    }
}

// All triangles of u by a thread alone.
template <typename Offset>
__device__ void count_alone(const KeptRows<Offset>& rows, int u, int size, u64* triangles) {
    const int* const mine = rows.columns + rows.indptr[u];
    unsigned of_u = 0;
    for (int i = 0; i < size; ++i)
        for (int j = i + 1; j < size; ++j) {
            const int v = mine[i], w = mine[j];
            if (!rows.has(v, w) && !rows.has(w, v)) continue;
            atomicAdd(triangles + v, 1ull);
            atomicAdd(triangles + w, 1ull);
            ++of_u;
        }
    if (of_u != 0) atomicAdd(triangles + u, static_cast<u64>(of_u));
}

// The threads that work on a vertex together.
struct WarpGroup {
    static constexpr int kSize = kWarp;
    __device__ static int rank() { return lane_of(); }
    __device__ static void sync() { __syncwarp(); }
};
struct CtaGroup {
    static constexpr int kSize = kThreads;
    __device__ static int rank() { return threadIdx.x; }
    __device__ static void sync() { __syncthreads(); }
};

// Vertices with a count each, by open addressing; half of the slots at least are empty.
template <class Group, int bits>
struct Table {
    static constexpr int slots = 1 << bits;
    int* keys;
    unsigned* counts;

    __device__ static int slot_of(int w) {
        return static_cast<unsigned>(w) * 2654435761u >> (32 - bits);
    }
    __device__ void fill(const int* members, int count) const {
        for (int i = Group::rank(); i < slots; i += Group::kSize) {
            keys[i] = kEmpty;
            counts[i] = 0;
        }
        Group::sync();
        for (int i = Group::rank(); i < count; i += Group::kSize) {
            int at = slot_of(members[i]);
            while (atomicCAS(keys + at, kEmpty, members[i]) != kEmpty) at = (at + 1) % slots;
        }
        Group::sync();
    }
    // Counts w where it is a member; returns whether it is.
    __device__ bool count(int w) const {
        int at = slot_of(w);
        for (int key; (key = keys[at]) != w; at = (at + 1) % slots)
            if (key == kEmpty) return false;
        atomicAdd(counts + at, 1u);
        return true;
    }
    __device__ void pour(u64* triangles) const {
        Group::sync();
        for (int i = Group::rank(); i < slots; i += Group::kSize)
            if (counts[i] != 0) atomicAdd(triangles + keys[i], static_cast<u64>(counts[i]));
        Group::sync();
    }
};

// All triangles of u by a group, whose warps take its neighbours in turn.
template <class Group, int bits, typename Offset>
__device__ void count_together(const KeptRows<Offset>& rows, int u, const Table<Group, bits>& table,
                               u64* triangles) {
    const int size = rows.size[u];
    const int* const mine = rows.columns + rows.indptr[u];
    u64 of_u = 0;
    constexpr int members = (1 << bits) / 2;
    for (int begin = 0; begin < size; begin += members) {
        table.fill(mine + begin, min(size - begin, members));
        for (int j = Group::rank() / kWarp; j < size; j += Group::kSize / kWarp) {
            const int v = mine[j], its = rows.size[v];
            const int* const others = rows.columns + rows.indptr[v];
            unsigned found = 0;
            for (int k = lane_of(); k < its; k += kWarp) found += table.count(others[k]);
            for (int by = kWarp / 2; by > 0; by /= 2) found += __shfl_down_sync(kAll, found, by);
            if (lane_of() == 0 && found != 0) atomicAdd(triangles + v, static_cast<u64>(found));
            of_u += found;
        }
        table.pour(triangles);
    }
    if (lane_of() == 0 && of_u != 0) atomicAdd(triangles + u, of_u);
}

// `triangles` are zero, `columns` as many as the matrix has, `size` and the lists n each.  0 < n.
template <typename Offset>
__global__ void __launch_bounds__(kThreads, 4)
    triangles(const Offset* __restrict__ indptr, const int* __restrict__ indices, int n,
              int* columns, int* size, int* some, int* many, u64* triangles, TriangleState* state) {
    __shared__ int keys[kSlots];
    __shared__ unsigned counts[kSlots];
    __shared__ unsigned ticket;
    const KeptRows<Offset> rows{indptr, columns, size};
    keep(rows, indices, n);
    grid_barrier(&state->barrier);

    const i64 all = static_cast<i64>(gridDim.x) * kThreads;
    for (i64 i = thread_of(); i < n; i += all) {
        const int u = static_cast<int>(i), its = size[u];
        if (its < 2) continue;
        if (its <= kThreadRow)
            count_alone(rows, u, its, triangles);
        else if (its <= kWarpRow)
            some[atomicAdd(state->listed, 1u)] = u;
        else
            many[atomicAdd(state->listed + 1, 1u)] = u;
    }
    grid_barrier(&state->barrier);

    // The long ones first: who is done with these goes on with the others.
    const unsigned long_ones = __ldcg(state->listed + 1), short_ones = __ldcg(state->listed);
    for (;;) {
        __syncthreads();
        if (threadIdx.x == 0) ticket = atomicAdd(state->taken + 1, 1u);
        __syncthreads();
        if (ticket >= long_ones) break;
        const Table<CtaGroup, kCtaBits> table{keys, counts};
        count_together(rows, __ldcg(many + ticket), table, triangles);
    }
    const int first = kWarpSlots * (threadIdx.x / kWarp);
    for (;;) {
        unsigned mine = 0;
        if (lane_of() == 0) mine = atomicAdd(state->taken, 1u);
        mine = __shfl_sync(kAll, mine, 0);
        if (mine >= short_ones) break;
        const Table<WarpGroup, kWarpBits> table{keys + first, counts + first};
        count_together(rows, __ldcg(some + mine), table, triangles);
    }
}
