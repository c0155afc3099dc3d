// The bottom-up step: every unvisited vertex searches its row for an in-neighbour in the frontier.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "cpu/bfs/bfs_state.h"
#include "cpu/memory/fetch.h"

namespace spbfs::bfs {

// Vertices between the fetch of a row and its use, and how many of its cache lines are fetched: the
// second is worth it where rows are long and hits rare (uniform, mean degree 64: 34 to 26 ms), and
// costs little elsewhere.  docs/performance-notes.md, "Where the time goes".
constexpr std::int64_t kPullAhead = 16;
constexpr std::int64_t kPullLines = 2;

// The passes of a chunk are always inlined: as functions of their own they take a third longer.
//
// What one chunk of a pull has to do: its unvisited vertices as a list, so that rows can be fetched
// a fixed number of vertices ahead.
template <class Index>
struct Unvisited {
    Index vertices[kWordGrain * kWordBits];
    std::int64_t size = 0;
};

template <class Offset, class Index>
[[gnu::always_inline]] inline void list_unvisited(const State<Offset, Index>& s, std::int64_t begin,
                                                  std::int64_t end, Unvisited<Index>& unvisited) {
    std::int64_t size = 0;
    for (std::int64_t w = begin; w < end; ++w) {
        s.next[w] = 0;
        for_each_bit(~s.visited[w], w * kWordBits,
                     [&](std::int64_t v) { unvisited.vertices[size++] = static_cast<Index>(v); });
    }
    unvisited.size = size;
}

// found(v, hub) for those whose hub is in the frontier; the others stay in the list.  Nothing
// branches on a hit, which no predictor knows.
template <class Offset, class Index, class Found>
[[gnu::always_inline]] inline void probe_hubs(const State<Offset, Index>& s,
                                              Unvisited<Index>& unvisited, Found&& found) {
    Index hits[kWordGrain * kWordBits];
    const std::int64_t size = unvisited.size;
    std::int64_t misses = 0, nhits = 0;
    for (std::int64_t i = 0; i < size; ++i) {
        const Index v = unvisited.vertices[i];
        const bool hit = test_bit(s.front, s.hub[v]);
        hits[nhits] = v;
        unvisited.vertices[misses] = v;
        nhits += hit;
        misses += !hit;
    }
    for (std::int64_t i = 0; i < nhits; ++i) found(hits[i], s.hub[hits[i]]);
    unvisited.size = misses;
}

template <class Offset, class Index>
SPBFS_FETCHES void prefetch_row(const State<Offset, Index>& s, Index v) {
    constexpr std::int64_t kLine = 64 / sizeof(Index);
    const Index* row = s.in.indices + s.in.indptr[v];
    const Index* row_end = std::min(s.in.indices + s.in.indptr[v + 1], row + kPullLines * kLine);
    for (; row < row_end; row += kLine) __builtin_prefetch(row);
}

// found(v, u) for the first in-neighbour u of v that is in the frontier.  Rows are sorted: it is
// also the least parent.
template <class Offset, class Index, class Found>
[[gnu::always_inline]] inline void probe_rows(const State<Offset, Index>& s,
                                              const Unvisited<Index>& unvisited, Found&& found) {
    const std::int64_t size = unvisited.size;
    for (std::int64_t i = 0; i < size; ++i) {
        if (i + kPullAhead < size) prefetch_row(s, unvisited.vertices[i + kPullAhead]);
        const Index v = unvisited.vertices[i];
        const Offset row_end = s.in.indptr[v + 1];
        for (Offset k = s.in.indptr[v]; k < row_end; ++k) {
            const Index u = s.in.indices[k];
            if (!test_bit(s.front, u)) continue;
            found(v, u);
            break;
        }
    }
}

// Bottom-up, bitmap `front` to bitmap `front`.  A word of vertices belongs to one chunk, so nothing
// is shared but the old frontier, which is only read.
template <class Offset, class Index>
Frontier pull(State<Offset, Index>& s, Index level, Team& team, bool use_hub) {
    std::atomic<std::int64_t> vertices{0}, edges{0};
    team.for_chunks(words_for(s.n), kWordGrain,
                    [&](std::int64_t begin, std::int64_t end, int worker) {
                        if (s.interrupt->poll(worker)) return;
                        Frontier mine;
                        auto found = [&](Index v, Index u) __attribute__((always_inline)) {
                            if (s.levels) s.levels[v] = level;
                            if (s.parents) s.parents[v] = u;
                            set_bit(s.next, v);
                            mine.vertices += 1;
                            mine.edges += s.out.degree(v);
                        };
                        Unvisited<Index> unvisited;
                        list_unvisited(s, begin, end, unvisited);
                        if (use_hub) probe_hubs(s, unvisited, found);
                        probe_rows(s, unvisited, found);
                        for (std::int64_t w = begin; w < end; ++w) s.visited[w] |= s.next[w];
                        vertices.fetch_add(mine.vertices, std::memory_order_relaxed);
                        edges.fetch_add(mine.edges, std::memory_order_relaxed);
                    });
    std::swap(s.front, s.next);
    return {vertices.load(), edges.load()};
}

}  // namespace spbfs::bfs
