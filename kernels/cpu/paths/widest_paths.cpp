// widest_paths(): how wide the widest path is from any of some sources to every vertex, whose width
// is that of its narrowest edge.
//
// Dijkstra's algorithm with the lesser of two widths for their sum: no path becomes wider when it
// goes on, so whoever is reached by the widest path of all that wait is done.  A vertex that became
// wider is pushed again, and what it left behind is passed over when it is popped.
//
// The caller guarantees sound arrays, widths that are numbers, sources in range, and n elements of
// the outputs.
//
// Pollack: The maximum capacity through a network (1960).
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstdint>

#include "cpu/paths/heap.h"
#include "cpu/threads/interrupt.h"

namespace nb = nanobind;

namespace spbfs {
namespace {

template <class T>
using Array = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class Index, class Width>
struct Reached {
    Width width;
    Index vertex;

    bool before(const Reached& other) const { return width > other.width; }
};

// How many vertices are reached; `widest` is that of a path without edges.
template <class Offset, class Index, class Width>
std::int64_t widest_paths(Array<const Offset> indptr, Array<const Index> indices,
                          Array<const Width> edges, Array<const std::int64_t> sources, Width widest,
                          Array<Width> widths, Array<bool> reached) {
    const auto n = static_cast<std::int64_t>(indptr.shape(0)) - 1;
    const Offset* const offsets = indptr.data();
    const Index* const columns = indices.data();
    Width* const width = widths.data();
    bool* const known = reached.data();
    std::int64_t count = 0;
    Heap<Reached<Index, Width>> heap;
    Interrupt interrupt;
    auto reach = [&](Index v, Width w) {
        if (known[v] && w <= width[v]) return;
        count += !known[v];
        known[v] = true;
        width[v] = w;
        heap.push({w, v});
    };
    {
        Unlocked unlocked;
        std::fill_n(known, n, false);
        std::fill_n(width, n, Width{0});
        for (std::size_t i = 0; i < sources.shape(0); ++i)
            reach(static_cast<Index>(sources.data()[i]), widest);
        while (!heap.empty()) {
            const auto [w, u] = heap.pop();
            if (w < width[u]) continue;
            for (Offset k = offsets[u]; k < offsets[u + 1]; ++k)
                reach(columns[k], std::min(w, edges.data()[k]));
            if (interrupt.poll(0, offsets[u + 1] - offsets[u] + 1)) break;
        }
    }
    interrupt.check();
    return count;
}

template <class Offset, class Index, class Width>
void bind_width(nb::module_& m) {
    m.def("widest_paths", &widest_paths<Offset, Index, Width>, nb::arg("indptr").noconvert(),
          nb::arg("indices").noconvert(), nb::arg("edges").noconvert(),
          nb::arg("sources").noconvert(), nb::arg("widest"), nb::arg("widths").noconvert(),
          nb::arg("reached").noconvert());
}

template <class Offset, class Index>
void bind_as(nb::module_& m) {
    bind_width<Offset, Index, std::int64_t>(m);
    bind_width<Offset, Index, double>(m);
}

}  // namespace
}  // namespace spbfs

void bind_widest_paths(nb::module_& m) {
    using std::int32_t, std::int64_t;
    spbfs::bind_as<int32_t, int32_t>(m);
    spbfs::bind_as<int64_t, int32_t>(m);
    spbfs::bind_as<int64_t, int64_t>(m);
}
