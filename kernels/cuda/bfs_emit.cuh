// After the search: from internal ids to the caller's order, every output line written once, and
// the workspace left as the next search expects it (all status zero).
#pragma once
#include "bfs_state.cuh"

constexpr int kGroups = 4;            // runs of four labels a lane writes together
constexpr int kChains = 4 * kGroups;  // chains level, parent -> label of the parent in flight

// `v`: internal ids, -1 where there is none.  A status byte of 255 is too deep for a byte: its
// level is in place.
__device__ __forceinline__ void read_results(const Search& s, const int* labels,
                                             const int (&v)[kChains], int (&level)[kChains],
                                             int (&parent)[kChains]) {
    unsigned char* const levels = static_cast<unsigned char*>(s.levels);
#pragma unroll
    for (int i = 0; i < kChains; ++i) level[i] = v[i] >= 0 ? __ldcg(levels + v[i]) : 0;
#pragma unroll
    for (int i = 0; i < kChains; ++i)
        parent[i] = v[i] >= 0 && s.out_parents ? __ldcg(s.parents + v[i]) : -1;
#pragma unroll
    for (int i = 0; i < kChains; ++i) {
        const int p = level[i] ? parent[i] : -1;
        parent[i] = p < 0 ? -1 : p < s.labelled ? labels[p] : __ldg(s.label + p);
    }
#pragma unroll
    for (int i = 0; i < kChains; ++i)
        if (level[i]) levels[v[i]] = 0;
}

__device__ __forceinline__ void write_result(const Search& s, int u, int level, int parent) {
    if (s.out_levels && level < 255) s.out_levels[u] = level - 1;
    if (s.out_parents) s.out_parents[u] = parent;
}

// Relabelled: labels that are no hubs keep their order, so that a warp reads one run of internal
// ids for 128 labels; hubs are few and are scattered.  Most parents are hubs: their labels go to
// shared memory first.
__device__ __forceinline__ void emit_relabelled(const Search& s, int* labels) {
    for (int h = threadIdx.x; h < s.labelled; h += kThreads) labels[h] = __ldg(s.label + h);
    __syncthreads();
    const int threads = gridDim.x * kThreads, me = blockIdx.x * kThreads + threadIdx.x;
    const int lane = threadIdx.x & 31;
    const i64 stride = static_cast<i64>(kChains) * threads;
    for (i64 start = static_cast<i64>(kChains) * (me - lane); start < s.caller_n; start += stride) {
        int v[kChains], level[kChains], parent[kChains];
        u32 hubs = 0;
#pragma unroll
        for (int g = 0; g < kGroups; ++g) {
            const i64 u = start + g * 128 + 4 * lane;
            const uint4 word = u < s.caller_n ? __ldg(s.words + (u >> 5)) : make_uint4(0, 0, 0, 0);
            const u32 tail = word.x >> (u & 31);
            hubs |= (word.z >> (u & 31) & 15) << 4 * g;
            int id = static_cast<int>(word.y) + __popc(word.x & ((1u << (u & 31)) - 1));
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                v[4 * g + i] = tail >> i & 1 ? id : -1;
                id += tail >> i & 1;
            }
        }
        read_results(s, labels, v, level, parent);
#pragma unroll
        for (int g = 0; g < kGroups; ++g) {
            const i64 u = start + g * 128 + 4 * lane;
            const int* const l = level + 4 * g;
            const int* const p = parent + 4 * g;
            const bool deep = max(max(l[0], l[1]), max(l[2], l[3])) == 255;
            if ((hubs >> 4 * g & 15) == 0 && !deep && u + 4 <= s.caller_n) {
                if (s.out_levels)
                    __stcs(reinterpret_cast<int4*>(s.out_levels + u),
                           make_int4(l[0] - 1, l[1] - 1, l[2] - 1, l[3] - 1));
                if (s.out_parents)
                    __stcs(reinterpret_cast<int4*>(s.out_parents + u),
                           make_int4(p[0], p[1], p[2], p[3]));
            } else {
#pragma unroll
                for (int i = 0; i < 4; ++i)
                    if (!(hubs >> (4 * g + i) & 1) && u + i < s.caller_n)
                        write_result(s, static_cast<int>(u) + i, l[i], p[i]);
            }
        }
    }
    for (int h = me; h < s.hubs; h += threads) {
        int v[kChains], level[kChains], parent[kChains];
#pragma unroll
        for (int i = 0; i < kChains; ++i) v[i] = i == 0 ? h : -1;
        read_results(s, labels, v, level, parent);
        write_result(s, __ldg(s.label + h), level[0], parent[0]);
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
    const int blocks = (s.n + 127) / 128, lane = threadIdx.x & 31;
    for (int b = (threadIdx.x >> 5) * gridDim.x + blockIdx.x; b < blocks; b += gridDim.x * kWarps) {
        const uint4 bits = reinterpret_cast<const uint4*>(seen)[b];
        __syncwarp();
        if (lane == 0) reinterpret_cast<uint4*>(s.seen[0])[b] = make_uint4(0, 0, 0, 0);
        const u32 missing = (~bits.x >> lane & 1) | (~bits.y >> lane & 1) << 1 |
                            (~bits.z >> lane & 1) << 2 | (~bits.w >> lane & 1) << 3;
        const int v = b * 128 + lane * 4;
        if (missing && s.out_levels) write_missing(s.out_levels, v, s.n - v, missing);
        if (missing && s.out_parents) write_missing(s.out_parents, v, s.n - v, missing);
    }
}

__device__ void clear_status(u32* seen, int n) {
    const int words = (n + 127) / 128 * 4;
    for (int w = blockIdx.x * kThreads + threadIdx.x; w < words; w += gridDim.x * kThreads)
        seen[w] = 0;
}
