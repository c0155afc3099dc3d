// Pull: w<m> = M u by rows.  Every row that the mask admits sums the products of its entries whose
// columns are in the frontier.
//
// How rows are read depends on the monoid.  Where one product often decides the sum, as in `any`
// or `lor`, a row is probed until it has (pull_probes.cuh); every other row is read whole, together
// with those beside it (row_sums.cuh).  Either way rows of thousands of entries are cut into pieces
// for the whole grid (`pull_pieces`), so that a hub is nobody's burden alone.
#include "cuda/products/pull_probes.cuh"

using namespace spbfs;

// Rows of which a warp lists those that the mask admits, a tenth of them for a batch of 32.
constexpr int kChunk = 256;

// CTAs for whose registers there is room in a multiprocessor: products under way take most of them.
// Five without spills on 9.0 only.
template <class O, bool hubs>
constexpr int kResident = hubs                                                 ? 1
                          : sizeof(O) == 8 || Semiring::reads_row              ? 3
                          : sizeof(Semiring::Out) != 4 || __CUDA_ARCH__ != 900 ? 4
                                                                               : 5;

// What the rows come to, and the totals that a thread adds to.
template <class O>
struct Results {
    using Row = i64;
    static constexpr int longest = kLongRow;

    unsigned char* present;
    Semiring::Out* values;
    const O* degrees;  // the offsets of the rows that a push of the result would expand, if known
    Totals* totals;
    Piece* pieces;
    unsigned found = 0;
    i64 edges = 0;

    __device__ O look(i64 row) const {
        if (degrees == nullptr || row < 0) return 0;
        return degrees[row + 1] - degrees[row];
    }
    __device__ void put_aside(i64 row, i64 begin, i64 end) {
        list_pieces(pieces, totals, row, begin, end);
    }
    __device__ void set(i64 row, const Sum<Semiring>& sum) {
        present[row] = sum.some;
        if constexpr (!Semiring::pattern)
            if (sum.some) values[row] = sum.value;
    }
    __device__ void put(i64 row, O degree, const Sum<Semiring>& sum) {
        set(row, sum);
        found += sum.some;
        edges += sum.some ? degree : 0;
    }
};

// The rows of a mask, which are listed before they are summed, since most lanes would have none.
template <class In, class O>
__device__ void sum_admitted_rows(const In& in, Window<Semiring::Out>& window, Results<O>& results,
                                  const O* indptr, i64 count, const unsigned char* mask,
                                  bool complement) {
    __shared__ unsigned char lists[kThreads / kWarp][kChunk];
    unsigned char* const list = lists[threadIdx.x / kWarp];
    const i64 all = static_cast<i64>(gridDim.x) * (kThreads / kWarp) * kChunk;
    for (i64 first = thread_of() / kWarp * kChunk; first < count; first += all) {
        const int rows = static_cast<int>(min(count - first, static_cast<i64>(kChunk)));
        bool admitted[kChunk / kWarp];
#pragma unroll
        for (int j = 0; j < kChunk / kWarp; ++j) {
            const int i = j * kWarp + lane_of();
            admitted[j] = (mask[first + min(i, rows - 1)] != 0) != complement;
        }
        int listed = 0;
#pragma unroll
        for (int j = 0; j < kChunk / kWarp; ++j) {
            const int i = j * kWarp + lane_of();
            const bool listing = admitted[j] && i < rows;
            const unsigned its = __ballot_sync(kAll, listing);
            if (listing)
                list[listed + __popc(its & ((1u << lane_of()) - 1))] =
                    static_cast<unsigned char>(i);
            else if (i < rows)
                results.present[first + i] = 0;
            listed += __popc(its);
        }
        __syncwarp();
        for (int i = 0; i < listed; i += kWarp) {
            i64 row = -1;
            O begin = 0, end = 0;
            if (i + lane_of() < listed) {
                row = first + list[i + lane_of()];
                begin = indptr[row], end = indptr[row + 1];
            }
            sum_rows(in, window, results, row, begin, end);
        }
        __syncwarp();
    }
}

