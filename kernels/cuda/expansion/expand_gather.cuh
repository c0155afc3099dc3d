// Who walks which row of a tile: the three ways to gather the edges of the rows that the threads of
// a CTA bring, one row a thread.
#pragma once

using u32 = unsigned int;
using u64 = unsigned long long;
using i64 = long long;

// Threads of a CTA, and edges of a tile that `Scan` names at a time: the sizes of the papers,
// compared in docs/performance-notes-expansion.md.
constexpr int kCta = 256;
constexpr int kWarps = kCta / 32;
constexpr int kGather = 8 * kCta;
constexpr u32 kAll = 0xffffffffu;

// A row of the frontier; degree 0 where a thread brings none.
template <typename Offset>
struct Row {
    Offset begin;
    i64 slot;  // of its first edge, where the visitor has slots
    int vertex;
    int degree;
};

template <typename Offset>
struct Edge {
    Offset position;  // in the CSR's indices
    i64 slot;
    int parent;
};

// What a CTA shares while it expands.
template <typename Offset>
struct ExpandShared {
    Row<Offset> rows[kCta];
    i64 rank[kCta];
    i64 warp_sums[kWarps];
    i64 base;
    int owner[kGather];  // of each edge in line: the thread or row that has it
    int winner;
    int lanes;  // over which rows are spread for `Suited`; 0 where they are not
};

template <typename Offset>
__device__ __forceinline__ Row<Offset> load_row(const Offset* indptr, int vertex) {
    const Offset begin = indptr[vertex];
    return {begin, 0, vertex, static_cast<int>(indptr[vertex + 1] - begin)};
}

template <typename Offset>
__device__ __forceinline__ Edge<Offset> edge_of(const Row<Offset>& row, int j) {
    return {static_cast<Offset>(row.begin + j), row.slot + j, row.vertex};
}

// Sum over the threads before this one; `total` is that of the CTA.
__device__ __forceinline__ i64 exclusive_sum(i64 value, i64* warp_sums, i64& total) {
    const int lane = threadIdx.x & 31, warp = threadIdx.x / 32;
    i64 sum = value;
#pragma unroll
    for (int reach = 1; reach < 32; reach *= 2) {
        const i64 other = __shfl_up_sync(kAll, sum, reach);
        if (lane >= reach) sum += other;
    }
    if (lane == 31) warp_sums[warp] = sum;
    __syncthreads();
    i64 before = 0;
    total = 0;
#pragma unroll
    for (int w = 0; w < kWarps; ++w) {
        if (w == warp) before = total;
        total += warp_sums[w];
    }
    __syncthreads();
    return before + sum - value;
}

// Every group of W lanes walks the rows of its own lanes, one after another.  All groups of a warp
// start a row together, so that one waits for the longest: what Cheng et al. call inter-group
// underutilisation.
template <typename Offset, class Visit>
__device__ __forceinline__ void gather_by_groups(int W, const Row<Offset>& row, int at_least,
                                                 Visit& visit) {
    const int lane = threadIdx.x & 31, member = lane % W, first = lane - member;
    u32 waiting = __ballot_sync(kAll, row.degree >= at_least) >> first;
    if (W < 32) waiting &= (1u << (W & 31)) - 1;
    if constexpr (Visit::kCounts) visit.width = W;
    while (__any_sync(kAll, waiting != 0)) {
        const int from = first + (waiting ? __ffs(waiting) - 1 : member);
        Row<Offset> taken = row;
        taken.begin = __shfl_sync(kAll, row.begin, from);
        taken.vertex = __shfl_sync(kAll, row.vertex, from);
        taken.degree = __shfl_sync(kAll, row.degree, from);
        if (Visit::kSlots) taken.slot = __shfl_sync(kAll, row.slot, from);
        if (!waiting) taken.degree = 0;
        for (int done = 0; __any_sync(kAll, done < taken.degree); done += W)
            visit(edge_of(taken, done + member), done + member < taken.degree);
        waiting &= waiting - 1;
    }
    if constexpr (Visit::kCounts) visit.width = 32;
}

// The whole CTA walks one row at a time; threads vie for it.
template <typename Offset, class Visit>
__device__ __forceinline__ void gather_by_cta(const Row<Offset>& row, int at_least,
                                              ExpandShared<Offset>& shared, Visit& visit) {
    bool waiting = row.degree >= at_least;
    while (__syncthreads_or(waiting)) {
        if (waiting) atomicExch(&shared.winner, static_cast<int>(threadIdx.x));
        __syncthreads();
        if (waiting && shared.winner == static_cast<int>(threadIdx.x)) {
            shared.rows[0] = row;
            waiting = false;
        }
        __syncthreads();
        const Row<Offset> taken = shared.rows[0];
        for (int done = 0; done < taken.degree; done += kCta) {
            const int j = done + static_cast<int>(threadIdx.x);
            visit(edge_of(taken, j), j < taken.degree);
        }
    }
}

// All edges of the tile in one line, of which every thread takes its share.  A thread names its own
// edges one by one: rows much longer than others stall the CTA there, as the paper found.
template <typename Offset, class Visit>
__device__ __forceinline__ void gather_by_scan(const Row<Offset>& row, ExpandShared<Offset>& shared,
                                               Visit& visit) {
    i64 total;
    const i64 rank = exclusive_sum(row.degree, shared.warp_sums, total);
    shared.rows[threadIdx.x] = row;
    shared.rank[threadIdx.x] = rank;
    for (i64 base = 0; base < total; base += kGather) {
        const i64 from = max(rank, base), to = min(rank + row.degree, base + kGather);
        for (i64 i = from; i < to; ++i) shared.owner[i - base] = threadIdx.x;
        __syncthreads();
        const int filled = static_cast<int>(min(total - base, static_cast<i64>(kGather)));
        for (int done = 0; done < filled; done += kCta) {
            const int i = done + static_cast<int>(threadIdx.x);
            const int owner = i < filled ? shared.owner[i] : 0;
            visit(edge_of(shared.rows[owner], static_cast<int>(base + i - shared.rank[owner])),
                  i < filled);
        }
        __syncthreads();
    }
}
