// Breadth-first searches from many sources in one traversal, a bit a search.
//
// Then et al.: The more the merrier: efficient multi-source graph traversal (VLDB 2014); Liu,
// Huang, Hu: iBFS: concurrent breadth-first search on GPUs (SIGMOD 2016).
#include <nanobind/nanobind.h>

#include "common/bits.h"
#include "cpu/bfs_many/bfs_many_direction.h"
#include "cpu/bfs_many/bfs_many_results.h"
#include "cpu/python/fields.h"

namespace spbfs::many {

// For graphs with those offsets and indices (bfs_many_launch.h).
template <class Offset, class Index>
void bind_searches(nb::module_& m);

namespace {

// From a `CpuManyRates` of the planner.
Rates rates_of(nb::handle planned) {
    const Fields from(planned, 12);
    return {.push_edge = from.get<double>("push_edge"),
            .push_row = from.get<double>("push_row"),
            .pull_edge = from.get<double>("pull_edge"),
            .pull_word = from.get<double>("pull_word"),
            .record_vertex = from.get<double>("record_vertex"),
            .sparse_share = from.get<double>("sparse_share"),
            .serial_edges = from.get<std::int64_t>("serial_edges"),
            .list_share = from.get<double>("list_share"),
            .ranges = from.get<std::int64_t>("ranges"),
            .range_degree = from.get<std::int64_t>("range_degree"),
            .narrow_vertices = from.get<double>("narrow_vertices"),
            .narrow_edges = from.get<double>("narrow_edges")};
}

// The state before the first level of so many searches.
Progress first_progress(std::int64_t vertices, std::int64_t edges, std::int64_t open,
                        std::int64_t searches) {
    Progress p{.vertices = vertices, .edges = edges, .joint = vertices, .open = open};
    for (std::int64_t j = 0; j < searches; ++j) set_bit(p.alive, j);
    return p;
}

void bind_types(nb::module_& m) {
    nb::class_<Rates>(m, "BfsManyRates").def("__init__", [](Rates* made, nb::handle planned) {
        new (made) Rates(rates_of(planned));
    });
    nb::class_<Techniques>(m, "BfsManyTechniques")
        .def(
            "__init__",
            [](Techniques* made, bool early, bool narrow, bool queue, bool ranges,
               bool test_first) {
                new (made) Techniques{early, narrow, queue, ranges, test_first};
            },
            nb::kw_only(), nb::arg("early"), nb::arg("narrow"), nb::arg("queue"), nb::arg("ranges"),
            nb::arg("test_first"));
    nb::class_<Progress>(m, "BfsManyProgress")
        .def(
            "__init__",
            [](Progress* made, std::int64_t vertices, std::int64_t edges, std::int64_t open,
               std::int64_t searches) {
                new (made) Progress(first_progress(vertices, edges, open, searches));
            },
            nb::kw_only(), nb::arg("vertices"), nb::arg("edges"), nb::arg("open"),
            nb::arg("searches"))
        .def_ro("level", &Progress::level)
        .def_ro("vertices", &Progress::vertices)
        .def_ro("joint", &Progress::joint);
}

}  // namespace
}  // namespace spbfs::many

void bind_bfs_many(nanobind::module_& m) {
    spbfs::many::bind_types(m);
    spbfs::many::bind_results(m);
    spbfs::many::bind_searches<std::int32_t, std::int32_t>(m);
    spbfs::many::bind_searches<std::int64_t, std::int32_t>(m);
    spbfs::many::bind_searches<std::int64_t, std::int64_t>(m);
}
