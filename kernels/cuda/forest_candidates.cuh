// The edges that leave components of a forest: their order, and the least of every row's.
#pragma once
#include "row_teams.cuh"

namespace spbfs {

using u64 = unsigned long long;

// Of which an edge may be as heavy, but no pair of ends is as great.
constexpr u64 kMost = ~0ull;

// Weights as unsigned numbers of the same order; both zeros have the same key.
__device__ __forceinline__ u64 key_of(int x) { return static_cast<u64>(x) ^ 1ull << 63; }
__device__ __forceinline__ u64 key_of(long long x) { return static_cast<u64>(x) ^ 1ull << 63; }
__device__ __forceinline__ u64 key_of(unsigned x) { return x; }
__device__ __forceinline__ u64 key_of(u64 x) { return x; }
__device__ __forceinline__ u64 key_of(double x) {
    const u64 bits = static_cast<u64>(__double_as_longlong(x + 0.0));
    return bits >> 63 ? ~bits : bits | 1ull << 63;
}
__device__ __forceinline__ u64 key_of(float x) { return key_of(static_cast<double>(x)); }

template <typename Weight>
__device__ __forceinline__ bool is_nan(Weight x) {
    return x != x;
}

// The least edge of a row, or of a piece of one, that leaves the component.
struct Candidate {
    u64 key;
    int to;     // below 0: there is none
    int other;  // the component that it leads to

    __device__ void join(const Candidate& x) {
        if (x.key < key ||
            (x.key == key && static_cast<unsigned>(x.to) < static_cast<unsigned>(to)))
            *this = x;
    }
    __device__ Candidate across(unsigned mask, int by) const {
        return {__shfl_xor_sync(mask, key, by), __shfl_xor_sync(mask, to, by),
                __shfl_xor_sync(mask, other, by)};
    }
};
// There is none, or the pieces of the row have theirs, none so far or some.
constexpr int kNobody = -1, kInPieces = -2, kSomePiece = -3;

__device__ __forceinline__ u64 pair_of(int u, int v) {
    return static_cast<u64>(min(u, v)) << 32 | static_cast<unsigned>(max(u, v));
}

// Components by their roots, and the least edge that leaves each.
struct Trees {
    int* parents;
    u64* keys;
    u64* pairs;  // the lesser end, the greater one in the lower half; kMost where none leaves

    __device__ void offer(int root, u64 key) const {
        if (key < __ldcg(keys + root)) atomicMin(keys + root, key);
    }
    __device__ void offer_pair(int root, u64 key, u64 pair) const {
        if (key == __ldcg(keys + root) && pair < __ldcg(pairs + root))
            atomicMin(pairs + root, pair);
    }
    // Whether the edge of root r leads to a greater one that takes it, too.
    __device__ bool stays(int r, int other) const {
        return r < other && __ldcg(keys + other) == __ldcg(keys + r) &&
               __ldcg(pairs + other) == __ldcg(pairs + r);
    }
};

// Looks for the candidates of rows.  In the first round everybody is a component.
template <typename Weight, bool first>
struct Leaving {
    const Weight* weights;
    i64 stride;
    Trees trees;
    const int* rows;  // not read in the first round, which takes all
    Candidate* found;
    unsigned* nan;

    struct Row {
        int own;
        Candidate best;
    };
    struct Item {
        int parent;
        Weight weight;
    };
    __device__ int vertex(i64 i) const { return first ? static_cast<int>(i) : rows[i]; }
    __device__ bool wants(int) const { return true; }
    __device__ void in_pieces(i64 place) const { found[place].to = kInPieces; }
    __device__ Row begin(int v) const {
        return {first ? v : trees.parents[v], {kMost, kNobody, kNobody}};
    }
    __device__ Item look(i64 p, int column) const {
        return {first ? column : trees.parents[column], weights[p * stride]};
    }
    __device__ void take(Row& row, int column, Item item) const {
        if (item.parent == row.own) return;
        if (is_nan(item.weight)) *nan = 1;
        row.best.join({key_of(item.weight), column, item.parent});
    }
    template <class Lanes>
    __device__ void end(Row& row, i64 place, Lanes) const {
        Lanes::join(row.best);
        if (Lanes::rank() != 0) return;
        found[place] = row.best;
        if (row.best.to >= 0) trees.offer(row.own, row.best.key);
    }
};

}  // namespace spbfs
