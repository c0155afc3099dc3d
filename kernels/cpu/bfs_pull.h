// The bottom-up step: every unvisited vertex looks for an in-neighbour in the frontier.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "cpu/bfs_state.h"

namespace spbfs::bfs {

// Vertices between the fetch of a row and its use, and how many of its cache lines are fetched: the
// second is worth it where rows are long and hits rare, and costs little elsewhere.
constexpr std::int64_t kPullAhead = 16;
constexpr std::int64_t kPullLines = 2;

// Bottom-up, bitmap `front` to bitmap `front`.  A word of vertices belongs to one chunk, so nothing
// is shared but the old frontier, which is only read.  Rows are sorted: the first hit is also the
// least parent.
template <class Offset, class Index>
Frontier pull(State<Offset, Index>& s, Index level, Team& team, bool use_hub) {
    std::atomic<std::int64_t> vertices{0}, edges{0};
    team.for_chunks(
        words_for(s.n), kWordGrain, [&](std::int64_t begin, std::int64_t end, int worker) {
            if (s.interrupt->poll(worker)) return;
            Frontier mine;
            auto found = [&](Index v, Index u) {
                if (s.levels) s.levels[v] = level;
                if (s.parents) s.parents[v] = u;
                set_bit(s.next, v);
                mine.vertices += 1;
                mine.edges += s.out.degree(v);
            };
            // The unvisited as a list, so that rows can be fetched a fixed number of vertices
            // ahead.
            Index todo[kWordGrain * kWordBits];
            std::int64_t size = 0;
            for (std::int64_t w = begin; w < end; ++w) {
                s.next[w] = 0;
                for_each_bit(~s.visited[w], w * kWordBits,
                             [&](std::int64_t v) { todo[size++] = static_cast<Index>(v); });
            }
            if (use_hub) {
                Index hits[kWordGrain * kWordBits];
                std::int64_t misses = 0, nhits = 0;
                for (std::int64_t i = 0; i < size; ++i) {
                    const Index v = todo[i];
                    const bool hit = test_bit(s.front, s.hub[v]);
                    hits[nhits] = v;
                    todo[misses] = v;
                    nhits += hit;
                    misses += !hit;
                }
                for (std::int64_t i = 0; i < nhits; ++i) found(hits[i], s.hub[hits[i]]);
                size = misses;
            }
            for (std::int64_t i = 0; i < size; ++i) {
                if (i + kPullAhead < size) {
                    const Index ahead = todo[i + kPullAhead];
                    constexpr std::int64_t kLine = 64 / sizeof(Index);
                    const Index* row = s.in.indices + s.in.indptr[ahead];
                    const Index* row_end =
                        std::min(s.in.indices + s.in.indptr[ahead + 1], row + kPullLines * kLine);
                    for (; row < row_end; row += kLine) __builtin_prefetch(row);
                }
                const Index v = todo[i];
                const Offset row_end = s.in.indptr[v + 1];
                for (Offset k = s.in.indptr[v]; k < row_end; ++k) {
                    const Index u = s.in.indices[k];
                    if (!test_bit(s.front, u)) continue;
                    found(v, u);
                    break;
                }
            }
            for (std::int64_t w = begin; w < end; ++w) s.visited[w] |= s.next[w];
            vertices.fetch_add(mine.vertices, std::memory_order_relaxed);
            edges.fetch_add(mine.edges, std::memory_order_relaxed);
        });
    std::swap(s.front, s.next);
    return {vertices.load(), edges.load()};
}

}  // namespace spbfs::bfs