template <class O, class I, bool full, bool short_rows, bool hubs>
__global__ void __launch_bounds__(kThreads, (kResident<O, hubs>))
    pull(const O* indptr, const I* indices, const Semiring::X* x, i64 x_stride,
         const Semiring::Y* y, i64 y_stride, const unsigned* frontier, i64 kept, i64 count,
         const unsigned char* mask, i64 complement, unsigned char* present, Semiring::Out* values,
         const O* degrees, Totals* totals, Piece* pieces) {
    const Operands<O, I, full, short_rows, hubs> in{
        indices,
        x,
        x_stride,
        y,
        y_stride,
        frontier,
        keep_hubs<Semiring::Y, hubs>(y, static_cast<int>(kept))};
    Results<O> results{present, values, degrees, totals, pieces};
    if constexpr (Semiring::ends_early) {
        const i64 all = static_cast<i64>(gridDim.x) * kThreads;
        for (i64 row = thread_of(); row - lane_of() < count; row += all)
            probe_rows(in, results, indptr, row, count, mask, complement != 0);
    } else {
        __shared__ Window<Semiring::Out> windows[kThreads / kWarp];
        auto& window = windows[threadIdx.x / kWarp];
        if (hubs || mask == nullptr)
            sum_all_rows(in, window, results, indptr, count, 4, &totals->taken);
        else
            sum_admitted_rows(in, window, results, indptr, count, mask, complement != 0);
    }
    add_to(totals, results.found, results.edges);
}

// What the pieces of a row came to; by a whole warp, complete in lane 0.
__device__ Sum<Semiring> joined(const Piece* pieces, const Semiring::Out* parts,
                                const Piece& piece) {
    Sum<Semiring> mine;
    for (i64 k = piece.first + lane_of(); k < piece.first + piece.count; k += kWarp) {
        // Written by other warps a moment ago: not to be read from a cache.
        if (*static_cast<const volatile int*>(&pieces[k].some) == 0) continue;
        Semiring::Out part{};
        if constexpr (!Semiring::pattern)
            part = *static_cast<const volatile Semiring::Out*>(parts + k);
        mine.add(part);
    }
    return warp_sum(mine);
}

// The pieces of long rows; whoever sums a row's last one puts the row together.
template <class O, class I, bool full, bool short_rows, bool hubs>
__global__ void __launch_bounds__(kThreads, (kResident<O, hubs>))
    pull_pieces(const O* indptr, const I* indices, const Semiring::X* x, i64 x_stride,
                const Semiring::Y* y, i64 y_stride, const unsigned* frontier, i64 kept,
                unsigned char* present, Semiring::Out* values, const O* degrees, Totals* totals,
                Piece* pieces, Semiring::Out* parts) {
    const Operands<O, I, full, short_rows, hubs> in{
        indices,
        x,
        x_stride,
        y,
        y_stride,
        frontier,
        keep_hubs<Semiring::Y, hubs>(y, static_cast<int>(kept))};
    Results<O> results{present, values, degrees, totals, pieces};
    const i64 count = totals->pieces, warps = static_cast<i64>(gridDim.x) * (kThreads / kWarp);
    for (i64 i = thread_of() / kWarp; i < count; i += warps) {
        const Piece piece = pieces[i];
        Sum<Semiring> sum;
        if (!Semiring::ends_early || *static_cast<volatile int*>(&pieces[piece.first].decided) == 0)
            sum = strided_sum(in, static_cast<O>(piece.begin), static_cast<O>(piece.end), piece.at,
                              lane_of(), kWarp);
        sum = warp_sum(sum);
        if (piece.count > 1) {
            bool last = false;
            if (lane_of() == 0) {
                if (sum.some) {
                    if constexpr (!Semiring::pattern) parts[i] = sum.value;
                    pieces[i].some = 1;
                }
                if (sum.finished()) *static_cast<volatile int*>(&pieces[piece.first].decided) = 1;
                __threadfence();
                last = atomicSub(&pieces[piece.first].open, 1) == 1;
                __threadfence();
            }
            __syncwarp();
            if (!__any_sync(kAll, last)) continue;
            sum = joined(pieces, parts, piece);
        }
        if (lane_of() != 0) continue;
        if constexpr (Semiring::ends_early) {
            // What a lane has found at the head of the row.
            if (present[piece.at] != 0) {
                Semiring::Out head{};
                if constexpr (!Semiring::pattern) head = values[piece.at];
                sum.add(head);
            }
        }
        results.put(piece.at, results.look(piece.at), sum);
    }
    add_to(totals, results.found, results.edges);
}
