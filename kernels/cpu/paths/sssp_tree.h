// A tree of shortest paths from distances: the breadth-first search along tight edges, (u, v) with
// d[u] + length == d[v].  So edges of length 0 make no cycle, and of several paths of the same
// length those of fewest edges count; of parents that are left the least does.  With several
// sources the least owner comes first, and parents are those that have it.
//
// Data races: hops, owners and parents only change by atomic operations, each towards a value that
// does not depend on the order: from -1 to the one next level, and to the least of all.  They are
// read by others after the loop that wrote them.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <vector>

#include "cpu/paths/sssp_state.h"
#include "cpu/paths/sssp_tight.h"

namespace spbfs::sssp {

template <class State>
class Tree {
  public:
    using Index = typename State::Index;
    using Offset = typename State::Offset;
    using Distance = typename State::Distance;

    // `parents` and, for several sources, `owners`: n.  Paths are no longer than `last`.
    Tree(State& state, Distance last, Index* parents, Index* owners)
        : s_(state),
          last_(last),
          parents_(parents),
          owners_(owners),
          hops_(state.n, Index{-1}),
          level_(state.workers.size()),
          next_(state.workers.size()) {
        s_.team.for_chunks(s_.n, kFillGrain, [&](std::int64_t begin, std::int64_t end, int) {
            std::fill(parents_ + begin, parents_ + end, Index{-1});
            if (owners_) std::fill(owners_ + begin, owners_ + end, Index{-1});
        });
        if (s_.in != nullptr) tight_.emplace(s_, last);
    }

    void grow(const Index* sources, std::int64_t count) {
        for (std::int64_t i = 0; i < count; ++i) {
            hops_[sources[i]] = 0;
            parents_[sources[i]] = sources[i];
            if (owners_) owners_[sources[i]] = static_cast<Index>(i);
            level_[0].push_back(sources[i]);
        }
        for (Index depth = 1; total(level_) > 0 && !s_.interrupt.stopped(); ++depth) {
            follow([&](Index u, Index v, int worker) {
                if (!reach(v, depth, worker)) return;
                if (owners_)
                    least(owners_[v], owners_[u]);
                else
                    least(parents_[v], u);
            });
            if (owners_)
                follow([&](Index u, Index v, int) {
                    if (hops_[v] == depth && owners_[v] == owners_[u]) least(parents_[v], u);
                });
            for (std::size_t w = 0; w < level_.size(); ++w) {
                level_[w].clear();
                level_[w].swap(next_[w]);
            }
        }
    }

  private:
    // f(u, v, worker) for the tight edges out of the level.
    template <class F>
    void follow(F&& f) {
        s_.for_chunks(total(level_), [&](std::int64_t begin, std::int64_t end, int worker) {
            parts_of(level_, begin, end, [&](const Index* from, const Index* to) {
                const std::int64_t work =
                    tight_ ? follow_listed(from, to, worker, f) : look(from, to, worker, f);
                s_.poll(worker, work);
            });
        });
    }

    template <class F>
    std::int64_t follow_listed(const Index* from, const Index* to, int worker, F&& f) {
        for (const Index* u = from; u < to; ++u) {
            if (u + kRowsAhead < to) tight_->fetch(u[kRowsAhead]);
            for (const Index v : (*tight_)[*u]) f(*u, v, worker);
        }
        return to - from;
    }

    // Tight ones among all edges out of vertices.
    template <class F>
    std::int64_t look(const Index* from, const Index* to, int worker, F&& f) {
        std::int64_t work = 0;
        for (const Index* u = from; u < to; ++u) {
            if (u + kRowsAhead < to) {
                __builtin_prefetch(s_.d + u[kRowsAhead]);
                s_.out.fetch_row(u[kRowsAhead]);
            }
            if (u + kEdgesAhead < to) s_.out.fetch_edges(s_.out.indptr[u[kEdgesAhead]]);
            const Offset last = s_.out.indptr[*u + 1];
            for (Offset k = s_.out.indptr[*u]; k < last; ++k) {
                const Index v = s_.out.indices[k];
                const Distance there = s_.d[v];
                if (s_.d[*u] + s_.out.weights[k] == there && there <= last_) f(*u, v, worker);
            }
            work += last - s_.out.indptr[*u] + 1;
        }
        return work;
    }

    // Whether a vertex belongs to the next level; the first to find that lists it.
    bool reach(Index v, Index depth, int worker) {
        std::atomic_ref<Index> hops(hops_[v]);
        Index known = hops.load(std::memory_order_relaxed);
        if (known < 0) {
            if (s_.alone)
                hops.store(depth, std::memory_order_relaxed);
            else if (!hops.compare_exchange_strong(known, depth, std::memory_order_relaxed))
                return known == depth;
            next_[worker].push_back(v);
            return true;
        }
        return known == depth;
    }

    // -1 is more than any.
    void least(Index& place, Index value) {
        using Unsigned = std::make_unsigned_t<Index>;
        std::atomic_ref<Index> shared(place);
        Index known = shared.load(std::memory_order_relaxed);
        while (static_cast<Unsigned>(value) < static_cast<Unsigned>(known))
            if (shared.compare_exchange_weak(known, value, std::memory_order_relaxed)) return;
    }

    State& s_;
    const Distance last_;
    // Where rows are those of in-edges, too.
    std::optional<TightEdges<State>> tight_;
    Index* const parents_;
    Index* const owners_;
    std::vector<Index> hops_;
    std::vector<std::vector<Index>> level_, next_;
};

}  // namespace spbfs::sssp
