// What a pull multiplies, and rows of which a few entries mostly decide the sum.
//
// A warp takes 32 rows.  A lane begins its row alone, since most rows are short or hit early; what
// is left the warp scans together, row after row, until one of its lanes has what decides it.
#pragma once

#include "cuda/operators/semiring_sums.cuh"
#include "cuda/products/hub_elements.cuh"
#include "cuda/rows/row_sums.cuh"

namespace spbfs {

// Entries that a lane scans alone: where the first hit ends a row, waiting for memory is what takes
// time, else lanes had better read side by side (docs/performance-notes-cuda-algebra.md, "four
// entries looked up at once, 32 by a lane alone").
constexpr int kProbedAlone = Semiring::any ? 32 : 8;

// Entries of the matrix and what they are multiplied with.
template <class O, class I, bool full, bool short_rows, bool hubs>
struct Operands {
    using Monoid = Semiring;
    static constexpr bool every = full, reads_row = Semiring::reads_row;
    static constexpr bool alone = short_rows;
    static constexpr bool reads_column = !full || Semiring::reads_second || Semiring::reads_inner;

    const I* indices;  // nullptr: entry p is of column p (sums of consecutive values)
    const Semiring::X* x;
    i64 x_stride;
    const Semiring::Y* y;
    i64 y_stride;
    const unsigned* frontier;  // a bit a vertex; nullptr: all are in it, as where `full`
    HubElements<Semiring::Y, hubs> nearby;

    // A row that is probed is read by one lane, which comes back for the rest of a line.
    template <class T>
    static __device__ T entry(const T* at) {
        if constexpr (Semiring::ends_early) {
            return *at;
        } else {
            return load_once(at);
        }
    }

    // All loads of a kind before the first use of one.
    __device__ unsigned products(const O (&places)[kTogether], const i64 (&rows)[kTogether],
                                 Semiring::Out (&values)[kTogether]) const {
        I columns[kTogether] = {};
        if constexpr (reads_column) {
            if (indices != nullptr)
#pragma unroll
                for (int j = 0; j < kTogether; ++j) columns[j] = entry(indices + places[j]);
            else
#pragma unroll
                for (int j = 0; j < kTogether; ++j) columns[j] = static_cast<I>(places[j]);
        }
        Semiring::X xs[kTogether] = {};
        if constexpr (Semiring::reads_first) {
            if (x_stride != 0)
#pragma unroll
                for (int j = 0; j < kTogether; ++j) xs[j] = entry(x + places[j]);
            else
#pragma unroll
                for (int j = 0; j < kTogether; ++j) xs[j] = *x;
        }
        unsigned there = (1u << kTogether) - 1;
        if constexpr (!full) {
            if (frontier != nullptr) {
                unsigned words[kTogether];
#pragma unroll
                for (int j = 0; j < kTogether; ++j) words[j] = frontier[columns[j] >> 5];
                there = 0;
#pragma unroll
                for (int j = 0; j < kTogether; ++j)
                    there |= (words[j] >> (columns[j] & 31) & 1) << j;
            }
        }
        Semiring::Y ys[kTogether] = {};
        if constexpr (Semiring::reads_second) {
            if (hubs || y_stride != 0)
#pragma unroll
                for (int j = 0; j < kTogether; ++j)
                    // What is not there is not brought from memory either.
                    ys[j] = nearby.of(y, full || (there >> j & 1) != 0 ? columns[j] : 0);
            else
#pragma unroll
                for (int j = 0; j < kTogether; ++j) ys[j] = *y;
        }
#pragma unroll
        for (int j = 0; j < kTogether; ++j)
            values[j] = Semiring::product(xs[j], ys[j], rows[j], columns[j], 0);
        return there;
    }
};

// A warp's 32 rows, of which this lane has `row`; the last may be beyond the end.
template <class In, class Results, class O>
__device__ void probe_rows(const In& in, Results& results, const O* indptr, i64 row, i64 count,
                           const unsigned char* mask, bool complement) {
    O p = 0, end = 0;
    if (row < count && (mask == nullptr || (mask[row] != 0) != complement)) {
        p = indptr[row];
        end = indptr[row + 1];
    }
    const O alone = end - p < kProbedAlone ? end : p + kProbedAlone;
    Sum<Semiring> sum = strided_sum(in, p, alone, row, 0, 1);
    p = sum.finished() ? end : alone;
    bool in_pieces = false;
    if (results.pieces != nullptr && end - p > kLongRow) {
        results.put_aside(row, p, end);
        in_pieces = true;
        p = end;
    }
    for (unsigned waiting = __ballot_sync(kAll, p < end); waiting != 0; waiting &= waiting - 1) {
        const int owner = __ffs(waiting) - 1;
        const O its_end = __shfl_sync(kAll, end, owner);
        const i64 its_row = __shfl_sync(kAll, row, owner);
        Sum<Semiring> part;
        for (O q = __shfl_sync(kAll, p, owner); q < its_end; q += min(its_end - q, O{kWindow})) {
            const O to = q + min(its_end - q, O{kWindow});
            part.add(strided_sum(in, q, to, its_row, lane_of(), kWarp));
            if (__any_sync(kAll, part.finished())) {
                // A finished sum decides all; of the others nothing more is needed.
                if (!part.finished()) part.some = false;
                break;
            }
        }
        part = warp_sum(part);
        const auto value = from_lane(part.value, 0);
        const bool some = from_lane(part.some, 0);
        if (lane_of() == owner && some) sum.add(value);
    }
    if (row >= count) return;
    // The head of a row in pieces is added to them, and counted when the row is complete.
    if (in_pieces)
        results.set(row, sum);
    else
        results.put(row, results.look(row), sum);
}

}  // namespace spbfs
