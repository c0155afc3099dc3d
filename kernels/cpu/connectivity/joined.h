// What both ways of joining a graph's vertices work on: rows, disjoint sets, and a team.
#pragma once

#include <cstdint>

#include "cpu/connectivity/union_find.h"
#include "cpu/threads/interrupt.h"
#include "cpu/threads/parallel.h"

namespace spbfs {

// Vertices of a chunk: where a row's first neighbour is in the same one, as in meshes, its parent
// is known already.  A multiple of the bits of a word.
constexpr std::int64_t kGrain = 1 << 14;

template <class Offset, class Index>
struct Rows {
    const Offset* indptr = nullptr;
    const Index* indices = nullptr;
};

// Of whose vertices the sets are to be found.
template <class Offset, class Index>
struct Joined {
    const Rows<Offset, Index> rows;
    // Whether an edge is in the rows of both its ends.
    const bool symmetric;
    const std::int64_t n;
    Index* const parents;
    // Room for a number a vertex.
    Index* const notes;
    Team& team;
    Interrupt& interrupt;
    UnionFind<Index> sets{parents};

    // f(begin, end) for all vertices by chunks, until it is time to stop.
    template <class F>
    void over_vertices(F&& f) {
        team.for_chunks(n, kGrain, [&](std::int64_t begin, std::int64_t end, int worker) {
            if (!interrupt.poll(worker, end - begin)) f(begin, end);
        });
    }

    void flatten() {
        over_vertices([&](std::int64_t begin, std::int64_t end) { sets.flatten(begin, end); });
    }

    void link_row(const Rows<Offset, Index>& of, Index v) {
        for (Offset k = of.indptr[v]; k < of.indptr[v + 1]; ++k) sets.unite(v, of.indices[k]);
    }
};

}  // namespace spbfs
