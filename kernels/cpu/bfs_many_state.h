// What many searches at once work on: a bit a search in W words a vertex.
//
// Row v of `seen` has the searches that reached v; of a frontier those that reached it last.  A
// frontier's rows are zero but where its bitmap `active` says so.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "common/bits.h"
#include "cpu/bfs_many_counts.h"
#include "cpu/interrupt.h"
#include "cpu/parallel.h"

namespace spbfs::many {

template <class Offset, class Index>
struct Graph {
    const Offset* indptr;
    const Index* indices;

    std::int64_t degree(std::int64_t u) const { return indptr[u + 1] - indptr[u]; }
};

struct Rows {
    Word* words;   // n x W
    Word* active;  // a bit a vertex
};

constexpr int kMostPlanes = 32;

// What steps say about the vertices that they found, summed over workers.
template <int W>
struct Found {
    std::int64_t vertices = 0;
    std::int64_t edges = 0;  // their out-edges
    std::int64_t open = 0;   // in-edges of vertices that a search is still to reach
    Word alive[W] = {};      // the searches that found any
    Columns<W> columns;      // how many each search found
};

template <int W, class Offset, class Index>
struct State {
    std::int64_t n;
    Graph<Offset, Index> out, in;
    Word* seen;        // n x W
    Rows front, next;  // the rows of `next` may be left over from the frontier before
    Word* open;        // vertices that some search may still reach
    Index* list;       // the frontier where it is listed, and room for the next; n each
    Index* next_list;
    const Index* names;        // the caller's labels of the vertices, or null where they are theirs
    Index* parents;            // in the caller's labels, a row a search, or null
    const std::int64_t* rows;  // which row of `parents` is whose
    std::int64_t* level_sums;  // a vertex's levels summed over searches, or null
    Word* planes[kMostPlanes];
    bool planed;        // whether levels are kept: bit b of a level in plane b
    const Word* alive;  // the searches whose frontier is not empty
    Interrupt* interrupt;

    std::int64_t name(std::int64_t v) const { return names ? names[v] : v; }
    void set_parent(std::int64_t search, std::int64_t v, Index u) const {
        parents[rows[search] * n + name(v)] = static_cast<Index>(name(u));
    }
};

// v was reached, at `level`, by the searches `fresh`; returns whether that was the last of them.
template <int W, class Offset, class Index>
inline bool settle(const State<W, Offset, Index>& s, std::int64_t v, const Word* fresh,
                   std::int64_t level, Found<W>& found) {
    Word* seen = s.seen + v * W;
    Word missing = 0;
    for (int w = 0; w < W; ++w) {
        seen[w] |= fresh[w];
        found.alive[w] |= fresh[w];
        missing |= s.alive[w] & ~seen[w];
    }
    if (s.planed) {
        for (std::uint64_t bits = static_cast<std::uint64_t>(level); bits != 0; bits &= bits - 1) {
            Word* plane = s.planes[std::countr_zero(bits)] + v * W;
            for (int w = 0; w < W; ++w) plane[w] |= fresh[w];
        }
    }
    if (s.level_sums) {
        std::int64_t searches = 0;
        for (int w = 0; w < W; ++w) searches += std::popcount(fresh[w]);
        s.level_sums[s.name(v)] += level * searches;
    }
    found.columns.add(fresh);
    found.vertices += 1;
    found.edges += s.out.degree(v);
    return missing == 0;
}

}  // namespace spbfs::many
