// What a bit-parallel search from many sources reads and writes.
//
// Every vertex has a row of kWords 64-bit words for each of: `visited` (which searches have reached
// it), two frontiers (the level being expanded and the one being found) and the planes, which hold
// the level in binary: bit p of the level of vertex v in search j is bit j of plane p.  All outputs
// follow from `visited` and the planes, see bfs_many_emit.cu.  A row is moved in chunks, one a
// lane (bfs_many_rows.cuh); pointers to rows are those of the widest until `chunks_of` says which.
//
// A frontier row counts only where the frontier's `any` bit is set.  A zeroed frontier is zero
// elsewhere: a push needs that of the frontier that it adds to, and a pull that does not look at
// `any` bits of the one that it reads.  Late levels leave rows that are not zeroed.
#pragma once
#include "cuda/bfs/frontier_listing.cuh"
#include "cuda/bfs_many/bfs_many_bits.cuh"
#include "cuda/grid/grid_barrier.cuh"
#include "cuda/grid/warp_reduce.cuh"
#include "cuda/memory/cache_hints.cuh"

struct ManyCounts {  // of the level under way
    u64 queued;      // rows and edges listed, see frontier_queue.cuh
    u64 edges;       // out-entries of the vertices found, where they are not listed
    u64 filled;      // in-entries of rows that all searches have reached now
    u32 vertices;    // found, where they are not listed
    u32 listed;      // found and listed
};

// Words of 32 bits of the longest row.
constexpr int kMostWords = 32;

// Classes of narrow searches.
constexpr int kNarrowClasses = 4;

struct ManyControl {
    int depth;  // the summary of the last run: read by the host, as SUMMARY in bfs_many/fused.py
    u32 bad_source;
    u32 truncated;  // the planes were too few for the depth
    u32 barrier;
    u64 joint;  // vertices of all frontiers
    ManyCounts counts[3];
    ManyCounts relisted[2];         // a frontier found without a list, listed for a push
    u64 narrow[2][kNarrowClasses];  // rows and edges of narrow searches, see bfs_many_narrow.cuh
    u32 leaving;
    u32 stale_rows;            // the last run left frontier rows that are not zeroed
    u32 alive[3][kMostWords];  // searches that have reached something new at a level, a bit each
};
// clang-format off
SHARED_STRUCT(ManyControl, 640,
    FIELD(depth, 0) FIELD(bad_source, 4) FIELD(truncated, 8) FIELD(barrier, 12) FIELD(joint, 16));
// clang-format on

// Some entries of a row that is too long for part of a warp, as bfs_many_cut.cu writes
// them.
struct Piece {
    i64 begin;
    int row;
    int length;
};
SHARED_STRUCT(Piece, 16, FIELD(begin, 0) FIELD(row, 8) FIELD(length, 12));

// Pointers first; filled by the plan, as MANY in bfs_many/fused.py.
struct ManySearch {
    const void* out_indptr;
    const int* out_indices;
    const void* in_indptr;
    const int* in_indices;
    const int* rank;      // [caller_n] internal id or -1; null: labels are the caller's
    const Piece* pieces;  // of the long rows: all first pieces, then all second ones, ...
    const int* units;     // of the others: first row, and how many, see bfs_many_pull.cuh
    const int* long_rows;
    const u32* long_mask;  // [n / 32]
    uint4* visited;        // [n * kLanes] chunks, as all rows of bits
    uint4* frontier[2];    // and a row more, which is zero
    u32* any[2];           // [n / 32] frontier rows that are not zero
    u32* full;             // [n / 32] rows that all searches have reached
    uint4* planes;         // [plane_count][n * kLanes]
    u32* written;          // [n / 32][plane_count] rows of planes that have been written
    int4* queue;           // [n] rows to expand
    int* list[2];          // [n] vertices of a frontier
    ManyControl* control;
    const void* given;  // [source_count] sources in the caller's order, of given_bytes each
    int* sources;       // ... in that of their bits, see bfs_many_order.cuh
    int* turn;          // which of those given it is
    int* slot;          // where that stands in rows of bits
    int* eccentricity;  // [64 kWords] the last level at which a search has reached something new
    u64* sums;          // [sum_count] of bfs_many_sums.cu, which are zeroed here
    i64* trace;
    // [n << line_shift] the first entries of every row of `out_indices`, or null: row_lines.cuh
    const uint4* out_lines;
    // The first four in-neighbours of every row, as row_prefix.cuh says; null where labels are not
    // the caller's.
    const int* row_prefix;
    i64 edges;
    i64 narrow_from;  // entries left to pull from which it is asked which searches are narrow
    int n;
    int caller_n;
    int source_count;
    int piece_count;
    int unit_count;
    int long_count;
    int plane_count;
    int max_depth;
    int direction;  // 0 by measured counts, 1 push only, 2 pull only
    int trace_capacity;
    int cached_bits;  // vertices whose `any` bit a pull of a sparse frontier keeps in shared memory
    int shift;        // others of which it keeps a common bit, as a logarithm
    int sum_count;
    int l2_rows;       // vertices whose frontier rows a dense pull asks L2 to keep
    int cached_rows;   // ... and copies to shared memory, where a row is a sector or less
    float push_cost;   // of an edge pushed, in edges pulled
    float dense;       // part of all edges from which a frontier counts as dense
    u32 ordered_from;  // a list of so many vertices is made anew, in order, before it is pushed
    int given_bytes;   // 4 or 8
    int line_shift, line_bits;
};

