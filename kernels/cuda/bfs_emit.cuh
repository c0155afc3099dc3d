// After the search: from internal ids to the caller's order, every output line written once, and
// the workspace left as the next search expects it.
#pragma once
#include "bfs_visit.cuh"

constexpr int kTogether = 4;         // labels in a row that a lane writes together: its run
constexpr u32 kLevels = 0x7f7f7f7f;  // of a run's status, what is not kByHead

__device__ __forceinline__ int level_in(u32 byte) { return static_cast<int>(byte & ~kByHead) - 1; }

__device__ __forceinline__ void write_result(const Search& s, i64 u, u32 byte, int parent) {
    if (s.out_levels && level_in(byte) + 1 < kDeepLevel) s.out_levels[u] = level_in(byte);
    if (s.out_parents) s.out_parents[u] = parent;
}

// What is written of a run.
struct Results {
    u32 bytes;  // status, a byte a label, 0 where not reached
    int parent[kTogether];

    __device__ __forceinline__ void write(const Search& s, u32 u) const {
        int level[kTogether];
#pragma unroll
        for (int i = 0; i < kTogether; ++i) level[i] = level_in(bytes >> 8 * i & 255);
        const u32 deep = ((bytes & kLevels) + 0x01010101) & ~kLevels;  // where kDeepLevel
        const bool whole = u + kTogether <= static_cast<u32>(s.caller_n) && !deep;
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
                if (u + i < static_cast<u32>(s.caller_n))
                    write_result(s, u + i, bytes >> 8 * i & 255, parent[i]);
        }
    }
};

// Those of a run whose internal ids follow each other: the hubs, or all others.  A nibble a label.
struct Followers {
    u32 has;        // 15 where a label is one of them
    u32 before;     // how many of them come before it; bits beyond the last nibble do not matter
    int id;         // of the first
    u32 low, high;  // the words in which their status lies

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
    // Their status, a byte a label, 0 for others: byte 4 of what is permuted.
    __device__ __forceinline__ u32 bytes() const {
        const u32 places = (before & has) | (0x4444 & ~has);
        return __byte_perm(__funnelshift_r(low, high, 8 * (id & 3)), 0, places);
    }
};

// What the layout says of a run, and its status: asked for before its parents.
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

    // Asks for the parents.  Most are heads, whose labels the layout keeps in the order of rows.
    __device__ __forceinline__ Results results(const Search& s) const {
        Results found;
        found.bytes = tail.bytes() | hubs.bytes();
        // The eighth bit of a byte.
        const u32 reached = s.out_parents ? (found.bytes & kLevels) + kLevels : 0;
#pragma unroll
        for (int i = 0; i < kTogether; ++i) {
            const u32 bit = u32{kByHead} << 8 * i;
            const int* const parents = found.bytes & bit ? s.head_labels : s.parents;
            found.parent[i] = -1;
            load_if(reached & bit, parents + id[i], found.parent[i]);
        }
        return found;
    }
};

// Relabelled, hubs first: hubs and others keep the caller's order among themselves, so that a warp
// reads two runs of internal ids for 128 labels.
__device__ __forceinline__ void emit_in_order(const Search& s) {
    const u32 n = s.caller_n, stride = kTogether * gridDim.x * kThreads;
    const u32 first = kTogether * (blockIdx.x * kThreads + threadIdx.x);
    const int at = first & 31;
    // Behind the last label its word again, without a branch that would wait for it.
    const auto word_at = [&](u32 u) { return __ldg(s.words + (min(u, n - 1) >> 5)); };
    Run even(s, word_at(first), at), odd(s, word_at(first + stride), at);
    uint4 even_word = word_at(first + 2 * stride), odd_word = word_at(first + 3 * stride);
    Results now = even.results(s), next;
    even = Run(s, even_word, at);
    even_word = word_at(first + 4 * stride);
    // While a run is written, parents of the next one arrive, the status of the two after that, and
    // the words of the two behind.  By turns: to move what is under way from one variable to
    // another would wait for it.
    const auto turn = [&](u32 u, const Results& now, Results& next, Run& run, uint4& word) {
        next = run.results(s);
        run = Run(s, word, at);
        word = word_at(u + 5 * stride);
        now.write(s, u);
    };
    for (u32 u = first; u < n; u += 2 * stride) {
        turn(u, now, next, odd, odd_word);
        if (u + stride < n) turn(u + stride, next, now, even, even_word);
    }
}

// Relabelled, all by degree: a label's result lies anywhere.
__device__ __forceinline__ void emit_by_rank(const Search& s) {
    for (i64 u = blockIdx.x * kThreads + threadIdx.x; u < s.caller_n; u += gridDim.x * kThreads) {
        const int id = __ldg(s.rank + u);
        const u32 byte = id < 0 ? 0 : __ldcg(static_cast<const unsigned char*>(s.levels) + id);
        const int* const parents = byte & kByHead ? s.head_labels : s.parents;
        write_result(s, u, byte, s.out_parents && byte ? __ldcg(parents + id) : -1);
    }
}

// A source without entries has no internal id: it is its own tree.  Of several, each counts once,
// which shows in an output.
__device__ void emit_isolated(const Search& s) {
    int* const out = s.out_levels ? s.out_levels : s.out_parents;
    for (int i = threadIdx.x; i < s.source_count; i += kThreads) {
        const int u = s.sources ? s.sources[i] : s.source;
        if (static_cast<u32>(u) >= static_cast<u32>(s.caller_n) || s.rank[u] >= 0) continue;
        const bool first = out == nullptr || atomicExch(out + u, 0) < 0;
        if (first && s.source_count > 1)
            atomicAdd(reinterpret_cast<u64*>(&s.control->reached), u64{1});
        if (s.out_parents) s.out_parents[u] = u;
    }
}

__device__ __forceinline__ void write_missing(int* out, int v, int count, u32 missing) {
    if (missing == 15 && count >= 4) {
        *reinterpret_cast<int4*>(out + v) = make_int4(-1, -1, -1, -1);
    } else {
#pragma unroll
        for (int j = 0; j < 4; ++j)
            if ((missing >> j & 1) && j < count) out[v + j] = -1;
    }
}

// Same labels: levels and parents are where they belong; only what was not reached is missing.
__device__ __forceinline__ void emit_unreached(const Search& s, const u32* seen) {
    const int blocks = (s.n + kBlock - 1) / kBlock, lane = threadIdx.x & 31;
    for (int b = (threadIdx.x >> 5) * gridDim.x + blockIdx.x; b < blocks; b += gridDim.x * kWarps) {
        const uint4 bits = reinterpret_cast<const uint4*>(seen)[b];
        __syncwarp();
        if (lane == 0) reinterpret_cast<uint4*>(s.seen[0])[b] = make_uint4(0, 0, 0, 0);
        const u32 missing = (~bits.x >> lane & 1) | (~bits.y >> lane & 1) << 1 |
                            (~bits.z >> lane & 1) << 2 | (~bits.w >> lane & 1) << 3;
        const int v = b * kBlock + lane * 4;
        if (missing && s.out_levels) write_missing(s.out_levels, v, s.n - v, missing);
        if (missing && s.out_parents) write_missing(s.out_parents, v, s.n - v, missing);
    }
}

// Sets a buffer of `bytes`, rounded up to 16, to zero: the share of one of `ctas`.
__device__ void clear(void* buffer, i64 bytes, int cta, int ctas) {
    for (i64 i = cta * kThreads + threadIdx.x; i < (bytes + 15) / 16; i += ctas * kThreads)
        static_cast<uint4*>(buffer)[i] = make_uint4(0, 0, 0, 0);
}
