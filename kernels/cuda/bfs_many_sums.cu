// Sums over vertices or searches, and the vertices of a level, in the caller's labels.
#include "bfs_many_planes.cuh"

__device__ __forceinline__ void squares(uint4 x, u32 (&bits)[4]) {
    bits[0] = transpose(x.x), bits[1] = transpose(x.y);
    bits[2] = transpose(x.z), bits[3] = transpose(x.w);
}

// Per source: vertices reached, sum of their levels, greatest level.  Zeroed by the caller.
extern "C" __global__ void __launch_bounds__(kEmitThreads)
    summarise(const ManyPlanes p, u64* reached, u64* sums, int* eccentricity) {
    const int lane = threadIdx.x & 31, warps = gridDim.x * kEmitThreads / 32;
    const int planes = planes_for(__ldg(p.depth));
    const int warp = blockIdx.x * kEmitThreads / 32 + (threadIdx.x >> 5);
    for (int chunk = 0; chunk * 128 < p.source_count; ++chunk) {
        u64 sum[4] = {};
        u32 count[4] = {}, farthest[4] = {};
        for (int tile = warp; tile * 32 < p.n; tile += warps) {
            const int v = tile * 32 + lane;
            const i64 at = static_cast<i64>(v) * (p.words / 4) + chunk;
            u32 candidates[4], level[4] = {};
            squares(v < p.n ? reinterpret_cast<const uint4*>(p.visited)[at] : uint4{}, candidates);
#pragma unroll
            for (int i = 0; i < 4; ++i) count[i] += __popc(candidates[i]);
            for (int plane = planes - 1; plane >= 0; --plane) {
                u32 bits[4];
                squares(v < p.n ? plane_of(p, plane, v)[chunk] : uint4{}, bits);
#pragma unroll
                for (int i = 0; i < 4; ++i) {
                    sum[i] += static_cast<u64>(__popc(bits[i])) << plane;
                    if ((candidates[i] & bits[i]) == 0) continue;
                    candidates[i] &= bits[i];
                    level[i] |= 1u << plane;
                }
            }
#pragma unroll
            for (int i = 0; i < 4; ++i) farthest[i] = max(farthest[i], level[i]);
        }
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            const int j = chunk * 128 + i * 32 + lane;
            if (j >= p.source_count || count[i] == 0) continue;
            atomicAdd(reached + j, u64{count[i]});
            atomicAdd(sums + j, sum[i]);
            atomicMax(eccentricity + j, static_cast<int>(farthest[i]));
        }
    }
    // An isolated source has no row, and reaches itself.
    const int j = blockIdx.x * kEmitThreads + threadIdx.x;
    if (p.rank && j < p.source_count && p.rank[p.sources[j]] < 0) atomicAdd(reached + j, u64{1});
}

// Out-entries of the vertices reached, summed over the sources; added to *edges.
template <typename Offset>
__global__ void __launch_bounds__(kEmitThreads, 4)
    count_edges(const ManyPlanes p, const Offset* out_indptr, u64* edges) {
    const i64 threads = static_cast<i64>(gridDim.x) * kEmitThreads;
    u64 sum = 0;
    for (i64 i = static_cast<i64>(blockIdx.x) * kEmitThreads + threadIdx.x;
         i < static_cast<i64>(p.n) * p.words; i += threads) {
        const int v = static_cast<int>(i / p.words), word = static_cast<int>(i % p.words);
        const int used = min(32, p.source_count - 32 * word);
        if (used <= 0) continue;
        const u32 mask = used == 32 ? kFull : (1u << used) - 1;
        const int count = __popc(p.visited[i] & mask);
        if (count)
            sum += static_cast<u64>(__ldg(out_indptr + v + 1) - __ldg(out_indptr + v)) * count;
    }
#pragma unroll
    for (int k = 4; k >= 0; --k) sum += __shfl_xor_sync(kFull, sum, 1 << k);
    if ((threadIdx.x & 31) == 0 && sum) atomicAdd(edges, sum);
}

// Per vertex: how many sources reach it, and the sum of their levels.
extern "C" __global__ void count_sources(const ManyPlanes p, int* counts, i64* sums) {
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    // An isolated source has no row, and is reached by itself.
    for (int j = v; counts && p.rank && j < p.source_count; j += gridDim.x * blockDim.x)
        if (p.rank[p.sources[j]] < 0) atomicAdd(counts + p.sources[j], 1);
    const int id = v >= p.caller_n ? -1 : p.rank ? p.rank[v] : v;
    if (id < 0) return;
    int count = 0;
    i64 sum = 0;
    const int planes = planes_for(__ldg(p.depth));
    for (int word = 0; word * 32 < p.source_count; ++word) {
        const int used = min(32, p.source_count - 32 * word);
        const u32 mask = used == 32 ? kFull : (1u << used) - 1;
        count += __popc(visited_of(p, id, word) & mask);
        for (int plane = 0; sums && plane < planes; ++plane)
            sum += static_cast<i64>(__popc(word_of(p, plane, id, word))) << plane;
    }
    if (counts) counts[v] += count;
    if (sums) sums[v] += sum;
}

// out[v]: the searches that reach v at exactly this level, packed as the rows are.
extern "C" __global__ void emit_level_set(const ManyPlanes p, int level, u32* out) {
    const i64 i = static_cast<i64>(blockIdx.x) * blockDim.x + threadIdx.x;
    const int v = static_cast<int>(i / p.words), word = static_cast<int>(i % p.words);
    if (v >= p.caller_n) return;
    const int id = p.rank ? p.rank[v] : v;
    u32 bits = 0;
    const int used = p.source_count - 32 * word, depth = __ldg(p.depth);
    if (id >= 0 && used > 0 && level <= depth) {
        bits = visited_of(p, id, word) & (used >= 32 ? kFull : (1u << used) - 1);
        for (int plane = 0; plane < planes_for(depth); ++plane) {
            const u32 x = word_of(p, plane, id, word);
            bits &= level >> plane & 1 ? x : ~x;
        }
    } else if (id < 0 && level == 0) {
        for (int j = 32 * word; j < min(32 * word + 32, p.source_count); ++j)
            if (p.sources[j] == v) bits |= 1u << (j - 32 * word);
    }
    out[i] = bits;
}
