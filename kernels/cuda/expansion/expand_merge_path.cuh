// Expansion along the merge path of rows and edges: every CTA gets the same share, however long the
// rows are.  After "load-balanced GPU BFS" (work redistribution + neighbour gathering).
//
// The path starts at (row 0, edge 0); a step is an edge of the current row, or the end of the row.
// `Redistributed` cuts it into equal numbers of steps (the search for owners is balanced, the
// gathering is not quite), `Gathered` into equal numbers of edges (the other way round).
#pragma once
#include "cuda/expansion/expand.cuh"

constexpr int kTile = kGather;

// A frontier with the exclusive prefix sums of its degrees.
template <typename Offset>
struct Path {
    const int* queue;
    const Offset* prefix;     // [rows + 1]
    const Offset* shift;      // [rows] position in the CSR minus place in line, of the row's edges
    const Offset* locations;  // [edges] of each edge in line, position and vertex: for Located
    const int* owners;
    i64 rows, edges;
};

// The first i in [low, high) of which `before` is false, `high` where there is none; `before` is
// true up to some i and false from there on.  The whole CTA probes at once: of two million rows the
// third look tells, where halving would take twenty, each waiting for the one before.
template <class Before>
__device__ __forceinline__ i64 first_not(i64 low, i64 high, Before before) {
    while (low < high) {
        const i64 step = (high - low + kCta - 1) / kCta;
        const i64 i = low + threadIdx.x * step;
        const int passed = __syncthreads_count(i < high && before(i));
        high = min(high, low + passed * step);
        if (passed) low += (passed - 1) * step + 1;
    }
    return low;
}

// Whether the end of row `a` is among the first k steps.
template <typename Offset>
__device__ __forceinline__ bool ends_before(const Offset* prefix, i64 a, i64 k) {
    return static_cast<i64>(prefix[a + 1]) <= k - 1 - a;
}

// Walk the path from (a0, b0) to (a1, b1), whose edges are kTile at most, and visit them.
template <typename Offset, class Visit>
__device__ __forceinline__ void expand_section(const Path<Offset>& path, i64 a0, i64 b0, i64 a1,
                                               i64 b1, ExpandShared<Offset>& shared, Visit& visit) {
    const i64 end = a1 + b1, each = (end - a0 - b0 + kCta - 1) / kCta;
    i64 k = min(a0 + b0 + threadIdx.x * each, end);
    const i64 stop = min(k + each, end);
    i64 a = max(a0, k - b1);
    for (i64 high = min(a1, k - b0); a < high;) {
        const i64 middle = (a + high) / 2;
        if (ends_before(path.prefix, middle, k))
            a = middle + 1;
        else
            high = middle;
    }
    for (; k < stop; ++k) {
        const i64 b = k - a;
        if (b < static_cast<i64>(path.prefix[a + 1]))
            shared.owner[b - b0] = static_cast<int>(a);
        else
            ++a;
    }
    __syncthreads();
    const int filled = static_cast<int>(b1 - b0);
    for (int done = 0; done < filled; done += kCta) {
        const int i = done + static_cast<int>(threadIdx.x);
        Edge<Offset> edge{};
        if (i < filled) {
            const int row = shared.owner[i];
            edge = {static_cast<Offset>(path.shift[row] + b0 + i), b0 + i, path.queue[row]};
        }
        visit(edge, i < filled);
    }
    __syncthreads();
}

// A CTA takes sections that follow one another: where one ends the next begins.
struct Redistributed {
    static constexpr bool kPath = true;
    template <typename Offset, class Visit>
    __device__ __forceinline__ static void expand(const Path<Offset>& path,
                                                  ExpandShared<Offset>& shared, Visit& visit) {
        const i64 steps = path.rows + path.edges;
        const i64 each = ((steps + kTile - 1) / kTile + gridDim.x - 1) / gridDim.x * kTile;
        i64 k = min(blockIdx.x * each, steps);
        const i64 stop = min(k + each, steps);
        i64 a = first_not(max(0ll, k - path.edges), min(k, path.rows),
                          [&](i64 i) { return ends_before(path.prefix, i, k); });
        while (k < stop) {
            const i64 next = min(k + kTile, stop);
            const i64 end = first_not(max(a, next - path.edges), min(a + kTile, path.rows),
                                      [&](i64 i) { return ends_before(path.prefix, i, next); });
            expand_section(path, a, k - a, end, next - end, shared, visit);
            k = next;
            a = end;
        }
    }
};

