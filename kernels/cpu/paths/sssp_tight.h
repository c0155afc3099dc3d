// The edges of shortest paths, found from their ends.
//
// A tight edge is no longer than its end is far.  Few are as short as that on a graph whose edges
// mostly lead from hub to hub, so that most are told by their length alone, in the order in which
// they are stored; from their starts each would need a look at the distance of its end.
//
// Data races: whoever counts an edge, or puts it into the row of its start, takes its place by an
// atomic addition; places are read after the loop.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "cpu/paths/sssp_state.h"

namespace spbfs::sssp {

template <class State>
class TightEdges {
  public:
    using Index = typename State::Index;
    using Offset = typename State::Offset;
    using Distance = typename State::Distance;

    // Ends of the tight edges out of a vertex.
    struct Row {
        const Index *first, *last;
        const Index* begin() const { return first; }
        const Index* end() const { return last; }
    };

    // Those of paths no longer than `last`.  The caller guarantees that the state has `in`.
    TightEdges(State& state, Distance last)
        : s_(state), found_(state.workers.size()), ends_of_(static_cast<std::size_t>(state.n) + 1) {
        find(last);
        for (std::size_t u = 1; u < ends_of_.size(); ++u) ends_of_[u] += ends_of_[u - 1];
        ends_.resize(static_cast<std::size_t>(ends_of_.back()));
        // Rows are filled from their ends, after which their places are where they begin.
        for_found([&](const Edge& e) { ends_[place(e.start).fetch_sub(1, relaxed) - 1] = e.end; });
        found_.clear();
    }

    Row operator[](Index u) const {
        return {ends_.data() + ends_of_[u], ends_.data() + ends_of_[std::size_t(u) + 1]};
    }

    SPBFS_FETCHES void fetch(Index u) const { __builtin_prefetch(ends_of_.data() + u); }

  private:
    struct Edge {
        Index start, end;
    };
    static constexpr auto relaxed = std::memory_order_relaxed;
    // Vertices whose rows are looked at together; edges that are placed together.
    static constexpr std::int64_t kRows = 1 << 8, kPlaced = 1 << 12;

    std::atomic_ref<Offset> place(Index u) { return std::atomic_ref<Offset>(ends_of_[u]); }

    void find(Distance last) {
        const auto& in = *s_.in;
        s_.team.for_chunks(s_.n, kRows, [&](std::int64_t begin, std::int64_t end, int worker) {
            if (s_.interrupt.stopped()) return;
            for (std::int64_t v = begin; v < end; ++v) {
                const Distance there = s_.d[v];
                if (there > last) continue;
                for (Offset k = in.indptr[v]; k < in.indptr[v + 1]; ++k) {
                    const auto length = static_cast<Distance>(in.weights[k]);
                    if (length > there || s_.d[in.indices[k]] + length != there) continue;
                    found_[worker].push_back({in.indices[k], static_cast<Index>(v)});
                    place(in.indices[k]).fetch_add(1, relaxed);
                }
            }
            s_.poll(worker, in.indptr[end] - in.indptr[begin]);
        });
    }

    template <class F>
    void for_found(F&& f) {
        s_.team.for_chunks(total(found_), kPlaced, [&](std::int64_t begin, std::int64_t end, int) {
            parts_of(found_, begin, end, [&](const Edge* from, const Edge* to) {
                for (; from < to; ++from) f(*from);
            });
        });
    }

    State& s_;
    std::vector<std::vector<Edge>> found_;
    std::vector<Offset> ends_of_;
    std::vector<Index> ends_;
};

}  // namespace spbfs::sssp
