// What a search of bfs_many.cu leaves for its outputs: `visited`, and every level in binary planes.
#pragma once
#include "cuda/bfs_many/bfs_many_rows.cuh"
#include "cuda/grid/shared_struct.cuh"

using u32 = unsigned int;
using u64 = unsigned long long;
using i64 = long long;
constexpr u32 kFull = 0xffffffffu;
constexpr int kEmitThreads = 256;

// Filled by the launcher, as PLANES in bfs_many/results.py.
struct ManyPlanes {
    const u32* visited;
    const uint4* planes;
    const u32* written;  // [n / 32][plane_count] rows that the newest plane has
    const int* rank;     // null: internal ids are the caller's labels
    const int* depth;    // of the run, on the device
    const int* sources;  // in the order of their bits
    const int* turn;     // of these, which of those given
    const int* slot;     // of those given, which of these
    int n;
    int caller_n;
    int source_count;
    int words;  // 32-bit words of a row: two, or a multiple of four
    int plane_count;
};
// clang-format off
SHARED_STRUCT(ManyPlanes, 88,
    FIELD(visited, 0) FIELD(planes, 8) FIELD(written, 16) FIELD(rank, 24) FIELD(depth, 32)
    FIELD(sources, 40) FIELD(turn, 48) FIELD(slot, 56) FIELD(n, 64) FIELD(caller_n, 68)
    FIELD(source_count, 72) FIELD(words, 76) FIELD(plane_count, 80));
// clang-format on

// Plane `plane` of the row of `id`, in chunks or words.
template <typename Chunk>
__device__ __forceinline__ const Chunk* plane_of(const ManyPlanes& p, int plane, int id) {
    return reinterpret_cast<const Chunk*>(p.planes) +
           (static_cast<i64>(plane) * p.n + id) * (p.words / kChunkWords<Chunk>);
}
__device__ __forceinline__ u32 visited_of(const ManyPlanes& p, int id, int word) {
    return p.visited[static_cast<i64>(id) * p.words + word];
}
__device__ __forceinline__ int planes_for(int depth) { return 32 - __clz(depth); }

// Whether the newest of some planes has a row of `id`, which is zero otherwise; all others have it.
__device__ __forceinline__ bool has_row(const ManyPlanes& p, int planes, int plane, i64 id) {
    const i64 at = (id >> 5) * p.plane_count + plane;
    return plane < planes - 1 || __ldg(p.written + at) >> (id & 31) & 1;
}
__device__ __forceinline__ u32 word_of(const ManyPlanes& p, int plane, int id, int word) {
    return has_row(p, planes_for(__ldg(p.depth)), plane, id) ? plane_of<u32>(p, plane, id)[word]
                                                             : 0;
}

// The row of an output that source j of the run has; null: they are those of the run.
__device__ __forceinline__ i64 row_of(const ManyPlanes& p, const i64* rows, int j) {
    const int given = __ldg(p.turn + j);
    return rows ? __ldg(rows + given) : given;
}
