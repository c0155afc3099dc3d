// What a search of bfs_many.cu leaves for its outputs: `visited`, and every level in binary planes.
#pragma once
#include "bfs_many_rows.cuh"
#include "shared_struct.cuh"

using u32 = unsigned int;
using u64 = unsigned long long;
using i64 = long long;
constexpr u32 kFull = 0xffffffffu;
constexpr int kEmitThreads = 256;

// Filled by the launcher, as PLANES in bfs_many/results.py.
struct ManyPlanes {
    const u32* visited;
    const uint4* planes;
    const int* rank;   // null: internal ids are the caller's labels
    const int* depth;  // of the run, on the device
    const int* sources;
    int n;
    int caller_n;
    int source_count;
    int words;  // 32-bit words of a row: two, or a multiple of four
};
// clang-format off
SHARED_STRUCT(ManyPlanes, 56,
    FIELD(visited, 0) FIELD(planes, 8) FIELD(rank, 16) FIELD(depth, 24) FIELD(sources, 32)
    FIELD(n, 40) FIELD(caller_n, 44) FIELD(source_count, 48) FIELD(words, 52));
// clang-format on

// Plane `plane` of the row of `id`, in chunks or words.
template <typename Chunk>
__device__ __forceinline__ const Chunk* plane_of(const ManyPlanes& p, int plane, int id) {
    return reinterpret_cast<const Chunk*>(p.planes) +
           (static_cast<i64>(plane) * p.n + id) * (p.words / kChunkWords<Chunk>);
}
__device__ __forceinline__ u32 visited_of(const ManyPlanes& p, int id, int word) {
    return p.visited[static_cast<i64>(id) * p.words + word];
}
__device__ __forceinline__ u32 word_of(const ManyPlanes& p, int plane, int id, int word) {
    return plane_of<u32>(p, plane, id)[word];
}

__device__ __forceinline__ int planes_for(int depth) { return 32 - __clz(depth); }

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
