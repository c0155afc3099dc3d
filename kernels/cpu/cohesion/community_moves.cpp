// community_moves(): vertices move to the communities that most of their edges' weight leads to,
// less what chance would lead there, class by class, as long as enough is gained.
//
// The caller guarantees a square CSR with a symmetric pattern and weights, no loops, indices in
// range; `weights` one for all or one an entry; `order` all vertices by classes, class c from
// bounds[c] to bounds[c + 1], no two of a class neighbours; `label` a community from 0 to n - 1 for
// every vertex, rewritten; `told` called with sweeps and entries now and then, or None.  Returns
// how often all classes were gone through.
//
// Blondel, Guillaume, Lambiotte, Lefebvre: Fast unfolding of communities in large networks (2008);
// Lu, Halappanavar, Kalyanaraman: Parallel heuristics for scalable community detection (2015).
#include <algorithm>
#include <cstdint>
#include <vector>

#include "cpu/python/bindings.h"
#include "cpu/threads/interrupt.h"
#include "cpu/threads/parallel.h"

namespace spbfs {
namespace {

// What a sum of weight within communities is worth, and what chance takes from it.
struct Worth {
    double total, resolution;
};

template <class O, class I>
class Moves {
  public:
    Moves(const Csr<O, I>& graph, const double* weights, std::int64_t stride, const double* degree,
          I* label, Worth worth, int threads)
        : graph_(graph),
          weights_(weights),
          stride_(stride),
          degree_(degree),
          label_(label),
          worth_(worth),
          volume_(graph.rows),
          active_(graph.rows, 1),
          target_(graph.rows),
          gained_(graph.rows),
          team_(threads),
          tallies_(team_.workers()) {
        for (std::int64_t v = 0; v < graph.rows; ++v) volume_[label[v]] += degree[v];
        for (const double volume : volume_) squares_ += volume * volume;
    }

    std::int64_t run(const I* order, const std::int64_t* bounds, std::int64_t classes,
                     double least_gain, std::int64_t sweeps, Interrupt& interrupt) {
        std::vector<I> before(label_, label_ + graph_.rows);
        for (std::int64_t sweep = 0; sweep < sweeps; ++sweep) {
            const double value = objective();
            moved_ = 0;
            for (std::int64_t c = 0; c < classes && !interrupt.stopped(); ++c)
                together(order + bounds[c], bounds[c + 1] - bounds[c], interrupt);
            interrupt.advance(1, graph_.indptr[graph_.rows]);
            if (interrupt.stopped() || moved_ == 0) return sweep + 1;
            const double gain = objective() - value;
            // Who moves at once to the same community does not count on the others.
            if (gain <= 0) std::copy_n(before.data(), graph_.rows, label_);
            if (gain <= least_gain) return sweep + 1;
            std::copy_n(label_, graph_.rows, before.data());
        }
        return sweeps;
    }

  private:
    static constexpr std::int64_t kGrain = 256;

    // The weight that a vertex has into communities, of which those that it has any into are
    // listed.
    struct Tally {
        std::vector<double> weight;
        std::vector<I> listed;
    };

    double objective() const { return worth_.total * inside_ - worth_.resolution * squares_; }

    // Vertices of a class decide by several threads, none of them reading what another writes:
    // labels, volumes and flags change afterwards, one after the other, so that sums always have
    // the same order.
    void together(const I* members, std::int64_t count, Interrupt& interrupt) {
        team_.for_chunks(count, kGrain, [&](std::int64_t i, std::int64_t end, int worker) {
            Tally& tally = tallies_[worker];
            if (tally.weight.empty()) tally.weight.assign(graph_.rows, 0.0);
            std::int64_t work = end - i;
            for (; i < end && !interrupt.stopped(); ++i) {
                const I v = members[i];
                target_[i] = label_[v];
                if (!active_[v]) continue;
                work += graph_.indptr[v + 1] - graph_.indptr[v];
                target_[i] = best(v, tally, gained_[i]);
            }
            interrupt.poll(worker, work);
        });
        if (interrupt.stopped()) return;
        for (std::int64_t i = 0; i < count; ++i) {
            active_[members[i]] = 0;
            if (target_[i] != label_[members[i]]) move(members[i], target_[i], gained_[i]);
        }
    }

