// The transpose of a pattern, by sorting its entries by column and then row.
//
// Keys carry both, so that one sort of plain numbers, CUB's, does it between the two kernels.
#include "cuda/memory/bisect.cuh"

using u32 = unsigned int;
using u64 = unsigned long long;
using i64 = long long;

// Entries that a warp takes at a time, whatever rows they lie in.  No other number has been
// measured: sorting takes most of the time.
constexpr int kRun = 1024;

template <typename Offset>
__global__ void transpose_keys(const Offset* __restrict__ indptr, const int* __restrict__ indices,
                               i64 nrows, i64 entries, u64* keys) {
    const int lane = threadIdx.x & 31;
    const i64 warps = static_cast<i64>(gridDim.x) * (blockDim.x / 32);
    i64 run = static_cast<i64>(blockIdx.x) * (blockDim.x / 32) + threadIdx.x / 32;
    for (; run * kRun < entries; run += warps) {
        const i64 begin = run * kRun, end = min(entries, begin + kRun);
        const i64 top = last_not_above(indptr, 0, nrows - 1, begin);
        const i64 bottom = last_not_above(indptr, top, nrows - 1, end - 1);
        for (i64 e = begin + lane; e < end; e += 32)
            keys[e] = static_cast<u64>(static_cast<u32>(indices[e])) << 32 |
                      static_cast<u32>(last_not_above(indptr, top, bottom, e));
    }
}

// Rows of the transpose begin where its keys do; `indptr` has ncols + 1 elements.
template <typename Offset>
__global__ void transpose_rows(const u64* __restrict__ keys, i64 ncols, i64 entries, Offset* indptr,
                               int* indices) {
    const i64 threads = static_cast<i64>(gridDim.x) * blockDim.x;
    const i64 thread = static_cast<i64>(blockIdx.x) * blockDim.x + threadIdx.x;
    for (i64 e = thread; e < entries; e += threads) indices[e] = static_cast<int>(keys[e]);
    for (i64 j = thread; j <= ncols; j += threads) {
        const bool none = entries == 0 || j == 0 || (keys[0] >> 32) >= static_cast<u64>(j);
        indptr[j] = static_cast<Offset>(
            none ? 0 : last_not_above(keys, 0, entries - 1, (static_cast<u64>(j) << 32) - 1) + 1);
    }
}
