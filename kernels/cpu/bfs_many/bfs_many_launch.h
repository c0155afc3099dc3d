// bfs_many(): what it is given, and how it is called from Python; bound a width of offsets and
// indices at a time, each in a file of its own, since all together take minutes to compile.
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
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "cpu/bfs_many/bfs_many_results.h"
#include "cpu/bfs_many/bfs_many_search.h"
#include "cpu/numbers/words.h"

namespace spbfs::many {

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
void bind_searches(nb::module_& m) {
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

}  // namespace spbfs::many
