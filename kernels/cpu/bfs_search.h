// The whole search: chooses the direction of every level and drives the steps of bfs_push.h and
// bfs_pull.h.
#pragma once

#include <chrono>
#include <vector>

#include "cpu/bfs_frontier.h"
#include "cpu/bfs_pull.h"
#include "cpu/bfs_push.h"

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

// What the steps cost, in nanoseconds of one core; only ratios matter.  docs/performance-notes.md
// tells how they were measured.
constexpr double kEdgeCost = 1.5;    // push: a neighbour looked at
constexpr double kRowCost = 30;      // push: a row fetched
constexpr double kDiscoverCost = 8;  // push: a vertex written, anywhere in memory
constexpr double kVertexCost = 14;   // pull: an unvisited vertex and the start of its row
constexpr double kProbeCost = 1.3;   // pull: an in-neighbour looked at
constexpr double kHubShare = 0.5;    // pull: what is left of it when hubs are looked at first
constexpr double kWordCost = 0.5;    // pull: 64 vertices passed over
// A push of fewer edges than this is done by the calling thread alone, or of fewer than 1 / 16 of
// the vertices: waking another, copies of the visited set and passing over them cost more.
constexpr std::int64_t kSerialEdges = 1 << 13;
constexpr std::int64_t kSerialShare = 16;

// Sizes that the choice of direction rests on.
struct Progress {
    double vertices, edges;  // of the whole graph
    double unvisited;        // vertices that an edge enters
    double unexplored;       // edges not yet in a frontier
};

// Whether pull is the cheaper way from a frontier to the next.  A probe hits with the share of
// edges that leave the frontier, so an unvisited vertex expects to look at 1 / share of its
// in-neighbours.
inline bool pull_pays(const Progress& p, const Frontier& f, bool hubs) {
    const double edges = static_cast<double>(f.edges);
    const double push = kEdgeCost * edges + kRowCost * static_cast<double>(f.vertices) +
                        kDiscoverCost * std::min(p.unvisited, edges * p.unexplored / p.edges);
    const double probes = std::min(p.unexplored, p.unvisited * p.edges / std::max(edges, 1.0));
    const double pull =
        kVertexCost * p.unvisited + kProbeCost * probes + kWordCost * p.vertices / kWordBits;
    return pull * (hubs ? kHubShare : 1.0) < push;
}

template <class Offset, class Index>
Summary search(State<Offset, Index>& s, const Word* closed, const Index* sources,
               std::int64_t nsources, Index* owners, const Options& options,
               std::vector<LevelTrace>* trace) {
    Team team(options.threads);
    Summary sum;
    std::copy_n(closed, words_for(s.n), s.visited);
    const bool settling = owners != nullptr || options.least_parent;
    const double n = static_cast<double>(s.n), m = static_cast<double>(s.in.indptr[s.n]);
    Progress progress{n, m, 0, m};
    for (std::int64_t w = 0; w < words_for(s.n); ++w)
        progress.unvisited += std::popcount(~s.visited[w]);
    // A target that no edge enters is marked visited from the start, and found only if it is a
    // source.
    std::int64_t target = options.target;
    if (target >= 0 && test_bit(s.visited, target)) target = -1;
    auto set_sources = [&] {
        for (std::int64_t i = 0; i < nsources; ++i) {
            if (s.levels) s.levels[sources[i]] = 0;
            if (s.parents) s.parents[sources[i]] = sources[i];
            if (owners) owners[sources[i]] = static_cast<Index>(i);
        }
    };
    set_sources();
    for (std::int64_t i = 0; i < nsources; ++i) {
        const Index v = sources[i];
        if (v == options.target) target = v;
        if (!test_bit(s.visited, v)) --progress.unvisited;
        set_bit(s.visited, v);
    }
    bool listed = nsources <= s.capacity;
    if (listed)
        std::copy_n(sources, nsources, s.list);
    else {
        std::fill_n(s.front, words_for(s.n), Word{0});
        for (std::int64_t i = 0; i < nsources; ++i) set_bit(s.front, sources[i]);
    }
    Frontier f{nsources, 0};
    for (std::int64_t i = 0; i < nsources; ++i) f.edges += s.out.degree(sources[i]);
    // Rows so short that a push of so few can neither overflow a list, nor be worth two threads or
    // a pull.
    const std::int64_t row = std::max<std::int64_t>(s.longest_row, 1);
    const std::int64_t serial_edges =
        team.workers() == 1 ? s.capacity
                            : std::min(s.capacity, std::max(kSerialEdges, s.n / kSerialShare));
    const bool may_run = !settling && !trace && options.direction != Direction::kPull;
    Index level = 0;
    while (f.vertices > 0) {
        if (may_run && listed) {
            const double pays = kVertexCost * progress.unvisited /
                                (kRowCost + (kEdgeCost + kDiscoverCost) * static_cast<double>(row));
            const std::int64_t longest =
                std::min(serial_edges / row, static_cast<std::int64_t>(pays));
            const Run run = push_run(s, level, f.vertices, longest, options.max_depth, target);
            if (run.level > level) {
                sum.reached += run.reached;
                sum.edges += run.edges;
                progress.unexplored -= static_cast<double>(run.edges);
                progress.unvisited -= static_cast<double>(run.reached - f.vertices + run.vertices);
                level = static_cast<Index>(run.level);
                f = {run.vertices, list_edges(s, run.vertices)};
                if (f.vertices == 0) {
                    sum.depth = level - 1;
                    break;
                }
            }
        }
        sum.reached += f.vertices;
        sum.edges += f.edges;
        sum.depth = level;
        if (level == options.max_depth || s.interrupt->stopped()) break;
        if (target >= 0 && test_bit(s.visited, target)) break;
        if (progress.unvisited == 0) break;
        const bool pulling = options.direction == Direction::kAuto
                                 ? pull_pays(progress, f, s.hub != nullptr && !settling)
                                 : options.direction == Direction::kPull;
        const auto started =
            trace ? std::chrono::steady_clock::now() : std::chrono::steady_clock::time_point();
        const LevelTrace line{f.vertices, f.edges, pulling, 0.0};
        progress.unexplored -= static_cast<double>(f.edges);
        ++level;
        if (pulling) {
            if (listed) list_to_bitmap(s, f.vertices);
            listed = false;
            f = pull(s, level, team, s.hub && !settling);
        } else if (f.edges > serial_edges || (!listed && f.vertices > s.capacity)) {
            f = push_bitmap(s, level, listed ? f.vertices : -1, team);
            listed = false;
        } else {
            if (!listed) bitmap_to_list(s);
            listed = true;
            f = push_list(s, level, f.vertices);
            f.edges = list_edges(s, f.vertices);
        }
        progress.unvisited -= static_cast<double>(f.vertices);
        if (settling && !(pulling && !owners))
            settle_parents(s, level, owners, listed ? f.vertices : -1, team);
        if (trace) {
            trace->push_back(line);
            trace->back().seconds =
                std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
        }
    }
    clear_unreached(s, closed, team);
    set_sources();
    return sum;
}

}  // namespace spbfs::bfs
