// Disjoint sets of vertices that any number of threads join: trees whose roots are their least
// vertices.
//
// Why races are harmless.  While sets are joined, parents change by compare-and-swap alone, and
// only to lesser vertices, so that a path upwards falls strictly and ends at a vertex that was its
// own parent when it was read.  unite() moves a vertex x from its parent z to the lesser parent y
// of the other side and goes on with z: what it has torn apart is together again when it returns.
// flatten() runs when nobody joins; its stores put a root, which is an ancestor whatever others
// store, in the place of a parent.  Nothing else is handed from thread to thread, so that relaxed
// order suffices: what one loop of a team wrote, the next one sees.
//
// Patwary, Blair, Manne: Experiments on union-find algorithms for the disjoint-set data structure
// (2010), for Rem's algorithm with splicing; Dhulipala, Hong, Shun: ConnectIt (VLDB 2020), for its
// use by many threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

namespace spbfs {

template <class Index>
class UnionFind {
  public:
    // The caller stores parents to begin with, none greater than its vertex.
    explicit UnionFind(Index* parents) : parents_(parents) {}

    Index parent(Index v) const {
        return std::atomic_ref<Index>(parents_[v]).load(std::memory_order_relaxed);
    }

    Index root(Index v) const {
        Index up = parent(v);
        for (; up != v; up = parent(v)) v = up;
        return v;
    }

    // Without `Shared` nobody else works on the trees of either.
    template <bool Shared = true>
    void unite(Index u, Index v) {
        Index above_u = parent(u), above_v = parent(v);
        while (above_u != above_v) {
            if (above_u < above_v) {
                std::swap(u, v);
                std::swap(above_u, above_v);
            }
            const bool moved = change<Shared>(u, above_u, above_v);
            if (u == above_u) {
                if (moved) return;
            } else {
                u = above_u;
            }
            above_u = parent(u);
            above_v = parent(v);
        }
    }

    // Gives [begin, end) their roots for parents.
    void flatten(std::int64_t begin, std::int64_t end) {
        for (std::int64_t v = begin; v < end; ++v) {
            const Index up = parent(static_cast<Index>(v)), top = root(up);
            if (top != up)
                std::atomic_ref<Index>(parents_[v]).store(top, std::memory_order_relaxed);
        }
    }

  private:
    void store(Index v, Index up) {
        std::atomic_ref<Index>(parents_[v]).store(up, std::memory_order_relaxed);
    }

    // The root, every vertex on the way given its grandparent: long ways halve.
    Index lift(Index v) {
        Index up = parent(v), above = parent(up);
        while (up != above) {
            store(v, above);
            v = up;
            up = above;
            above = parent(up);
        }
        return up;
    }

    // Gives v another parent unless it has changed meanwhile.
    template <bool Shared>
    bool change(Index v, Index from, Index to) {
        if constexpr (Shared)
            return std::atomic_ref<Index>(parents_[v])
                .compare_exchange_strong(from, to, std::memory_order_relaxed);
        parents_[v] = to;
        return true;
    }

    Index* const parents_;
};

}  // namespace spbfs
