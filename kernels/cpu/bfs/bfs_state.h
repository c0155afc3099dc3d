// What a breadth-first search works on: the graph, its outputs, the visited set and two frontiers.
//
// A frontier is a list where it is short and a bitmap where it is long.
#pragma once

#include <cstdint>

#include "common/bits.h"
#include "cpu/threads/interrupt.h"
#include "cpu/threads/parallel.h"

namespace spbfs::bfs {

// A CSR pattern, read only.
template <class Offset, class Index>
struct Graph {
    const Offset* indptr;
    const Index* indices;

    std::int64_t degree(std::int64_t u) const { return indptr[u + 1] - indptr[u]; }
};

// Arrays of one search.  `levels`, `parents` and `hub` may be null.  Bits of `visited` past n, and
// of vertices that no edge enters, are set from the start: nothing visits them again.
template <class Offset, class Index>
struct State {
    std::int64_t n;
    Graph<Offset, Index> out, in;
    Index* levels;
    Index* parents;
    const Index* hub;  // an in-neighbour of every vertex, the likeliest to be found early
    Word* visited;
    Word* front;
    Word* next;
    Word* copies;  // `ncopies` more bitmaps, for workers that push at the same time
    int ncopies;
    Index* list;  // the frontier where it is a list, `capacity` entries
    Index* next_list;
    std::int64_t capacity;
    std::int64_t longest_row;  // of `out`
    Interrupt* interrupt;
};

struct Frontier {
    std::int64_t vertices = 0;
    std::int64_t edges = 0;  // out-edges of these
};

// Words of a bitmap a chunk: whole cache lines, so that chunks share none.
constexpr std::int64_t kWordGrain = 64;

}  // namespace spbfs::bfs
