// Sums of the rows of a warp, whose entries are read as one stream.
//
// The entries of 32 rows, a lane's each, mostly lie one behind the other.  They are taken a window
// at a time: every lane asks for kTogether of them before it uses the first, so that a warp waits
// for memory twice a window and not twice an entry, whatever the lengths of rows.  Products go to
// shared memory, where each row is summed: by its lane where all parts are short, else all of them
// at once, as a prefix sum that begins anew with a row.  Where all rows of a matrix are short there
// is nothing to share out: every lane reads its own, whose lines are its neighbours'.
//
// What is summed is a policy:
//
//     Monoid                            Out, sum(a, b), done(a)
//     every                             every entry has a product
//     alone                             rows are so short that each is left to its lane; only where
//                                       `every`
//     reads_row                         products depend on their row
//     products(places, rows, values)    those of kTogether entries; a bit for each that there is
#pragma once

#include "cuda/memory/cache_hints.cuh"
#include "cuda/operators/monoid_sums.cuh"

namespace spbfs {

// Entries that a lane asks for at once, and those of a warp's window.
constexpr int kTogether = 4;
constexpr int kWindow = kWarp * kTogether;
// Entries of a row in a window that its lane sums alone: all rows together take the warp as long.
constexpr int kShort = 8;

// A warp's shared memory.
template <class Value>
struct Window {
    alignas(16) Value values[kWindow];
    unsigned there[kTogether];  // which of them there are, a bit each
    unsigned marks[kWarp];      // a byte each: where a row begins, then what has a sum
    int starts[kWarp];          // of the lanes' rows in the stream
};

// Every value of the window summed with those before it of the same row; `from` is where this
// lane's row begins in the window, if some of it lies there.
template <class Monoid, bool every>
__device__ void sum_upto(Window<typename Monoid::Out>& window, bool some, int from) {
    struct alignas(sizeof(typename Monoid::Out) * kTogether > 16
                       ? 16
                       : sizeof(typename Monoid::Out) * kTogether) Values {
        typename Monoid::Out at[kTogether];
    };
    const int lane = lane_of();
    window.marks[lane] = 0;
    __syncwarp();
    if (some) reinterpret_cast<unsigned char*>(window.marks)[from] = 1;
    __syncwarp();
    // A lane has kTogether values that follow each other.
    const unsigned begins = window.marks[lane];
    Values& mine = reinterpret_cast<Values*>(window.values)[lane];
    const Values values = mine;
    Sum<Monoid> upto[kTogether];
#pragma unroll
    for (int j = 0; j < kTogether; ++j) {
        const int i = lane * kTogether + j;
        upto[j].value = values.at[j];
        upto[j].some = every || (window.there[i / kWarp] >> i % kWarp & 1) != 0;
        if (j > 0 && (begins >> 8 * j & 1) == 0) {
            Sum<Monoid> both = upto[j - 1];
            both.add(upto[j]);
            upto[j] = both;
        }
    }
    // Then with what the lanes before it have of the row that its last value is of.
    const unsigned lanes = __ballot_sync(kAll, begins != 0) & (2u << lane) - 1;
    const int before = lanes != 0 ? lane + 1 - kWarp + __clz(lanes) : lane;
    Sum<Monoid> sum = upto[kTogether - 1];
    for (int by = 1; by < kWarp; by *= 2) {
        Sum<Monoid> both;
        both.value = shuffle_up(sum.value, by);
        both.some = every || __shfl_up_sync(kAll, static_cast<int>(sum.some), by) != 0;
        if (before < by) continue;
        both.add(sum);
        sum = both;
    }
    Sum<Monoid> carried;
    carried.value = shuffle_up(sum.value, 1);
    carried.some = every || __shfl_up_sync(kAll, static_cast<int>(sum.some), 1) != 0;
    Values sums;
    unsigned there = 0;
    bool goes_on = lane > 0;
#pragma unroll
    for (int j = 0; j < kTogether; ++j) {
        goes_on = goes_on && (begins >> 8 * j & 1) == 0;
        if (goes_on) {
            Sum<Monoid> both = carried;
            both.add(upto[j]);
            upto[j] = both;
        }
        sums.at[j] = upto[j].value;
        there |= static_cast<unsigned>(upto[j].some) << 8 * j;
    }
    mine = sums;
    if constexpr (!every) window.marks[lane] = there;
    __syncwarp();
}

// This lane's row summed by the lane alone: `length` entries from `begin` on.
template <class Products, class Offset, class Row>
__device__ auto lane_sum(const Products& in, Row row, Offset begin, int length) {
    Sum<typename Products::Monoid> sum;
    const unsigned filled = __ballot_sync(kAll, length > 0);
    if (filled == 0) return sum;
    // Lanes without an entry ask for another lane's, for nothing: a load under a condition would be
    // waited for at once.
    const Offset others = __shfl_sync(kAll, begin, __ffs(filled) - 1);
    const Offset from = length > 0 ? begin : others;
    int at = 0;
    do {
        Offset places[kTogether];
        Row rows[kTogether];
#pragma unroll
        for (int j = 0; j < kTogether; ++j) {
            places[j] = from + (at + j < length ? at + j : 0);
            rows[j] = row;
        }
        typename Products::Monoid::Out values[kTogether];
        in.products(places, rows, values);
#pragma unroll
        for (int j = 0; j < kTogether; ++j)
            if (at + j < length) sum.add(values[j]);
        at += kTogether;
    } while (__any_sync(kAll, at < length));
    return sum;
}

// This lane's row summed: `length` entries from `begin` on.
template <class Products, class Offset, class Row>
__device__ auto window_sum(const Products& in, Window<typename Products::Monoid::Out>& window,
                           Row row, Offset begin, int length) {
    Sum<typename Products::Monoid> sum;
    int start = length;
    for (int by = 1; by < kWarp; by *= 2) {
        const int before = __shfl_up_sync(kAll, start, by);
        if (lane_of() >= by) start += before;
    }
    int end = __shfl_sync(kAll, start, kWarp - 1);
    if (end == 0) return sum;
    start -= length;
    // From a place in the stream to one in the matrix: mostly as far for all rows.
    Offset shift = begin - start;
    const int filled = __ffs(__ballot_sync(kAll, length > 0)) - 1;
    const Offset base = __shfl_sync(kAll, shift, filled);
    const bool joined = __all_sync(kAll, length == 0 || shift == base);
    if (joined) {
        // Windows begin where a line of the cache does; what is before the first row is nobody's.
        const int before = static_cast<int>(base % kWarp);
        shift = base - before, start += before, end += before;
    }
    const bool asks_owners = Products::reads_row || !joined;
    if (asks_owners) {
        window.starts[lane_of()] = start;
        __syncwarp();
    }
    for (int at = 0; at < end; at += kWindow) {
        Offset places[kTogether];
        Row rows[kTogether];
        int entries[kTogether], owners[kTogether] = {};
#pragma unroll
        for (int j = 0; j < kTogether; ++j) {
            entries[j] = min(end - 1, at + j * kWarp + lane_of());
            places[j] = shift + entries[j];
            rows[j] = row;
        }
        if (asks_owners) {
            for (int step = kWarp / 2; step > 0; step /= 2)
#pragma unroll
                for (int j = 0; j < kTogether; ++j)
                    if (window.starts[owners[j] + step] <= entries[j]) owners[j] += step;
#pragma unroll
            for (int j = 0; j < kTogether; ++j) {
                if (!joined) places[j] = entries[j] + __shfl_sync(kAll, shift, owners[j]);
                if constexpr (Products::reads_row) rows[j] = __shfl_sync(kAll, row, owners[j]);
            }
        }
        typename Products::Monoid::Out values[kTogether];
        const unsigned there = in.products(places, rows, values);
#pragma unroll
        for (int j = 0; j < kTogether; ++j) {
            window.values[j * kWarp + lane_of()] = values[j];
            if constexpr (!Products::every) {
                const unsigned word = __ballot_sync(kAll, there >> j & 1);
                if (lane_of() == j) window.there[j] = word;
            }
        }
        __syncwarp();
        const int from = max(start - at, 0), to = min(start + length - at, kWindow);
        if (__any_sync(kAll, to - from > kShort)) {
            sum_upto<typename Products::Monoid, Products::every>(window, from < to, from);
            const auto* const there = reinterpret_cast<const unsigned char*>(window.marks);
            if (from < to && (Products::every || there[to - 1] != 0))
                sum.add(window.values[to - 1]);
        } else {
            for (int i = from; i < to; ++i)
                if (Products::every || (window.there[i / kWarp] >> i % kWarp & 1) != 0)
                    sum.add(window.values[i]);
        }
        __syncwarp();
    }
    return sum;
}

}  // namespace spbfs
