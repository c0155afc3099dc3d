// Pull: w<m> = M u by rows.  Every row that the mask admits scans its entries for members of the
// frontier and stops where the monoid cannot change any more, at the first hit for `any`.
//
// A warp takes 32 rows.  A lane begins its row alone, since most rows are short or hit early; what
// is left the warp scans together, row after row; rows of thousands of entries are cut into pieces
// for the whole grid (`pull_pieces`), so that a hub is nobody's burden alone.
#include "ring.cuh"

using namespace spbfs;

// Entries that a lane scans alone.
constexpr int kAlone = 8;

template <class O, class I>
struct Rows {
    const O* indptr;
    const I* indices;  // nullptr: entry p is of column p (sums of consecutive values)
    const Ring::X* x;
    i64 x_stride;
    const Ring::Y* y;
    i64 y_stride;
    const unsigned* frontier;  // a bit a vertex; nullptr: all are in it

    __device__ void scan(Sum<Ring>& sum, i64 p, i64 row) const {
        const i64 k = indices == nullptr ? p : static_cast<i64>(indices[p]);
        if (frontier != nullptr && !(frontier[k / 32] >> (k % 32) & 1)) return;
        Ring::X a{};
        Ring::Y b{};
        if constexpr (Ring::reads_first) a = x[p * x_stride];
        if constexpr (Ring::reads_second) b = y[k * y_stride];
        sum.add(Ring::product(a, b, row, k, 0));
    }
};

// One result, and what it adds to the totals.
template <class D>
__device__ i64 put(unsigned char* present, Ring::Out* values, const D* degrees, i64 row,
                   const Sum<Ring>& sum) {
    present[row] = sum.some;
    if (!sum.some) return 0;
    if constexpr (!Ring::pattern) values[row] = sum.value;
    return degrees == nullptr ? 0 : static_cast<i64>(degrees[row + 1] - degrees[row]);
}

// `degrees` are the offsets of the rows that a push of the result would expand.
template <class O, class I>
__global__ void __launch_bounds__(kThreads)
    pull(const O* indptr, const I* indices, const Ring::X* x, i64 x_stride, const Ring::Y* y,
         i64 y_stride, const unsigned* frontier, i64 count, const unsigned char* mask,
         i64 complement, unsigned char* present, Ring::Out* values, const O* degrees,
         Totals* totals, Piece* pieces) {
    const Rows<O, I> M{indptr, indices, x, x_stride, y, y_stride, frontier};
    const i64 row = thread_of();
    i64 p = 0, end = 0;
    const bool wanted = row < count;
    if (wanted) {
        if (mask == nullptr || (mask[row] != 0) != (complement != 0)) {
            p = indptr[row];
            end = indptr[row + 1];
        }
    }
    Sum<Ring> sum;
    for (const i64 stop = p + kAlone < end ? p + kAlone : end; p < stop && !sum.finished(); ++p)
        M.scan(sum, p, row);
    if (sum.finished()) p = end;
    bool left_behind = false;
    if (pieces != nullptr && end - p > kLongRow) {
        leave(pieces, totals, row, p, end);
        left_behind = true;
        p = end;
    }
    for (unsigned waiting = __ballot_sync(kAll, p < end); waiting != 0; waiting &= waiting - 1) {
        const int owner = __ffs(waiting) - 1;
        const i64 row_end = __shfl_sync(kAll, end, owner), its_row = __shfl_sync(kAll, row, owner);
        Sum<Ring> part;
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
    i64 edges = 0, found = 0;
    if (wanted) {
        edges = put(present, values, degrees, row, sum);
        found = sum.some;
        // Rows left behind are counted when they are complete.
        if (left_behind) edges = found = 0;
    }
    if (totals != nullptr) {
        add_to(&totals->found, found);
        add_to(&totals->edges, edges);
    }
}

// What a lane found at the head of a long row and what its pieces came to; by a whole CTA, complete
// in thread 0.
__device__ Sum<Ring> whole(const Piece* pieces, const Ring::Out* parts, const Piece& first, i64 at,
                           const unsigned char* present, const Ring::Out* values) {
    Sum<Ring> mine;
    if (threadIdx.x == 0 && present[first.at]) {
        mine.some = true;
        if constexpr (!Ring::pattern) mine.value = values[first.at];
    }
    for (i64 k = at + threadIdx.x; k < at + first.count; k += kThreads) {
        // Written by other CTAs a moment ago: not to be read from a cache.
        if (*static_cast<const volatile int*>(&pieces[k].some) == 0) continue;
        Ring::Out part{};
        if constexpr (!Ring::pattern) part = *static_cast<const volatile Ring::Out*>(parts + k);
        mine.add(part);
    }
    return block_sum(mine);
}

// The pieces of long rows; whoever sums a row's last one puts the row together.
template <class O, class I>
__global__ void __launch_bounds__(kThreads)
    pull_pieces(const O* indptr, const I* indices, const Ring::X* x, i64 x_stride, const Ring::Y* y,
                i64 y_stride, const unsigned* frontier, unsigned char* present, Ring::Out* values,
                const O* degrees, Totals* totals, Piece* pieces, Ring::Out* parts) {
    const Rows<O, I> M{indptr, indices, x, x_stride, y, y_stride, frontier};
    __shared__ bool last;
    const i64 count = static_cast<i64>(totals->pieces);
    for (i64 i = blockIdx.x; i < count; i += gridDim.x) {
        const i64 row = pieces[i].at, first = pieces[i].first;
        Sum<Ring> sum;
        if (*static_cast<volatile int*>(&pieces[first].decided) == 0)
            for (i64 p = pieces[i].begin + threadIdx.x; p < pieces[i].end && !sum.finished();
                 p += kThreads)
                M.scan(sum, p, row);
        sum = block_sum(sum);
        if (threadIdx.x == 0) {
            if (sum.some) {
                if constexpr (!Ring::pattern) parts[i] = sum.value;
                pieces[i].some = 1;
            }
            if (sum.finished()) *static_cast<volatile int*>(&pieces[first].decided) = 1;
            __threadfence();
            last = atomicSub(&pieces[first].open, 1) == 1;
            __threadfence();
        }
        __syncthreads();
        if (last) {
            const Sum<Ring> total = whole(pieces, parts, pieces[first], first, present, values);
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
