// After the search: from internal ids to the caller's order, every output line written once, and
// the workspace left as the next search expects it.
#pragma once
#include "bfs_visit.cuh"

constexpr int kGroups = 2;  // runs of four labels a lane writes together

__device__ __forceinline__ void write_result(const Search& s, int u, u32 byte, int parent) {
    const int level = static_cast<int>(byte & ~kByHead);
    if (s.out_levels && level < kDeepLevel) s.out_levels[u] = level - 1;
    if (s.out_parents) s.out_parents[u] = parent;
}

// A lane's runs of four labels, kGroups of them 128 apart: what the layout and the search say of
// them, asked for while the ones before are written.
struct Runs {
    u32 tail = 0, hubs = 0;  // a bit a label
    int id[kGroups];         // of the run's first tail vertex, the others follow
    u32 low[kGroups], high[kGroups];
    int parent[4 * kGroups];

    __device__ __forceinline__ int id_of(int i) const {
        return id[i / 4] + __popc(tail >> (i & ~3) & ((1u << i % 4) - 1));
    }
    // Status of a label, 0 if not reached: bytes of up to four ids in a row lie in two words.
    __device__ __forceinline__ u32 byte_of(int i) const {
        const int at = 8 * (id_of(i) - id[i / 4]);
        const u32 bytes = __funnelshift_r(low[i / 4], high[i / 4], 8 * (id[i / 4] & 3));
        return tail >> i & 1 ? bytes >> at & 255 : 0;
    }

    // `word`: see Search::words; `at`: the first label's bit in it.
    __device__ __forceinline__ Runs(const Search& s, const uint4 (&word)[kGroups], int at) {
#pragma unroll
        for (int g = 0; g < kGroups; ++g) {
            const u32 here = word[g].x >> at & 15;
            tail |= here << 4 * g;
            hubs |= (word[g].z >> at & 15) << 4 * g;
            id[g] = 0;
            if (here) id[g] = static_cast<int>(word[g].y) + __popc(word[g].x & ((1u << at) - 1));
            const u32* const bytes = static_cast<const u32*>(s.levels) + (id[g] >> 2);
            low[g] = __ldcg(bytes);
            high[g] = __ldcg(bytes + 1);
        }
#pragma unroll
        for (int i = 0; i < 4 * kGroups; ++i) {
            parent[i] = -1;
            load_if(s.out_parents && (tail >> i & 1), s.head_labels + id_of(i), parent[i]);
        }
    }

    __device__ __forceinline__ void write(const Search& s, i64 u0) {
#pragma unroll
        for (int i = 0; i < 4 * kGroups; ++i) {
            const u32 byte = byte_of(i);
            load_if(s.out_parents && byte && !(byte & kByHead), s.parents + id_of(i), parent[i]);
            if (byte == 0) parent[i] = -1;
        }
#pragma unroll
        for (int g = 0; g < kGroups; ++g) {
            const i64 u = u0 + g * 128;
            const int* const p = parent + 4 * g;
            int l[4];
            bool whole = (hubs >> 4 * g & 15) == 0 && u + 4 <= s.caller_n;
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                l[i] = static_cast<int>(byte_of(4 * g + i) & ~kByHead) - 1;
                whole &= l[i] + 1 != kDeepLevel;
            }
            if (whole) {
                if (s.out_levels)
                    __stcs(reinterpret_cast<int4*>(s.out_levels + u),
                           make_int4(l[0], l[1], l[2], l[3]));
                if (s.out_parents)
                    __stcs(reinterpret_cast<int4*>(s.out_parents + u),
                           make_int4(p[0], p[1], p[2], p[3]));
            } else {
#pragma unroll
                for (int i = 0; i < 4; ++i)
                    if (!(hubs >> (4 * g + i) & 1) && u + i < s.caller_n)
                        write_result(s, static_cast<int>(u) + i, byte_of(4 * g + i), p[i]);
            }
        }
    }
};

// Relabelled: labels that are no hubs keep their order, so that a warp reads one run of internal
// ids for 128 labels; hubs are few and are scattered.  Most parents are heads, whose labels the
// layout keeps in the order of their rows.
__device__ __forceinline__ void emit_relabelled(const Search& s) {
    const int threads = gridDim.x * kThreads, lane = threadIdx.x & 31;
    for (int h = (kThreads - 1 - threadIdx.x) * gridDim.x + blockIdx.x; h < s.hubs; h += threads) {
        const u32 byte = __ldcg(static_cast<const unsigned char*>(s.levels) + h);
        const int* const parents = byte & kByHead ? s.head_labels : s.parents;
        write_result(s, __ldg(s.label + h), byte, s.out_parents && byte ? __ldcg(parents + h) : -1);
    }
    const i64 stride = i64{4 * kGroups} * threads;
    const i64 first = i64{4 * kGroups} * (blockIdx.x * kThreads + threadIdx.x - lane) + 4 * lane;
    const int at = first & 31;
    uint4 word[kGroups];
    const auto ask_words = [&](i64 u0) {
#pragma unroll
        for (int g = 0; g < kGroups; ++g) {
            word[g] = make_uint4(0, 0, 0, 0);
            if (u0 + g * 128 < s.caller_n) word[g] = __ldg(s.words + (u0 + g * 128 >> 5));
        }
    };
    ask_words(first);
    Runs ahead(s, word, at);
    ask_words(first + stride);
    for (i64 u0 = first; u0 - 4 * lane < s.caller_n; u0 += stride) {
        Runs now = ahead;
        ahead = Runs(s, word, at);
        ask_words(u0 + 2 * stride);
        now.write(s, u0);
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

// Sets a buffer of `bytes`, rounded up to 16, to zero.
__device__ void clear(void* buffer, i64 bytes) {
    for (i64 i = blockIdx.x * kThreads + threadIdx.x; i < (bytes + 15) / 16;
         i += gridDim.x * kThreads)
        static_cast<uint4*>(buffer)[i] = make_uint4(0, 0, 0, 0);
}
