// What a bit-parallel search from many sources reads and writes.
//
// Every vertex has a row of kWords 64-bit words for each of: `seen` (which searches have reached
// it), two frontiers (the level being expanded and the one being found) and the planes, which hold
// the level in binary: bit p of the level of vertex v in search j is bit j of plane p.  All outputs
// follow from `seen` and the planes, see bfs_many_emit.cu.  A row is moved as 16-byte chunks, one a
// lane.
//
// A frontier row counts only where the frontier's `any` bit is set.  A tidy frontier is zero
// elsewhere: a push needs that of the frontier that it adds to, and a pull that does not look at
// `any` bits of the one that it reads.  Late levels leave frontiers untidy.
#pragma once
#include "bfs_many_bits.cuh"
#include "cache_hints.cuh"
#include "frontier_listing.cuh"
#include "grid_barrier.cuh"
#include "warp_reduce.cuh"

struct ManyCounts {  // of the level under way
    u64 queued;      // rows and edges listed, see frontier_queue.cuh
    u64 edges;       // out-entries of the vertices found, where they are not listed
    u64 filled;      // in-entries of rows that all searches have reached now
    u32 vertices;    // found, where they are not listed
    u32 listed;      // found and listed
};

struct ManyControl {
    int depth;  // the summary of the last run: read by the host, as SUMMARY in cuda/many.py
    u32 bad_source;
    u32 truncated;  // the planes were too few for the depth
    u32 barrier;
    u64 joint;  // vertices of all frontiers
    ManyCounts counts[3];
    ManyCounts relisted[2];  // a frontier found without a list, listed for a push
    u32 leaving;
    u32 untidy;  // the last run left its frontiers so
};

// Up to kPiece entries of a row that is too long for part of a warp.
struct Piece {
    i64 begin;
    int row;
    int length;
};

// Pointers first; must match MANY in cuda/many.py.
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
    uint4* seen;           // [n * kLanes], as all rows of bits
    uint4* frontier[2];    // and a row more, which is zero
    u32* any[2];           // [n / 32] frontier rows that are not zero
    u32* full;             // [n / 32] rows that all searches have reached
    uint4* planes;         // [plane_count][n * kLanes]
    int4* queue;           // [n] rows to expand
    int* list[2];          // [n] vertices of a frontier
    ManyControl* control;
    const int* sources;
    i64* trace;
    i64 edges;
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
    int kept;         // vertices whose frontier rows a dense pull asks L2 to keep
    float push_cost;  // of an edge pushed, in edges pulled
    float dense;      // part of all edges from which a frontier counts as dense
};

#ifdef MANY_BYTES
static_assert(sizeof(ManySearch) == MANY_BYTES, "ManySearch and MANY differ");
#endif

// Where a level's new bits go: the planes of the bits that are set in its number.  A plane's first
// level is a power of two.  A pull that looks at all rows anyway then stores them, zero or not;
// otherwise the plane is cleared beforehand.
struct LevelPlanes {
    uint4* planes;
    i64 stride;
    int level;
    bool fresh;  // the newest plane is to be stored

    __device__ bool begins() const { return (level & (level - 1)) == 0; }
    __device__ __forceinline__ void store(i64 at, uint4 bits) const {
        planes[(31 - __clz(level)) * stride + at] = bits;
    }
    __device__ __forceinline__ void add(i64 at, uint4 bits) const {
        uint4* plane = planes + at;
        for (int left = level; left; left >>= 1, plane += stride)
            if (left & 1) *plane = __ldcg(plane) | bits;
    }
};

// What a warp has found, added up once a level.
struct Found {
    u64 edges = 0;
    u64 filled = 0;
    u32 vertices = 0;

    __device__ void add_to(ManyCounts* counts) const {
        const u64 all_edges = reduce(edges), all_filled = reduce(filled);
        const u32 all_vertices = warp_add(kFull, vertices);
        if ((threadIdx.x & 31) == 0) {
            if (all_edges) atomicAdd(&counts->edges, all_edges);
            if (all_filled) atomicAdd(&counts->filled, all_filled);
            if (all_vertices) atomicAdd(&counts->vertices, all_vertices);
        }
    }

  private:
    __device__ static u64 reduce(u64 x) {
#pragma unroll
        for (int d = 16; d; d >>= 1) x += __shfl_xor_sync(kFull, x, d);
        return x;
    }
};