    // Where it is best for a vertex to be; the weight inside of communities that this gains.
    I best(I v, Tally& tally, double& gained) {
        double* const weight = tally.weight.data();
        tally.listed.clear();
        for (O k = graph_.indptr[v]; k < graph_.indptr[v + 1]; ++k) {
            const I c = label_[graph_.indices[k]];
            // Weights are positive.
            if (weight[c] == 0.0) tally.listed.push_back(c);
            weight[c] += weights_[stride_ * k];
        }
        const I own = label_[v];
        const double chance = worth_.resolution * degree_[v];
        const double stay =
            worth_.total * weight[own] - chance * volume_[own] + chance * degree_[v];
        double most = stay;
        I found = own;
        for (const I c : tally.listed) {
            if (c == own) continue;
            const double here = worth_.total * weight[c] - chance * volume_[c];
            if (here > most || (here == most && found != own && c < found)) {
                most = here;
                found = c;
            }
        }
        gained = 2.0 * (weight[found] - weight[own]);
        for (const I c : tally.listed) weight[c] = 0.0;
        return found;
    }

    void move(I v, I to, double gained) {
        change(volume_[label_[v]], -degree_[v]);
        change(volume_[to], degree_[v]);
        label_[v] = to;
        inside_ += gained;
        ++moved_;
        for (O k = graph_.indptr[v]; k < graph_.indptr[v + 1]; ++k) active_[graph_.indices[k]] = 1;
    }

    void change(double& volume, double by) {
        squares_ -= volume * volume;
        volume += by;
        squares_ += volume * volume;
    }

    const Csr<O, I> graph_;
    const double* const weights_;
    const std::int64_t stride_;
    const double* const degree_;
    I* const label_;
    const Worth worth_;
    std::vector<double> volume_;
    std::vector<std::uint8_t> active_;
    std::vector<I> target_;
    std::vector<double> gained_;
    // Weight inside of communities, both ways, over that at the beginning.
    double inside_ = 0.0, squares_ = 0.0;
    std::int64_t moved_ = 0;
    Team team_;
    std::vector<Tally> tallies_;
};

std::int64_t community_moves(const Input& indptr, const Input& indices, const Input& weights,
                             const Input& degree, const Input& order, const Input& bounds,
                             const Output& label, double total, double resolution,
                             double least_gain, std::int64_t sweeps, int threads,
                             nanobind::object told) {
    return with_csr(indptr, indices, [&]<class O, class I>(const Csr<O, I>& graph) {
        const auto* at = data<double>(degree, graph.rows);
        const auto* weight = static_cast<const double*>(weights.data());
        auto* labels = writable<I>(label, graph.rows);
        const auto* taken = data<I>(order, graph.rows);
        const auto* classes = data<std::int64_t>(bounds, 1);
        const std::int64_t count = length(bounds) - 1, apart = stride(weights);
        Interrupt interrupt(told);
        std::int64_t gone = 0;
        {
            Unlocked unlocked;
            Moves<O, I> moves(graph, weight, apart, at, labels, {total, resolution}, threads);
            gone = moves.run(taken, classes, count, least_gain, sweeps, interrupt);
        }
        interrupt.check();
        return gone;
    });
}

}  // namespace
}  // namespace spbfs

void bind_community_moves(nanobind::module_& m) {
    using namespace nanobind::literals;
    m.def("community_moves", &spbfs::community_moves, "indptr"_a, "indices"_a, "weights"_a,
          "degree"_a, "order"_a, "bounds"_a, "label"_a, "total"_a, "resolution"_a, "least_gain"_a,
          "sweeps"_a, "threads"_a, "told"_a.none());
}
