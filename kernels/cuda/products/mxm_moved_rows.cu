// Rows of a matrix product that were written where all their products had room, moved together.
#include "cuda/grid/work_items.cuh"

using namespace spbfs;

// A warp moves so many rows: `slots` says where each is, -1 where it is not among them.  `Value`
// has the bytes of a value, none where pointers are null.
template <class I, class Value>
__global__ void __launch_bounds__(kThreads)
    mxm_moved_rows(const i64* slots, const i64* begins, i64 nrows, i64 rows, const I* room,
                   const Value* its_values, I* columns, Value* values) {
    const i64 first = thread_of() / kWarp * rows;
    const int lane = lane_of(), there = static_cast<int>(min(nrows - first, rows));
    const bool is_mine = lane < there;
    i64 from = is_mine ? slots[first + lane] : -1;
    i64 to = is_mine ? begins[first + lane] : 0;
    const int count = from >= 0 ? static_cast<int>(begins[first + lane + 1] - to) : 0;
    const int through = sums_up_to(count), all = __shfl_sync(kAll, through, kWarp - 1);
    // From a number among the warp's entries to its places.
    from -= through - count;
    to -= through - count;
    constexpr int kAtOnce = 4;
    for (int begin = lane; begin - lane < all; begin += kAtOnce * kWarp) {
        int owner[kAtOnce]{};
#pragma unroll
        for (int step = kWarp / 2; step > 0; step /= 2) {
#pragma unroll
            for (int k = 0; k < kAtOnce; ++k)
                if (__shfl_sync(kAll, through, owner[k] + step - 1) <= begin + k * kWarp)
                    owner[k] += step;
        }
        I column[kAtOnce];
        Value value[kAtOnce];
        i64 place[kAtOnce];
#pragma unroll
        for (int k = 0; k < kAtOnce; ++k) {
            const int number = begin + k * kWarp;
            const i64 source = __shfl_sync(kAll, from, owner[k]) + number;
            place[k] = __shfl_sync(kAll, to, owner[k]) + number;
            if (number < all) column[k] = room[source];
            if (number < all && values != nullptr) value[k] = its_values[source];
        }
#pragma unroll
        for (int k = 0; k < kAtOnce; ++k) {
            if (begin + k * kWarp >= all) continue;
            columns[place[k]] = column[k];
            if (values != nullptr) values[place[k]] = value[k];
        }
    }
}
