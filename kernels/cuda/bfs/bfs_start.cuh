// The begin of a search: memory made ready, and the sources as the first frontier.
#pragma once
#include "cuda/bfs/bfs_levels.cuh"
#include "cuda/bfs/bfs_owners.cuh"
#include "cuda/bfs/clear.cuh"
#include "cuda/memory/cache_hints.cuh"

// The next search's levels of what this GPU owns: it writes no others.
__device__ __forceinline__ void clear_own(const Search& s, int cta, int ctas) {
    for (i64 i = cta * kThreads + threadIdx.x; i < (s.n + 15) / 16; i += ctas * kThreads)
        if (owns(s, static_cast<int>(16 * i)))
            static_cast<uint4*>(s.next_levels)[i] = make_uint4(0, 0, 0, 0);
}

// Before the first level, by all CTAs but the first, for which they mostly wait then: the next
// search's levels are cleared, and what pushes will write here and there is brought into L2.
template <typename Offset, typename Labels, bool kDeep>
__device__ __forceinline__ void prepare(Traversal<Offset, Labels, kDeep>& t) {
    const Search& s = t.s;
    const bool alone = gridDim.x == 1;
    if (blockIdx.x == 0 && !alone) return;
    const int cta = alone ? 0 : blockIdx.x - 1, ctas = alone ? 1 : gridDim.x - 1;
    if constexpr (Labels::kRelabelled && kPeers)
        clear_own(s, cta, ctas);
    else if constexpr (Labels::kRelabelled)
        clear(s.next_levels, s.n, cta, ctas);
    if (s.near > 0 && s.levels)
        bring_near(s.levels, i64{s.n} * sizeof(typename Labels::Level), cta, ctas);
    if (s.near > 1 && s.parents) bring_near(s.parents, i64{s.n} * sizeof(int), cta, ctas);
}

// Internal id of a caller's vertex, -1 for none.
__device__ __forceinline__ int internal(const Search& s, int label) {
    if (static_cast<u32>(label) >= static_cast<u32>(s.caller_n)) {
        s.control->bad_source = 1;
        return -1;
    }
    const int v = s.rank ? s.rank[label] : label;
    if (v < 0) s.control->isolated = 1;
    return v;
}

// One source needs no list: its row is the frontier.
template <typename Offset, typename Labels, bool kDeep>
__device__ __forceinline__ void start_one(Traversal<Offset, Labels, kDeep>& t) {
    const Search& s = t.s;
    Step<Offset>& step = t.step;
    if (threadIdx.x == 0) {
        const int source = internal(s, s.sources ? s.sources[0] : s.source);
        step.kind = kDone;
        step.reached = source >= 0 || s.control->isolated;
        if (source >= 0) {
            if (blockIdx.x == 0) {
                atomicOr(s.visited[0] + word_of(source), bit_of(source));
                if (owns(s, source)) visit_source<Labels>(s, source);
            }
            if (s.max_depth > 0 && source != s.target) {
                const Offset begin = t.out_indptr()[source];
                const Offset length = t.out_indptr()[source + 1] - begin;
                const Offset anywhere = kPeers ? t.found_indptr()[source] : length;
                step.frontier = RowList<Offset>{nullptr, 1, anywhere, source, begin};
                choose<Offset, kDeep>(s, step, 1, true);
                if (kPeers) step.frontier.edges = length;
            }
        }
    }
    __syncthreads();
    // No level follows: emission would read the source's visited bit and level at once.
    if (step.kind == kDone) t.barrier();
}

// Several are claimed and listed first.
template <typename Offset, typename Labels, bool kDeep>
__device__ __forceinline__ void start_many(Traversal<Offset, Labels, kDeep>& t) {
    const Search& s = t.s;
    Step<Offset>& step = t.step;
    if (threadIdx.x == 0) {
        step.frontier = RowList<Offset>{nullptr, 0, 0};
        choose<Offset, kDeep>(s, step, 0, true);
        step.sink.list = ListPolicy{kListAll};
        step.sink.shortest = 1;  // nobody has found a source
        step.level = -1;
        step.kind = kPush;
        step.sends = step.tail = false;
    }
    __syncthreads();
    Finds<Offset> finds(t.stage, step.sink, t.found_indptr());
    for (int base = blockIdx.x * kThreads; base < s.source_count; base += gridDim.x * kThreads) {
        const int i = base + threadIdx.x;
        const int v = i < s.source_count ? internal(s, s.sources ? s.sources[i] : s.source) : -1;
        const int vertex[1] = {v};
        bool won[1] = {v >= 0 && owns(s, v)};
        claim(s.visited[0], vertex, won);
        if (won[0]) visit_source<Labels>(s, v);
        finds.add(vertex, won);
    }
    finds.finish();
    t.barrier_and_advance();
}
