// What one breadth-first search reads and writes, and how a vertex finds its visited bit.
//
// Vertices are numbered by the *layout* (internal ids): rows without entries may be left out and
// hubs come first; both hubs and the rest keep the caller's order, unless all lie by falling
// degree. `bfs_emit.cuh` maps back, but for results of several GPUs, which whoever gathers them
// does.
#pragma once
#include "cuda/bfs/bfs_labels.cuh"
#include "cuda/bfs/bfs_peers.cuh"
#include "cuda/grid/shared_struct.cuh"
#include "cuda/rows/row_prefix.cuh"

using u32 = unsigned int;
using u64 = unsigned long long;
using i64 = long long;

#ifndef BFS_THREADS
#define BFS_THREADS 512
#endif
// Threads of a CTA; there is one a multiprocessor, whose shared memory is one large cache of
// visited bits.  640 or 512 were fastest (docs/performance-notes-cuda.md, first table and third
// round).
constexpr int kThreads = BFS_THREADS;
constexpr int kWarps = kThreads / 32;
constexpr u32 kFull = 0xffffffffu;

// Sizes of a frontier, gathered while the level before it runs.  Three of them rotate, so that one
// is filled, one is read, and one is cleared, with a single barrier a level.
struct alignas(32) FrontierSize {
    u64 queued;     // (rows << kEdgeBits) + edges of the list
    u64 reports;    // (CTAs that have reported finds << kReportBits) + vertices found
    u64 long_rows;  // the same as `queued` of the rows that a pull leaves to its step 3
    u64 unlisted;   // complement of what `long_rows` was when its list was full, 0 if it never was
    u32 overflow;   // the list misses vertices: only a pull can go on from here
    // Of a step that ran several levels: the last of them, the deepest that found any, and vertices
    // found before the last.
    int level, depth;
    u64 passed;
};
constexpr int kEdgeBits = 36;
constexpr int kReportBits = 40;
__device__ __forceinline__ u64 vertices_of(u64 reports) {
    return reports & ((u64{1} << kReportBits) - 1);
}

// What a search says of itself, one a search: read by the host when it is asked for, as SUMMARY in
// cuda/bfs/state.py.
struct Summary {
    i64 reached;
    int depth;
    u32 bad_source;  // a source was out of range
    i64 started;     // nanoseconds, by the device's clock
    i64 finished;
};
// clang-format off
SHARED_STRUCT(Summary, 32,
    FIELD(reached, 0) FIELD(depth, 8) FIELD(bad_source, 12) FIELD(started, 16) FIELD(finished, 24));
// clang-format on

struct Control {
    i64 reached;
    int depth;
    u32 bad_source;
    FrontierSize size[3];
    FrontierSize unfinished;  // frontier entries that the cluster tier could not expand
    u32 target_level;         // 1 + level at which the target was reached; 0: not yet
    u32 barrier;
    u32 leaving;   // CTAs that need this block no more; the last one clears it
    u32 isolated;  // a source has no entry and therefore no internal id
};
SHARED_STRUCT(Control, 320);

