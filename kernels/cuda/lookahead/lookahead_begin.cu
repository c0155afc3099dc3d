// A fused search that is to run steps of q<~v> = q A, v<q> = x ahead begins where the loop is.
//
//   mark_*        the visited, v: their visited bits, so that the search does not find them
//   seed_*        the frontier, q: the search's sources, which must be among the visited
//   begin_short   both of them, where they are short lists, and the counts cleared
//
// Vertices are numbered by the caller but for their visited bits, see bfs_state.cuh.
#include "cuda/lookahead/lookahead.cuh"

constexpr int kBefore = -2;  // level of a vertex visited before the search began

// Visited bits and levels of a search that has not begun.  `bytes` are those of a relabelled
// layout; one that says "too deep for a byte" makes emission leave the level as it is.
struct Start {
    const int* rank;
    u32* visited_bits;
    unsigned char* bytes;
    int* levels;

    __device__ void mark(i64 vertex) const {
        const int v = rank ? rank[vertex] : static_cast<int>(vertex);
        levels[vertex] = kBefore;
        if (v < 0) return;
        atomicOr(visited_bits + word_of(v), bit_of(v));
        if (bytes) bytes[v] = kDeepLevel;
    }

    // False for a vertex that was not marked.
    __device__ bool seed(i64 vertex) const {
        const int v = rank ? rank[vertex] : static_cast<int>(vertex);
        if (v < 0) return true;  // nobody reaches it, and it reaches nobody
        if (bytes) bytes[v] = 0;
        return atomicAnd(visited_bits + word_of(v), ~bit_of(v)) & bit_of(v);
    }
};

// What the host reads of a search that ran ahead; behind it lie the vertices of every level, see
// lookahead_counts.cu.
struct LevelCounts {
    u32 outside;  // the frontier is not among the visited
    u32 seeds;    // listed so far
};
SHARED_STRUCT(LevelCounts, 8, FIELD(outside, 0) FIELD(seeds, 4));

template <typename Index>
__global__ void __launch_bounds__(kThreads)
    mark_listed(const Index* list, i64 count, const int* rank, u32* visited_bits,
                unsigned char* bytes, int* levels) {
    const Start start{rank, visited_bits, bytes, levels};
    for (i64 i = thread_of(); i < count; i += threads_of()) start.mark(list[i]);
}

__global__ void __launch_bounds__(kThreads)
    mark_flagged(const unsigned char* flags, i64 size, const int* rank, u32* visited_bits,
                 unsigned char* bytes, int* levels) {
    const Start start{rank, visited_bits, bytes, levels};
    for (i64 i = thread_of(); i < size; i += threads_of())
        if (flags[i]) start.mark(i);
}

template <typename Index>
__global__ void __launch_bounds__(kThreads)
    seed_listed(const Index* list, i64 count, const int* rank, u32* visited_bits,
                unsigned char* bytes, int* levels, int* sources, LevelCounts* level_counts) {
    const Start start{rank, visited_bits, bytes, levels};
    for (i64 i = thread_of(); i < count; i += threads_of()) {
        if (!start.seed(list[i])) level_counts->outside = 1;
        sources[i] = static_cast<int>(list[i]);
    }
}

__global__ void __launch_bounds__(kThreads)
    seed_flagged(const unsigned char* flags, i64 size, const int* rank, u32* visited_bits,
                 unsigned char* bytes, int* levels, int* sources, LevelCounts* level_counts) {
    const Start start{rank, visited_bits, bytes, levels};
    const int lane = threadIdx.x & 31;
    for (i64 i = thread_of(); i - lane < size; i += threads_of()) {
        const bool set = i < size && flags[i];
        const u32 sets = __ballot_sync(kFull, set);
        if (sets == 0) continue;
        u32 slot = 0;
        if (lane == 0) slot = atomicAdd(&level_counts->seeds, static_cast<u32>(__popc(sets)));
        slot = __shfl_sync(kFull, slot, 0) + __popc(sets & lanes_below());
        if (!set) continue;
        if (!start.seed(i)) level_counts->outside = 1;
        sources[slot] = static_cast<int>(i);
    }
}

// By one CTA.  Lists of the same length must be the same: a vertex without an internal id would not
// be missed among the visited.
__global__ void __launch_bounds__(kThreads)
    begin_short(const i64* visited, i64 visited_count, const i64* frontier, i64 count,
                const int* rank, u32* visited_bits, unsigned char* bytes, int* levels, int* sources,
                u32* level_counts, i64 count_words) {
    const Start start{rank, visited_bits, bytes, levels};
    for (i64 i = threadIdx.x; i < count_words; i += kThreads) level_counts[i] = 0;
    for (i64 i = threadIdx.x; i < visited_count; i += kThreads) start.mark(visited[i]);
    __syncthreads();
    for (i64 i = threadIdx.x; i < count; i += kThreads) {
        const bool other = visited_count == count && visited[i] != frontier[i];
        if (!start.seed(frontier[i]) || other)
            reinterpret_cast<LevelCounts*>(level_counts)->outside = 1;
        sources[i] = static_cast<int>(frontier[i]);
    }
}
