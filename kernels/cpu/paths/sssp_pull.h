// Long edges out of the bin that is done, relaxed by those whom they may bring nearer.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "cpu/paths/sssp_state.h"

namespace spbfs::sssp {

// The vertices that are not settled and have such edges into them, listed from the first pull on.
template <class State>
class Unsettled {
  public:
    explicit Unsettled(State& state)
        : s_(state), listed_(state.workers.size()), left_(state.workers.size()) {}

    // Everybody's own distance is written by the one worker that looks at its row; those that it
    // reads are either of settled vertices, and stay, or no less than the bin's end, and passed
    // over.
    void pull(std::uint64_t bin) {
        if (!begun_) list(bin);
        begun_ = true;
        s_.for_lists(listed_, [&](const Index* from, const Index* to, int worker) {
            pull_rows(bin, from, to, worker);
        });
        for (std::size_t w = 0; w < left_.size(); ++w) {
            listed_[w].clear();
            listed_[w].swap(left_[w]);
        }
    }

  private:
    using Index = typename State::Index;
    using Offset = typename State::Offset;
    using Distance = typename State::Distance;
    static constexpr std::int64_t kListGrain = 1 << 12;

    void list(std::uint64_t bin) {
        const Distance end = s_.width.begin(bin + 1);
        s_.team.for_chunks(s_.n, kListGrain,
                           [&](std::int64_t first, std::int64_t last, int worker) {
                               for (std::int64_t v = first; v < last; ++v)
                                   if (s_.d[v] >= end && s_.in->heavy[v] < s_.in->indptr[v + 1])
                                       listed_[worker].push_back(static_cast<Index>(v));
                           });
    }

    void pull_rows(std::uint64_t bin, const Index* from, const Index* to, int worker) {
        const Distance begin = s_.width.begin(bin), end = s_.width.begin(bin + 1);
        const auto& in = *s_.in;
        std::int64_t work = 0;
        for (const Index* at = from; at < to; ++at) {
            if (at + kRowsAhead < to) {
                __builtin_prefetch(s_.d + at[kRowsAhead]);
                in.fetch_row(at[kRowsAhead]);
            }
            if (at + kEdgesAhead < to) in.fetch_edges(in.heavy[at[kEdgesAhead]]);
            const Index v = *at;
            const Distance known = s_.distance(v);
            if (known < end) continue;
            left_[worker].push_back(v);
            Distance least = known;
            for (Offset k = in.heavy[v]; k < in.indptr[v + 1]; ++k) {
                const auto length = static_cast<Distance>(in.weights[k]);
                // Most are too long even from the nearest vertex of the bin, those before which
                // have relaxed theirs, and stand at the end of the row.
                if (begin + length >= least) {
                    if (begin + s_.width.least_behind(length) >= least) break;
                    continue;
                }
                const Distance near = s_.distance(in.indices[k]);
                if (near < end && near + length < least) least = near + length;
            }
            work += in.indptr[v + 1] - in.heavy[v] + 1;
            if (least < known) s_.relax(v, least, worker);
        }
        s_.workers[worker].edges += work;
        s_.poll(worker, work);
    }

    State& s_;
    bool begun_ = false;
    std::vector<std::vector<Index>> listed_, left_;
};

}  // namespace spbfs::sssp
