// Levels and parents of a run of labels, read from where internal ids have them, or of a run of ids
// themselves (bfs_emit_own.cuh).
#pragma once
#include "cuda/bfs/bfs_owners.cuh"
#include "cuda/bfs/bfs_visit.cuh"

// Labels in a row that a lane writes together, its run: a store of 16 bytes.  The nibbles, and two
// runs of a lane in flight: docs/performance-notes-cuda.md, seventh round, first rows.
constexpr int kTogether = 4;
constexpr u32 kLevels = 0x7f7f7f7f;  // of a run's bytes, what is not kParentIsFirst

// The eighth bit of each byte of a vertex that was reached.
__device__ __forceinline__ u32 reached_in(u32 bytes) {
    return ((bytes & kLevels) + kLevels) & ~kLevels;
}
__device__ __forceinline__ int level_in(u32 byte) {
    return static_cast<int>(byte & ~kParentIsFirst) - 1;
}

__device__ __forceinline__ void write_result(const Search& s, i64 u, u32 byte, int parent) {
    if (s.out_levels && level_in(byte) + 1 < kDeepLevel) s.out_levels[u] = level_in(byte);
    if (s.out_parents) s.out_parents[u] = parent;
}

// What is written of a run.
struct Results {
    u32 bytes;  // the level bytes of bfs_visit.cuh, one a label, 0 where not reached
    int parent[kTogether];

    // At places u, u + 1, ... of the outputs, which have `end`.
    __device__ __forceinline__ void write(const Search& s, u32 u, u32 end) const {
        int level[kTogether];
#pragma unroll
        for (int i = 0; i < kTogether; ++i) level[i] = level_in(bytes >> 8 * i & 255);
        const u32 deep = ((bytes & kLevels) + 0x01010101) & ~kLevels;  // where kDeepLevel
        const bool whole = u + kTogether <= end && !deep;
        if (whole) {
            if (s.out_levels)
                __stcs(reinterpret_cast<int4*>(s.out_levels + u),
                       make_int4(level[0], level[1], level[2], level[3]));
            if (s.out_parents)
                __stcs(reinterpret_cast<int4*>(s.out_parents + u),
                       make_int4(parent[0], parent[1], parent[2], parent[3]));
        } else {
#pragma unroll
            for (int i = 0; i < kTogether; ++i)
                if (u + i < end) write_result(s, u + i, bytes >> 8 * i & 255, parent[i]);
        }
    }
};

// Those labels of a run whose internal ids follow each other: the hubs, or all others.
//
// Four bits of the layout's mask become four nibbles, one a label, the first label's lowest.  Say
// that labels 0, 2 and 3 of the run are hubs, so that the mask is 1101:
//
//     two     0x0301   bits 0 and 1 stay in the lower byte, bits 2 and 3 move to the upper one
//     one     0x1101   and then every bit to the bottom of a nibble of its own
//     has     0xff0f   15 where a label is a hub
//     before  0x2110   the sum of the nibbles below: 0, 1, 1 and 2 hubs come before the labels
//     places  0x2140   `before` where a label is a hub, else 4
//
// A byte permutation by `places` takes byte 0 of the hubs' level bytes for label 0, a zero (byte 4)
// for label 1, byte 1 for label 2 and byte 2 for label 3; their internal ids are id,
// id + 1 and id + 2.
struct Followers {
    u32 has;        // 15 where a label is one of them
    u32 before;     // how many of them come before it; bits beyond the last nibble do not matter
    int id;         // of the first
    u32 low, high;  // the words in which their level bytes lie

    // `bits`: of 32 labels, the first of which has number `first`; `at`: where the run begins.
    __device__ __forceinline__ Followers(const Search& s, u32 bits, u32 first, int at) {
        static_assert(kTogether == 4, "four nibbles");
        const u32 mask = bits >> at & 15;
        const u32 two = (mask | mask << 6) & 0x303;
        const u32 one = (two | two << 3) & 0x1111;
        has = one * 15;
        before = one * 0x1110;
        id = static_cast<int>(first) + __popc(bits & ((1u << at) - 1));
        const int* const words = static_cast<const int*>(s.levels) + (id >> 2);
        int x = 0, y = 0;
        load_if(mask, words, x);
        load_if(mask, words + 1, y);
        low = x, high = y;
    }
    // Their level bytes, one a label, 0 for others: byte 4 of what is permuted.
    __device__ __forceinline__ u32 bytes() const {
        const u32 places = (before & has) | (0x4444 & ~has);
        return __byte_perm(__funnelshift_r(low, high, 8 * (id & 3)), 0, places);
    }
};

// What the layout says of a run, and its level bytes: asked for before its parents.
struct Run {
    Followers tail, hubs;
    int id[kTogether];

    // `word`: see Search::words; `at`: the first label's bit in it.
    __device__ __forceinline__ Run(const Search& s, const uint4& word, int at)
        : tail(s, word.x, word.y, at), hubs(s, word.z, word.w, at) {
        const u32 before = (hubs.before & hubs.has) | (tail.before & ~hubs.has);
#pragma unroll
        for (int i = 0; i < kTogether; ++i)
            id[i] = (hubs.has & 1u << 4 * i ? hubs.id : tail.id) + (before >> 4 * i & 15);
    }

    // Asks for the parents.  Most are the first entries of rows, whose labels the
    // layout keeps in the order of rows.
    __device__ __forceinline__ Results results(const Search& s) const {
        Results found;
        found.bytes = tail.bytes() | hubs.bytes();
        // The eighth bit of a byte.
        const u32 reached = s.out_parents ? (found.bytes & kLevels) + kLevels : 0;
#pragma unroll
        for (int i = 0; i < kTogether; ++i) {
            const u32 bit = u32{kParentIsFirst} << 8 * i;
            const int* const parents = found.bytes & bit ? s.prefix_labels : s.parents;
            found.parent[i] = -1;
            load_if(reached & bit, parents + id[i], found.parent[i]);
        }
        return found;
    }
};