// clang-format off
SHARED_STRUCT(ManySearch, 344,
    FIELD(out_indptr, 0) FIELD(out_indices, 8) FIELD(in_indptr, 16) FIELD(in_indices, 24)
    FIELD(rank, 32) FIELD(pieces, 40) FIELD(units, 48) FIELD(long_rows, 56) FIELD(long_mask, 64)
    FIELD(visited, 72) FIELD(frontier[0], 80) FIELD(frontier[1], 88) FIELD(any[0], 96)
    FIELD(any[1], 104) FIELD(full, 112) FIELD(planes, 120) FIELD(written, 128) FIELD(queue, 136)
    FIELD(list[0], 144) FIELD(list[1], 152) FIELD(control, 160) FIELD(given, 168)
    FIELD(sources, 176) FIELD(turn, 184) FIELD(slot, 192) FIELD(eccentricity, 200)
    FIELD(sums, 208) FIELD(trace, 216) FIELD(out_lines, 224) FIELD(row_prefix, 232)
    FIELD(edges, 240) FIELD(narrow_from, 248) FIELD(n, 256) FIELD(caller_n, 260)
    FIELD(source_count, 264) FIELD(piece_count, 268) FIELD(unit_count, 272) FIELD(long_count, 276)
    FIELD(plane_count, 280) FIELD(max_depth, 284) FIELD(direction, 288) FIELD(trace_capacity, 292)
    FIELD(cached_bits, 296) FIELD(shift, 300) FIELD(sum_count, 304) FIELD(l2_rows, 308)
    FIELD(cached_rows, 312) FIELD(push_cost, 316) FIELD(dense, 320) FIELD(ordered_from, 324)
    FIELD(given_bytes, 328) FIELD(line_shift, 332) FIELD(line_bits, 336));
// clang-format on

// The chunks of rows of kWords words.
template <int kWords>
__device__ __forceinline__ RowChunk<kWords>* chunks_of(uint4* rows) {
    return reinterpret_cast<RowChunk<kWords>*>(rows);
}

// Where a level's new bits go: the planes of the bits that are set in its number.  A row of a plane
// that nothing has been written to is not there: it counts as zero, and no plane is cleared before
// it is used (bfs_many_frontier.cuh has what is done in the end).
template <int kWords>
struct LevelPlanes {
    using Chunk = RowChunk<kWords>;
    Chunk* planes;
    u32* written;  // of every 32 vertices a word for each plane, as many words as there are planes
    i64 stride;
    int count;
    int level;

    __device__ u32* words_of(int v) const { return written + (v >> 5) * count; }
    // A lane's chunk of a row, which is marked as written once all of its lanes have been here.
    __device__ __forceinline__ void add(int v, i64 at, Chunk bits) const {
#pragma unroll 1
        for (int left = level; left; left &= left - 1) {
            const int number = __ffs(left) - 1;
            Chunk* const plane = planes + number * stride + at;
            *plane = words_of(v)[number] >> (v & 31) & 1 ? __ldcg(plane) | bits : bits;
        }
    }
    __device__ __forceinline__ void mark(int v) const {
        u32* word = words_of(v);
        for (int left = level; left; left >>= 1, ++word)
            if (left & 1) atomicOr(word, 1u << (v & 31));
    }
};

// What a lane has found, added up by its warp.
struct Found {
    u64 edges;
    u64 filled;
    u32 vertices;

    // Once a level.
    __device__ void add_to(ManyCounts* counts) const {
        const Found all = of_warp();
        if ((threadIdx.x & 31) == 0) {
            if (all.edges) atomicAdd(&counts->edges, all.edges);
            if (all.filled) atomicAdd(&counts->filled, all.filled);
            if (all.vertices) atomicAdd(&counts->vertices, all.vertices);
        }
    }
    // To what the warp keeps in shared memory, as registers are few where it gathers.
    __device__ void add_to(Found& kept) const {
        const Found all = of_warp();
        if ((threadIdx.x & 31) == 0)
            kept = {kept.edges + all.edges, kept.filled + all.filled, kept.vertices + all.vertices};
    }

  private:
    __device__ Found of_warp() const {
        return {reduce(edges), reduce(filled), warp_add(kFull, vertices)};
    }
    __device__ static u64 reduce(u64 x) {
#pragma unroll
        for (int d = 16; d; d >>= 1) x += __shfl_xor_sync(kFull, x, d);
        return x;
    }
};
