// Sets of vertices as trees, whose root is the least of them: joined, flattened, and begun along
// the first edges of everybody.
#pragma once
#include "cuda/rows/row_teams.cuh"

namespace spbfs {

// Parents change while they are read: not from a cache that is the multiprocessor's own.
__device__ __forceinline__ int parent_of(const int* parents, i64 v) { return __ldcg(parents + v); }

// From that cache, as of the last barrier or later: where no root changes what was above somebody
// still is.  All ask for the same few roots, which one slice of the L2 would have to answer.
__device__ __forceinline__ int once_above(const int* parents, i64 v) { return __ldca(parents + v); }

// visit(v[], mine) for all vertices, or for 32 side by side of `every` times as many; several a
// thread that are asked for together: bit j of `mine` where v[j] is one, others are 0.  By whole
// warps.
template <class Visit>
__device__ __forceinline__ void together(int n, int every, Visit&& visit) {
    // No number is past 2^32: they begin below n, and the grid has as many threads as are resident.
    const unsigned all = gridDim.x * kThreads * every, end = n;
    const unsigned begin = static_cast<unsigned>(thread_of() - lane_of()) * every + lane_of();
    for (unsigned first = begin; first - lane_of() < end; first += kAtOnce * all) {
        int v[kAtOnce];
        unsigned mine = 0;
#pragma unroll
        for (int j = 0; j < kAtOnce; ++j) {
            const bool is = first + j * all < end;
            v[j] = is ? static_cast<int>(first + j * all) : 0;
            mine |= static_cast<unsigned>(is) << j;
        }
        visit(v, mine);
    }
}

// The root above v.  Who looks on the way halves it for the others: their parents become what is
// above these, which holds whatever others write meanwhile.
__device__ int root_of(int* parents, int v) {
    int above = parent_of(parents, v);
    for (int below = v, next; above != (next = parent_of(parents, above)); above = next) {
        parents[below] = next;
        below = above;
    }
    return above;
}

// The same while no sets are joined; nobody's way becomes shorter.
__device__ inline int root_above(const int* parents, int v) {
    for (int next; (next = once_above(parents, v)) != v;) v = next;
    return v;
}

// Joins the sets of a root, or of who was one a moment ago, and of v; returns the lesser root.
// Other threads may hook either meanwhile: the loop goes on from where that led.
__device__ int unite(int* parents, int root, int v) {
    int other = root_of(parents, v);
    while (root != other) {
        const int high = max(root, other), low = min(root, other);
        const int above = atomicCAS(parents + high, high, low);
        if (above == high) return low;
        root = low;
        other = root_of(parents, above);
    }
    return root;
}

// Goes up to the roots of those of v[] that are rising, if no sets are joined meanwhile.  Step by
// step: what others have written so far doubles every step, but what L1 has had before.
template <bool near>
__device__ __forceinline__ void climb(int* parents, const int (&v)[kAtOnce], unsigned rising,
                                      int (&above)[kAtOnce]) {
#pragma unroll
    for (int j = 0; j < kAtOnce; ++j) above[j] = parent_of(parents, v[j]);
    while (rising != 0) {
        int next[kAtOnce];
#pragma unroll
        for (int j = 0; j < kAtOnce; ++j) {
            next[j] = above[j];
            if (rising >> j & 1)
                next[j] = near ? once_above(parents, above[j]) : parent_of(parents, above[j]);
        }
#pragma unroll
        for (int j = 0; j < kAtOnce; ++j) {
            if (next[j] == above[j]) {
                rising &= ~(1u << j);
                continue;
            }
            parents[v[j]] = above[j] = next[j];
        }
    }
}

// Everybody's root: arrived(v, root).
template <class Arrived>
__device__ __forceinline__ void rise(int* parents, int n, Arrived&& arrived) {
    together(n, 1, [&](const int (&v)[kAtOnce], unsigned mine) {
        int above[kAtOnce];
        climb<true>(parents, v, mine, above);
#pragma unroll
        for (int j = 0; j < kAtOnce; ++j)
            if (mine >> j & 1) arrived(v[j], above[j]);
    });
}

// Roots that a warp has hooked, in the room of as many vertices as it takes.
struct Hooked {
    int* list;
    int count;

