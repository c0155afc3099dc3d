// What is written of a vertex that a search finds: its level and its parent.
#pragma once
#include "cuda/bfs/bfs_owners.cuh"
#include "cuda/memory/predicated_loads.cuh"

// Levels of a relabelled layout are bytes, so that the expansion to the caller's order reads a
// quarter: level + 1, 0 where not reached.  A level too deep for seven bits goes straight to the
// output.  The eighth bit says that the parent is the first entry of the row and was not
// written down: what `parents` holds of it does not matter.
constexpr int kDeepLevel = 127;
constexpr int kParentIsFirst = 128;

__device__ __forceinline__ void store_level(const Search& s, unsigned char* levels, int v,
                                            int level, int flag = 0) {
    levels[v] = static_cast<unsigned char>(min(level + 1, kDeepLevel) | flag);
    if (level + 1 >= kDeepLevel && s.out_levels)
        s.out_levels[kPeers ? among_own(s, v) : s.label[v]] = level;
}
__device__ __forceinline__ void store_level(const Search&, int* levels, int v, int level, int = 0) {
    if (levels) levels[v] = level;
}

// What is written of parents, those that are wanted: labels are asked for together.
template <typename Labels, int K>
__device__ __forceinline__ void name_parents(const Search& s, const int (&parent)[K],
                                             const bool (&wanted)[K], int (&name)[K]) {
#pragma unroll
    for (int i = 0; i < K; ++i) {
        name[i] = parent[i];
        if constexpr (Labels::kRelabelled)
            load_if(wanted[i] && s.parents, s.label + parent[i], name[i]);
    }
}

// A vertex found, its parent by name or still to be written.
template <typename Labels>
__device__ __forceinline__ void visit(const Search& s, int v, int level, int flag = 0) {
    if (v == s.target) s.control->target_level = level + 1;
    store_level(s, static_cast<typename Labels::Level*>(s.levels), v, level, flag);
}
template <typename Labels, int K>
__device__ __forceinline__ void visit(const Search& s, const int (&v)[K], const int (&name)[K],
                                      const bool (&found)[K], int level, int flag = 0) {
#pragma unroll
    for (int i = 0; i < K; ++i) {
        if (!found[i]) continue;
        if (s.parents && !(flag & kParentIsFirst)) s.parents[v[i]] = name[i];
        visit<Labels>(s, v[i], level, flag);
    }
}
// A source: its own parent.
template <typename Labels>
__device__ __forceinline__ void visit_source(const Search& s, int v) {
    if (s.parents) s.parents[v] = Labels::kRelabelled ? s.label[v] : v;
    visit<Labels>(s, v, 0);
}

// Four rows of one lane at once: where all of them were open, what is written of those that stay
// so does not matter (their visited bits say so, or a zero byte), and one wide store will do.
__device__ __forceinline__ void store_levels(const Search&, int* levels, int v, u32, int level,
                                             int) {
    if (levels) *reinterpret_cast<int4*>(levels + v) = make_int4(level, level, level, level);
}
__device__ __forceinline__ void store_levels(const Search&, unsigned char* levels, int v, u32 hits,
                                             int level, int flag) {
    const u32 each = level + 1 | flag;
    const u32 spread = (hits & 1) | (hits & 2) << 7 | (hits & 4) << 14 | (hits & 8) << 21;
    *reinterpret_cast<u32*>(levels + v) = spread * each;
}

template <typename Labels>
__device__ __forceinline__ void visit_four(const Search& s, int v, u32 open, u32 hits,
                                           const int4& parents, int level) {
    if (hits == 0) return;
    typename Labels::Level* const levels = static_cast<typename Labels::Level*>(s.levels);
    constexpr bool implied = Labels::kRelabelled;
    if (open == 15 && v + 4 <= s.n && (!Labels::kRelabelled || level + 1 < kDeepLevel)) {
        if (s.parents && !implied) *reinterpret_cast<int4*>(s.parents + v) = parents;
        store_levels(s, levels, v, hits, level, implied ? kParentIsFirst : 0);
    } else {
        const int parent[4] = {parents.x, parents.y, parents.z, parents.w};
#pragma unroll
        for (int j = 0; j < 4; ++j)
            if (hits >> j & 1) {
                if (s.parents && !implied) s.parents[v + j] = parent[j];
                store_level(s, levels, v + j, level, implied ? kParentIsFirst : 0);
            }
    }
    const u32 at = static_cast<u32>(s.target - v);
    if (at < 4 && (hits >> at & 1)) s.control->target_level = level + 1;
}