// One argument block, filled by the plan, as SEARCH in the same; pointers first.
struct Search {
    const void* out_indptr;  // [n + 1] rows to push along
    const int* out_indices;  // neighbours of high degree first, padded by 8 entries
    const void* in_indptr;   // [n + 1] rows to pull along (the same arrays where symmetric)
    const int* in_indices;
    const int* row_prefix;  // first in-neighbours of every row, see row_prefix.cuh
    const int* ell_slab;    // [n * 8] those behind them, or null
    const int4* records;    // [n * record_length] the same of a row, or null: bfs_cluster_state.cuh
    const int* prefix_labels;  // [n] caller's label of every row's first in-neighbour: bfs_emit.cuh
    const int* label;          // [n] internal id -> caller's label, null where they are the same
    const int* rank;           // [caller_n] caller's label -> internal id or -1, null likewise
    // [caller_n / 32] per 32 labels: mask of the tail, its first id, the same of hubs; null where
    // all vertices lie by degree, or several GPUs search
    const uint4* words;
    u32* visited[2];    // [blocks * 4] visited bits; a pull reads one and writes the other
    void* levels;       // [n] by internal id; the output itself where labels are the same
    void* next_levels;  // the same for the next search, cleared by this one; null likewise
    int* parents;       // of relabelled vertices as the caller's labels
    int4* queue[2];     // frontier lists
    int4* unfinished;   // list of rows that the cluster tier could not expand
    Control* control;
    Summary* summary;
    // [caller_n] by the caller's label, of several GPUs [own] where it is another than the internal
    // id; 16-byte aligned, or null
    int* out_levels;
    int* out_parents;    // the same
    const int* sources;  // null: one source, given in `source`
    i64* trace;          // null, or rows of (direction, vertices, edges, nanoseconds)
    // [scheduled] a Forced for each of the first levels, the last for all deeper ones; or null
    const unsigned char* schedule;
    const Peers* peers;  // the other GPUs that search with this one, or null
    i64 edges;
    int source;
    int source_count;
    int n;
    int rows;  // vertices with entries
    int caller_n;
    int cached;  // vertices whose visited bits a pull keeps in shared memory, multiple of 128
    int blocks_per_task;
    int near;  // how many of levels and parents, in this order, a search brings into L2
    int queue_capacity;
    int unfinished_capacity;
    int max_depth;
    int target;  // internal id or -1
    int trace_capacity;
    int direction;      // 0 by measured counts, 1 push only, 2 pull whenever possible
    float pull_weight;  // of an edge pulled, in edges pushed
    float mean_degree;
    // What a push of this matrix pays for a vertex that it finds, in edges pushed, and a pull for a
    // row that it looks through in vain, in edges pulled.
    float pushed_find, pull_in_vain;
    int cta_enter;  // most frontier edges for one CTA to take a level alone, and to go on so
    int cta_leave;
    int record_length;  // int4 a record
    int cluster_words;  // words of visited bits a CTA of the cluster tier keeps; 0: they stay where
                        // they are
    int cluster_enter;  // most frontier edges to enter the cluster tier with
    int cluster_leave;  // most messages from one CTA to another to stay in it, a box at most
    int scheduled;
    // Where several GPUs search, how vertices are dealt out (bfs_owners.cuh): to so many, which of
    // them this is, and of a run's vertices and tasks the logarithms; 2^32 / gpus, rounded up,
    // which is exact for runs fewer than 2^25.
    int gpus, place;
    int run_shift, task_shift;
    u32 reciprocal;
    int own;           // vertices that this one has
    int ordered_from;  // rows of a list from which on it is put in order: bfs_ordered.cuh
    // [n << line_shift] the first entries of every row of `out_indices`, or null: row_lines.cuh
    const uint4* out_lines;
    int line_shift, line_bits;
    // Entries of the shortest row of a vertex found that leads anywhere: two where the pattern is
    // symmetric, as the only neighbour of a leaf is who found it.
    int shortest;
};

// clang-format off
SHARED_STRUCT(Search, 376,
    FIELD(out_indptr, 0) FIELD(out_indices, 8) FIELD(in_indptr, 16) FIELD(in_indices, 24)
    FIELD(row_prefix, 32) FIELD(ell_slab, 40) FIELD(records, 48) FIELD(prefix_labels, 56)
    FIELD(label, 64) FIELD(rank, 72) FIELD(words, 80) FIELD(visited[0], 88) FIELD(visited[1], 96)
    FIELD(levels, 104) FIELD(next_levels, 112) FIELD(parents, 120) FIELD(queue[0], 128)
    FIELD(queue[1], 136) FIELD(unfinished, 144) FIELD(control, 152) FIELD(summary, 160)
    FIELD(out_levels, 168) FIELD(out_parents, 176) FIELD(sources, 184) FIELD(trace, 192)
    FIELD(schedule, 200) FIELD(peers, 208) FIELD(edges, 216)
    FIELD(source, 224) FIELD(source_count, 228)
    FIELD(n, 232) FIELD(rows, 236) FIELD(caller_n, 240) FIELD(cached, 244)
    FIELD(blocks_per_task, 248) FIELD(near, 252) FIELD(queue_capacity, 256)
    FIELD(unfinished_capacity, 260) FIELD(max_depth, 264) FIELD(target, 268)
    FIELD(trace_capacity, 272) FIELD(direction, 276) FIELD(pull_weight, 280)
    FIELD(mean_degree, 284) FIELD(pushed_find, 288) FIELD(pull_in_vain, 292)
    FIELD(cta_enter, 296) FIELD(cta_leave, 300) FIELD(record_length, 304)
    FIELD(cluster_words, 308) FIELD(cluster_enter, 312) FIELD(cluster_leave, 316)
    FIELD(scheduled, 320) FIELD(gpus, 324) FIELD(place, 328)
    FIELD(run_shift, 332) FIELD(task_shift, 336) FIELD(reciprocal, 340) FIELD(own, 344)
    FIELD(ordered_from, 348) FIELD(out_lines, 352) FIELD(line_shift, 360) FIELD(line_bits, 364)
    FIELD(shortest, 368));
// clang-format on

// Block of 128 vertices = 4 words; lane l of a warp owns vertices 4l .. 4l+3, so that it loads
// their first neighbours as one int4 and four ballots give the block's four words as they lie in
// memory.
__device__ __forceinline__ int word_of(int v) { return ((v >> 7) << 2) | (v & 3); }
__device__ __forceinline__ u32 bit_of(int v) { return 1u << ((v >> 2) & 31); }

__device__ __forceinline__ u32 shared_address(const void* p) {
    return static_cast<u32>(__cvta_generic_to_shared(p));
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

// Whether the sources are claimed and listed as any frontier is: several, or one that may be
// pulled.
__device__ __forceinline__ bool starts_from_list(const Search& s) {
    return s.source_count > 1 || s.schedule;
}
