// Parents in a tree of shortest paths from one source, where rows are those of in-edges, too: what
// sssp_tree.h finds by a breadth-first search, in one look at all edges from their ends.
//
// Most vertices have one tight in-edge, (u, v) with d[u] + length == d[v], and that is the parent.
// For the others the candidates' numbers of edges from the source are counted, upwards as far as
// nobody has counted yet.  Such ways end where distances fall along every tight edge.  Where one
// does not, of length 0 or lost in rounding, nothing is found.
//
// Data races: parents and hops of different vertices are stored by several workers, and two of
// them may settle the same vertex.  Both find the same, since a candidate's hops do not depend on
// who counts them, so that relaxed order suffices: whoever reads a number reads the final one, or
// finds it by itself.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <vector>

#include "cpu/memory/entry_stream.h"
#include "cpu/paths/sssp_state.h"

namespace spbfs::sssp {

template <class State>
class Parents {
  public:
    using Index = typename State::Index;
    using Offset = typename State::Offset;
    using Distance = typename State::Distance;

    // Of paths no longer than `last`; `parents` and `room` have n elements, `room` for the time of
    // the call.  The caller guarantees that the state has `in`.
    Parents(State& state, Distance last, Index* parents, Index* room)
        : s_(state), last_(last), parents_(parents), hops_(room), open_(state.workers.size()) {}

    // Whether all have been found.
    bool find(Index source) {
        s_.team.for_chunks(s_.n, kRows, [&](std::int64_t begin, std::int64_t end, int worker) {
            if (s_.interrupt.stopped()) return;
            bool level = false;
            for (std::int64_t v = begin; v < end; ++v)
                level |= look(static_cast<Index>(v), open_[worker]);
            if (level) level_.store(true, relaxed);
            s_.poll(worker, s_.in->indptr[end] - s_.in->indptr[begin]);
        });
        if (level_.load(relaxed)) return false;
        parents_[source] = source;
        hops_[source] = 1;
        if (!s_.interrupt.stopped()) settle_open();
        return true;
    }

  private:
    static constexpr auto relaxed = std::memory_order_relaxed;
    // Of a vertex with several tight in-edges, as long as none of them is chosen.
    static constexpr Index kOpen = -2;
    // Vertices whose rows are looked at together, and that are settled together.
    static constexpr std::int64_t kRows = 1 << 10, kSettled = 1 << 6;
    // Edges of a row that are looked at together; and up to which it takes less time to look at so
    // many than to find how many there are.
    static constexpr Offset kStrip = 32, kFewEdges = 4;

    // Finds the only candidate, or lists the vertex; whether one is no nearer than the vertex.
    bool look(Index v, std::vector<Index>& open) {
        const Distance there = s_.d[v];
        Index parent{-1};
        Offset count{0};
        bool level = false;
        if (there <= last_) {
            for_candidates(v, [&](Index u) {
                level |= s_.d[u] == there;
                parent = u;
                ++count;
            });
        }
        if (count > 1) {
            parent = kOpen;
            open.push_back(v);
        }
        parents_[v] = parent;
        hops_[v] = 0;
        return level;
    }

    // f(u) for all candidates, where rows are looked at one after the other.
    template <class F>
    void for_candidates(Index v, F&& f) const {
        const auto& in = *s_.in;
        const Distance there = s_.d[v];
        const Offset begin = in.indptr[v], end = in.indptr[v + 1];
        auto for_these = [&](Offset from, std::uint32_t tight) {
            for (; tight != 0; tight &= tight - 1) {
                const Index u = in.indices[from + std::countr_zero(tight)];
                if (u != v) f(u);
            }
        };
        if (end - begin <= kFewEdges && begin + kFewEdges <= in.indptr[s_.n]) {
            const std::uint32_t of_row = (std::uint32_t{1} << (end - begin)) - 1;
            for_these(begin, tight_among<kFewEdges>(begin, there) & of_row);
            return;
        }
        for (Offset k = begin; k < end; k += kStrip) {
            if (in.heavy && k > begin &&
                s_.width.least_behind(static_cast<Distance>(in.weights[k])) > there)
                return;
            in.fetch_edges(k + kStreamAhead);
            in.fetch_edges(k + kStreamAhead + kStreamLine);
            for_these(k, tight_among(k, std::min(end - k, kStrip), there));
        }
    }

