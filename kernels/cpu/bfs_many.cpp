// bfs_many(): breadth-first searches from many sources in one traversal, a bit a search.
//
// The caller owns every array and guarantees: square canonical CSR with indices in range; `in` the
// transpose (or the same arrays for a symmetric pattern); `visited`, the rows and every plane of
// `words` words (1, 2, 4, 8 or 16) a vertex, for a multiple of 64 vertices and more than there are;
// at the first call the sources' bits in `visited` and `front`, their
// vertices in `list` and in the bitmap of `front`, zero everywhere else, and in `open` the vertices
// that an edge enters; planes for every level up to `last`, with anything in those that have no
// level yet, or none where levels are not wanted; `sizes` a row of 64 * words with the vertices
// that each search has in the frontier, then a row of zeros a level. Called again with the same
// arrays it goes on where it stopped.  When the searches have ended both frontiers, rows and
// bitmaps, are zero again.
//
// Then et al.: The more the merrier: efficient multi-source graph traversal (VLDB 2014); Liu,
// Huang, Hu: iBFS: concurrent breadth-first search on GPUs (SIGMOD 2016).
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "cpu/bfs_many_results.h"
#include "cpu/bfs_many_search.h"
#include "cpu/fields.h"
#include "cpu/words.h"

namespace spbfs::many {
namespace {

// The rows before this one have all entries.
template <class Offset>
std::int64_t rows_entered(const Offset* indptr, std::int64_t n) {
    return std::lower_bound(indptr, indptr + n, indptr[n]) - indptr;
}

template <class Offset, class Index>
void bfs_many(Array<const Offset> indptr, Array<const Index> indices, Array<const Offset> in_indptr,
              Array<const Index> in_indices, Array<Word> visited, Array<Word> rows0,
              Array<Word> active0, Array<Word> rows1, Array<Word> active1, Array<Word> open,
              Array<Index> lists, const Planes& planes, std::optional<Array<const Index>> hubs,
              std::optional<Array<const Index>> names, std::optional<Array<Index>> parents,
              Array<const std::int64_t> rows, std::optional<Array<std::int64_t>> level_sums,
              Array<std::int64_t> sizes, Progress& p, std::int64_t last, int words,
              std::string_view direction, const Rates& rates, const Techniques& techniques,
              int threads) {
    const Options options{rates, techniques, direction_of(direction), threads};
    Interrupt interrupt;
    with_words(words, [&]<int W>() {
        State<W, Offset, Index> s;
        s.n = static_cast<std::int64_t>(indptr.shape(0)) - 1;
        s.out = {indptr.data(), indices.data()};
        s.in = {in_indptr.data(), in_indices.data()};
        s.entered = rows_entered(in_indptr.data(), s.n);
        s.visited = visited.data();
        s.front = {rows0.data(), active0.data()};
        s.next = {rows1.data(), active1.data()};
        s.list = lists.data();
        s.next_list = lists.data() + s.n;
        if (p.swapped) {
            std::swap(s.front, s.next);
            std::swap(s.list, s.next_list);
        }
        s.open = open.data();
        s.hubs = hubs ? hubs->data() : nullptr;
        s.names = names ? names->data() : nullptr;
        s.rows = rows.data();
        s.parents = parents ? parents->data() : nullptr;
        s.level_sums = level_sums ? level_sums->data() : nullptr;
        s.test_first = techniques.test_first;
        s.planed = !planes.empty();
        for (std::size_t b = 0; b < planes.size(); ++b) s.planes[b] = planes[b].data();
        s.interrupt = &interrupt;
        s.alive = p.alive;
        Unlocked unlocked;
        Search<W, Offset, Index>(s, options, p).run(last, sizes.data());
    });
    interrupt.check();
}

template <class Offset, class Index>
void bind_as(nb::module_& m) {
    m.def("bfs_many", &bfs_many<Offset, Index>, nb::arg("indptr").noconvert(),
          nb::arg("indices").noconvert(), nb::arg("in_indptr").noconvert(),
          nb::arg("in_indices").noconvert(), nb::arg("visited").noconvert(),
          nb::arg("rows0").noconvert(), nb::arg("active0").noconvert(),
          nb::arg("rows1").noconvert(), nb::arg("active1").noconvert(), nb::arg("open").noconvert(),
          nb::arg("lists").noconvert(), nb::arg("planes").noconvert(),
          nb::arg("hubs").none().noconvert(), nb::arg("names").none().noconvert(),
          nb::arg("parents").none().noconvert(), nb::arg("rows").noconvert(),
          nb::arg("level_sums").none().noconvert(), nb::arg("sizes").noconvert(),
          nb::arg("progress"), nb::arg("last"), nb::arg("words"), nb::arg("direction"),
          nb::arg("rates"), nb::arg("techniques"), nb::arg("threads"));
}

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
    spbfs::many::bind_as<std::int32_t, std::int32_t>(m);
    spbfs::many::bind_as<std::int64_t, std::int32_t>(m);
    spbfs::many::bind_as<std::int64_t, std::int64_t>(m);
}
