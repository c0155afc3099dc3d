// Push (top-down): every edge of the listed frontier probes at its far end and claims it once.
#pragma once
#include "cuda/bfs/bfs_lines.cuh"
#include "cuda/bfs/frontier_finds.cuh"

// Turns on the bits of active vertices, all asked for together; active stays true for the one
// thread that turned a bit on.
template <int K>
__device__ __forceinline__ void claim(u32* visited, const int (&v)[K], bool (&active)[K]) {
    u32 before[K];
#pragma unroll
    for (int u = 0; u < K; ++u) {
        before[u] = kFull;
        or_if(active[u], visited + word_of(v[u]), bit_of(v[u]), before[u]);
    }
#pragma unroll
    for (int u = 0; u < K; ++u) active[u] = !(before[u] & bit_of(v[u]));
}

// Sets the bits of what was claimed at the other GPUs.
__device__ __forceinline__ void show_claims(const Search& s, const u32* visited,
                                            const int (&v)[kFlight], const bool (&won)[kFlight]) {
#pragma unroll
    for (int u = 0; u < kFlight; ++u)
        for (int gpu = 0; won[u] && gpu < s.gpus; ++gpu)
            if (gpu != s.place)
                asm volatile("red.relaxed.sys.global.or.b32 [%0], %1;" ::"l"(
                                 s.peers->visited[gpu][visited == s.visited[1]] + word_of(v[u])),
                             "r"(bit_of(v[u]))
                             : "memory");
}

// By whom a warp's edges, kFlight a lane, are pushed.
template <typename Offset, typename Labels>
struct PushEdges {
    const Search& s;
    u32* const visited;
    const int source;  // its own bit may not be set yet when its row is expanded
    const int level;
    const bool sends;  // of several GPUs: bits to the others
    Finds<Offset>& finds;

    __device__ __forceinline__ void operator()(const int (&v)[kFlight],
                                               const int (&parent)[kFlight]) const {
        bool found[kFlight];
        visit_all(v, parent, found);
    }
    // `open`: which of the neighbours are found.
    __device__ __forceinline__ void visit_all(const int (&v)[kFlight], const int (&parent)[kFlight],
                                              bool (&open)[kFlight]) const {
        u32 word[kFlight];
#pragma unroll
        for (int u = 0; u < kFlight; ++u) {
            open[u] = v[u] >= 0 && v[u] != source;
            word[u] = kFull;
            // A probe may hit a stale line of L1: bits are only ever set, so a stale 1 is right
            // and a stale 0 is corrected by the atomic.
            load_cached_if(open[u], visited + word_of(v[u]), word[u]);
        }
#pragma unroll
        for (int u = 0; u < kFlight; ++u) open[u] = !(word[u] & bit_of(v[u]));
        int name[kFlight];
        name_parents<Labels>(s, parent, open, name);  // comes with the claims
        claim(visited, v, open);
        if (kPeers && sends) show_claims(s, visited, v, open);
        visit<Labels>(s, v, name, open, level + 1);
        finds.add(v, open);
    }
};

template <typename Offset, typename Labels>
__device__ __forceinline__ void push_level(const Search& s, const RowList<Offset> frontier,
                                           u32* visited, int level, bool sends,
                                           Finds<Offset>& finds) {
    const PushEdges<Offset, Labels> visit_edges{s, visited, frontier.source, level, sends, finds};
    if constexpr (kPinned && !Labels::kRelabelled) {
        const RowLines lines{s.out_lines, s.line_shift, s.line_bits};
        if (s.out_lines) return expand_lines(lines, s.out_indices, frontier, visit_edges);
    }
    expand_edges(frontier, s.out_indices, gridDim.x, visit_edges);
}
