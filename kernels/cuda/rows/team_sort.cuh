// Keys put in order by a team of lanes: a bitonic network (Batcher 1968) in registers, in which
// lanes of other warps are reached through shared memory.
//
// A team is a power of two of lanes side by side, of a warp or of several; of what is put in
// order each has as many.  All lanes of a CTA call together, with teams of one size.
#pragma once
#include "cuda/grid/counts.cuh"

namespace spbfs {

// Bytes by which lanes of different warps reach each other.
constexpr int kTeamRoom = 8 << 10;

// What the lane whose number differs by `mask` has: its last items first where `flipped`.
template <bool flipped, class Key, int items>
__device__ __forceinline__ void exchange(const Key (&mine)[items], Key (&theirs)[items],
                                         unsigned mask, char* room) {
    if (mask < kWarp) {
#pragma unroll
        for (int i = 0; i < items; ++i)
            theirs[i] =
                __shfl_xor_sync(kAll, mine[flipped ? items - 1 - i : i], static_cast<int>(mask));
        return;
    }
    constexpr int fit = kTeamRoom / (kThreads * static_cast<int>(sizeof(Key)));
    constexpr int at_once = fit < items ? fit : items;
    Key* const shared = reinterpret_cast<Key*>(room);
#pragma unroll
    for (int from = 0; from < items; from += at_once) {
#pragma unroll
        for (int i = from; i < from + at_once; ++i)
            shared[(i - from) * kThreads + threadIdx.x] = mine[flipped ? items - 1 - i : i];
        __syncthreads();
#pragma unroll
        for (int i = from; i < from + at_once; ++i)
            theirs[i] = shared[(i - from) * kThreads + (threadIdx.x ^ mask)];
        __syncthreads();
    }
}

// Of two keys that are compared the lower lane keeps the lesser.
template <bool flipped, class Key, int items>
__device__ __forceinline__ void compare_lanes(Key (&keys)[items], unsigned mask, char* room) {
    const bool is_lower = threadIdx.x < (threadIdx.x ^ mask);
    Key theirs[items];
    exchange<flipped>(keys, theirs, mask, room);
#pragma unroll
    for (int i = 0; i < items; ++i)
        keys[i] = is_lower ? min(keys[i], theirs[i]) : max(keys[i], theirs[i]);
}

// The same among items of a lane: those whose numbers differ by `mask`.
template <int mask, class Key, int items>
__device__ __forceinline__ void compare_items(Key (&keys)[items]) {
#pragma unroll
    for (int i = 0; i < items; ++i) {
        if ((i ^ mask) < i) continue;
        const Key a = keys[i], b = keys[i ^ mask];
        keys[i] = min(a, b);
        keys[i ^ mask] = max(a, b);
    }
}

// Puts a bitonic sequence of `size` items in order.
template <int size, class Key, int items>
__device__ __forceinline__ void merge_items(Key (&keys)[items]) {
    if constexpr (size > 1) {
        compare_items<size / 2>(keys);
        merge_items<size / 2>(keys);
    }
}

template <int size, class Key, int items>
__device__ __forceinline__ void sort_items(Key (&keys)[items]) {
    if constexpr (size > 1) {
        sort_items<size / 2>(keys);
        compare_items<size - 1>(keys);
        merge_items<size / 2>(keys);
    }
}

// Afterwards keys rise, from item to item and from lane to lane.
template <class Key, int items>
__device__ __forceinline__ void team_sort(Key (&keys)[items], int lanes, char* room) {
    sort_items<items>(keys);
    for (int span = 2; span <= lanes; span *= 2) {
        compare_lanes<true>(keys, static_cast<unsigned>(span - 1), room);
        for (int by = span / 4; by > 0; by /= 2)
            compare_lanes<false>(keys, static_cast<unsigned>(by), room);
        merge_items<items>(keys);
    }
}

}  // namespace spbfs
