// What one breadth-first search reads and writes, and how a vertex finds its status bit.
//
// Vertices are numbered by the *layout* (internal ids): rows without entries are left out, hubs may
// come first in falling order of degree, the rest keep the caller's order.  `bfs_emit.cuh` maps
// back.
#pragma once

using u32 = unsigned int;
using u64 = unsigned long long;
using i64 = long long;

#ifndef BFS_THREADS
#define BFS_THREADS 512
#endif
constexpr int kThreads = BFS_THREADS;  // one CTA an SM: its shared memory is one large status cache
constexpr int kWarps = kThreads / 32;
constexpr u32 kFull = 0xffffffffu;
constexpr int kBlock = 128;  // vertices whose status bits lie together, see word_of
constexpr int kNoNeighbour = -2147483647 - 1;  // in `heads`: no entry

// Sizes of a frontier, gathered while the level before it runs.  Three of them rotate, so that one
// is filled, one is read, and one is cleared, with a single barrier a level.
struct alignas(32) FrontierSize {
    u64 queued;  // (rows << kEdgeBits) + edges of the list
    i64 vertices;
    u64 rest;      // the same as `queued` of the rows that a pull leaves to its step 3
    u64 unlisted;  // complement of what `rest` was when its list was full, 0 if it never was
    u64 hubs;      // the same as `queued` of hubs' rows, which have a list of their own
    u32 overflow;  // the list misses vertices: only a pull can go on from here
};
constexpr int kEdgeBits = 36;

// What a search says of itself, one a search: read by the host when it is asked for.  Must match
// SUMMARY in cuda_bfs.py.
struct Summary {
    i64 reached;
    int depth;
    u32 bad_source;  // a source was out of range
    i64 started;     // nanoseconds, by the device's clock
    i64 finished;
};

struct Control {
    i64 reached;
    int depth;
    u32 bad_source;
    FrontierSize size[3];
    FrontierSize unfinished;  // frontier entries that the small tier could not expand
    u64 tier_reached;
    int tier_depth;
    int level;         // where the small tier stopped
    u32 target_level;  // 1 + level at which the target was reached; 0: not yet
    u32 barrier;
    u32 leaving;   // CTAs that need this block no more; the last one clears it
    u32 isolated;  // a source has no entry and therefore no internal id
};

// One argument block, filled by the plan; pointers first.  Must match SEARCH in cuda_bfs.py.
struct Search {
    const void* out_indptr;  // [n + 1] rows to push along
    const int* out_indices;  // neighbours by falling degree, padded by 8 entries
    const void* in_indptr;   // [n + 1] rows to pull along (the same arrays where symmetric)
    const int* in_indices;
    const int* heads;     // first in-neighbours of every row, see bfs_heads.cuh
    const int4* records;  // [n] up to four neighbours of a row, or null: see bfs_cluster.cuh
    const int* head_labels;  // [n] caller's label of every row's first in-neighbour, see bfs_emit.cuh
    const int* label;     // [n] internal id -> caller's label, null where they are the same
    const int* rank;      // [caller_n] caller's label -> internal id or -1, null likewise
    const uint4*
        words;     // [caller_n / 32] per 32 labels: mask of the tail, its first id, mask of hubs
    const int* bounds;  // [bands + 1] vertices, see bfs_bands.cuh
    const int* cuts;    // [hubs][bands + 1] where they cut a hub's row
    u32* seen[2];  // [blocks * 4] visited bits; a pull reads one and writes the other
    void* levels;       // [n] by internal id; the output itself where labels are the same
    void* next_levels;  // the same for the next search, cleared by this one; null likewise
    int* parents;  // of relabelled vertices as the caller's labels
    int4* queue[2];      // frontier lists
    int4* hub_queue[2];  // and those of hubs, where there are bands
    int4* unfinished;  // list of rows that the small tier could not expand
    Control* control;
    Summary* summary;
    int* out_levels;     // [caller_n], 16-byte aligned, or null
    int* out_parents;    // [caller_n], or null
    const int* sources;  // null: one source, given in `source`
    i64* trace;          // null, or rows of (direction, vertices, edges, nanoseconds)
    i64 edges;
    int source;
    int source_count;
    int n;
    int caller_n;
    int hubs;
    int bands;        // 0: no list of hubs
    int banded_from;  // least entries of the frontier's hubs to push them by bands
    int cached;  // vertices whose status a pull keeps in shared memory, multiple of 128
    int blocks_per_task;
    int queue_capacity;
    int unfinished_capacity;
    int max_depth;
    int target;  // internal id or -1
    int trace_capacity;
    int direction;    // 0 by measured counts, 1 push only, 2 pull whenever possible
    float push_cost;  // of an edge pushed, in edges pulled
    int solo_enter;   // most frontier edges for one CTA to take a level alone, and to go on so
    int solo_leave;
    int cluster_words;  // words of status a CTA of the small tier keeps; 0: tier off
    int cluster_enter;  // most frontier edges to enter the small tier with
    int cluster_leave;  // most candidates a level to stay in it
};

#ifdef SEARCH_BYTES
static_assert(sizeof(Search) == SEARCH_BYTES, "Search and SEARCH differ");
#endif

// Block of 128 vertices = 4 words; lane l of a warp owns vertices 4l .. 4l+3, so that it loads
// their first neighbours as one int4 and four ballots give the block's four words as they lie in
// memory.
__device__ __forceinline__ int word_of(int v) { return ((v >> 7) << 2) | (v & 3); }
__device__ __forceinline__ u32 bit_of(int v) { return 1u << ((v >> 2) & 31); }

