// Pull: w<m> = M u by rows.  Every row that the mask admits scans its entries for members of the
// frontier and stops where the monoid cannot change any more, at the first hit for `any`.
//
// A warp takes 32 rows.  A lane begins its row alone, since most rows are short or hit early; what
// is left the warp scans together, row after row; rows of thousands of entries are cut into pieces
// for the whole grid (`pull_pieces`), so that a hub is nobody's burden alone.
#include "semiring_sums.cuh"

using namespace spbfs;

// Entries that a lane scans alone, and how many of them it looks up at once: where the first hit
// ends a row, waiting for memory is what takes time, else lanes had better read side by side
// (docs/performance-notes-cuda-algebra.md, "four entries looked up at once, 32 by a lane alone").
constexpr int kAlone = Semiring::any ? 32 : 8;
constexpr int kAtOnce = 4;

template <class O, class I>
struct Rows {
    const O* indptr;
    const I* indices;  // nullptr: entry p is of column p (sums of consecutive values)
    const Semiring::X* x;
    i64 x_stride;
    const Semiring::Y* y;
    i64 y_stride;
    const unsigned* frontier;  // a bit a vertex; nullptr: all are in it

    __device__ i64 column(i64 p) const {
        return indices == nullptr ? p : static_cast<i64>(indices[p]);
    }

    __device__ bool has(i64 k) const {
        return frontier == nullptr || (frontier[k / 32] >> (k % 32) & 1);
    }

    __device__ void add(Sum<Semiring>& sum, i64 p, i64 k, i64 row) const {
        Semiring::X a{};
        Semiring::Y b{};
        if constexpr (Semiring::reads_first) a = x[p * x_stride];
        if constexpr (Semiring::reads_second) b = y[k * y_stride];
        sum.add(Semiring::product(a, b, row, k, 0));
    }

    __device__ void scan(Sum<Semiring>& sum, i64 p, i64 row) const {
        const i64 k = column(p);
        if (has(k)) add(sum, p, k, row);
    }

    // Entries [p, end) in order, kAtOnce at a time, until the sum is finished.
    __device__ i64 scan_alone(Sum<Semiring>& sum, i64 p, i64 end, i64 row) const {
        for (; p < end && !sum.finished(); p += kAtOnce) {
            i64 columns[kAtOnce];
            bool hits[kAtOnce];
#pragma unroll
            for (int j = 0; j < kAtOnce; ++j) columns[j] = p + j < end ? column(p + j) : -1;
#pragma unroll
            for (int j = 0; j < kAtOnce; ++j) hits[j] = columns[j] >= 0 && has(columns[j]);
#pragma unroll
            for (int j = 0; j < kAtOnce; ++j)
                if (hits[j] && !sum.finished()) add(sum, p + j, columns[j], row);
        }
        return p < end ? p : end;
    }
};

// One result, and what it adds to the totals.
template <class D>
__device__ i64 put(unsigned char* present, Semiring::Out* values, const D* degrees, i64 row,
                   const Sum<Semiring>& sum) {
    present[row] = sum.some;
    if (!sum.some) return 0;
    if constexpr (!Semiring::pattern) values[row] = sum.value;
    return degrees == nullptr ? 0 : static_cast<i64>(degrees[row + 1] - degrees[row]);
}

// A warp's 32 rows, of which this lane has `row`; the last may be beyond the end.
template <class O, class I>
__device__ void pull_rows(const Rows<O, I>& M, const O* indptr, i64 row, i64 count,
                          const unsigned char* mask, bool complement, unsigned char* present,
                          Semiring::Out* values, const O* degrees, Totals* totals, Piece* pieces,
                          i64& found, i64& edges) {
    i64 p = 0, end = 0;
    const bool wanted = row < count;
    if (wanted && (mask == nullptr || (mask[row] != 0) != complement)) {
        p = indptr[row];
        end = indptr[row + 1];
    }
    Sum<Semiring> sum;
    p = M.scan_alone(sum, p, p + kAlone < end ? p + kAlone : end, row);
    if (sum.finished()) p = end;
    bool in_pieces = false;
    if (pieces != nullptr && end - p > kLongRow) {
        list_pieces(pieces, totals, row, p, end);
        in_pieces = true;
        p = end;
    }
    for (unsigned waiting = __ballot_sync(kAll, p < end); waiting != 0; waiting &= waiting - 1) {
        const int owner = __ffs(waiting) - 1;
        const i64 row_end = __shfl_sync(kAll, end, owner), its_row = __shfl_sync(kAll, row, owner);
        Sum<Semiring> part;
        for (i64 q = __shfl_sync(kAll, p, owner); q < row_end; q += kWarp) {
            if (q + lane_of() < row_end && !part.finished()) M.scan(part, q + lane_of(), its_row);
            if (__any_sync(kAll, part.finished())) {
                // A finished sum decides all; of the others nothing more is needed.
                if (!part.finished()) part.some = false;
                break;
            }
        }
        part = warp_sum(part);
        const auto value = __shfl_sync(kAll, part.value, 0);
        const bool some = __shfl_sync(kAll, part.some, 0);
        if (lane_of() == owner && some) sum.add(value);
    }
    if (!wanted) return;
    const i64 its_edges = put(present, values, degrees, row, sum);
    // Rows left behind are counted when they are complete.
    if (in_pieces) return;
    found += sum.some;
    edges += its_edges;
}

