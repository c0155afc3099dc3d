// Whether a pattern is its own transpose: for every stored (i, j), is (j, i) stored?  Where values
// are given, by their bits, it is asked whether the two are the same, too.  Who looks at all
// entries sees on the way whether one is on the diagonal.
//
// A warp takes a run of entries, whatever rows they lie in, so that a row of a million entries is
// no one's fate.  Columns of a row rise, so a look-up is a bisection.
#include "cuda/memory/bisect.cuh"

using i64 = long long;

// Entries that a warp takes at a time.  No other number has been measured.
constexpr int kRun = 1024;

// Sets found[0] where an entry has no counterpart, others stop looking then; and found[1] where one
// is its own.
template <typename Offset, typename Word>
__global__ void symmetric(const Offset* __restrict__ indptr, const int* __restrict__ indices,
                          const Word* __restrict__ values, i64 n, i64 entries, int* found) {
    const int lane = threadIdx.x & 31;
    const i64 warps = static_cast<i64>(gridDim.x) * (blockDim.x / 32);
    i64 run = static_cast<i64>(blockIdx.x) * (blockDim.x / 32) + threadIdx.x / 32;
    for (; run * kRun < entries; run += warps) {
        if (*static_cast<volatile int*>(found)) return;
        const i64 begin = run * kRun, end = min(entries, begin + kRun);
        const i64 top = last_not_above(indptr, 0, n - 1, begin);
        const i64 bottom = last_not_above(indptr, top, n - 1, end - 1);
        bool loop = false;
        for (i64 e = begin + lane; e < end; e += 32) {
            const i64 row = last_not_above(indptr, top, bottom, e), column = indices[e];
            if (column == row) {
                loop = true;
                continue;
            }
            const i64 first = indptr[column], last = static_cast<i64>(indptr[column + 1]) - 1;
            const i64 at = first <= last ? last_not_above(indices, first, last, row) : e;
            const bool is = indices[at] == row;
            if (!is || (values != nullptr && values[at] != values[e])) found[0] = 1;
        }
        if (loop) found[1] = 1;
    }
}
