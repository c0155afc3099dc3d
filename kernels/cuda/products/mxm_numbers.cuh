// Products, or look-ups, numbered through and dealt out to warps, however many of them an entry
// has.
#pragma once
#include "cuda/grid/counts.cuh"

namespace spbfs {

// Products of a warp at least.  No other number has been measured.
constexpr i64 kShare = 1024;

// The first of n rising numbers that is above `x`.
template <class T>
__device__ i64 above(const T* numbers, i64 n, i64 x) {
    i64 low = 0;
    while (low < n) {
        const i64 middle = (low + n) / 2;
        if (static_cast<i64>(numbers[middle]) <= x)
            low = middle + 1;
        else
            n = middle;
    }
    return low;
}

// What a warp of the grid takes of `all`: where its numbers begin is looked up once, however many
// they are.
struct Part {
    i64 begin, end;

    __device__ explicit Part(i64 all) {
        const i64 warps = static_cast<i64>(gridDim.x) * (kThreads / kWarp);
        const i64 share = max(kShare, (all + warps - 1) / warps);
        begin = thread_of() / kWarp * share;
        end = min(begin + share, all);
    }
};

// CSR rows of an operand or mask.
template <class I>
struct Rows {
    const i64* indptr;
    const I* indices;

    // Where (row, column) is stored, -1 where it is not.
    __device__ i64 find(i64 row, i64 column) const {
        const i64 begin = indptr[row], end = indptr[row + 1];
        const i64 at = begin + above(indices + begin, end - begin, column) - 1;
        return at >= begin && indices[at] == column ? at : -1;
    }
};

// Numbers [begin, end) of what entries have, `through` saying how many those before each have,
// taken by a warp: fetch(entry) is called by the lane that is to know the entry, and then
// send(number, owner, entry, stop) by all, with the lanes that know of a lane's `each` numbers
// (number, number + kWarp, ..), below `stop`, and the first lane's entry.
template <int each, class Fetch, class Send>
__device__ void each_number(const i64* through, i64 entries, i64 begin, i64 end, Fetch&& fetch,
                            Send&& send) {
    for (i64 entry = above(through, entries + 1, begin) - 1; begin < end; entry += kWarp) {
        const i64 mine = entry + lane_of();
        i64 ends = end;
        if (mine < entries) {
            ends = through[mine + 1];
            fetch(mine);
        }
        const i64 last = __shfl_sync(kAll, ends, kWarp - 1);
        const i64 stop = last < end ? last : end;
        for (i64 e = begin; e < stop; e += each * kWarp) {
            const i64 number = e + lane_of();
            int owner[each];
            for (int k = 0; k < each; ++k) {
                owner[k] = 0;
                for (int step = kWarp / 2; step > 0; step /= 2)
                    if (__shfl_sync(kAll, ends, owner[k] + step - 1) <= number + k * kWarp)
                        owner[k] += step;
            }
            send(number, owner, entry, stop);
        }
        begin = stop;
    }
}

}  // namespace spbfs
