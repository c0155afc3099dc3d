// bfs_as_given(): one search along arrays that nobody has checked, sorted or copied, for those who
// search a graph once: what a conversion would look at, it looks at where it comes by.
//
// bfs_queue.h says what the caller guarantees.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include <memory>
#include <optional>

#include "cpu/bfs/bfs_queue.h"

namespace nb = nanobind;

namespace spbfs::bfs {
namespace {

template <class T>
using Array = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// Whether an entry of the rows that were reached occurs twice.
template <class Offset, class Index, class Vertex>
bool twice_in_a_row(const Given<Offset, Index>& g, const Vertex* parents) {
    auto last_row = std::make_unique_for_overwrite<Vertex[]>(static_cast<std::size_t>(g.n));
    std::fill_n(last_row.get(), g.n, Vertex{-1});
    for (std::int64_t u = 0; u < g.n; ++u) {
        if (parents[u] < 0) continue;
        bool twice = false;
        for (Offset k = g.indptr[u]; k < g.indptr[u + 1]; ++k) {
            Vertex& row = last_row[static_cast<std::size_t>(g.indices[k])];
            twice |= row == u;
            row = static_cast<Vertex>(u);
        }
        if (twice) return true;
    }
    return false;
}

// Vertices reached, depth and edges; None where the arrays are not what a search may follow: they
// lead nowhere, or an entry occurs twice, which is looked for where rows are not sorted.
template <class Offset, class Index, class Vertex>
nb::object bfs_as_given(Array<const Offset> indptr, Array<const Index> indices, std::int64_t source,
                        std::int64_t max_depth, std::int64_t target,
                        std::optional<Array<Vertex>> levels, Array<Vertex> parents) {
    const auto graph = Given<Offset, Index>::of(indptr.data(), indices.data(),
                                                static_cast<std::int64_t>(parents.shape(0)),
                                                static_cast<std::int64_t>(indices.shape(0)));
    if (!graph.plausible()) return nb::none();
    Vertex* const to_levels = levels ? levels->data() : nullptr;
    Interrupt interrupt;
    Rows rows;
    std::int64_t reached = 0, depth = 0, edges = 0;
    auto search = [&]<bool Sorted>() {
        QueueSearch<Offset, Index, Vertex, Sorted> made(graph, to_levels, parents.data());
        rows = made.run(static_cast<Vertex>(source), max_depth, target, interrupt);
        reached = made.reached;
        depth = made.depth;
        edges = made.edges;
    };
    {
        Unlocked unlocked;
        search.template operator()<true>();
        if (rows == Rows::unsorted && !interrupt.stopped()) {
            search.template operator()<false>();
            if (rows == Rows::sound && !interrupt.stopped() &&
                twice_in_a_row(graph, parents.data()))
                rows = Rows::broken;
        }
    }
    interrupt.check();
    if (rows != Rows::sound) return nb::none();
    return nb::make_tuple(reached, depth, edges);
}

template <class Offset, class Index, class Vertex>
void bind_as(nb::module_& m) {
    m.def("bfs_as_given", &bfs_as_given<Offset, Index, Vertex>, nb::arg("indptr").noconvert(),
          nb::arg("indices").noconvert(), nb::arg("source"), nb::arg("max_depth"),
          nb::arg("target"), nb::arg("levels").none().noconvert(), nb::arg("parents").noconvert());
}

}  // namespace
}  // namespace spbfs::bfs

void bind_bfs_as_given(nb::module_& m) {
    using std::int32_t, std::int64_t;
    spbfs::bfs::bind_as<int32_t, int32_t, int32_t>(m);
    spbfs::bfs::bind_as<int64_t, int32_t, int32_t>(m);
    spbfs::bfs::bind_as<int64_t, int64_t, int32_t>(m);
    spbfs::bfs::bind_as<int64_t, int64_t, int64_t>(m);
}
