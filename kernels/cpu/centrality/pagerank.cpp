// pagerank(): the scores of a random walk, by rounds in which every vertex pulls what comes along
// its in-edges.
//
//     scores = base + sum over in-neighbours u of share[u],    share[u] = flow[u] * scores[u]
//
// where flow[u] is the damping over the out-degree (the weight of all out-edges), 0 where there is
// none.  What is stuck there is made up for at the end, when scores are scaled to sum 1: see
// spbfs/algorithms/rank/pagerank.py.
//
// The caller guarantees a CSR with indices in range, by rows of in-edges, and finite numbers.
#include <nanobind/stl/tuple.h>

#include <cstdint>
#include <tuple>

#include "cpu/centrality/pagerank_rounds.h"
#include "cpu/python/bindings.h"
#include "cpu/threads/interrupt.h"

namespace spbfs::pagerank {
namespace {

template <class Score>
Outcome with_score(const Input& indptr, const Input& indices, const Maybe<Input>& rank,
                   const Maybe<Input>& values, const Input& out, const Walk& walk,
                   const Output& scores, int threads, Interrupt& interrupt) {
    return with_csr(indptr, indices, [&]<class O, class I>(const Csr<O, I>& in) {
        const Score* weights = data<Score>(values, length(indices));
        const O* degrees = data<O>(out, in.rows + 1);
        const I* ranks = data<I>(rank, in.rows);
        Score* found = writable<Score>(scores, in.rows);
        Unlocked unlocked;
        auto run = [&]<bool weighted>() {
            Rounds<weighted, Score, O, I> rounds(in, ranks, weights, degrees, walk, found, threads,
                                                 interrupt);
            return rounds.run();
        };
        return weights != nullptr ? run.template operator()<true>()
                                  : run.template operator()<false>();
    });
}

// In-edges by rows, by the numbers that `rank` gives vertices if it is given; their values or none;
// offsets of out-edges, for degrees where there are no weights.  `told` is called with rounds and
// edges now and then.  Returns rounds made, what the last one changed, and whether that is little
// enough.
std::tuple<std::int64_t, double, bool> launch(Input indptr, Input indices, Maybe<Input> rank,
                                              Maybe<Input> values, Input out, Maybe<Input> weights,
                                              Maybe<Input> restart, Maybe<Input> start,
                                              double damping, double tolerance,
                                              std::int64_t iterations, Output scores, int threads,
                                              nanobind::object told) {
    const std::int64_t n = length(indptr) - 1;
    const Walk walk{data<double>(weights, n),
                    data<double>(restart, n),
                    data<double>(start, n),
                    damping,
                    tolerance,
                    iterations};
    Interrupt interrupt(told);
    auto run = scores.itemsize() == 4 ? with_score<float> : with_score<double>;
    const Outcome found = run(indptr, indices, rank, values, out, walk, scores, threads, interrupt);
    interrupt.check();
    return {found.rounds, found.change, found.converged};
}

}  // namespace
}  // namespace spbfs::pagerank

void bind_pagerank(nanobind::module_& m) {
    using namespace nanobind::literals;
    m.def("pagerank", &spbfs::pagerank::launch, "indptr"_a, "indices"_a, "rank"_a.none(),
          "values"_a.none(), "out"_a, "weights"_a.none(), "restart"_a.none(), "start"_a.none(),
          "damping"_a, "tolerance"_a, "iterations"_a, "scores"_a, "threads"_a, "told"_a.none());
}
