// After the search: from internal ids to the caller's order, every output line written once, and
// the workspace left as the next search expects it.
#pragma once
#include "bfs_visit.cuh"

constexpr int kTogether = 4;  // labels in a row that a lane writes together: its run

__device__ __forceinline__ int level_in(u32 byte) { return static_cast<int>(byte & ~kByHead) - 1; }

__device__ __forceinline__ void write_result(const Search& s, i64 u, u32 byte, int parent) {
    if (s.out_levels && level_in(byte) + 1 < kDeepLevel) s.out_levels[u] = level_in(byte);
    if (s.out_parents) s.out_parents[u] = parent;
}

// What is written of a run.
struct Results {
    u32 bytes;  // status, a byte a label, 0 where not reached
    int parent[kTogether];

    __device__ __forceinline__ void write(const Search& s, i64 u) const {
        int level[kTogether];
        bool whole = u + kTogether <= s.caller_n;
#pragma unroll
        for (int i = 0; i < kTogether; ++i) {
            level[i] = level_in(bytes >> 8 * i & 255);
            whole &= level[i] + 1 != kDeepLevel;
        }
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
                if (u + i < s.caller_n) write_result(s, u + i, bytes >> 8 * i & 255, parent[i]);
        }
    }
};

// Those of a run whose internal ids follow each other: the hubs, or all others.
struct Followers {
    u32 mask;       // a bit a label
    int id;         // of the first
    u32 low, high;  // the words in which their status lies

    // `bits`: of 32 labels, the first of which has number `first`; `at`: where the run begins.
    __device__ __forceinline__ Followers(const Search& s, u32 bits, u32 first, int at) {
        mask = bits >> at & ((1u << kTogether) - 1);
        id = static_cast<int>(first) + __popc(bits & ((1u << at) - 1));
        const int* const words = static_cast<const int*>(s.levels) + (id >> 2);
        int x = 0, y = 0;
        load_if(mask, words, x);
        load_if(mask, words + 1, y);
        low = x, high = y;
    }
    __device__ __forceinline__ bool has(int i) const { return mask >> i & 1; }
    __device__ __forceinline__ int before(int i) const { return __popc(mask & ((1u << i) - 1)); }
    __device__ __forceinline__ int id_of(int i) const { return id + before(i); }
    __device__ __forceinline__ u32 byte_of(int i) const {
        const u32 bytes = __funnelshift_r(low, high, 8 * (id & 3));
        return has(i) ? bytes >> 8 * before(i) & 255 : 0;
    }
};

// What the layout and the search say of a run: asked for while those before are written.
struct Run {
    Followers tail, hubs;
    int parent[kTogether];

    __device__ __forceinline__ int id_of(int i) const {
        return hubs.has(i) ? hubs.id_of(i) : tail.id_of(i);
    }

    // `word`: see Search::words; `at`: the first label's bit in it.
    __device__ __forceinline__ Run(const Search& s, const uint4& word, int at)
        : tail(s, word.x, word.y, at), hubs(s, word.z, word.w, at) {
#pragma unroll
        for (int i = 0; i < kTogether; ++i) {
            parent[i] = -1;
            load_if(s.out_parents && (tail.has(i) || hubs.has(i)), s.head_labels + id_of(i),
                    parent[i]);
        }
    }

    // Asks for the parents that are no heads.
    __device__ __forceinline__ Results results(const Search& s) const {
        Results found;
        found.bytes = 0;
#pragma unroll
        for (int i = 0; i < kTogether; ++i) {
            const u32 byte = tail.byte_of(i) | hubs.byte_of(i);
            found.bytes |= byte << 8 * i;
            found.parent[i] = byte ? parent[i] : -1;
            load_if(s.out_parents && byte && !(byte & kByHead), s.parents + id_of(i),
                    found.parent[i]);
        }
        return found;
    }
};

// Relabelled, hubs first: hubs and others keep the caller's order among themselves, so that a warp
// reads two runs of internal ids for 128 labels.  Most parents are heads, whose labels the layout
// keeps in the order of their rows.  While a run is written, parents of the next one arrive, and
// the status of the one after that.
__device__ __forceinline__ void emit_in_order(const Search& s) {
    const i64 stride = i64{kTogether} * gridDim.x * kThreads;
    const i64 first = i64{kTogether} * (blockIdx.x * kThreads + threadIdx.x);
    const int at = first & 31;
    const auto word_at = [&](i64 u) {
        return u < s.caller_n ? __ldg(s.words + (u >> 5)) : make_uint4(0, 0, 0, 0);
    };
    Run ahead(s, word_at(first), at);
    uint4 word = word_at(first + stride);
    Results now = ahead.results(s);
    ahead = Run(s, word, at);
    word = word_at(first + 2 * stride);
    for (i64 u = first; u < s.caller_n; u += stride) {
        const Results next = ahead.results(s);
        ahead = Run(s, word, at);
        word = word_at(u + 3 * stride);
        now.write(s, u);
        now = next;
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