struct Gathered {
    static constexpr bool kPath = true;
    template <typename Offset, class Visit>
    __device__ __forceinline__ static void expand(const Path<Offset>& path,
                                                  ExpandShared<Offset>& shared, Visit& visit) {
        const i64 each = ((path.edges + kTile - 1) / kTile + gridDim.x - 1) / gridDim.x * kTile;
        i64 b = min(blockIdx.x * each, path.edges);
        const i64 stop = min(b + each, path.edges);
        // The row that has edge i of the line, if it is `low` or later.
        const auto row_of = [&](i64 i, i64 low) {
            return first_not(low, path.rows,
                             [&](i64 row) { return static_cast<i64>(path.prefix[row + 1]) <= i; });
        };
        for (i64 a = b < stop ? row_of(b, 0) : 0; b < stop;) {
            const i64 next = min(b + kTile, stop), end = row_of(next - 1, a);
            expand_section(path, a, b, end, next, shared, visit);
            b = next;
            a = end;
        }
    }
};

// What a kernel before this one has written down of every edge: gathering alone.
struct Located {
    static constexpr bool kPath = true;
    template <typename Offset, class Visit>
    __device__ __forceinline__ static void expand(const Path<Offset>& path, ExpandShared<Offset>&,
                                                  Visit& visit) {
        for (i64 first = static_cast<i64>(blockIdx.x) * kCta; first < path.edges;
             first += static_cast<i64>(gridDim.x) * kCta) {
            const i64 i = first + threadIdx.x;
            Edge<Offset> edge{};
            if (i < path.edges) edge = {path.locations[i], i, path.owners[i]};
            visit(edge, i < path.edges);
        }
    }
};

// Sums of the degrees of equal runs of the queue, one a CTA: the first half of a prefix sum.
template <typename Offset>
__device__ __forceinline__ void sum_degrees(const int* queue, i64 rows, const Offset* indptr,
                                            i64* sums, ExpandShared<Offset>& shared) {
    const i64 each = (rows + gridDim.x - 1) / gridDim.x;
    const i64 first = each * blockIdx.x, last = min(first + each, rows);
    i64 sum = 0;
    for (i64 i = first + threadIdx.x; i < last; i += kCta) {
        const int v = queue[i];
        sum += indptr[v + 1] - indptr[v];
    }
    i64 total;
    exclusive_sum(sum, shared.warp_sums, total);
    if (threadIdx.x == 0) sums[blockIdx.x] = total;
}

// The second half, by a grid of the same size.
template <typename Offset>
__device__ __forceinline__ void place_rows(const int* queue, i64 rows, const Offset* indptr,
                                           const i64* sums, Offset* prefix, Offset* shift,
                                           ExpandShared<Offset>& shared) {
    const i64 each = (rows + gridDim.x - 1) / gridDim.x;
    const i64 first = each * blockIdx.x, last = min(first + each, rows);
    i64 before = 0, base;
    for (int c = threadIdx.x; c < static_cast<int>(blockIdx.x); c += kCta) before += sums[c];
    exclusive_sum(before, shared.warp_sums, base);
    for (i64 tile = first; tile < last; tile += kCta) {
        const i64 i = tile + threadIdx.x;
        Row<Offset> row{};
        if (i < last) row = load_row(indptr, queue[i]);
        i64 total;
        const i64 place = base + exclusive_sum(row.degree, shared.warp_sums, total);
        if (i < last) {
            prefix[i + 1] = static_cast<Offset>(place + row.degree);
            shift[i] = static_cast<Offset>(row.begin - place);
        }
        base += total;
    }
    if (blockIdx.x == 0 && threadIdx.x == 0) prefix[0] = 0;
}
