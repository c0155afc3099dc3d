// What is done with chunks of rows of bits.
#pragma once
#include "cuda/bfs/bfs_state.cuh"
#include "cuda/bfs_many/bfs_many_rows.cuh"

__device__ __forceinline__ uint2 operator|(uint2 a, uint2 b) {
    return make_uint2(a.x | b.x, a.y | b.y);
}
__device__ __forceinline__ uint4 operator|(uint4 a, uint4 b) {
    return make_uint4(a.x | b.x, a.y | b.y, a.z | b.z, a.w | b.w);
}
__device__ __forceinline__ uint2 operator&(uint2 a, uint2 b) {
    return make_uint2(a.x & b.x, a.y & b.y);
}
__device__ __forceinline__ uint4 operator&(uint4 a, uint4 b) {
    return make_uint4(a.x & b.x, a.y & b.y, a.z & b.z, a.w & b.w);
}
__device__ __forceinline__ uint2 without(uint2 a, uint2 b) {
    return make_uint2(a.x & ~b.x, a.y & ~b.y);
}
__device__ __forceinline__ uint4 without(uint4 a, uint4 b) {
    return make_uint4(a.x & ~b.x, a.y & ~b.y, a.z & ~b.z, a.w & ~b.w);
}
__device__ __forceinline__ bool is_zero(uint2 a) { return (a.x | a.y) == 0; }
__device__ __forceinline__ bool is_zero(uint4 a) { return (a.x | a.y | a.z | a.w) == 0; }
__device__ __forceinline__ bool is_full(uint2 a) { return (a.x & a.y) == kFull; }
__device__ __forceinline__ bool is_full(uint4 a) { return (a.x & a.y & a.z & a.w) == kFull; }
template <typename Chunk>
__device__ Chunk splat(u32 x);
template <>
__device__ __forceinline__ uint2 splat<uint2>(u32 x) {
    return make_uint2(x, x);
}
template <>
__device__ __forceinline__ uint4 splat<uint4>(u32 x) {
    return make_uint4(x, x, x, x);
}
__device__ __forceinline__ void add_bits(uint2* to, uint2 bits) {
    const u64 word = bits.x | static_cast<u64>(bits.y) << 32;
    if (word) atomicOr(reinterpret_cast<u64*>(to), word);
}
__device__ __forceinline__ void add_bits(uint4* to, uint4 bits) {
    u64* const words = reinterpret_cast<u64*>(to);
    const u64 low = bits.x | static_cast<u64>(bits.y) << 32;
    const u64 high = bits.z | static_cast<u64>(bits.w) << 32;
    if (low) atomicOr(words, low);
    if (high) atomicOr(words + 1, high);
}
__device__ __forceinline__ uint2 shuffle(uint2 a, int lane) {
    return make_uint2(__shfl_sync(kFull, a.x, lane), __shfl_sync(kFull, a.y, lane));
}
__device__ __forceinline__ uint4 shuffle(uint4 a, int lane) {
    return make_uint4(__shfl_sync(kFull, a.x, lane), __shfl_sync(kFull, a.y, lane),
                      __shfl_sync(kFull, a.z, lane), __shfl_sync(kFull, a.w, lane));
}
__device__ __forceinline__ uint2 shuffle_xor(uint2 a, int lanes) {
    return make_uint2(__shfl_xor_sync(kFull, a.x, lanes), __shfl_xor_sync(kFull, a.y, lanes));
}
__device__ __forceinline__ uint4 shuffle_xor(uint4 a, int lanes) {
    return make_uint4(__shfl_xor_sync(kFull, a.x, lanes), __shfl_xor_sync(kFull, a.y, lanes),
                      __shfl_xor_sync(kFull, a.z, lanes), __shfl_xor_sync(kFull, a.w, lanes));
}

// Bits of the searches that do not exist: word i of a row when there are `count` searches.
__device__ __forceinline__ u32 unused_bits(int i, int count) {
    const int used = count - 32 * i;
    return used >= 32 ? 0 : used <= 0 ? kFull : kFull << used;
}

__device__ __forceinline__ bool test(const u32* bits, int v) {
    return __ldcg(bits + (v >> 5)) >> (v & 31) & 1;
}
