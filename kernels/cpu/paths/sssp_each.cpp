// sssp_each(): distances from each of some sources, every search by one worker.
//
// Data races: a search writes its row of the distances, and what it works in, which is its worker's
// alone; edges are read.
//
// The caller guarantees what sssp() demands of edges and width, and sources in range.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "cpu/paths/sssp_lengths.h"
#include "cpu/paths/sssp_search.h"
#include "cpu/paths/sssp_state.h"
#include "cpu/python/bindings.h"
#include "cpu/threads/interrupt.h"
#include "cpu/threads/parallel.h"

namespace spbfs::sssp {
namespace {

struct Call {
    Rows out;
    Maybe<Rows> in;
    Input sources;
    double width;
    nb::handle limit, none;  // the longest path, and the distance where there is no path
    std::int64_t heavy_edges;
    Output distances;  // a row of n for each source
    int threads;
};

// The greatest distance from any of the sources.
template <class State>
nb::object run(const Call& call) {
    using Index = typename State::Index;
    using Distance = typename State::Distance;
    using Length = LengthOf<Distance>;
    const std::int64_t n = length(std::get<0>(call.out)) - 1, count = length(call.sources);
    const Index* sources = data<Index>(call.sources, count);
    Length* distances = writable<Length>(call.distances, count * n);
    const auto out = edges_of<State>(call.out);
    const auto in = call.in ? edges_of<State>(*call.in) : out;
    const auto limit = nb::cast<Length>(call.limit), none = nb::cast<Length>(call.none);
    const auto beyond = above<Distance>(limit);
    Interrupt interrupt;
    struct alignas(64) Worker {
        std::vector<Distance> d;
        Distance greatest{0};
    };
    std::vector<Worker> workers;
    {
        Unlocked unlocked;
        Team team(call.threads);
        workers.resize(team.workers());
        team.for_chunks(count, 1, [&](std::int64_t i, std::int64_t, int worker) {
            Worker& self = workers[worker];
            self.d.resize(n);
            if (interrupt.stopped()) return;
            Team alone(1);
            State state{out,    call.in ? &in : nullptr, n,     Width<Distance>(call.width),
                        beyond, self.d.data(),           alone, interrupt};
            state.caller = worker;
            Search<State>(state, call.heavy_edges).run(sources + i, 1, -1);
            Length* const row = distances + i * n;
            for (std::int64_t v = 0; v < n; ++v) {
                const bool reached = self.d[v] < beyond;
                row[v] = reached ? static_cast<Length>(self.d[v]) : none;
                if (reached) self.greatest = std::max(self.greatest, self.d[v]);
            }
        });
    }
    interrupt.check();
    Distance greatest{0};
    for (const Worker& worker : workers) greatest = std::max(greatest, worker.greatest);
    return nb::cast(static_cast<Length>(greatest));
}

}  // namespace
}  // namespace spbfs::sssp

namespace nb = nanobind;

void bind_sssp_each(nb::module_& m) {
    using namespace spbfs;
    m.def(
        "sssp_each",
        [](sssp::Rows out, Maybe<sssp::Rows> in, Input sources, double width, nb::handle limit,
           nb::handle none, std::int64_t heavy_edges, Output distances, bool wide, int threads) {
            const sssp::Call call{out,  in,          sources,   width,  limit,
                                  none, heavy_edges, distances, threads};
            return sssp::with_lengths(out, wide,
                                      [&]<class State> { return sssp::run<State>(call); });
        },
        nb::arg("out"), nb::arg("in").none(), nb::arg("sources").noconvert(), nb::arg("width"),
        nb::arg("limit"), nb::arg("none"), nb::arg("heavy_edges"), nb::arg("distances").noconvert(),
        nb::arg("wide"), nb::arg("threads"));
}
