// Between sparse vectors and a fused search that runs steps of q<~v> = q A, v<q> = x ahead.
//
//   mark_*          the visited, v: their status bits, so that the search does not find them
//   seed_*          the frontier, q: the search's sources, which must be among the visited
//   begin_short     both of them, where they are short lists, and what the host is told cleared
//   count_levels    vertices a level
//   frontier_after  q after `depth` steps: the vertices of that level
//   visited_after   v after them: the vertices of levels up to it become entries
//   spread_list     v before them, where it was a list
//
// Vertices are numbered by the caller but for their status, see bfs_state.cuh.
#include "bfs_visit.cuh"
#include "warp_reduce.cuh"

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
    u32 outside;  // the frontier is not among the visited
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

// By one CTA.  Lists of the same length must be the same: a vertex without an internal id would not
// be missed among the visited.
__global__ void __launch_bounds__(kThreads)
    begin_short(const i64* visited, i64 visited_count, const i64* frontier, i64 count,
                const int* rank, u32* seen, unsigned char* bytes, int* levels, int* sources,
                u32* told, i64 told_words) {
    const Start start{rank, seen, bytes, levels};
    for (i64 i = threadIdx.x; i < told_words; i += kThreads) told[i] = 0;
    for (i64 i = threadIdx.x; i < visited_count; i += kThreads) start.mark(visited[i]);
    __syncthreads();
    for (i64 i = threadIdx.x; i < count; i += kThreads) {
        const bool other = visited_count == count && visited[i] != frontier[i];
        if (!start.seed(frontier[i]) || other) reinterpret_cast<Told*>(told)->outside = 1;
        sources[i] = static_cast<int>(frontier[i]);
    }
}

constexpr int kBins = 8192;  // levels that a CTA counts by itself
constexpr int kPacked = 16;  // of these the first a thread does, a byte each, in two words
constexpr int kRounds = 63;  // until a byte may be full: four levels a round

// The bytes of a warp's threads added to the CTA's bins.
__device__ inline void add_packed(u32* bins, const u64 (&packed)[2]) {
#pragma unroll
    for (int level = 1; level <= kPacked; ++level) {
        const u32 mine = packed[(level - 1) / 8] >> 8 * ((level - 1) % 8) & 255;
        const u32 all = warp_add(kFull, mine);
        if ((threadIdx.x & 31) == 0 && all) atomicAdd(bins + level, all);
    }
}

__global__ void __launch_bounds__(kThreads)
    count_levels(const int* levels, i64 size, u32* counts, i64 deepest) {
    __shared__ u32 bins[kBins];
    const int used = static_cast<int>(min(deepest + 1, i64{kBins}));
    for (int i = threadIdx.x; i < max(used, kPacked + 1); i += kThreads) bins[i] = 0;
    __syncthreads();
    u64 packed[2] = {0, 0};
    int rounds = 0;
    const i64 lane = threadIdx.x & 31;
    for (i64 i = thread_of() * kSide; i - lane * kSide < size; i += threads_of() * kSide) {
        const int4 four = levels_at(levels, i, size);
        const int level[kSide] = {four.x, four.y, four.z, four.w};
#pragma unroll
        for (int k = 0; k < kSide; ++k) {
            const u32 at = static_cast<u32>(level[k]) - 1;
            if (at < 8)
                packed[0] += u64{1} << 8 * at;
            else if (at < kPacked)
                packed[1] += u64{1} << 8 * (at - 8);
            else if (level[k] > 0)
                atomicAdd(level[k] < kBins ? bins + level[k] : counts + level[k], 1u);
        }
        if (++rounds == kRounds) {
            add_packed(bins, packed);
            packed[0] = packed[1] = rounds = 0;
        }
    }
    add_packed(bins, packed);
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

template <typename Value>
struct alignas(4 * sizeof(Value) < 16 ? 4 * sizeof(Value) : 16) Four {
    Value value[kSide];
};

// Entries of the levels from `first` to `last`: the parent, or what the table has for the level;
// a null `values` has the one value already.  A `fresh` vector has no other entries, and nothing
// in its arrays.
template <typename Value>
__global__ void __launch_bounds__(kThreads)
    visited_after(const int* levels, const int* parents, const Value* table, i64 size, i64 first,
                  i64 last, i64 fresh, unsigned char* present, Value* values) {
    for (i64 i = thread_of() * kSide; i < size; i += threads_of() * kSide) {
        const int4 four = levels_at(levels, i, size);
        const int level[kSide] = {four.x, four.y, four.z, four.w};
        bool here[kSide];
        Four<Value> made;
#pragma unroll
        for (int k = 0; k < kSide; ++k) {
            here[k] = level[k] >= first && level[k] <= last;
            made.value[k] = Value{};
            if (values && here[k])
                made.value[k] =
                    parents ? static_cast<Value>(parents[i + k]) : table[level[k] - first];
        }
        const bool all = here[0] && here[1] && here[2] && here[3];
        if (i + kSide <= size && (fresh || all)) {
            *reinterpret_cast<uchar4*>(present + i) =
                make_uchar4(here[0], here[1], here[2], here[3]);
            if (values) *reinterpret_cast<Four<Value>*>(values + i) = made;
            continue;
        }
#pragma unroll
        for (int k = 0; k < kSide; ++k) {
            if (i + k >= size || !(fresh || here[k])) continue;
            present[i + k] = here[k];
            if (values) values[i + k] = made.value[k];
        }
    }
}

// The entries of a list set in a bitmap but where it has some; a null `values` has the one value.
template <typename Value>
__global__ void __launch_bounds__(kThreads)
    spread_list(const i64* list, const Value* from, i64 stride, i64 count, unsigned char* present,
                Value* values) {
    for (i64 i = thread_of(); i < count; i += threads_of()) {
        if (present[list[i]]) continue;
        present[list[i]] = 1;
        if (values) values[list[i]] = from[i * stride];
    }
}
