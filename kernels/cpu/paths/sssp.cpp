// sssp(): shortest paths from a set of sources over lengths that are not negative.
//
// The caller guarantees CSRs with indices in range, lengths that are numbers and not negative,
// distinct sources in range, and a width that is a power of two and, for lengths that are not
// integers, so great that no path has 2^52 of it.  What 32 bits do not hold is for the caller to
// see from the greatest distance, and to search again with 64.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <tuple>
#include <vector>

#include "cpu/paths/sssp_lengths.h"
#include "cpu/paths/sssp_parents.h"
#include "cpu/paths/sssp_search.h"
#include "cpu/paths/sssp_state.h"
#include "cpu/paths/sssp_tree.h"
#include "cpu/python/bindings.h"
#include "cpu/threads/interrupt.h"
#include "cpu/threads/parallel.h"

namespace spbfs::sssp {
namespace {

// What a search is asked for; lengths and distances as doubles or, where these are integers, int64.
template <class Length>
struct Request {
    double width;
    Length limit;  // no path is longer
    std::int64_t target;
    std::int64_t heavy_edges;
};

template <class Length>
struct Outputs {
    Length* distances;
    std::uint8_t* reached;
};

// Vertices reached, the greatest distance, edges relaxed.
template <class Length>
using Outcome = std::tuple<std::int64_t, Length, std::int64_t>;

constexpr std::int64_t kOutputGrain = 1 << 15;

template <class State, class Length>
Outcome<Length> write(State& s, typename State::Distance last, const Outputs<Length>& outputs) {
    struct alignas(64) Part {
        std::int64_t reached = 0;
        typename State::Distance greatest{0};
    };
    std::vector<Part> parts(s.workers.size());
    s.team.for_chunks(s.n, kOutputGrain, [&](std::int64_t begin, std::int64_t end, int worker) {
        Part part = parts[worker];
        for (std::int64_t v = begin; v < end; ++v) {
            const bool reached = s.d[v] <= last;
            outputs.reached[v] = reached;
            outputs.distances[v] = reached ? static_cast<Length>(s.d[v]) : Length{0};
            part.reached += reached;
            if (reached) part.greatest = std::max(part.greatest, s.d[v]);
        }
        parts[worker] = part;
    });
    Part all;
    for (const Part& part : parts) {
        all.reached += part.reached;
        all.greatest = std::max(all.greatest, part.greatest);
    }
    std::int64_t edges = 0;
    for (const auto& worker : s.workers) edges += worker.edges;
    return {all.reached, static_cast<Length>(all.greatest), edges};
}

template <class State, class Length>
Outcome<Length> search(State& s, const Request<Length>& request, const Input& sources,
                       const Outputs<Length>& outputs, typename State::Index* parents,
                       typename State::Index* owners) {
    using Index = typename State::Index;
    const std::int64_t count = length(sources), target = request.target;
    const Index* from = data<Index>(sources, count);
    Search<State>(s, request.heavy_edges).run(from, count, target);
    auto last = static_cast<typename State::Distance>(request.limit);
    if (target >= 0) last = std::min(last, s.d[target]);
    if (parents && !s.interrupt.stopped()) {
        // Distances are written later than parents.
        static_assert(sizeof(Index) <= sizeof(Length));
        Index* const room = reinterpret_cast<Index*>(outputs.distances);
        const bool found =
            count == 1 && s.in != nullptr && Parents<State>(s, last, parents, room).find(from[0]);
        if (!found) Tree<State>(s, last, parents, owners).grow(from, count);
    }
    return write(s, last, outputs);
}

struct Call {
    Rows out;
    Maybe<Rows> in;
    Input sources;
    double width;
    nb::handle limit;
    std::int64_t target, heavy_edges;
    Output distances, reached;
    Maybe<Output> parents, owners;
    int threads;
};

template <class State>
nb::object run(const Call& call) {
    using Distance = typename State::Distance;
    using Index = typename State::Index;
    using Length = LengthOf<Distance>;
    const std::int64_t n = length(std::get<0>(call.out)) - 1;
    const Request<Length> request{call.width, nb::cast<Length>(call.limit), call.target,
                                  call.heavy_edges};
    const Outputs<Length> outputs{writable<Length>(call.distances, n),
                                  writable<std::uint8_t>(call.reached, n)};
    Index* parents = call.parents ? writable<Index>(*call.parents, n) : nullptr;
    Index* owners = call.owners ? writable<Index>(*call.owners, n) : nullptr;
    const auto out = edges_of<State>(call.out);
    const auto in = call.in ? edges_of<State>(*call.in) : out;
    Interrupt interrupt;
    Outcome<Length> found;
    {
        Unlocked unlocked;
        Team team(call.threads);
        const auto d = std::make_unique_for_overwrite<Distance[]>(n);
        State state{out,
                    call.in ? &in : nullptr,
                    n,
                    Width<Distance>(call.width),
                    above<Distance>(request.limit),
                    d.get(),
                    team,
                    interrupt};
        found = search(state, request, call.sources, outputs, parents, owners);
    }
    interrupt.check();
    return nb::cast(found);
}

}  // namespace
}  // namespace spbfs::sssp

namespace nb = nanobind;

void bind_sssp(nb::module_& m) {
    using namespace spbfs;
    m.def(
        "sssp",
        [](sssp::Rows out, Maybe<sssp::Rows> in, Input sources, double width, nb::handle limit,
           std::int64_t target, std::int64_t heavy_edges, Output distances, Output reached,
           Maybe<Output> parents, Maybe<Output> owners, bool wide, int threads) {
            const sssp::Call call{out,         in,        sources, width,   limit,  target,
                                  heavy_edges, distances, reached, parents, owners, threads};
            return sssp::with_lengths(out, wide,
                                      [&]<class State> { return sssp::run<State>(call); });
        },
        nb::arg("out"), nb::arg("in").none(), nb::arg("sources").noconvert(), nb::arg("width"),
        nb::arg("limit"), nb::arg("target"), nb::arg("heavy_edges"),
        nb::arg("distances").noconvert(), nb::arg("reached").noconvert(),
        nb::arg("parents").none().noconvert(), nb::arg("owners").none().noconvert(),
        nb::arg("wide"), nb::arg("threads"));
}
