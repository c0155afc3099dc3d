// After the search: from internal ids to the caller's order, every output line written once, and
// the workspace left as the next search expects it.
#pragma once
#include "bfs_state.cuh"

constexpr int kGroups = 4;  // runs of four labels a lane writes together

// Labels of the parents of K vertices: of a row's head, which is given, or of the parent that was
// written down.  Every step is asked for all of them before the next.
template <int K>
__device__ __forceinline__ void look_up_parents(const Search& s, const int* labels,
                                                const int (&v)[K], const u32 (&byte)[K],
                                                int (&parent)[K]) {
    int stored[K];
#pragma unroll
    for (int i = 0; i < K; ++i) {
        stored[i] = 0;
        load_if(byte[i] && !(byte[i] & kByHead), s.parents + v[i], stored[i]);
    }
#pragma unroll
    for (int i = 0; i < K; ++i) {
        const bool written = byte[i] && !(byte[i] & kByHead);
        load_if(written && stored[i] >= s.labelled, s.label + stored[i], parent[i]);
        if (written && stored[i] < s.labelled) parent[i] = labels[stored[i]];
        if (byte[i] == 0) parent[i] = -1;
    }
}

__device__ __forceinline__ void write_result(const Search& s, int u, u32 byte, int parent) {
    const int level = static_cast<int>(byte & ~kByHead);
    if (s.out_levels && level < kDeepLevel) s.out_levels[u] = level - 1;
    if (s.out_parents) s.out_parents[u] = parent;
}

// Relabelled: labels that are no hubs keep their order, so that a warp reads one run of internal
// ids for 128 labels; hubs are few and are scattered.  Most parents are heads, whose labels the
// layout keeps in the order of their rows, or hubs, whose labels go to shared memory first.
__device__ __forceinline__ void emit_relabelled(const Search& s, int* labels) {
    const unsigned char* const levels = static_cast<const unsigned char*>(s.levels);
    for (int h = threadIdx.x; h < s.labelled; h += kThreads) labels[h] = __ldg(s.label + h);
    __syncthreads();
    const int threads = gridDim.x * kThreads, me = blockIdx.x * kThreads + threadIdx.x;
    const int lane = threadIdx.x & 31;
    constexpr int kRun = 4 * kGroups;
    const i64 stride = static_cast<i64>(kRun) * threads;
    uint4 ahead[kGroups];
    const auto ask_words = [&](i64 start) {
#pragma unroll
        for (int g = 0; g < kGroups; ++g) {
            const i64 u = start + g * 128 + 4 * lane;
            ahead[g] = make_uint4(0, 0, 0, 0);
            if (u < s.caller_n) ahead[g] = __ldg(s.words + (u >> 5));
        }
    };
    i64 start = static_cast<i64>(kRun) * (me - lane);
    ask_words(start);
    for (; start < s.caller_n; start += stride) {
        u32 tail[kGroups], hubs[kGroups], low[kGroups], high[kGroups];
        int id[kGroups], parent[kRun];
#pragma unroll
        for (int g = 0; g < kGroups; ++g) {
            const int at = (start + 4 * lane) & 31;
            tail[g] = ahead[g].x >> at & 15;
            hubs[g] = ahead[g].z >> at & 15;
            id[g] = 0;
            if (tail[g])
                id[g] = static_cast<int>(ahead[g].y) + __popc(ahead[g].x & ((1u << at) - 1));
            // Bytes of up to four ids in a row lie in two words.
            const u32* const word = reinterpret_cast<const u32*>(levels) + (id[g] >> 2);
            low[g] = __ldcg(word);
            high[g] = __ldcg(word + 1);
        }
#pragma unroll
        for (int i = 0; i < kRun; ++i) {
            const u32 before = __popc(tail[i / 4] & ((1u << i % 4) - 1));
            parent[i] = -1;
            if (s.out_parents && tail[i / 4] >> i % 4 & 1)
                parent[i] = __ldcg(s.head_labels + id[i / 4] + before);
        }
        ask_words(start + stride);
        u32 byte[kRun];
        int v[kRun];
#pragma unroll
        for (int i = 0; i < kRun; ++i) {
            const u32 before = __popc(tail[i / 4] & ((1u << i % 4) - 1));
            const u32 bytes = __funnelshift_r(low[i / 4], high[i / 4], 8 * (id[i / 4] & 3));
            byte[i] = tail[i / 4] >> i % 4 & 1 ? bytes >> 8 * before & 255 : 0;
            v[i] = id[i / 4] + static_cast<int>(before);
        }
        if (s.out_parents) look_up_parents(s, labels, v, byte, parent);
#pragma unroll
        for (int g = 0; g < kGroups; ++g) {
            const i64 u = start + g * 128 + 4 * lane;
            const u32* const b = byte + 4 * g;
            const int* const p = parent + 4 * g;
            int l[4];
            bool deep = false;
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                l[i] = static_cast<int>(b[i] & ~kByHead) - 1;
                deep |= l[i] + 1 == kDeepLevel;
            }
            if (hubs[g] == 0 && !deep && u + 4 <= s.caller_n) {
                if (s.out_levels)
                    __stcs(reinterpret_cast<int4*>(s.out_levels + u),
                           make_int4(l[0], l[1], l[2], l[3]));
                if (s.out_parents)
                    __stcs(reinterpret_cast<int4*>(s.out_parents + u),
                           make_int4(p[0], p[1], p[2], p[3]));
            } else {
#pragma unroll
                for (int i = 0; i < 4; ++i)
                    if (!(hubs[g] >> i & 1) && u + i < s.caller_n)
                        write_result(s, static_cast<int>(u) + i, b[i], p[i]);
            }
        }
    }
    for (int h = me; h < s.hubs; h += threads) {
        const int v[1] = {h};
        const u32 byte[1] = {__ldcg(levels + h)};
        int parent[1] = {s.out_parents ? __ldg(s.head_labels + h) : -1};
        if (s.out_parents) look_up_parents(s, labels, v, byte, parent);
        write_result(s, __ldg(s.label + h), byte[0], parent[0]);
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
