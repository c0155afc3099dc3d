// What delta-stepping works on: edges with lengths, distances, and what every worker has reached.
//
// Data races: distances are read and lowered by atomic operations, in any order.  Whoever lowers
// one puts the vertex into its own bins, which are taken after the loop has ended; that orders all
// it did before.  A worker that misses a distance lowered meanwhile relaxes from a greater one, for
// which whoever lowered it makes up.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <vector>

#include "fetch.h"
#include "interrupt.h"
#include "parallel.h"
#include "sssp_bins.h"

namespace spbfs::sssp {

// A CSR with lengths.  A row is in the order of Width::length_class, and its edges before `heavy`
// are below the width, the others not; where `heavy` is null rows are in any order, and all edges
// are relaxed together.
template <class Offset, class Index, class Weight>
struct Edges {
    const Offset* indptr;
    const Index* indices;
    const Weight* weights;
    const Offset* heavy;

    Offset light_end(Index u) const { return heavy ? heavy[u] : indptr[u + 1]; }
    SPBFS_FETCHES void fetch_row(Index u) const {
        __builtin_prefetch(indptr + u);
        if (heavy) __builtin_prefetch(heavy + u);
    }
    SPBFS_FETCHES void fetch_edges(Offset k) const {
        __builtin_prefetch(indices + k);
        __builtin_prefetch(weights + k);
    }
};

// Vertices between one whose row is fetched and the one that is worked on, and its edges.
constexpr std::ptrdiff_t kRowsAhead = 8, kEdgesAhead = 4;
// Vertices of a chunk; fewer take less time than to tell another worker.
constexpr std::int64_t kGrain = 64;
// ... and where all of them get a value.
constexpr std::int64_t kFillGrain = 1 << 15;

// Lists that workers have filled, each its own, as if they were one: f(from, to) for the parts of
// them that are [begin, end).
template <class List, class F>
void parts_of(const std::vector<List>& lists, std::int64_t begin, std::int64_t end, F&& f) {
    for (const List& list : lists) {
        const auto size = static_cast<std::int64_t>(list.size());
        if (begin < size && end > 0)
            f(list.data() + std::max(begin, std::int64_t{0}), list.data() + std::min(end, size));
        begin -= size;
        end -= size;
    }
}

template <class List>
std::int64_t total(const std::vector<List>& lists) {
    std::int64_t size = 0;
    for (const List& list : lists) size += static_cast<std::int64_t>(list.size());
    return size;
}

template <class Offset_, class Index_, class Weight_, class Distance_>
struct State {
    using Offset = Offset_;
    using Index = Index_;
    using Weight = Weight_;
    using Distance = Distance_;
    using Rows = Edges<Offset, Index, Weight>;
    using Place = Item<Index, Distance>;
    struct alignas(64) Worker {
        Bins<Index, Distance> bins;
        std::vector<Place> own;
        std::int64_t settled_edges = 0, edges = 0;
    };

    Rows out;
    const Rows* in;  // the same edges by their ends, or null
    std::int64_t n;
    Width<Distance> width;
    Distance beyond;  // of what is not reached
    Distance* d;
    Team& team;
    Interrupt& interrupt;
    std::vector<Worker> workers{static_cast<std::size_t>(team.workers())};
    // Which worker of a loop of the interrupt's the team's first one is.
    int caller = 0;
    // Whether the loop that runs has one worker only.
    bool alone = true;

    Distance distance(Index v) const {
        return std::atomic_ref<Distance>(d[v]).load(std::memory_order_relaxed);
    }

    bool poll(int worker, std::int64_t work) { return interrupt.poll(caller + worker, work); }

    // A loop over `count` vertices that may lower distances.
    template <class Body>
    void for_chunks(std::int64_t count, Body&& body) {
        alone = team.workers() == 1 || count <= kGrain;
        team.for_chunks(count, kGrain, body);
    }

    void relax(Index v, Distance distance, int worker) {
        std::atomic_ref<Distance> known(d[v]);
        Distance before = known.load(std::memory_order_relaxed);
        if (distance >= before) return;
        if (alone) {
            known.store(distance, std::memory_order_relaxed);
        } else {
            while (!known.compare_exchange_weak(before, distance, std::memory_order_relaxed))
                if (distance >= before) return;
        }
        workers[worker].bins.put(width.bin(distance), {v, distance});
    }
};

}  // namespace spbfs::sssp