// `degrees` are the offsets of the rows that a push of the result would expand.
template <class O, class I>
__global__ void __launch_bounds__(kThreads)
    pull(const O* indptr, const I* indices, const Semiring::X* x, i64 x_stride,
         const Semiring::Y* y, i64 y_stride, const unsigned* frontier, i64 count,
         const unsigned char* mask, i64 complement, unsigned char* present, Semiring::Out* values,
         const O* degrees, Totals* totals, Piece* pieces) {
    const Rows<O, I> M{indptr, indices, x, x_stride, y, y_stride, frontier};
    const i64 all = static_cast<i64>(gridDim.x) * kThreads;
    i64 found = 0, edges = 0;
    for (i64 row = thread_of(); row - lane_of() < count; row += all)
        pull_rows(M, indptr, row, count, mask, complement != 0, present, values, degrees, totals,
                  pieces, found, edges);
    add_to(totals, found, edges);
}

// What a lane found at the head of a long row and what its pieces came to; by a whole CTA, complete
// in thread 0.
__device__ Sum<Semiring> whole(const Piece* pieces, const Semiring::Out* parts, const Piece& first,
                               i64 at, const unsigned char* present, const Semiring::Out* values) {
    Sum<Semiring> mine;
    if (threadIdx.x == 0 && present[first.at]) {
        mine.some = true;
        if constexpr (!Semiring::pattern) mine.value = values[first.at];
    }
    for (i64 k = at + threadIdx.x; k < at + first.count; k += kThreads) {
        // Written by other CTAs a moment ago: not to be read from a cache.
        if (*static_cast<const volatile int*>(&pieces[k].some) == 0) continue;
        Semiring::Out part{};
        if constexpr (!Semiring::pattern)
            part = *static_cast<const volatile Semiring::Out*>(parts + k);
        mine.add(part);
    }
    return block_sum(mine);
}

// The pieces of long rows; whoever sums a row's last one puts the row together.
template <class O, class I>
__global__ void __launch_bounds__(kThreads)
    pull_pieces(const O* indptr, const I* indices, const Semiring::X* x, i64 x_stride,
                const Semiring::Y* y, i64 y_stride, const unsigned* frontier,
                unsigned char* present, Semiring::Out* values, const O* degrees, Totals* totals,
                Piece* pieces, Semiring::Out* parts) {
    const Rows<O, I> M{indptr, indices, x, x_stride, y, y_stride, frontier};
    __shared__ bool last;
    const i64 count = static_cast<i64>(totals->pieces);
    for (i64 i = blockIdx.x; i < count; i += gridDim.x) {
        const i64 row = pieces[i].at, first = pieces[i].first;
        Sum<Semiring> sum;
        if (*static_cast<volatile int*>(&pieces[first].decided) == 0)
            for (i64 p = pieces[i].begin + threadIdx.x; p < pieces[i].end && !sum.finished();
                 p += kThreads)
                M.scan(sum, p, row);
        sum = block_sum(sum);
        if (threadIdx.x == 0) {
            if (sum.some) {
                if constexpr (!Semiring::pattern) parts[i] = sum.value;
                pieces[i].some = 1;
            }
            if (sum.finished()) *static_cast<volatile int*>(&pieces[first].decided) = 1;
            __threadfence();
            last = atomicSub(&pieces[first].open, 1) == 1;
            __threadfence();
        }
        __syncthreads();
        if (last) {
            const Sum<Semiring> total = whole(pieces, parts, pieces[first], first, present, values);
            if (threadIdx.x == 0) {
                const i64 edges = put(present, values, degrees, row, total);
                if (total.some) {
                    atomicAdd(&totals->found, 1ull);
                    atomicAdd(&totals->edges, static_cast<unsigned long long>(edges));
                }
            }
        }
        __syncthreads();
    }
}