__device__ __forceinline__ u32 shared_address(const void* p) {
    return static_cast<u32>(__cvta_generic_to_shared(p));
}

// Loads under a predicate: a branch would end the flight of those before.
__device__ __forceinline__ void load_if(bool wanted, const int* at, int& value) {
    asm volatile("{\n.reg .pred p;\nsetp.ne.u32 p, %1, 0;\n@p ld.global.s32 %0, [%2];\n}"
                 : "+r"(value)
                 : "r"(static_cast<u32>(wanted)), "l"(at));
}
__device__ __forceinline__ void load_shared_if(bool wanted, u32 address, u32& word) {
    asm volatile("{\n.reg .pred p;\nsetp.ne.u32 p, %1, 0;\n@p ld.shared.u32 %0, [%2];\n}"
                 : "+r"(word)
                 : "r"(static_cast<u32>(wanted)), "r"(address));
}
// Through L1, where a line may be older than the last barrier's writes, never than those before.
__device__ __forceinline__ void load_cached_if(bool wanted, const u32* at, u32& word) {
    asm volatile("{\n.reg .pred p;\nsetp.ne.u32 p, %1, 0;\n@p ld.global.ca.u32 %0, [%2];\n}"
                 : "+r"(word)
                 : "r"(static_cast<u32>(wanted)), "l"(at));
}

__device__ __forceinline__ u32 lanes_below() {
    u32 mask;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
    return mask;
}

__device__ __forceinline__ i64 nanoseconds() {
    i64 t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

// Levels of a relabelled layout are bytes, so that the expansion to the caller's order reads a
// quarter: level + 1, 0 where not reached.  A level too deep for seven bits goes straight to the
// output.  The eighth bit says that the parent is the head of the row and was not written down.
constexpr int kDeepLevel = 127;
constexpr int kByHead = 128;

template <typename Level>
constexpr bool kRelabelled = sizeof(Level) == 1;
// Entries of a row in `heads`: where hubs come first, one settles most rows.
template <typename Level>
constexpr int kHead = kRelabelled<Level> ? 1 : 4;

__device__ __forceinline__ void store_level(const Search& s, unsigned char* levels, int v,
                                            int level, int flag = 0) {
    levels[v] = static_cast<unsigned char>(min(level + 1, kDeepLevel) | flag);
    if (level + 1 >= kDeepLevel && s.out_levels) s.out_levels[s.label[v]] = level;
}
__device__ __forceinline__ void store_level(const Search&, int* levels, int v, int level,
                                            int = 0) {
    if (levels) levels[v] = level;
}

// Vertices found, those that `found` says; labels are asked for together.
template <typename Level, int K>
__device__ __forceinline__ void visit(const Search& s, const int (&v)[K], const int (&parent)[K],
                                      const bool (&found)[K], int level) {
    int written[K];
#pragma unroll
    for (int i = 0; i < K; ++i) {
        written[i] = parent[i];
        if constexpr (kRelabelled<Level>)
            load_if(found[i] && s.parents, s.label + parent[i], written[i]);
    }
#pragma unroll
    for (int i = 0; i < K; ++i) {
        if (!found[i]) continue;
        if (s.parents) s.parents[v[i]] = written[i];
        if (v[i] == s.target) s.control->target_level = level + 1;
        store_level(s, static_cast<Level*>(s.levels), v[i], level);
    }
}
template <typename Level>
__device__ __forceinline__ void visit(const Search& s, int v, int parent, int level) {
    const int vertex[1] = {v}, parents[1] = {parent};
    const bool found[1] = {true};
    visit<Level>(s, vertex, parents, found, level);
}

// Four rows of one lane at once: where all of them were open, what is written of those that stay
// so does not matter (their status says so, or a zero byte), and one wide store will do.
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

template <typename Level>
__device__ __forceinline__ void visit_four(const Search& s, int v, u32 open, u32 hits,
                                           const int4& parents, int level) {
    if (hits == 0) return;
    Level* const levels = static_cast<Level*>(s.levels);
    constexpr bool implied = kRelabelled<Level>;
    if (open == 15 && v + 4 <= s.n && (!kRelabelled<Level> || level + 1 < kDeepLevel)) {
        if (s.parents && !implied) *reinterpret_cast<int4*>(s.parents + v) = parents;
        store_levels(s, levels, v, hits, level, implied ? kByHead : 0);
    } else {
        const int parent[4] = {parents.x, parents.y, parents.z, parents.w};
#pragma unroll
        for (int j = 0; j < 4; ++j)
            if (hits >> j & 1) {
                if (s.parents && !implied) s.parents[v + j] = parent[j];
                store_level(s, levels, v + j, level, implied ? kByHead : 0);
            }
    }
    const u32 at = static_cast<u32>(s.target - v);
    if (at < 4 && (hits >> at & 1)) s.control->target_level = level + 1;
}

// The trace's row of a level: how its vertices were found, and when the last of them was.
__device__ __forceinline__ void trace_level(const Search& s, int level, int kind, i64 edges,
                                            i64 vertices) {
    if (level >= s.trace_capacity) return;
    i64* const row = s.trace + 4 * static_cast<i64>(level);
    row[0] = kind;
    if (vertices) atomicAdd(reinterpret_cast<u64*>(row + 1), static_cast<u64>(vertices));
    row[2] = edges;
    row[3] = nanoseconds();
}

// More vertices of a level; any thread.
__device__ __forceinline__ void trace_vertices(const Search& s, int level, i64 vertices) {
    if (level < s.trace_capacity)
        atomicAdd(reinterpret_cast<u64*>(s.trace + 4 * static_cast<i64>(level) + 1),
                  static_cast<u64>(vertices));
}
