// Delta-stepping: bins of distances one after the other, whose vertices relax their edges.
//
// Meyer, Sanders: Delta-stepping: a parallelizable shortest path algorithm (2003).  Zhang et al.:
// Optimizing ordered graph algorithms with GraphIt (CGO 2020): a worker goes on with what it has
// put into the bin that is processed, as long as that is little, and does not wait for others.
// Chakaravarthy et al.: Scalable single source shortest path algorithms for massively parallel
// systems (2017): edges no shorter than the width of a bin are relaxed when the bin is done, once,
// and from their other ends where those that are not settled yet have fewer of them.  On a skewed
// graph they are nine of ten, nearly all between hubs, and have no part in a shortest path.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "cpu/paths/sssp_pull.h"
#include "cpu/paths/sssp_state.h"

namespace spbfs::sssp {

template <class State>
class Search {
  public:
    using Index = typename State::Index;
    using Offset = typename State::Offset;
    using Distance = typename State::Distance;

    explicit Search(State& state, std::int64_t heavy_edges)
        : s_(state),
          heavy_edges_(heavy_edges),
          unsettled_(state),
          taken_(state.workers.size()),
          settled_(state.workers.size()) {}

    // From sources; as far as the bin of the target, where there is one.
    void run(const Index* sources, std::int64_t count, std::int64_t target) {
        s_.team.for_chunks(s_.n, kFillGrain, [&](std::int64_t begin, std::int64_t end, int) {
            std::fill(s_.d + begin, s_.d + end, s_.beyond);
        });
        for (std::int64_t i = 0; i < count; ++i) s_.relax(sources[i], Distance{0}, 0);
        std::uint64_t together = 1;
        std::int64_t before = 0;
        for (;;) {
            std::uint64_t bin = kNoBin;
            for (const auto& worker : s_.workers) bin = std::min(bin, worker.bins.first());
            if (bin == kNoBin || (target >= 0 && s_.width.begin(bin) > s_.d[target])) return;
            const std::uint64_t from = bin;
            bin += together - 1;
            for (auto& worker : s_.workers) worker.bins.go_on(from, bin, s_.width, s_.d);
            while (take(bin)) relax_light(bin);
            if (s_.out.heavy)
                relax_heavy(bin);
            else if (s_.team.workers() > 2)
                together = bins_of(together, before);
            if (s_.interrupt.stopped()) return;
        }
    }

  private:
    using Place = typename State::Place;
    using List = std::vector<Place>;
    // What a worker has put into the bin that is processed is its own as long as it is no more.
    static constexpr std::size_t kOwn = 1000;
    // Ends that are noted before they are lowered, and edges between two questions whether they
    // are so many.
    static constexpr int kNoted = 8, kStrip = 64;

    // Edges a worker, below which a turn takes twice as many bins, and of which four times as many
    // halve them; and the most bins.
    static constexpr std::int64_t kFewEdges = 500;
    static constexpr std::uint64_t kMostBins = 8;

    // How many bins the next turn takes, after one of so many.
    std::uint64_t bins_of(std::uint64_t together, std::int64_t& before) const {
        std::int64_t edges = -before;
        for (const auto& worker : s_.workers) edges += worker.edges;
        before += edges;
        const std::int64_t few = kFewEdges * s_.team.workers();
        if (edges < few) return std::min(2 * together, kMostBins);
        return edges > 4 * few ? std::max<std::uint64_t>(together / 2, 1) : together;
    }

    // All that the bin has now; whether that is anything.
    bool take(std::uint64_t bin) {
        for (std::size_t w = 0; w < taken_.size(); ++w) {
            taken_[w].clear();
            taken_[w].swap(s_.workers[w].bins[bin]);
        }
        return total(taken_) > 0 && !s_.interrupt.stopped();
    }

    void relax_light(std::uint64_t bin) {
        s_.for_lists(taken_, [&](const Place* from, const Place* to, int worker) {
            relax_items<false>(from, to, worker);
            auto& self = s_.workers[worker];
            List& next = self.bins[bin];
            while (!next.empty() && next.size() <= kOwn && !s_.interrupt.stopped()) {
                self.own.clear();
                self.own.swap(next);
                relax_items<false>(self.own.data(), self.own.data() + self.own.size(), worker);
            }
        });
    }

    // The light edges of items, or the heavy ones.  Which of them bring their ends nearer no
    // predictor knows: so these are noted without a branch, and lowered some at a time, when nobody
    // has come before.
    template <bool Heavy>
    void relax_items(const Place* from, const Place* to, int worker) {
        std::int64_t work = 0;
        Place nearer[kNoted + kStrip];
        int noted = 0;
        auto lower = [&] {
            for (int i = 0; i < noted; ++i) s_.relax(nearer[i].vertex, nearer[i].distance, worker);
            noted = 0;
        };
        for (const Place* item = from; item < to; ++item) {
            if (item + kRowsAhead < to) {
                __builtin_prefetch(s_.d + item[kRowsAhead].vertex);
                s_.out.fetch_row(item[kRowsAhead].vertex);
            }
            if (item + kEdgesAhead < to) s_.out.fetch_edges(first<Heavy>(item[kEdgesAhead].vertex));
            const Index u = item->vertex;
            if (s_.distance(u) != item->distance) continue;
            const Offset begin = first<Heavy>(u);
            const Offset end = Heavy ? s_.out.indptr[u + 1] : s_.out.light_end(u);
            for (Offset k = begin; k < end;) {
                const Offset strip = std::min<Offset>(end - k, kStrip) + k;
                for (; k < strip; ++k) {
                    const Index v = s_.out.indices[k];
                    const Distance there = item->distance + s_.out.weights[k];
                    nearer[noted] = {v, there};
                    noted += there < s_.distance(v);
                }
                if (noted >= kNoted) lower();
            }
            work += end - begin + 1;
            if (!Heavy && end < s_.out.indptr[u + 1]) {
                settled_[worker].push_back(*item);
                s_.workers[worker].settled_edges += s_.out.indptr[u + 1] - end;
            }
        }
        lower();
        s_.workers[worker].edges += work;
        s_.poll(worker, work);
    }

    template <bool Heavy>
    Offset first(Index u) const {
        return Heavy ? s_.out.heavy[u] : s_.out.indptr[u];
    }

    // Of what the bin has settled.  Where a vertex came nearer within the bin its edges count more
    // than once, which makes little difference to which side has fewer.
    void relax_heavy(std::uint64_t bin) {
        std::int64_t edges = 0;
        for (auto& worker : s_.workers) edges += std::exchange(worker.settled_edges, 0);
        heavy_edges_ -= std::min(edges, heavy_edges_);
        if (s_.in != nullptr && heavy_edges_ < edges) {
            unsettled_.pull(bin);
        } else {
            s_.for_lists(settled_, [&](const Place* from, const Place* to, int worker) {
                relax_items<true>(from, to, worker);
            });
        }
        for (List& list : settled_) list.clear();
    }

    State& s_;
    // Of vertices that are not settled.
    std::int64_t heavy_edges_;
    Unsettled<State> unsettled_;
    std::vector<List> taken_, settled_;
};

}  // namespace spbfs::sssp
