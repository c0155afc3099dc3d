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

#include "cpu/memory/fetch.h"
#include "cpu/paths/sssp_bins.h"
#include "cpu/threads/interrupt.h"
#include "cpu/threads/parallel.h"

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
// ... where there is nobody else, between two questions whether to stop.
constexpr std::int64_t kGrainAlone = 1 << 12;
// ... for which one more worker comes: it relaxes more than these, since it goes on with what it
// reaches.
constexpr std::int64_t kShare = 16;
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
        // Of the list of this worker's, in the loop that runs, by whomever.
        alignas(64) std::atomic<std::int64_t> taken{0};
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

    // The same over lists that workers have filled: body(from, to, worker) for parts of them.  Each
    // begins with its own list, whose vertices' neighbours it has had in its caches, then goes on
    // with what others have left.
    template <class List, class Body>
    void for_lists(const std::vector<List>& lists, Body&& body) {
        const std::int64_t count = total(lists);
        alone = team.workers() == 1 || count <= kGrain;
        for (Worker& worker : workers) worker.taken.store(0, std::memory_order_relaxed);
        const std::int64_t grain = alone ? kGrainAlone : kGrain;
        auto take_parts = [&](std::int64_t, std::int64_t, int worker) {
            for (std::size_t i = 0; i < lists.size(); ++i) {
                const std::size_t w = (worker + i) % lists.size();
                const auto size = static_cast<std::int64_t>(lists[w].size());
                std::atomic<std::int64_t>& taken = workers[w].taken;
                while (taken.load(std::memory_order_relaxed) < size) {
                    const auto begin = taken.fetch_add(grain, std::memory_order_relaxed);
                    if (begin >= size) break;
                    const auto* from = lists[w].data();
                    body(from + begin, from + std::min(begin + grain, size), worker);
                }
            }
        };
        if (alone)
            take_parts(0, 1, 0);
        else
            team.for_chunks(std::min<std::int64_t>(team.workers(), count / kShare), 1, take_parts);
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