    // Which of the edges from `begin` on are tight for a vertex that far: without a branch, as no
    // predictor knows.
    std::uint32_t tight_among(Offset begin, Offset size, Distance there) const {
        std::uint32_t tight = 0;
        for (Offset i = 0; i < size; ++i) {
            const Distance near = s_.d[s_.in->indices[begin + i]];
            const auto length = static_cast<Distance>(s_.in->weights[begin + i]);
            tight |= std::uint32_t{near + length == there} << i;
        }
        return tight;
    }
    template <Offset Size>
    std::uint32_t tight_among(Offset begin, Distance there) const {
        return tight_among(begin, Size, there);
    }

    // The same for one of the rows with several.
    template <class F>
    void for_tight(Index v, F&& f) const {
        const auto& in = *s_.in;
        const Distance there = s_.d[v];
        for (Offset k = in.indptr[v]; k < in.indptr[v + 1]; ++k) {
            const auto length = static_cast<Distance>(in.weights[k]);
            if (length > there) {
                if (in.heavy && s_.width.least_behind(length) > there) break;
                continue;
            }
            const Index u = in.indices[k];
            if (s_.d[u] + length == there && u != v) f(u);
        }
    }

    void settle_open() {
        s_.team.for_chunks(total(open_), kSettled,
                           [&](std::int64_t begin, std::int64_t end, int worker) {
                               std::vector<Index> waiting, way;
                               parts_of(open_, begin, end, [&](const Index* from, const Index* to) {
                                   for (; from < to && !s_.interrupt.stopped(); ++from) {
                                       waiting.push_back(*from);
                                       while (!waiting.empty()) settle(waiting, way, worker);
                                   }
                               });
                           });
    }

    // Chooses the last of those that wait, or lets candidates that it needs wait behind it.
    void settle(std::vector<Index>& waiting, std::vector<Index>& way, int worker) {
        const Index v = waiting.back();
        const std::size_t before = waiting.size();
        Index parent{-1}, least{0};
        if (shared(parents_[v]).load(relaxed) == kOpen) {
            for_tight(v, [&](Index u) {
                const Index hops = count_hops(u, waiting, way);
                if (parent >= 0 && (hops > least || (hops == least && u > parent))) return;
                parent = u;
                least = hops;
            });
            s_.poll(worker, s_.in->indptr[v + 1] - s_.in->indptr[v]);
            if (waiting.size() > before) return;
            shared(hops_[v]).store(least + 1, relaxed);
            shared(parents_[v]).store(parent, relaxed);
        }
        waiting.pop_back();
    }

    // One more than the edges on the way to u; or 0, and one of its ancestors waits.
    Index count_hops(Index u, std::vector<Index>& waiting, std::vector<Index>& way) {
        way.clear();
        Index hops = shared(hops_[u]).load(relaxed);
        while (hops == 0) {
            const Index parent = shared(parents_[u]).load(relaxed);
            if (parent == kOpen) {
                waiting.push_back(u);
                return 0;
            }
            way.push_back(u);
            u = parent;
            hops = shared(hops_[u]).load(relaxed);
        }
        for (; !way.empty(); way.pop_back()) shared(hops_[way.back()]).store(++hops, relaxed);
        return hops;
    }

    static std::atomic_ref<Index> shared(Index& place) { return std::atomic_ref<Index>(place); }

    State& s_;
    const Distance last_;
    Index* const parents_;
    // One more than the edges on the way from the source; 0 where nobody has counted.
    Index* const hops_;
    std::vector<std::vector<Index>> open_;
    std::atomic<bool> level_{false};
};

}  // namespace spbfs::sssp
