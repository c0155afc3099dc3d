// Edges of a graph without directions: their order, and the least that leaves every component.
//
// Edges are ordered by key, then by their ends, the lesser first.  That is the order of the places
// of their entries in the upper triangle, so that a place is the tie-break.  A key of four bytes
// and a place of four are one word, and one atomic finds the least; of wider ones the least key is
// found first, and the least place of those that have it then.
#pragma once
#include "cuda/grid/counts.cuh"

namespace spbfs {

using u64 = unsigned long long;

// No word and no place is as great; an edge's key of eight bytes may be.
constexpr u64 kMost = ~0ull;

// Weights as unsigned numbers of the same order; both zeros have the same key.  By their bits,
// since arithmetic takes subnormal numbers for zero.
__device__ __forceinline__ unsigned key_of(unsigned x) { return x; }
__device__ __forceinline__ unsigned key_of(int x) { return static_cast<unsigned>(x) ^ 1u << 31; }
__device__ __forceinline__ unsigned key_of(float x) {
    unsigned bits = __float_as_uint(x);
    if (bits << 1 == 0) bits = 0;
    return bits >> 31 ? ~bits : bits | 1u << 31;
}
__device__ __forceinline__ u64 key_of(u64 x) { return x; }
__device__ __forceinline__ u64 key_of(long long x) { return static_cast<u64>(x) ^ 1ull << 63; }
__device__ __forceinline__ u64 key_of(double x) {
    u64 bits = static_cast<u64>(__double_as_longlong(x));
    if (bits << 1 == 0) bits = 0;
    return bits >> 63 ? ~bits : bits | 1ull << 63;
}

template <typename Weight>
__device__ __forceinline__ bool is_nan(Weight x) {
    return x != x;
}

// Where an edge stands in the order.
template <bool one_word>
struct Rank {
    u64 key;  // and the place in the lower half
    __device__ u64 place() const { return static_cast<unsigned>(key); }
    __device__ bool operator<(const Rank& x) const { return key < x.key; }
};
template <>
struct Rank<false> {
    u64 key, at;
    __device__ u64 place() const { return at; }
    __device__ bool operator<(const Rank& x) const {
        return key < x.key || (key == x.key && at < x.at);
    }
};

template <typename Offset, typename Weight>
constexpr bool kOneWord = sizeof(Offset) == 4 && sizeof(Weight) == 4;

template <typename Offset, typename Weight>
__device__ __forceinline__ Rank<kOneWord<Offset, Weight>> rank_of(Weight weight, i64 place) {
    if constexpr (kOneWord<Offset, Weight>)
        return {static_cast<u64>(key_of(weight)) << 32 | static_cast<unsigned>(place)};
    else
        return {key_of(weight), static_cast<u64>(place)};
}

template <bool one_word>
struct Edge {
    int a, b;  // components of its ends, by their roots
    Rank<one_word> rank;
};

// The least edge that leaves each component.  Of a root; others are not asked for.
template <bool one_word>
struct Least {
    u64 *keys, *places;  // places only where they are not in the keys

    __device__ void forget(i64 root) const {
        keys[root] = kMost;
        if (!one_word) places[root] = kMost;
    }
    __device__ void offer(int root, const Rank<one_word>& rank) const {
        if (rank.key < __ldcg(keys + root)) atomicMin(keys + root, rank.key);
    }
    // Behind a barrier, of what has a place of its own.
    __device__ void offer_place(int root, const Rank<one_word>& rank) const {
        if (rank.key == keys[root] && rank.place() < __ldcg(places + root))
            atomicMin(places + root, rank.place());
    }
    __device__ bool is(int root, const Rank<one_word>& rank) const {
        return rank.key == keys[root] && (one_word || rank.place() == places[root]);
    }
};

}  // namespace spbfs
