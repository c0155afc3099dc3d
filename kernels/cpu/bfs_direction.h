// The direction of a level, from what the steps cost: a push of its edges, or a pull by whoever is
// not visited yet.
#pragma once

#include <algorithm>
#include <cstdint>

#include "cpu/bfs_state.h"

namespace spbfs::bfs {

// What the steps cost; `spbfs.planner.search.CpuSearchRates` says what each is, and
// `CPU_SEARCH` beside it what it was measured as.
struct Rates {
    double push_edge, push_row, discovery;
    double pull_vertex, pull_probe, pull_word, pull_hub_share;
    std::int64_t serial_edges;
    double serial_share;
};

// Sizes that the choice of direction rests on.
struct Progress {
    double vertices, edges;  // of the whole graph
    double unvisited;        // vertices that an edge enters
    double unexplored;       // edges not yet in a frontier
};

inline double push_cost(const Rates& r, const Progress& p, const Frontier& f) {
    const double edges = static_cast<double>(f.edges);
    const double found = std::min(p.unvisited, edges * p.unexplored / p.edges);
    return r.push_edge * edges + r.push_row * static_cast<double>(f.vertices) + r.discovery * found;
}

// A probe hits with the share of edges that leave the frontier, so an unvisited vertex expects to
// probe 1 / share of its in-neighbours.
inline double pull_cost(const Rates& r, const Progress& p, const Frontier& f, bool hubs) {
    const double edges = std::max(static_cast<double>(f.edges), 1.0);
    const double probes = std::min(p.unexplored, p.unvisited * p.edges / edges);
    const double cost =
        r.pull_vertex * p.unvisited + r.pull_probe * probes + r.pull_word * p.vertices / kWordBits;
    return cost * (hubs ? r.pull_hub_share : 1.0);
}

inline bool pull_pays(const Rates& r, const Progress& p, const Frontier& f, bool hubs) {
    return pull_cost(r, p, f, hubs) < push_cost(r, p, f);
}

// Edges up to which a push is made by the calling thread, from list to list.
inline std::int64_t most_serial_edges(const Rates& r, std::int64_t n, std::int64_t capacity,
                                      int workers) {
    if (workers == 1) return capacity;
    const auto share = static_cast<std::int64_t>(static_cast<double>(n) * r.serial_share);
    return std::min(capacity, std::max(r.serial_edges, share));
}

// Vertices up to which a listed frontier, whose rows have at most `longest_row` entries, is surely
// best pushed by the calling thread: a push of so few can neither overflow a list, nor be worth two
// threads or a pull.
inline std::int64_t longest_sure_push(const Rates& r, const Progress& p, std::int64_t serial_edges,
                                      std::int64_t longest_row) {
    const double row = r.push_row + (r.push_edge + r.discovery) * static_cast<double>(longest_row);
    const double even = r.pull_vertex * p.unvisited / row;
    return std::min(serial_edges / longest_row, static_cast<std::int64_t>(even));
}

}  // namespace spbfs::bfs
