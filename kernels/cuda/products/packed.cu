// Products with a Boolean matrix of few columns in packed bits.
//
// Row i of the result joins the rows of `bits` at the entries of row i of a CSR matrix, within row
// i of `keep` where that is given.  A row of bits is W words, a lane each, so that a warp has 32 /
// W rows of `bits` in flight, four deep.
#include "cuda/memory/bisect.cuh"

using u32 = unsigned int;
using u64 = unsigned long long;
using i64 = long long;
constexpr u32 kFull = 0xffffffffu;
constexpr int kPackedThreads = 256;
// Rows with more entries are a CTA's work, others a warp's.  What products take is in
// docs/performance-notes-many.md ("six lines"); no other number has been measured.
constexpr int kLongRow = 2048;

// What the rows at entries begin .. end - 1 have of a lane's word; stops when nothing is missing.
template <int W, typename Index>
__device__ __forceinline__ u64 join(const Index* indices, i64 begin, i64 end, const u64* bits,
                                    u64 need) {
    constexpr int kGroups = 32 / W, kDeep = 4;
    const int lane = threadIdx.x & 31, word = lane % W;
    u64 got = 0;
    for (i64 at = begin; at < end; at += kGroups * kDeep) {
#pragma unroll
        for (int u = 0; u < kDeep; ++u) {
            const i64 e = at + u * kGroups + lane / W;
            if (e < end) got |= __ldg(bits + static_cast<i64>(__ldg(indices + e)) * W + word);
        }
        for (int d = W; d < 32; d <<= 1) got |= __shfl_xor_sync(kFull, got, d);
        if (!__any_sync(kFull, (need & ~got) != 0)) break;
    }
    return got & need;
}

// A warp a row; then a CTA for each of `long_rows`.
template <typename Offset, typename Index, int W>
__global__ void __launch_bounds__(kPackedThreads)
    packed_pull(const Offset* indptr, const Index* indices, const u64* bits, const u64* keep,
                u64* out, i64 nrows, const i64* long_rows, i64 long_count) {
    __shared__ u64 joined[W];
    constexpr int kPackedWarps = kPackedThreads / 32;
    const int lane = threadIdx.x & 31, warp = threadIdx.x / 32;
    const i64 warps = static_cast<i64>(gridDim.x) * kPackedWarps;
    for (i64 i = static_cast<i64>(blockIdx.x) * kPackedWarps + warp; i < nrows; i += warps) {
        const i64 begin = indptr[i], end = indptr[i + 1];
        if (end - begin > kLongRow) continue;
        const u64 need = keep ? keep[i * W + lane % W] : ~u64{0};
        const u64 got = __any_sync(kFull, need != 0) ? join<W>(indices, begin, end, bits, need) : 0;
        if (lane < W) out[i * W + lane] = got;
    }
    for (i64 r = blockIdx.x; r < long_count; r += gridDim.x) {
        const i64 i = long_rows[r], begin = indptr[i], end = indptr[i + 1];
        const i64 share = (end - begin + kPackedWarps - 1) / kPackedWarps;
        const i64 from = begin + warp * share;
        const u64 need = keep ? keep[i * W + lane % W] : ~u64{0};
        __syncthreads();
        if (threadIdx.x < W) joined[threadIdx.x] = 0;
        __syncthreads();
        const u64 got = join<W>(indices, from, min(end, from + share), bits, need);
        if (lane < W) atomicOr(joined + lane, got);
        __syncthreads();
        if (threadIdx.x < W) out[i * W + threadIdx.x] = joined[threadIdx.x];
    }
}

// Rows of the transpose give their bits to where their entries lead: rows[r] has the entries before
// ends[r], those of earlier rows not counted.  `out` is zero.
template <typename Offset, typename Index, int W>
__global__ void __launch_bounds__(kPackedThreads)
    packed_push(const Offset* indptr, const Index* indices, const u64* bits, const u64* keep,
                u64* out, const i64* rows, const i64* ends, i64 row_count, i64 edges) {
    const i64 threads = static_cast<i64>(gridDim.x) * kPackedThreads;
    for (i64 edge = static_cast<i64>(blockIdx.x) * kPackedThreads + threadIdx.x; edge < edges;
         edge += threads) {
        // The last row whose entries end before this one, or none; the next has it.
        const i64 r = last_not_above(ends, -1, row_count - 1, edge) + 1;
        const i64 before = r ? ends[r - 1] : 0, u = rows[r];
        const i64 to = static_cast<i64>(indices[indptr[u] + (edge - before)]) * W;
#pragma unroll
        for (int w = 0; w < W; ++w) {
            u64 given = __ldg(bits + u * W + w);
            if (keep && given) given &= __ldg(keep + to + w);
            if (given & ~__ldcg(out + to + w)) atomicOr(out + to + w, given);
        }
    }
}
