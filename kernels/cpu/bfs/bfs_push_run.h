// Top-down by one thread, level after level, for the small frontiers of deep graphs: there what is
// done once a level is what costs (a road-like graph, 80 to 43 ms).
//
// Such frontiers are regular enough that a predictor knows which neighbours are visited, so
// discoveries are written at once: gathered as in bfs_expand.h a 2-D grid takes 64 ms instead
// of 47. docs/performance-notes.md, "Where the time goes".
#pragma once

#include <cstdint>
#include <utility>

#include "cpu/bfs/bfs_expand.h"
#include "cpu/bfs/bfs_state.h"

namespace spbfs::bfs {

// Vertices between two polls of whether to stop; a level counts as so many besides its own.
constexpr std::int64_t kPollVertices = 1 << 16;
constexpr std::int64_t kLevelVertices = 64;

// Where a run ended: the level and size of the frontier that it leaves in `list`, and what the
// frontiers before it had together.
struct Run {
    std::int64_t level, vertices, edges, reached;
};

// While the list has at most `longest` vertices.
template <class Offset, class Index>
Run push_run(State<Offset, Index>& s, std::int64_t level, std::int64_t size, std::int64_t longest,
             std::int64_t max_depth, std::int64_t target) {
    Run run{level, size, 0, 0};
    std::int64_t since_poll = 0;
    while (run.vertices > 0 && run.vertices <= longest && run.level < max_depth &&
           !(target >= 0 && test_bit(s.visited, target))) {
        since_poll += run.vertices + kLevelVertices;
        if (since_poll > kPollVertices) {
            since_poll = 0;
            if (s.interrupt->poll(0)) break;
        }
        run.reached += run.vertices;
        run.level += 1;
        const Index deeper = static_cast<Index>(run.level);
        const Index* list = s.list;
        Index* to = s.next_list;
        for (std::int64_t i = 0; i < run.vertices; ++i) {
            if (i + 3 * kPushAhead < run.vertices)
                __builtin_prefetch(&s.out.indptr[list[i + 3 * kPushAhead]]);
            if (i + kPushAhead < run.vertices)
                __builtin_prefetch(&s.out.indices[s.out.indptr[list[i + kPushAhead]]]);
            const Index u = list[i];
            const Offset row_end = s.out.indptr[u + 1];
            run.edges += row_end - s.out.indptr[u];
            for (Offset k = s.out.indptr[u]; k < row_end; ++k) {
                const Index v = s.out.indices[k];
                Word& word = s.visited[v / kWordBits];
                if (word & bit_of(v)) continue;
                word |= bit_of(v);
                *to++ = v;
                if (s.levels) s.levels[v] = deeper;
                if (s.parents) s.parents[v] = u;
            }
        }
        run.vertices = to - s.next_list;
        std::swap(s.list, s.next_list);
    }
    return run;
}

}  // namespace spbfs::bfs
