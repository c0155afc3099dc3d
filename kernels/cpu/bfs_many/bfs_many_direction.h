// The direction of a level of many searches, from what the steps cost, and how a push is made.
#pragma once

#include <cstdint>

#include "common/bits.h"

namespace spbfs::many {

// What the steps cost; `spbfs.planner.many.CpuManyRates` says what each is, and `CPU_MANY` beside
// it what it was measured as.
struct Rates {
    double push_edge, push_row;
    double pull_edge, pull_word;
    double record_vertex;
    double sparse_share;
    std::int64_t serial_edges;
    double list_share;
    std::int64_t ranges, range_degree;
    double narrow_vertices, narrow_edges;
};

// What may be left out, to see what it gives.
struct Techniques {
    bool early;       // a vertex that pulls stops at the last bit that it can get
    bool narrow;      // a search may be pushed while others pull
    bool queue;       // a small joint frontier is listed
    bool ranges;      // a push of long rows goes by ranges of vertices, which nobody shares
    bool test_first;  // a push tests a word before it updates it
};

// Where the searches stand between two calls.
struct Progress {
    std::int64_t level = 0;     // of the frontier
    std::int64_t vertices = 0;  // of the frontier
    std::int64_t edges = 0;     // their out-edges
    std::int64_t joint = 0;     // vertices of all joint frontiers so far
    std::int64_t open = 0;      // in-edges of vertices that a search is still to reach
    bool listed = true;         // whether the frontier is listed too
    bool clean = true;          // whether the rows and the bitmap of `next` are zero
    bool swapped = false;       // whether `front` and `next`, and the lists, have changed places
    Word alive[16] = {};        // the searches whose frontier is not empty
};

inline bool pull_pays(const Rates& r, const Progress& p, std::int64_t n) {
    const double push =
        r.push_edge * static_cast<double>(p.edges) + r.push_row * static_cast<double>(p.vertices);
    const double pull =
        r.pull_edge * static_cast<double>(p.open) + r.pull_word * static_cast<double>(words_for(n));
    return pull < push;
}

// Whether a pull tests the frontier's bitmap before it reads a row of bits.
inline bool is_sparse(const Rates& r, const Progress& p, std::int64_t n) {
    return static_cast<double>(p.vertices) < static_cast<double>(n) * r.sparse_share;
}

// How a push is made.
struct PushPolicy {
    bool alone;           // by the calling thread
    bool lists_found;     // what is found is listed, else every vertex is passed afterwards
    bool by_ranges;       // every worker expands the whole frontier into a range of vertices
    bool lists_frontier;  // the frontier, a bitmap so far, is listed before
};

inline PushPolicy push_policy(const Rates& r, const Techniques& t, const Progress& p,
                              std::int64_t n, int workers) {
    const double most = static_cast<double>(n) * r.list_share;
    PushPolicy policy{};
    policy.alone = workers == 1 || p.edges < r.serial_edges;
    policy.lists_found = t.queue && static_cast<double>(p.edges) < most;
    // Rows are so long that it pays to search each of them once a range for its first entry there.
    policy.by_ranges = t.ranges && t.queue && !policy.alone && !policy.lists_found &&
                       p.edges > r.range_degree * r.ranges * p.vertices;
    policy.lists_frontier =
        t.queue && !p.listed && (policy.by_ranges || static_cast<double>(p.vertices) < most);
    return policy;
}

}  // namespace spbfs::many
