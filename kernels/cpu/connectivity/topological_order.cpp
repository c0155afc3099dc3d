// topological_order(): the vertices of a graph without cycles, every one behind all from which an
// edge leads to it, by one queue.
//
// A vertex is listed when the last of the edges that enter it has been looked at, so the order is
// unique, and levels rise along it.  Where there is a cycle, who is on one or behind one is not
// listed.  The caller guarantees sound arrays, n elements of `order` and `levels`, and n of
// `entering` to work with.
//
// topological_order_by_rank(): of those that could be listed next always the one of the least rank,
// by a heap of ranks.  The caller guarantees that ranks are 0 to n - 1, each one vertex's, and n
// elements of `waiting` to work with.
//
// Kahn: Topological sorting of large networks (1962).
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstdint>
#include <functional>

#include "cpu/threads/interrupt.h"

namespace nb = nanobind;

namespace spbfs {
namespace {

template <class T>
using Array = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// How many vertices are listed.
template <class Offset, class Index>
std::int64_t topological_order(Array<const Offset> indptr, Array<const Index> indices,
                               Array<Index> entering, Array<Index> order, Array<Index> levels) {
    const auto n = static_cast<std::int64_t>(order.shape(0));
    const Offset* const offsets = indptr.data();
    const Index* const columns = indices.data();
    Index* const left = entering.data();
    Index* end = order.data();
    Interrupt interrupt;
    {
        Unlocked unlocked;
        std::fill_n(left, n, Index{0});
        for (Offset k = 0; k < offsets[n]; ++k) ++left[columns[k]];
        for (Index v = 0; v < n; ++v)
            if (left[v] == 0) {
                levels.data()[v] = 0;
                *end++ = v;
            }
        for (const Index* at = order.data(); at < end; ++at) {
            const Index u = *at;
            for (Offset k = offsets[u]; k < offsets[u + 1]; ++k) {
                const Index v = columns[k];
                if (--left[v] > 0) continue;
                levels.data()[v] = levels.data()[u] + 1;
                *end++ = v;
            }
            if (interrupt.poll(0, offsets[u + 1] - offsets[u] + 1)) break;
        }
    }
    interrupt.check();
    return end - order.data();
}

template <class Offset, class Index>
std::int64_t topological_order_by_rank(Array<const Offset> indptr, Array<const Index> indices,
                                       Array<const Index> rank_of, Array<const Index> by_rank,
                                       Array<Index> entering, Array<Index> waiting,
                                       Array<Index> order) {
    const auto n = static_cast<std::int64_t>(order.shape(0));
    const Offset* const offsets = indptr.data();
    const Index* const columns = indices.data();
    Index* const left = entering.data();
    Index* const heap = waiting.data();
    Index *heap_end = heap, *end = order.data();
    Interrupt interrupt;
    {
        Unlocked unlocked;
        std::fill_n(left, n, Index{0});
        for (Offset k = 0; k < offsets[n]; ++k) ++left[columns[k]];
        // Rising ranks are a heap already.
        for (Index rank = 0; rank < n; ++rank)
            if (left[by_rank.data()[rank]] == 0) *heap_end++ = rank;
        while (heap_end > heap) {
            std::pop_heap(heap, heap_end, std::greater<>());
            const Index u = *end++ = by_rank.data()[*--heap_end];
            for (Offset k = offsets[u]; k < offsets[u + 1]; ++k) {
                const Index v = columns[k];
                if (--left[v] > 0) continue;
                *heap_end++ = rank_of.data()[v];
                std::push_heap(heap, heap_end, std::greater<>());
            }
            if (interrupt.poll(0, offsets[u + 1] - offsets[u] + 1)) break;
        }
    }
    interrupt.check();
    return end - order.data();
}

template <class Offset, class Index>
void bind_as(nb::module_& m) {
    m.def("topological_order", &topological_order<Offset, Index>, nb::arg("indptr").noconvert(),
          nb::arg("indices").noconvert(), nb::arg("entering").noconvert(),
          nb::arg("order").noconvert(), nb::arg("levels").noconvert());
    m.def("topological_order_by_rank", &topological_order_by_rank<Offset, Index>,
          nb::arg("indptr").noconvert(), nb::arg("indices").noconvert(),
          nb::arg("rank_of").noconvert(), nb::arg("by_rank").noconvert(),
          nb::arg("entering").noconvert(), nb::arg("waiting").noconvert(),
          nb::arg("order").noconvert());
}

}  // namespace
}  // namespace spbfs

void bind_topological_order(nb::module_& m) {
    using std::int32_t, std::int64_t;
    spbfs::bind_as<int32_t, int32_t>(m);
    spbfs::bind_as<int64_t, int32_t>(m);
    spbfs::bind_as<int64_t, int64_t>(m);
}
