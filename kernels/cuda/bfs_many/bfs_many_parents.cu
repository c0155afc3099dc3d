// Parents from the levels that a search left in planes: of the in-neighbours that are a level
// nearer to the source, the first.
//
// A warp takes 32 vertices in the caller's order and 32 searches, a word of every row.  For one
// vertex its lanes look at an in-neighbour each, for all 32 searches at once; the square of bits
// turned over, a lane is a search and takes the first neighbour that fits.  Parents of a tile meet
// in shared memory, so that every search's row is written in runs.
#include "cuda/bfs_many/bfs_many_planes.cuh"
#include "cuda/grid/warp_reduce.cuh"

// Warps of a CTA, which have shared memory for a tile each with eight CTAs a multiprocessor.  What
// parents take is in docs/performance-notes-many.md; no other number has been measured.
constexpr int kParentWarps = 4;

// One step of `transpose` by fewer than eight bits: what lies above the diagonal of every square of
// 2 kBits lanes and bits changes places with what lies below.
template <int kBits>
__device__ __forceinline__ u32 exchange_lanes(u32 x) {
    constexpr u32 low = kBits == 4 ? 0x0f0f0f0fu : kBits == 2 ? 0x33333333u : 0x55555555u;
    const bool upper = threadIdx.x & kBits;
    // By a permutation of bytes, so that the compiler keeps the mask rather than its making.
    const u32 unmoved = __byte_perm(low, ~low, upper ? 0x7654 : 0x3210);
    const u32 y = __shfl_xor_sync(kFull, x, kBits);
    const u32 moved = __funnelshift_l(y, y, upper ? 32 - kBits : kBits);
    return moved ^ ((x ^ moved) & unmoved);
}

// Bit b of lane l becomes bit l of lane b.
__device__ __forceinline__ u32 transpose(u32 x) {
    const int lane = threadIdx.x & 31;
    x = __byte_perm(x, __shfl_xor_sync(kFull, x, 16), lane & 16 ? 0x3276 : 0x5410);
    x = __byte_perm(x, __shfl_xor_sync(kFull, x, 8), lane & 8 ? 0x3715 : 0x6240);
    return exchange_lanes<1>(exchange_lanes<2>(exchange_lanes<4>(x)));
}

// One vertex and 32 searches: a lane's parent is its own search's, -1 where the vertex is the
// source or is not reached.
template <typename Offset>
__device__ __forceinline__ int find_parents(const ManyPlanes& p, int planes, int id, int word,
                                            Offset begin, Offset end, const int* in_indices) {
    const int lane = threadIdx.x & 31;
    // The level before: a lane has a plane of it.  What is borrowed at the end was at level 0.
    const u32 level = lane < planes ? word_of(p, lane, id, word) : 0;
    u32 before = 0, borrow = kFull;
    for (int plane = 0; plane < planes; ++plane) {
        const u32 bits = __shfl_sync(kFull, level, plane);
        if (lane == plane) before = bits ^ borrow;
        borrow &= ~bits;
    }
    u32 open = visited_of(p, id, word) & ~borrow;
    // Level 0 is the code of what is not reached, too: only there `visited` must be asked.
    const u32 sources = ~warp_or(kFull, before);
    int parent = -1;
    for (Offset at = begin; at < end && open; at += 32) {
        const bool is = at + lane < end;
        const int u = is ? __ldg(in_indices + at + lane) : 0;
        u32 fits = is ? open : 0;
        for (int plane = 0; plane < planes; ++plane) {
            const u32 bits = __shfl_sync(kFull, before, plane);
            if (fits) fits &= ~(word_of(p, plane, u, word) ^ bits);
        }
        if (fits & sources) fits &= visited_of(p, u, word) | ~sources;
        open &= ~warp_or(kFull, fits);
        const u32 lanes = transpose(fits);
        const int found = __shfl_sync(kFull, u, lanes ? __ffs(lanes) - 1 : 0);
        if (lanes) parent = found;
    }
    return parent;
}

// parents[row_of(j) * caller_n + v], -1 where v is not reached or is the source.
// Grid: tiles of 32 kParentWarps vertices, each once for every word of 32 searches.
template <typename Offset, typename Index>
__global__ void __launch_bounds__(32 * kParentWarps, 8)
    emit_parents(const ManyPlanes p, const Offset* in_indptr, const int* in_indices,
                 const int* label, const i64* rows, Index* parents) {
    __shared__ int tile[kParentWarps][32][33];
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, words = (p.source_count + 31) / 32;
    const int word = blockIdx.x % words;
    const int planes = planes_for(__ldg(p.depth));
    const i64 v = (static_cast<i64>(blockIdx.x / words) * kParentWarps + warp) * 32 + lane;
    const int mine = v >= p.caller_n ? -1 : p.rank ? __ldg(p.rank + v) : static_cast<int>(v);
    const Offset begin = mine < 0 ? 0 : __ldg(in_indptr + mine);
    const Offset end = mine < 0 ? 0 : __ldg(in_indptr + mine + 1);
    for (int r = 0; r < 32; ++r) {
        const int id = __shfl_sync(kFull, mine, r);
        const Offset from = __shfl_sync(kFull, begin, r), to = __shfl_sync(kFull, end, r);
        int parent = -1;
        if (id >= 0) parent = find_parents(p, planes, id, word, from, to, in_indices);
        tile[warp][lane][r] = parent >= 0 && label ? __ldg(label + parent) : parent;
    }
    __syncwarp();
    if (v >= p.caller_n) return;
    for (int j = 0; j < 32 && word * 32 + j < p.source_count; ++j)
        parents[row_of(p, rows, word * 32 + j) * p.caller_n + v] = tile[warp][j][lane];
}

// The sources, isolated ones too, are their own.
template <typename Index>
__global__ void emit_roots(const ManyPlanes p, const i64* rows, Index* parents) {
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < p.source_count) parents[row_of(p, rows, j) * p.caller_n + p.sources[j]] = p.sources[j];
}
