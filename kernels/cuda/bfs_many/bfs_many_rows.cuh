// A row of bits, a bit a search, and the chunks in which it is moved, one a lane.
#pragma once

// Rows of kWords words of 64 bits.
template <int kWords>
struct Row {
    using Chunk = uint4;
    static constexpr int kLanes = kWords / 2;
};
template <>
struct Row<1> {
    using Chunk = uint2;
    static constexpr int kLanes = 1;
};
template <int kWords>
using RowChunk = typename Row<kWords>::Chunk;

// Words of 32 bits of a chunk, and one of them.
template <typename Chunk>
constexpr int kChunkWords = sizeof(Chunk) / 4;
__device__ __forceinline__ unsigned int word(uint2 x, int i) { return i == 0 ? x.x : x.y; }
__device__ __forceinline__ unsigned int word(uint4 x, int i) {
    return i == 0 ? x.x : i == 1 ? x.y : i == 2 ? x.z : x.w;
}
// The chunk of the words f(0), f(1), ...
template <typename Chunk, typename F>
__device__ __forceinline__ Chunk chunk_of(const F& f) {
    if constexpr (kChunkWords<Chunk> == 2)
        return make_uint2(f(0), f(1));
    else
        return make_uint4(f(0), f(1), f(2), f(3));
}
