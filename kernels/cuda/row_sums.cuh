// Sums over rows, by warps that read the entries of many rows as one stream.
//
// A warp takes 32 rows, a lane each.  Their entries, which mostly lie one behind the other, are
// taken a window at a time: every lane asks for kTogether of them before it uses the first, so that
// a warp waits for memory twice a window and not twice an entry, and rows of three entries keep the
// lanes as busy as rows of three hundred.  Products go to shared memory, where each row is summed:
// a short part by its lane, a longer one by the warp.  Rows too long for a warp are put aside.
//
// In which order a row is summed depends on the rows that share its warp and not on who is first,
// so sums of floats are the same at every call.
//
// What is summed is a policy:
//
//     Monoid                            Out, sum(a, b), done(a)
//     every                             every entry has a product
//     reads_row                         products depend on their row
//     products(places, rows, values)    those of kTogether entries; a bit for each that there is
//     bring_near(place)                 asks L2 for what kNear entries are stored in
#pragma once

#include "cache_hints.cuh"
#include "monoid_sums.cuh"

namespace spbfs {

// Entries that a lane asks for at once, and those of a warp's window.
constexpr int kTogether = 4;
constexpr int kWindow = kWarp * kTogether;
// Entries of a row in a window that its lane sums alone: the warp takes as long for a row.
constexpr int kShort = 16;

// Batches of 32 rows of a run at most, and entries that a lane has brought near.
constexpr int kLongestRun = 8;
constexpr int kNear = 8;

// The share of one of `threads` threads in the entries [begin, end) of a row, or enough of it to
// decide the sum.
template <class Products, class Offset, class Row>
__device__ auto strided_sum(const Products& in, Offset begin, Offset end, Row row, int thread,
                            int threads) {
    Sum<typename Products::Monoid> sum;
    for (Offset p = begin + thread; p < end && !sum.finished(); p += kTogether * threads) {
        Offset places[kTogether];
        Row rows[kTogether];
        unsigned inside = 0;
#pragma unroll
        for (int j = 0; j < kTogether; ++j) {
            // Places beyond the end are asked for at one that is not, for nothing: a load under a
            // condition would be waited for at once.
            const bool is_one = end - p > j * threads;
            inside |= static_cast<unsigned>(is_one) << j;
            places[j] = is_one ? p + j * threads : p;
            rows[j] = row;
        }
        typename Products::Monoid::Out values[kTogether];
        inside &= in.products(places, rows, values);
#pragma unroll
        for (int j = 0; j < kTogether; ++j)
            if (inside >> j & 1) sum.add(values[j]);
    }
    return sum;
}

// A warp's shared memory.
template <class Value>
struct Window {
    Value values[kWindow];
    unsigned there[kTogether];  // which of them there are, a bit each
    int starts[kWarp];          // of the lanes' rows in the stream
};

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
        const auto add = [&](auto& to, int i) {
            if (Products::every || (window.there[i / kWarp] >> i % kWarp & 1) != 0)
                to.add(window.values[i]);
        };
        const int from = max(start - at, 0), to = min(start + length - at, kWindow);
        if (to - from <= kShort)
            for (int i = from; i < to; ++i) add(sum, i);
        unsigned left = __ballot_sync(kAll, to - from > kShort);
        for (; left != 0; left &= left - 1) {
            const int owner = __ffs(left) - 1;
            const int its_end = __shfl_sync(kAll, to, owner);
            Sum<typename Products::Monoid> part;
#pragma unroll 1
            for (int i = __shfl_sync(kAll, from, owner) + lane_of(); i < its_end; i += kWarp)
                add(part, i);
            part = warp_sum(part);
            const auto value = from_lane(part.value, 0);
            const bool some = Products::every || from_lane(part.some, 0);
            if (lane_of() == owner && some) sum.add(value);
        }
        __syncwarp();
    }
    return sum;
}

// A warp's 32 rows; a lane without one has -1.  `use` says what becomes of them:
//
//     Row                               the type of rows' numbers
//     longest                           entries of a row that a warp may be left alone with
//     look(row)                         what it wants to have read before the sum is there
//     put_aside(row, begin, end)        a longer row, which is not summed
//     put(row, looked, sum)
template <class Products, class Use, class Offset, class Row>
__device__ void sum_rows(const Products& in, Window<typename Products::Monoid::Out>& window,
                         Use& use, Row row, Offset begin, Offset end) {
    const bool is_long = end - begin > Use::longest;
    const auto looked = use.look(row);
    if (is_long) use.put_aside(row, begin, end);
    const int length = is_long ? 0 : static_cast<int>(end - begin);
    const auto sum = window_sum(in, window, row, begin, length);
    if (row >= 0 && !is_long) use.put(row, looked, sum);
}

// All rows [0, count), by the whole grid, every warp in at least `runs` runs of rows that follow
// each other: more runs the more work may differ.  Longer runs mean short rows, which a warp is
// through with so soon that it asks for those of the next batch before it begins one.
template <class Products, class Use, class Offset>
__device__ void sum_all_rows(const Products& in, Window<typename Products::Monoid::Out>& window,
                             Use& use, const Offset* indptr, i64 count, int runs) {
    const int batches = static_cast<int>((count + kWarp - 1) / kWarp);
    const int warps = static_cast<int>(gridDim.x) * (kThreads / kWarp);
    const int run = max(1, min(kLongestRun, batches / (warps * runs)));
    const Offset entries = run > 1 ? indptr[count] : 0;
    Offset begin = 0, end = 0;
    typename Use::Row row = -1;
    const auto ask = [&](int batch) {
        row = -1;
        begin = end = entries;
        const i64 one = static_cast<i64>(batch) * kWarp + lane_of();
        if (one >= count) return;
        row = static_cast<typename Use::Row>(one);
        begin = indptr[row];
        end = indptr[row + 1];
    };
    int batch = static_cast<int>(thread_of() / kWarp) * run, left = run;
    ask(batch);
    while (static_cast<i64>(batch) * kWarp < count) {
        const auto its_row = row;
        const Offset its_begin = begin, its_end = end;
        batch += 1;
        if (--left == 0) {
            left = run;
            batch += (static_cast<int>(gridDim.x) * (kThreads / kWarp) - 1) * run;
        }
        // The next ones' bounds are on their way while these are summed, and so are their entries
        // if there are as many of them.
        ask(batch);
        if (run > 1) {
            const Offset behind = __shfl_sync(kAll, its_end, kWarp - 1);
            const Offset as_many = behind - __shfl_sync(kAll, its_begin, 0);
            if (lane_of() * kNear < min(as_many, entries - behind))
                in.bring_near(behind + lane_of() * kNear);
        }
        sum_rows(in, window, use, its_row, its_begin, its_end);
    }
}

}  // namespace spbfs
