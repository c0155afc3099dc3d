// The direction of a level, from what the steps cost: a push of its edges, or a pull by whoever is
// not visited yet.
#pragma once

#include <algorithm>
#include <cstdint>

#include "cpu/bfs/bfs_state.h"

namespace spbfs::bfs {

// What the steps cost; `spbfs.planner.search_cpu.CpuSearchRates` says what each is, and
// `CPU_SEARCH` beside it what it was measured as.
struct Rates {
    double push_level, push_edge, push_row, push_found;
    double pull_level, pull_word, pull_row, pull_probe, pull_found, pull_at_hub;
    std::int64_t serial_edges;
    double serial_share;
};

// Sizes that the choice of direction rests on.
struct Progress {
    double vertices, edges;  // of the whole graph
    double unvisited;        // vertices that an edge enters
    double unexplored;       // edges not yet in a frontier, or in this one
};

// What a pull meets: unvisited vertices that it finds behind their hub, those that it finds behind
// another in-neighbour, and the entries of rows that it looks at.
struct Looks {
    double at_hub, found, probes;
};

inline double push_cost(const Rates& r, const Frontier& f, double found) {
    return r.push_level + r.push_edge * static_cast<double>(f.edges) +
           r.push_row * static_cast<double>(f.vertices) + r.push_found * found;
}

inline double pull_cost(const Rates& r, const Progress& p, const Looks& looks) {
    return r.pull_level + r.pull_word * p.vertices / kWordBits + r.pull_row * p.unvisited +
           r.pull_probe * looks.probes + r.pull_found * looks.found + r.pull_at_hub * looks.at_hub;
}

// Entries of the rows of unvisited vertices: exact where edges lead both ways.
inline double open_entries(const Progress& p, const Frontier& f) {
    return std::max(p.unexplored - static_cast<double>(f.edges), 0.0);
}

// What a pull would meet if the frontier's edges led anywhere: a probe hits with their share of all
// edges.  The first guess, by which most levels are decided, and the only one where hardly anybody
// is left to ask.
inline Looks looks_anywhere(const Progress& p, const Frontier& f, bool hubs) {
    const double edges = std::max(static_cast<double>(f.edges), 1.0);
    const double found = std::min(p.unvisited, edges * p.unexplored / p.edges);
    const double probes = std::min(open_entries(p, f), p.unvisited * p.edges / edges);
    return hubs ? Looks{found, 0, probes} : Looks{0, found, probes};
}

// The least and the most that both directions can cost, whatever the frontier's edges lead to.
struct Bounds {
    double least_push, most_push, least_pull, most_pull;
};

inline Bounds bounds_of(const Rates& r, const Progress& p, const Frontier& f) {
    const double found = std::min(p.unvisited, static_cast<double>(f.edges));
    return {push_cost(r, f, 0), push_cost(r, f, found), pull_cost(r, p, {0, 0, 0}),
            pull_cost(r, p, {0, found, open_entries(p, f)})};
}

// Rates may be any numbers from 0 on.
inline std::int64_t whole(double size) { return static_cast<std::int64_t>(std::min(size, 1e18)); }

// Edges up to which a push is made by the calling thread, from list to list.
inline std::int64_t most_serial_edges(const Rates& r, std::int64_t n, std::int64_t capacity,
                                      int workers) {
    if (workers == 1) return capacity;
    const double share = static_cast<double>(n) * r.serial_share;
    return std::min(capacity, std::max(r.serial_edges, whole(share)));
}

// Vertices up to which a listed frontier, whose rows have at most `longest_row` entries, is surely
// best pushed by the calling thread: a push of so few can neither overflow a list, nor be worth two
// threads or a pull.
inline std::int64_t longest_sure_push(const Rates& r, const Progress& p, std::int64_t serial_edges,
                                      std::int64_t longest_row) {
    const double row = r.push_row + (r.push_edge + r.push_found) * static_cast<double>(longest_row);
    const double even = r.pull_row * p.unvisited / std::max(row, 1e-9);
    return std::min(serial_edges / longest_row, whole(even));
}

}  // namespace spbfs::bfs
