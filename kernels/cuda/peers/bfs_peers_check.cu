// What several GPUs have found in one search, looked at where it is: each GPU goes through the rows
// of its own vertices, which have all edges that lead to these, and asks the others for the levels
// of neighbours.  Shares nothing with the search but what the graph's shares are.
#include "cuda/layout/share_keys.cuh"

// Rules of Graph500, by the names of RULES in cuda/peers/check.py: how many vertices break each.
enum Rule {
    kLevelInRange,
    kParentWithLevel,
    kOnlySourceIsFirst,
    kSourceIsItsParent,
    kEdgeSpansOneLevel,
    kParentIsNeighbour,
    kNeighbourOneLevelUp,
    kRules
};

// A warp a row.  `levels_of`: by GPU; `parents_here`: of this one.
template <typename Offset>
__global__ void check_rows(const Offset* indptr, const int* indices, int own, int n,
                           const int* label, int source, const int* const* levels_of,
                           const int* parents_here, int shift, int gpus, int place, u64* broken) {
    const int lane = threadIdx.x & 31;
    const SharedResults levels(levels_of, label, shift, gpus);
    for (i64 r = thread_number() / 32; r < own; r += thread_count() / 32) {
        const i64 id = id_of_own(r, shift, gpus, place);
        const int u = label ? label[id] : static_cast<int>(id);
        const int level = levels.at(static_cast<int>(id), u),
                  parent = parents_here[levels.in_order ? r : u];
        bool spans = false, below = false, leads = false;
        for (i64 e = static_cast<i64>(indptr[r]) + lane; e < indptr[r + 1]; e += 32) {
            const int v = indices[e], other = label ? label[v] : v;
            const int from = levels.at(v, other);
            spans |= from >= 0 && (level < 0 || level > from + 1);
            below |= from >= 0 && from == level - 1;
            leads |= other == parent && from == level - 1;
        }
        spans = __any_sync(kFull, spans);
        below = __any_sync(kFull, below);
        leads = __any_sync(kFull, leads);
        if (lane != 0) continue;
        const auto count = [&](Rule rule, bool is_broken) {
            if (is_broken) atomicAdd(broken + rule, u64{1});
        };
        count(kLevelInRange, level < -1 || level >= n);
        count(kParentWithLevel, (level < 0) != (parent < 0));
        count(kOnlySourceIsFirst, (u == source) != (level == 0));
        count(kSourceIsItsParent, (u == source) != (parent == u));
        count(kEdgeSpansOneLevel, spans);
        count(kParentIsNeighbour, level > 0 && !leads);
        count(kNeighbourOneLevelUp, level > 0 && !below);
    }
}

constexpr int kLevelsCounted = 64;

// Own vertices of every level, by several GPUs, and the entries of their rows at all GPUs; those of
// the last level and deeper ones together.
template <typename Offset>
__global__ void count_levels(int own, const int* label, const Offset* degrees,
                             const int* levels_here, int shift, int gpus, int place, u64* counts) {
    __shared__ u64 sums[2 * kLevelsCounted];
    for (int i = threadIdx.x; i < 2 * kLevelsCounted; i += blockDim.x) sums[i] = 0;
    __syncthreads();
    for (i64 r = thread_number(); r < own; r += thread_count()) {
        const i64 id = id_of_own(r, shift, gpus, place);
        const int level = levels_here[label ? r : id];
        if (level < 0) continue;
        atomicAdd(sums + 2 * min(level, kLevelsCounted - 1), u64{1});
        atomicAdd(sums + 2 * min(level, kLevelsCounted - 1) + 1, static_cast<u64>(degrees[id]));
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 2 * kLevelsCounted; i += blockDim.x)
        if (sums[i]) atomicAdd(counts + i, sums[i]);
}