    __device__ int& at(int i) const {
        const unsigned warps = gridDim.x * kThreads / kWarp;
        const unsigned warp = static_cast<unsigned>(thread_of()) / kWarp;
        return list[(i / kWarp * warps + warp) * kWarp + i % kWarp];
    }
    __device__ void add(bool is, int root) {
        const unsigned who = __ballot_sync(kAll, is);
        if (is) at(count + __popc(who & ((1u << lane_of()) - 1))) = root;
        count += __popc(who);
    }
    // They go up to their new roots, so that everybody else is two steps from there.
    __device__ void rise(int* parents) const {
        for (int i = lane_of(); i < count; i += kAtOnce * kWarp) {
            int v[kAtOnce], above[kAtOnce];
            unsigned rising = 0;
#pragma unroll
            for (int j = 0; j < kAtOnce; ++j) {
                const bool is = i + j * kWarp < count;
                v[j] = is ? at(i + j * kWarp) : 0;
                rising |= static_cast<unsigned>(is) << j;
            }
            climb<false>(parents, v, rising, above);
        }
    }
};

// Rows that share their sectors of memory with others, and entries in a sector.
constexpr int kShortRow = 4, kSector = 8;

// Everybody's first parent, a lesser neighbour or none: rows rise, so that it is the least one; and
// for the first joins an edge that does not lead there, or to oneself.  Of a long row no entry is
// asked for that lies in another sector.
template <typename Offset>
__device__ void begin_trees(const Offset* indptr, const int* indices, int n, int* parents,
                            int* edges) {
    together(n, 1, [&](const int (&v)[kAtOnce], unsigned mine) {
        int first[kAtOnce], second[kAtOnce];
#pragma unroll
        for (int j = 0; j < kAtOnce; ++j) {
            const Offset begin = indptr[v[j]], size = indptr[v[j] + 1] - begin;
            const bool near = size <= kShortRow || begin % kSector != kSector - 1;
            first[j] = size > 0 ? indices[begin] : v[j];
            second[j] = size > 1 && near ? indices[begin + 1] : v[j];
        }
#pragma unroll
        for (int j = 0; j < kAtOnce; ++j) {
            if ((mine >> j & 1) == 0) continue;
            const bool led = first[j] < v[j];
            parents[v[j]] = led ? first[j] : v[j];
            edges[v[j]] = led ? second[j] : first[j];
        }
    });
}

// The root of everybody, or of one in `every`, is hooked to a lesser one next door; `list` has room
// for n where the caller wants to know those that were.  All are flat before.
__device__ Hooked hook(int* parents, const int* edges, int n, int every, int* list) {
    Hooked hooked{list, 0};
    together(n, every, [&](const int (&v)[kAtOnce], unsigned mine) {
        int ends[kAtOnce], above[kAtOnce], others[kAtOnce];
#pragma unroll
        for (int j = 0; j < kAtOnce; ++j) {
            ends[j] = edges[v[j]];
            above[j] = parent_of(parents, v[j]);
        }
#pragma unroll
        for (int j = 0; j < kAtOnce; ++j)
            others[j] =
                (mine >> j & 1) == 0 || ends[j] == v[j] ? above[j] : once_above(parents, ends[j]);
#pragma unroll
        for (int j = 0; j < kAtOnce; ++j) {
            const int high = max(above[j], others[j]), low = min(above[j], others[j]);
            bool first = false;
            if (high != low && low < parent_of(parents, high))
                first = atomicMin(parents + high, low) == high;
            if (list != nullptr) hooked.add(first, high);
        }
    });
    return hooked;
}

}  // namespace spbfs
