// What many searches at once work on: a bit a search in W words a vertex.
//
// Row v of `visited` has the searches that reached v; of a frontier those that reached it last.  A
// frontier's rows are zero but where its bitmap `active` says so, and there are whole words of
// them.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "common/bits.h"
#include "cpu/bfs_many/bfs_many_bits.h"
#include "cpu/bfs_many/bfs_many_counts.h"
#include "cpu/threads/interrupt.h"
#include "cpu/threads/parallel.h"

namespace spbfs::many {

template <class Offset, class Index>
struct Graph {
    const Offset* indptr;
    const Index* indices;

    std::int64_t degree(std::int64_t u) const { return indptr[u + 1] - indptr[u]; }

    // In the rows of those vertices of a word of bitmaps that are in `active`.
    std::int64_t entries(std::int64_t word, Word active) const {
        const std::int64_t first = word * kWordBits;
        if (active == ~Word{0}) return indptr[first + kWordBits] - indptr[first];
        std::int64_t sum = 0;
        for_each_bit(active, first, [&](std::int64_t u) { sum += degree(u); });
        return sum;
    }
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
    Columns<W> columns;      // how many each search found
};

template <int W, class Offset, class Index>
struct State {
    std::int64_t n;
    std::int64_t entered;  // no edge enters a vertex from here on
    Graph<Offset, Index> out, in;
    Word* visited;     // n x W
    Rows front, next;  // the rows of `next` may be left over from the frontier before
    Word* open;        // vertices that some search may still reach
    Index* list;       // the frontier where it is listed, and room for the next; n each
    Index* next_list;
    const Index* names;        // the caller's labels of the vertices, or null where they are theirs
    Index* parents;            // in the caller's labels, a row a search, or null
    const std::int64_t* rows;  // which row of `parents` is whose
    std::int64_t* level_sums;  // a vertex's levels summed over searches, or null
    Word* planes[kMostPlanes];
    bool test_first;    // whether a push tests a word before it updates it
    bool planed;        // whether levels are written: bit b of a level in plane b
    int fresh;          // the plane that has its first level now, and anything in it before; or -1
    const Word* alive;  // the searches whose frontier is not empty
    Word wide[W];       // those of them that pull where the others, the narrow ones, were pushed
    const Index* hubs;  // every vertex's in-neighbour of largest degree, or null
    Interrupt* interrupt;

    std::int64_t name(std::int64_t v) const { return names ? names[v] : v; }
    void set_parent(std::int64_t search, std::int64_t v, Index u) const {
        parents[rows[search] * n + name(v)] = static_cast<Index>(name(u));
    }
};

// Sets those rows of 64 to zero that may be anything else.
template <int W>
inline void clear_rows(const Rows& rows, std::int64_t word, Word active) {
    Word* first = rows.words + word * kWordBits * W;
    if (std::popcount(active) >= kWordBits / 4) return clear_words(first, kWordBits * W);
    for_each_bit(active, 0, [&](std::int64_t i) {
        for (int w = 0; w < W; ++w) first[i * W + w] = 0;
    });
}

}  // namespace spbfs::many
