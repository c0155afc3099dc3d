// Between sparse vectors and a fused search that runs steps of q<~v> = q A, v<q> = x ahead.
//
//   mark_*          the visited, v: their status bits, so that the search does not find them
//   seed_*          the frontier, q: the search's sources, which must be among the visited
//   count_levels    vertices a level
//   frontier_after  q after `depth` steps: the vertices of that level
//   visited_after   v after them: the vertices of levels up to it become entries
//   spread_list     v before them, where it was a list
//
// Vertices are numbered by the caller but for their status, see bfs_state.cuh.
#include "bfs_visit.cuh"

constexpr int kBefore = -2;  // level of a vertex visited before the search began
constexpr int kSide = 4;     // elements that a thread handles side by side

__device__ inline i64 thread_of() { return static_cast<i64>(blockIdx.x) * kThreads + threadIdx.x; }
__device__ inline i64 threads_of() { return static_cast<i64>(gridDim.x) * kThreads; }

// Levels side by side, those past the end not reached.
__device__ inline int4 levels_at(const int* levels, i64 i, i64 size) {
    if (i + kSide <= size) return *reinterpret_cast<const int4*>(levels + i);
    return make_int4(i < size ? levels[i] : -1, i + 1 < size ? levels[i + 1] : -1,
                     i + 2 < size ? levels[i + 2] : -1, -1);
}

// Status and levels of a search that has not begun.  `bytes` are those of a relabelled layout; one
// that says "too deep for a byte" makes emission leave the level as it is.
struct Start {
    const int* rank;
    u32* seen;
    unsigned char* bytes;
    int* levels;

    __device__ void mark(i64 vertex) const {
        const int v = rank ? rank[vertex] : static_cast<int>(vertex);
        levels[vertex] = kBefore;
        if (v < 0) return;
        atomicOr(seen + word_of(v), bit_of(v));
        if (bytes) bytes[v] = kDeepLevel;
    }

    // False for a vertex that was not marked.
    __device__ bool seed(i64 vertex) const {
        const int v = rank ? rank[vertex] : static_cast<int>(vertex);
        if (v < 0) return true;  // nobody reaches it, and it reaches nobody
        if (bytes) bytes[v] = 0;
        return atomicAnd(seen + word_of(v), ~bit_of(v)) & bit_of(v);
    }
};

// What the host is told: `counts` follow.
struct Told {
    u32 outside;  // a vertex of the frontier is not among the visited
    u32 seeds;    // listed so far
};

template <typename Index>
__global__ void __launch_bounds__(kThreads)
    mark_listed(const Index* list, i64 count, const int* rank, u32* seen, unsigned char* bytes,
                int* levels) {
    const Start start{rank, seen, bytes, levels};
    for (i64 i = thread_of(); i < count; i += threads_of()) start.mark(list[i]);
}

__global__ void __launch_bounds__(kThreads)
    mark_flagged(const unsigned char* flags, i64 size, const int* rank, u32* seen,
                 unsigned char* bytes, int* levels) {
    const Start start{rank, seen, bytes, levels};
    for (i64 i = thread_of(); i < size; i += threads_of())
        if (flags[i]) start.mark(i);
}

template <typename Index>
__global__ void __launch_bounds__(kThreads)
    seed_listed(const Index* list, i64 count, const int* rank, u32* seen, unsigned char* bytes,
                int* levels, int* sources, Told* told) {
    const Start start{rank, seen, bytes, levels};
    for (i64 i = thread_of(); i < count; i += threads_of()) {
        if (!start.seed(list[i])) told->outside = 1;
        sources[i] = static_cast<int>(list[i]);
    }
}

__global__ void __launch_bounds__(kThreads)
    seed_flagged(const unsigned char* flags, i64 size, const int* rank, u32* seen,
                 unsigned char* bytes, int* levels, int* sources, Told* told) {
    const Start start{rank, seen, bytes, levels};
    const int lane = threadIdx.x & 31;
    for (i64 i = thread_of(); i - lane < size; i += threads_of()) {
        const bool set = i < size && flags[i];
        const u32 sets = __ballot_sync(kFull, set);
        if (sets == 0) continue;
        u32 slot = 0;
        if (lane == 0) slot = atomicAdd(&told->seeds, static_cast<u32>(__popc(sets)));
        slot = __shfl_sync(kFull, slot, 0) + __popc(sets & lanes_below());
        if (!set) continue;
        if (!start.seed(i)) told->outside = 1;
        sources[slot] = static_cast<int>(i);
    }
}

