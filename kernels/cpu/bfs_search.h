// The whole search: chooses the direction of every level and drives the steps of bfs_steps.h.
#pragma once

#include <chrono>
#include <vector>

#include "cpu/bfs_steps.h"

namespace spbfs::bfs {

enum class Direction { kAuto, kPush, kPull };

struct Options {
    std::int64_t max_depth;    // levels deeper than this are not visited
    std::int64_t target = -1;  // the search ends with the level that has this vertex
    Direction direction = Direction::kAuto;
    bool least_parent = false;
    int threads = 1;
};

// One line of a trace: a frontier, its out-edges, and what expanding it took.
struct LevelTrace {
    std::int64_t frontier, edges;
    bool pull;
    double seconds;
};

struct Summary {
    std::int64_t depth = 0;    // largest level
    std::int64_t reached = 0;  // vertices with a level
    std::int64_t edges = 0;    // out-edges of these
};

// Beamer's rule: pull once the frontier's edges exceed 1/alpha of the unexplored ones, push again
// when the frontier shrinks below 1/beta of the vertices.
constexpr std::int64_t kAlpha = 15;
constexpr std::int64_t kBeta = 18;
// Fewer edges than this are expanded by the calling thread alone: waking another costs more.
constexpr std::int64_t kSerialEdges = 1 << 13;

template <class Offset, class Index>
Summary search(State<Offset, Index>& s, const Index* sources, std::int64_t nsources, Index* owners,
               const Options& options, std::vector<LevelTrace>* trace) {
    Team team(options.threads);
    Summary sum;
    // Not reachable, so its bit is on from the start, unless it is a source.
    std::int64_t target = options.target;
    if (target >= 0 && test_bit(s.visited, target)) target = -1;
    for (std::int64_t i = 0; i < nsources; ++i) {
        const Index v = sources[i];
        if (s.levels) s.levels[v] = 0;
        if (s.parents) s.parents[v] = v;
        if (v == options.target) target = v;
        set_bit(s.visited, v);
        if (owners) owners[v] = static_cast<Index>(i);
        s.queue[s.front_end++] = v;
    }
    if (options.least_parent) std::fill_n(s.next, words_for(s.n), Word{0});
    bool pulling = false, bitmap = false;
    std::int64_t size = nsources, edges = frontier_edges(s), last_size = 0;
    std::int64_t unexplored = s.in.indptr[s.n];
    Index level = 0;
    while (size > 0) {
        sum.reached += size;
        sum.edges += edges;
        sum.depth = level;
        if (level == options.max_depth || s.interrupt->stop) break;
        if (target >= 0 && test_bit(s.visited, target)) break;
        if (options.direction == Direction::kAuto) {
            if (!pulling)
                pulling = edges > unexplored / kAlpha;
            else
                pulling = size >= last_size || size > s.n / kBeta;
        } else {
            pulling = options.direction == Direction::kPull;
        }
        const auto started = std::chrono::steady_clock::now();
        const LevelTrace line{size, edges, pulling, 0.0};
        last_size = size;
        unexplored -= edges;
        ++level;
        if (pulling) {
            if (!bitmap) queue_to_bitmap(s, s.front);
            bitmap = true;
            const Count found = pull(s, level, team);
            std::swap(s.front, s.next);
            size = found.vertices;
            edges = found.edges;
            if (owners)
                team.for_chunks(
                    words_for(s.n), kPullGrain, [&](std::int64_t w, std::int64_t end, int) {
                        for (; w < end; ++w)
                            for_each_bit(s.front[w], w * kWordBits,
                                         [&](std::int64_t v) { settle_owner(s, owners, v); });
                    });
        } else {
            if (bitmap) {
                bitmap_to_queue(s, s.front);
                if (options.least_parent) std::fill_n(s.next, words_for(s.n), Word{0});
            }
            bitmap = false;
            Team* helpers = edges < kSerialEdges || team.workers() == 1 ? nullptr : &team;
            const Count found = options.least_parent ? push<true>(s, level, helpers)
                                                     : push<false>(s, level, helpers);
            size = found.vertices;
            s.front_begin = s.front_end;
            s.front_end += size;
            edges = frontier_edges(s);
            if (owners)
                team.for_chunks(size, kPushGrain, [&](std::int64_t i, std::int64_t end, int) {
                    for (; i < end; ++i) settle_owner(s, owners, s.queue[s.front_begin + i]);
                });
            if (options.least_parent)
                for (std::int64_t i = s.front_begin; i < s.front_end; ++i)
                    s.next[s.queue[i] / kWordBits] = 0;
        }
        if (trace) {
            trace->push_back(line);
            trace->back().seconds =
                std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
        }
    }
    return sum;
}

}  // namespace spbfs::bfs
