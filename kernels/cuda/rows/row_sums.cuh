// Sums over rows, by warps that take 32 rows at a time, a lane each, and sum them together
// (window_sums.cuh).  Rows too long for a warp are put aside.
//
// Warps take rows as they get through with others, but in which order a row is summed depends on
// the rows that share its warp and not on who is first, so sums of floats are the same at every
// call.
#pragma once

#include "cuda/rows/window_sums.cuh"

namespace spbfs {

// Batches of 32 rows of a run at most.
constexpr int kLongestRun = 8;

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
    Sum<typename Products::Monoid> sum;
    if constexpr (Products::alone)
        sum = lane_sum(in, row, begin, length);
    else
        sum = window_sum(in, window, row, begin, length);
    if (row >= 0 && !is_long) use.put(row, looked, sum);
}

// Numbers of shares that warps take as they get through with others: rows differ by more than could
// be dealt out evenly.  A warp has asked for the next one long before it needs it.
class Shares {
  public:
    // `taken` is 0 before the grid begins.
    __device__ explicit Shares(unsigned* taken) : taken_(taken) { ask(); }
    __device__ static int first() { return static_cast<int>(thread_of() / kWarp); }
    __device__ static int warps() { return static_cast<int>(gridDim.x) * (kThreads / kWarp); }
    __device__ int next() {
        const int number = static_cast<int>(__shfl_sync(kAll, coming_, 0)) + warps();
        ask();
        return number;
    }

  private:
    __device__ void ask() {
        if (lane_of() == 0) coming_ = atomicAdd(taken_, 1u);
    }
    unsigned* taken_;
    unsigned coming_ = 0;
};

// All rows [0, count), by the whole grid, in runs of rows that follow each other, at least `runs` a
// warp, so that few of them ask at a time.
template <class Products, class Use, class Offset>
__device__ void sum_all_rows(const Products& in, Window<typename Products::Monoid::Out>& window,
                             Use& use, const Offset* indptr, i64 count, int runs, unsigned* taken) {
    const int batches = static_cast<int>((count + kWarp - 1) / kWarp);
    // In shared memory: registers are for what is under way.
    __shared__ int run;
    if (threadIdx.x == 0) run = max(1, min(kLongestRun, batches / (Shares::warps() * runs)));
    __syncthreads();
    const auto row_of = [&](int batch) {
        const i64 row = static_cast<i64>(batch) * kWarp + lane_of();
        return static_cast<typename Use::Row>(row < count ? row : -1);
    };
    Offset begin = 0, end = 0;
    const auto ask = [&](int batch) {
        const auto row = row_of(batch);
        begin = row < 0 ? Offset{0} : indptr[row];
        end = row < 0 ? Offset{0} : indptr[row + 1];
    };
    Shares shares(taken);
    int batch = Shares::first() * run, left = run;
    ask(batch);
    while (batch < batches) {
        const auto its_row = row_of(batch);
        const Offset its_begin = begin, its_end = end;
        batch += 1;
        if (--left == 0) {
            left = run;
            batch = shares.next() * run;
        }
        // The next ones' bounds are on their way while these are summed.
        ask(batch);
        sum_rows(in, window, use, its_row, its_begin, its_end);
    }
}

}  // namespace spbfs
