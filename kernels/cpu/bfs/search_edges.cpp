// edges_in_order(): the edges that a search with one queue came by, row after row in the order of
// the queue, and where each led.
//
// tails_in_order(): of every vertex in that order those from whose level an edge leads a level down
// to it, in that order.
//
// Ends are told by their places in the order, of which a level has a range, so that levels are only
// compared with the ends of those.  The caller guarantees sound arrays, an order by levels with
// everybody whom a row of a level before the last names, levels that rise by one along it, n
// elements of `place`, an element of `ends` a vertex of the order, one offset more than these, and
// room for every entry of the rows.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstdint>

#include "cpu/threads/interrupt.h"

namespace nb = nanobind;

namespace spbfs {
namespace {

template <class T>
using Array = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// What an edge is: to a child, to another vertex a level down, to one of the level, or up.
enum Led : std::int8_t { kTree, kForward, kLevel, kReverse };

template <class Offset, class Index>
struct Searched {
    const Offset* indptr;
    const Index* indices;
    const Index* order;
    const Index* levels;
    std::int64_t count;
    // Everybody's place in the order, -1 of who is not in it.
    Index* place;

    void set_places(std::int64_t n) const {
        std::fill_n(place, n, Index{-1});
        for (std::int64_t at = 0; at < count; ++at) place[order[at]] = static_cast<Index>(at);
    }

    // f(place, first of its level, end of that level) in order, until it is time to stop.
    template <class F>
    void for_places(Interrupt& interrupt, F&& f) const {
        std::int64_t begin = 0, end = 0;
        for (std::int64_t at = 0; at < count; ++at) {
            if (at == end)
                for (begin = end++; end < count && levels[order[end]] == levels[order[at]];) ++end;
            f(at, begin, end);
            const Index u = order[at];
            if (interrupt.poll(0, static_cast<std::int64_t>(indptr[u + 1] - indptr[u]) + 1)) return;
        }
    }
};

// Without directions an edge is met from the end that comes first.  How many there are.
template <class Offset, class Index>
std::int64_t edges_in_order(Array<const Offset> indptr, Array<const Index> indices,
                            Array<const Index> order, Array<const Index> levels,
                            Array<const Index> parents, bool directed, Array<Index> place,
                            Array<Offset> begins, Array<Index> heads, Array<std::int8_t> led) {
    const Searched<Offset, Index> search{indptr.data(),
                                         indices.data(),
                                         order.data(),
                                         levels.data(),
                                         static_cast<std::int64_t>(order.shape(0)),
                                         place.data()};
    std::int64_t found = 0;
    Interrupt interrupt;
    {
        Unlocked unlocked;
        search.set_places(static_cast<std::int64_t>(place.shape(0)));
        begins.data()[0] = 0;
        search.for_places(interrupt, [&](std::int64_t at, std::int64_t begin, std::int64_t end) {
            const Index u = search.order[at];
            for (Offset k = search.indptr[u]; k < search.indptr[u + 1]; ++k) {
                const Index v = search.indices[k];
                const Index head = search.place[v];
                if (!directed && head < at) continue;
                heads.data()[found] = head;
                led.data()[found++] = head < begin             ? kReverse
                                      : head < end             ? kLevel
                                      : parents.data()[v] != u ? kForward
                                                               : kTree;
            }
            begins.data()[at + 1] = static_cast<Offset>(found);
        });
    }
    interrupt.check();
    return found;
}

// How many there are.
template <class Offset, class Index>
std::int64_t tails_in_order(Array<const Offset> indptr, Array<const Index> indices,
                            Array<const Index> order, Array<const Index> levels, Array<Index> place,
                            Array<Offset> ends, Array<Index> heads, Array<Offset> begins,
                            Array<Index> tails) {
    const Searched<Offset, Index> search{indptr.data(),
                                         indices.data(),
                                         order.data(),
                                         levels.data(),
                                         static_cast<std::int64_t>(order.shape(0)),
                                         place.data()};
    Offset* const next = begins.data();
    Index* const down = heads.data();
    Interrupt interrupt;
    {
        Unlocked unlocked;
        search.set_places(static_cast<std::int64_t>(place.shape(0)));
        // Heads row after row, and where the row of a tail ends.
        std::int64_t found = 0;
        search.for_places(interrupt, [&](std::int64_t at, std::int64_t, std::int64_t end) {
            const Index u = search.order[at];
            // No branch, as nobody knows which it will be.
            for (Offset k = search.indptr[u]; k < search.indptr[u + 1]; ++k) {
                const Index head = search.place[search.indices[k]];
                down[found] = head;
                found += head >= end;
            }
            ends.data()[at] = static_cast<Offset>(found);
        });
        if (!interrupt.stopped()) {
            // Offsets are where the next tail of a head goes, a place further than they will be.
            std::fill_n(next, search.count + 1, Offset{0});
            for (std::int64_t k = 0; k < found; ++k) ++next[down[k] + 1];
            for (std::int64_t at = 0; at < search.count; ++at) next[at + 1] += next[at];
            std::int64_t k = 0;
            for (std::int64_t at = 0; at < search.count; ++at)
                for (; k < ends.data()[at]; ++k)
                    tails.data()[next[down[k]]++] = static_cast<Index>(at);
            std::copy_backward(next, next + search.count, next + search.count + 1);
            next[0] = 0;
        }
    }
    interrupt.check();
    return static_cast<std::int64_t>(next[search.count]);
}

template <class Offset, class Index>
void bind_as(nb::module_& m) {
    m.def("edges_in_order", &edges_in_order<Offset, Index>, nb::arg("indptr").noconvert(),
          nb::arg("indices").noconvert(), nb::arg("order").noconvert(),
          nb::arg("levels").noconvert(), nb::arg("parents").noconvert(), nb::arg("directed"),
          nb::arg("place").noconvert(), nb::arg("begins").noconvert(), nb::arg("heads").noconvert(),
          nb::arg("led").noconvert());
    m.def("tails_in_order", &tails_in_order<Offset, Index>, nb::arg("indptr").noconvert(),
          nb::arg("indices").noconvert(), nb::arg("order").noconvert(),
          nb::arg("levels").noconvert(), nb::arg("place").noconvert(), nb::arg("ends").noconvert(),
          nb::arg("heads").noconvert(), nb::arg("begins").noconvert(),
          nb::arg("tails").noconvert());
}

}  // namespace
}  // namespace spbfs

void bind_search_edges(nb::module_& m) {
    using std::int32_t, std::int64_t;
    spbfs::bind_as<int32_t, int32_t>(m);
    spbfs::bind_as<int64_t, int32_t>(m);
    spbfs::bind_as<int64_t, int64_t>(m);
}
