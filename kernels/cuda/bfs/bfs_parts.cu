// A breadth-first search over parts of the edges: which parts a level needs, and one of them looked
// at.  The CPU's is kernels/cpu/bfs/bfs_parts.cpp.
//
// `indptr` has the offsets of all rows, `indices` the entries of one part, wherever it lies on the
// device.  Of a vertex the least key stays: its owner's number in the bits of `owner_mask`, its
// parent in the others.
//
// Zhang et al.: An adaptive breadth-first search algorithm on integrated architectures (2018), 4.3.
#include "cuda/memory/bisect.cuh"

using u32 = unsigned int;
using u64 = unsigned long long;
using i64 = long long;

constexpr int kThreads = 256;
constexpr u32 kFull = 0xffffffffu;
constexpr u64 kNobody = ~u64{0};
// Entries that a warp takes at a time, whatever rows they lie in: skewed degrees cost nothing.
constexpr int kRun = 1024;

__device__ __forceinline__ i64 thread_number() {
    return static_cast<i64>(blockIdx.x) * blockDim.x + threadIdx.x;
}
__device__ __forceinline__ i64 thread_count() { return static_cast<i64>(gridDim.x) * blockDim.x; }

// Levels and keys are all ones before.
__global__ void __launch_bounds__(kThreads)
    bfs_parts_begin(const int* sources, const int* owners, int count, int shift, int* levels,
                    u64* keys, int* list) {
    for (i64 i = thread_number(); i < count; i += thread_count()) {
        const int v = sources[i];
        levels[v] = 0;
        keys[v] = static_cast<u64>(owners[i]) << shift | static_cast<u64>(v);
        list[i] = v;
    }
}

// Marks the parts of a row's entries; how many these are.
template <typename Offset>
__device__ __forceinline__ u64 mark_row(const Offset* indptr, i64 row, i64 part_edges,
                                        unsigned char* flags) {
    const i64 begin = indptr[row], end = indptr[row + 1];
    if (begin == end) return 0;
    for (i64 part = begin / part_edges; part <= (end - 1) / part_edges; ++part)
        if (!flags[part]) flags[part] = 1;
    return static_cast<u64>(end - begin);
}

template <typename Offset>
__global__ void __launch_bounds__(kThreads)
    bfs_parts_mark_listed(const int* list, i64 size, const Offset* indptr, i64 part_edges,
                          unsigned char* flags, u64* edges) {
    u64 mine = 0;
    for (i64 i = thread_number(); i < size; i += thread_count())
        mine += mark_row(indptr, list[i], part_edges, flags);
    if (mine) atomicAdd(edges, mine);
}

template <typename Offset>
__global__ void __launch_bounds__(kThreads)
    bfs_parts_mark_open(const int* levels, i64 n, const Offset* indptr, i64 part_edges,
                        unsigned char* flags) {
    for (i64 v = thread_number(); v < n; v += thread_count())
        if (levels[v] < 0) mark_row(indptr, v, part_edges, flags);
}

struct Vertices {
    int* levels;
    u64* keys;
    u64 owner_mask;
    int depth;  // of the frontier

    // Offers u as the parent of v; whether nobody had been offered before.
    __device__ __forceinline__ bool offer(int u, int v) const {
        const u64 mine = (keys[u] & owner_mask) | static_cast<u64>(u);
        if (keys[v] <= mine || atomicMin(keys + v, mine) != kNobody) return false;
        levels[v] = depth + 1;
        return true;
    }

    // Of the next level already: a lesser owner or parent may still come.
    __device__ __forceinline__ bool open(int v) const {
        const int level = levels[v];
        return level < 0 || level == depth + 1;
    }
};

// Looks at `count` entries from `offset` on, which the rows [first_row, end_row) have: for those of
// the frontier, or of vertices that are not reached.  Who is found is listed.
template <typename Offset, bool kPull>
__global__ void __launch_bounds__(kThreads)
    bfs_parts_expand(const Offset* indptr, const int* indices, i64 offset, i64 count, i64 first_row,
                     i64 end_row, int* levels, u64* keys, u64 owner_mask, int depth, int* list,
                     u64* found) {
    const Vertices vertices{levels, keys, owner_mask, depth};
    const int lane = threadIdx.x & 31;
    const i64 stride = (thread_count() / 32) * kRun;
    for (i64 from = (thread_number() / 32) * kRun; from < count; from += stride) {
        const i64 to = min(count, from + kRun);
        const i64 top = last_not_above(indptr, first_row, end_row - 1, offset + from);
        const i64 bottom = last_not_above(indptr, top, end_row - 1, offset + to - 1);
        for (i64 at = from; at < to; at += 32) {
            const i64 e = at + lane;
            bool fresh = false;
            int v = 0;
            if (e < to) {
                const int row = static_cast<int>(last_not_above(indptr, top, bottom, offset + e));
                if constexpr (kPull) {
                    v = row;
                    if (vertices.open(v)) {
                        const int u = indices[e];
                        fresh = levels[u] == depth && vertices.offer(u, v);
                    }
                } else if (levels[row] == depth) {
                    v = indices[e];
                    fresh = vertices.open(v) && vertices.offer(row, v);
                }
            }
            const u32 all = __ballot_sync(kFull, fresh);
            if (all == 0) continue;
            u64 place = 0;
            if (lane == 0) place = atomicAdd(found, static_cast<u64>(__popc(all)));
            place = __shfl_sync(kFull, place, 0);
            if (fresh) list[place + __popc(all & ((1u << lane) - 1))] = v;
        }
    }
}

// Parents and owners, either of which may be null, from the keys; -1 where not reached.
__global__ void __launch_bounds__(kThreads)
    bfs_parts_outputs(const u64* keys, i64 n, int shift, int* parents, int* owners) {
    for (i64 v = thread_number(); v < n; v += thread_count()) {
        const u64 key = keys[v];
        const bool reached = key != kNobody;
        if (parents) parents[v] = reached ? static_cast<int>(key & ((u64{1} << shift) - 1)) : -1;
        if (owners) owners[v] = reached ? static_cast<int>(key >> shift) : -1;
    }
}
