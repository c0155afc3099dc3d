// smallest_last(): the vertices as they leave a graph, round by round: all that have no more
// neighbours left than the least degree that was left in this round or one before.
//
// The caller guarantees a square CSR with a symmetric pattern and indices in range, loops allowed;
// `order` n elements.
//
// Matula, Beck: Smallest-last ordering and clustering and graph coloring algorithms (1983).
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>

#include "cpu/cohesion/peeling.h"
#include "cpu/threads/interrupt.h"

namespace nb = nanobind;

namespace spbfs {
namespace {

template <class T>
using Array = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class Offset, class Index>
void smallest_last(Array<const Offset> indptr, Array<const Index> indices, Array<Index> order,
                   int threads) {
    Interrupt interrupt;
    {
        Unlocked unlocked;
        const auto n = static_cast<std::int64_t>(order.shape(0));
        Peeling<Offset, Index>(indptr.data(), indices.data(), n, order.data(), threads)
            .run(interrupt, [](std::int64_t, std::int64_t, Index) {});
    }
    interrupt.check();
}

template <class Offset, class Index>
void bind_as(nb::module_& m) {
    m.def("smallest_last", &smallest_last<Offset, Index>, nb::arg("indptr").noconvert(),
          nb::arg("indices").noconvert(), nb::arg("order").noconvert(), nb::arg("threads"));
}

}  // namespace
}  // namespace spbfs

void bind_smallest_last(nb::module_& m) {
    spbfs::bind_as<std::int32_t, std::int32_t>(m);
    spbfs::bind_as<std::int64_t, std::int32_t>(m);
    spbfs::bind_as<std::int64_t, std::int64_t>(m);
}
