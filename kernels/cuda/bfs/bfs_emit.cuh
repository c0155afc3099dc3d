// After the search: from internal ids to the caller's order, every output line written once, and
// the workspace left as the next search expects it.
#pragma once
#include "cuda/bfs/bfs_emit_own.cuh"
#include "cuda/bfs/bfs_emit_runs.cuh"
#include "cuda/bfs/clear.cuh"

// Relabelled, hubs first: hubs and others keep the caller's order among themselves, so that a warp
// reads two runs of internal ids for 128 labels.
__device__ __forceinline__ void emit_in_order(const Search& s) {
    const u32 n = s.caller_n;
    const u32 stride = kTogether * gridDim.x * kThreads;
    const u32 first = kTogether * (blockIdx.x * kThreads + threadIdx.x);
    const int at = first & 31;
    // Behind the last label its word again, without a branch that would wait for it.
    const auto word_at = [&](u32 u) { return __ldg(s.words + (min(u, n - 1) >> 5)); };
    Run even(s, word_at(first), at), odd(s, word_at(first + stride), at);
    uint4 even_word = word_at(first + 2 * stride), odd_word = word_at(first + 3 * stride);
    Results now = even.results(s), next;
    even = Run(s, even_word, at);
    even_word = word_at(first + 4 * stride);
    // While a run is written, parents of the next one arrive, the level bytes of the two after
    // that, and the words of the two behind.  By turns: to move what is under way from one variable
    // to another would wait for it.
    const auto turn = [&](u32 u, const Results& now, Results& next, Run& run, uint4& word) {
        next = run.results(s);
        run = Run(s, word, at);
        word = word_at(u + 5 * stride);
        now.write(s, u, n);
    };
    for (u32 u = first; u < n; u += 2 * stride) {
        turn(u, now, next, odd, odd_word);
        if (u + stride < n) turn(u + stride, next, now, even, even_word);
    }
}

// What the next search begins with, by the cta-th of so many CTAs.
__device__ __forceinline__ void clear_visited(const Search& s, int cta, int ctas) {
    clear(s.visited[0], (s.n + kBlock - 1) / kBlock * 16, cta, ctas);
}

// Relabelled, all by degree: a label's result lies anywhere.
__device__ __forceinline__ void emit_by_rank(const Search& s) {
    for (i64 u = blockIdx.x * kThreads + threadIdx.x; u < s.caller_n; u += gridDim.x * kThreads) {
        const int id = __ldg(s.rank + u);
        const u32 byte = id < 0 ? 0 : __ldcg(static_cast<const unsigned char*>(s.levels) + id);
        const int* const parents = byte & kParentIsFirst ? s.prefix_labels : s.parents;
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
        // Nobody has written there before among several GPUs, whose sources are distinct.
        const bool first = kPeers || out == nullptr || atomicExch(out + u, 0) < 0;
        if (first && starts_from_list(s))
            atomicAdd(reinterpret_cast<u64*>(&s.control->reached), u64{1});
        // No GPU has it: whoever gathers results knows the sources.
        if (!kPeers && s.out_parents) s.out_parents[u] = u;
    }
}
