// Sums over all vertices, for every search.
#include "cuda/bfs_many/bfs_many_planes.cuh"

// A number for each of 32 searches, a bit of all of them a word: slice i has the bits of value 2^i.
constexpr int kSlices = 11;
// Rows that a lane adds before its first six slices could overflow, seven at a time.
constexpr int kRowsOfLane = 63;
constexpr int kFirstSlices = 6;

__device__ __forceinline__ void full_adder(u32 a, u32 b, u32 c, u32& sum, u32& carry) {
    sum = a ^ b ^ c;
    carry = (a & b) | (c & (a | b));
}

// Adds seven bits a search.
__device__ __forceinline__ void add_seven(const u32 (&x)[7], u32 (&slices)[kSlices]) {
    u32 one[3], two[4], four[2], carry;
    full_adder(x[0], x[1], x[2], one[0], two[0]);
    full_adder(x[3], x[4], x[5], one[1], two[1]);
    full_adder(one[0], one[1], x[6], one[2], two[2]);
    full_adder(two[0], two[1], two[2], two[3], four[0]);
    carry = slices[0] & one[2];
    slices[0] ^= one[2];
    full_adder(slices[1], two[3], carry, slices[1], carry);
    full_adder(slices[2], four[0], carry, slices[2], carry);
#pragma unroll
    for (int i = 3; i < kFirstSlices; ++i) {
        const u32 sum = slices[i] ^ carry;
        carry &= slices[i];
        slices[i] = sum;
    }
}

// Adds what another lane has.
__device__ __forceinline__ void add_lane(int distance, u32 (&slices)[kSlices]) {
    u32 carry = 0;
#pragma unroll
    for (int i = 0; i < kSlices; ++i) {
        const u32 other = __shfl_xor_sync(kFull, slices[i], distance), mine = slices[i];
        full_adder(mine, other, carry, slices[i], carry);
    }
}

__device__ __forceinline__ u32 used_bits(int i, int count) {
    const int used = count - 32 * i;
    return used >= 32 ? kFull : used <= 0 ? 0 : (1u << used) - 1;
}

// Added to sums, which has been zeroed: [32 words] vertices that each search has reached, [32
// words] the sum of their levels, and the out-entries of all of them over all searches.
//
// A CTA adds up one array, `visited` or a plane, whose rows its warps read as they lie: kLanes
// lanes have the chunks of a row, and every lane adds its chunks of 63 rows in slices.  Counts meet
// in shared memory: in registers half as many warps would have rows under way, and each warp would
// add to the sums of all.
template <typename Offset, int kWords>
__global__ void __launch_bounds__(kEmitThreads, 2)
    sum_rows(const ManyPlanes p, const Offset* out_indptr, u64* sums) {
    __shared__ u32 counts[64 * kWords];
    using Chunk = RowChunk<kWords>;
    constexpr int kLanes = Row<kWords>::kLanes, kRows = 32 / kLanes, kEach = kChunkWords<Chunk>;
    const int lane = threadIdx.x & 31, part = lane % kLanes;
    const int arrays = 1 + planes_for(__ldg(p.depth));
    const int array = blockIdx.x % arrays, ctas = gridDim.x / arrays;
    const int warp = blockIdx.x / arrays * (kEmitThreads / 32) + (threadIdx.x >> 5);
    const int warps = ctas * (kEmitThreads / 32);
    const Chunk* const rows =
        array ? plane_of<Chunk>(p, array - 1, 0) : reinterpret_cast<const Chunk*>(p.visited);
    for (int i = threadIdx.x; i < 64 * kWords; i += kEmitThreads) counts[i] = 0;
    __syncthreads();
    u64 edges = 0;
    constexpr int kSpan = kRowsOfLane * kRows;
    for (i64 span = warp; warp < warps && span * kSpan < p.n; span += warps) {
        u32 slices[kEach][kSlices] = {};
#pragma unroll 1
        for (int k = 0; k < kRowsOfLane; k += 7) {
            Chunk chunk[7];
#pragma unroll
            for (int u = 0; u < 7; ++u) {
                const i64 v = span * kSpan + (k + u) * kRows + lane / kLanes;
                const bool is = v < p.n && (!array || has_row(p, arrays - 1, array - 1, v));
                chunk[u] = is ? __ldcg(rows + v * kLanes + part) : Chunk{};
            }
#pragma unroll
            for (int w = 0; w < kEach; ++w) {
                u32 x[7];
#pragma unroll
                for (int u = 0; u < 7; ++u) x[u] = word(chunk[u], w);
                add_seven(x, slices[w]);
            }
            if (array) continue;
#pragma unroll
            for (int u = 0; u < 7; ++u) {
                const i64 v = span * kSpan + (k + u) * kRows + lane / kLanes;
                int reached = 0;
#pragma unroll
                for (int w = 0; w < kEach; ++w)
                    reached +=
                        __popc(word(chunk[u], w) & used_bits(kEach * part + w, p.source_count));
                if (reached)
                    edges += static_cast<u64>(__ldg(out_indptr + v + 1) - __ldg(out_indptr + v)) *
                             reached;
            }
        }
#pragma unroll
        for (int w = 0; w < kEach; ++w) {
#pragma unroll
            for (int d = kLanes; d < 32; d <<= 1) add_lane(d, slices[w]);
#pragma unroll
            for (int from = 0; from < kLanes; ++from) {
                u32 count = 0;
#pragma unroll
                for (int i = 0; i < kSlices; ++i)
                    count += (__shfl_sync(kFull, slices[w][i], from) >> lane & 1) << i;
                if (count) atomicAdd(counts + 32 * (kEach * from + w) + lane, count);
            }
        }
    }
    __syncthreads();
    for (int j = threadIdx.x; j < p.source_count; j += kEmitThreads) {
        if (counts[j] == 0) continue;
        atomicAdd(sums + (array ? 64 * kWords : 0) + j, static_cast<u64>(counts[j])
                                                            << (array ? array - 1 : 0));
    }
#pragma unroll
    for (int d = 16; d; d >>= 1) edges += __shfl_xor_sync(kFull, edges, d);
    if (lane == 0 && edges) atomicAdd(sums + 128 * kWords, edges);
    // An isolated source has no row, and reaches itself.
    const int j = blockIdx.x * kEmitThreads + threadIdx.x;
    if (p.rank && j < p.source_count && p.rank[p.sources[j]] < 0) atomicAdd(sums + j, u64{1});
}
