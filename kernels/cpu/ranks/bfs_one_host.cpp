// The Python face of searches over ranks of one host; the search is in bfs_one_host_search.h.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <new>
#include <tuple>
#include <utility>
#include <vector>

#include "cpu/ranks/bfs_one_host_search.h"

namespace spbfs::one_host {
namespace {

// The search keeps its arrays; whoever made it keeps the meetings.
void make(Search* made, Meetings& meetings, const Sets& sets, const Vertices& vertices,
          const Own::Numbers& own,
          const std::tuple<Array<const Slot>, Array<const Slot>, Array<Slot>, Array<Slot>>& outputs,
          std::int64_t source, std::int64_t target, std::int64_t max_depth, bool named_parents,
          std::vector<std::uint8_t> first, int then,
          const std::tuple<std::int64_t, std::int64_t>& graph,
          const std::tuple<std::int64_t, std::int64_t>& rule,
          const std::tuple<std::int64_t, std::int64_t>& alone, std::int64_t room) {
    const auto [position, slots, levels, parents] = outputs;
    const auto [n, edges] = graph;
    const auto [alpha, beta] = rule;
    new (made) Search(meetings, sets, vertices, own, {position, slots, levels, parents},
                      {source, target, max_depth, named_parents},
                      {std::move(first), then, n, edges, alpha, beta},
                      {std::get<0>(alone), std::get<1>(alone)}, room);
}

template <class Offset>
void lay(Search& search, bool pull, const typename Edges<Offset>::Arrays& edges,
         std::int64_t active, Array<Slot> todo, Array<Word> copies) {
    search.lay(pull, {edges, active, todo, copies});
}

template <class Class>
void bind_lay(Class& search) {
    search
        .def("lay", &lay<std::int32_t>, nb::arg("pull"), nb::arg("edges").noconvert(),
             nb::arg("active"), nb::arg("todo").noconvert(), nb::arg("copies").noconvert())
        .def("lay", &lay<std::int64_t>, nb::arg("pull"), nb::arg("edges").noconvert(),
             nb::arg("active"), nb::arg("todo").noconvert(), nb::arg("copies").noconvert());
}

}  // namespace
}  // namespace spbfs::one_host

void bind_bfs_one_host(nb::module_& m) {
    namespace one_host = spbfs::one_host;
    using one_host::Search;
    nb::class_<Search> search(m, "OneHostSearch");
    search
        .def("__init__", &one_host::make, nb::arg("meetings"), nb::arg("sets").noconvert(),
             nb::arg("vertices").noconvert(), nb::arg("own"), nb::arg("outputs").noconvert(),
             nb::arg("source"), nb::arg("target"), nb::arg("max_depth"), nb::arg("named_parents"),
             nb::arg("first"), nb::arg("then"), nb::arg("graph"), nb::arg("rule"), nb::arg("alone"),
             nb::arg("room"), nb::keep_alive<1, 2>())
        .def("go", &Search::go, nb::arg("patience"), nb::arg("threads"))
        .def_prop_ro("depth", &Search::depth)
        .def_prop_ro("reached", &Search::reached)
        .def_prop_ro("edges", &Search::edges)
        .def_prop_ro("trace", &Search::trace);
    one_host::bind_lay(search);
    nb::enum_<Search::Stop>(search, "Stop")
        .value("ENDED", Search::kEnded)
        .value("LATE", Search::kLate)
        .value("NO_OUT_EDGES", Search::kNoOutEdges)
        .value("NO_IN_EDGES", Search::kNoInEdges)
        .value("NO_COPIES", Search::kNoCopies)
        .value("OTHER_ROOM", Search::kOtherRoom);
}