constexpr int kBins = 8192;  // levels that a CTA counts by itself
constexpr int kCommon = 4;   // levels of a warp that are counted before each lane adds its own

__global__ void __launch_bounds__(kThreads)
    count_levels(const int* levels, i64 size, u32* counts, i64 deepest) {
    __shared__ u32 bins[kBins];
    const int used = static_cast<int>(min(deepest + 1, i64{kBins}));
    for (int i = threadIdx.x; i < used; i += kThreads) bins[i] = 0;
    __syncthreads();
    const int lane = threadIdx.x & 31;
    const auto add = [&](int level, u32 vertices) {
        atomicAdd(level < kBins ? bins + level : counts + level, vertices);
    };
    for (i64 i = thread_of() * kSide; i - lane * kSide < size; i += threads_of() * kSide) {
        const int4 four = levels_at(levels, i, size);
        const int level[kSide] = {four.x, four.y, four.z, four.w};
        for (int k = 0; k < kSide; ++k) {
            u32 open = __ballot_sync(kFull, level[k] > 0);
            for (int turn = 0; turn < kCommon && open; ++turn) {
                const int one = __shfl_sync(kFull, level[k], __ffs(open) - 1);
                const u32 same = __ballot_sync(kFull, level[k] == one);
                if (lane == 0) add(one, static_cast<u32>(__popc(same)));
                open &= ~same;
            }
            if (open >> lane & 1) add(level[k], 1);
        }
    }
    __syncthreads();
    for (int i = threadIdx.x; i < used; i += kThreads)
        if (bins[i]) atomicAdd(counts + i, bins[i]);
}

// `values` take the parents where it is not null.
__global__ void __launch_bounds__(kThreads)
    frontier_after(const int* levels, const int* parents, i64 size, i64 depth,
                   unsigned char* present, i64* values) {
    for (i64 i = thread_of() * kSide; i < size; i += threads_of() * kSide) {
        const int4 four = levels_at(levels, i, size);
        const int now = static_cast<int>(depth);
        const unsigned char here[kSide] = {four.x == now, four.y == now, four.z == now,
                                           four.w == now};
        if (i + kSide <= size) {
            *reinterpret_cast<uchar4*>(present + i) =
                make_uchar4(here[0], here[1], here[2], here[3]);
        } else {
#pragma unroll
            for (int k = 0; k < kSide; ++k)
                if (i + k < size) present[i + k] = here[k];
        }
        for (int k = 0; k < kSide; ++k)
            if (values && here[k]) values[i + k] = parents[i + k];
    }
}

// Entries of the levels from `first` to `last`: the parent, or what the table has for the level;
// a null `values` has the one value already.
template <typename Value>
__global__ void __launch_bounds__(kThreads)
    visited_after(const int* levels, const int* parents, const Value* table, i64 size, i64 first,
                  i64 last, unsigned char* present, Value* values) {
    for (i64 i = thread_of() * kSide; i < size; i += threads_of() * kSide) {
        const int4 four = levels_at(levels, i, size);
        const int level[kSide] = {four.x, four.y, four.z, four.w};
        for (int k = 0; k < kSide; ++k) {
            if (level[k] < first || level[k] > last) continue;
            present[i + k] = 1;
            if (values)
                values[i + k] =
                    parents ? static_cast<Value>(parents[i + k]) : table[level[k] - first];
        }
    }
}

// The entries of a list set in a bitmap whose flags are clear; a null `values` has the one value.
template <typename Value>
__global__ void __launch_bounds__(kThreads)
    spread_list(const i64* list, const Value* from, i64 stride, i64 count, unsigned char* present,
                Value* values) {
    for (i64 i = thread_of(); i < count; i += threads_of()) {
        present[list[i]] = 1;
        if (values) values[list[i]] = from[i * stride];
    }
}
