// relabel(): the same graph with its vertices in another order.
//
// The caller owns every array and guarantees: square CSR with indices in range; `order` a
// permutation of the vertices and `rank` its inverse; `out_indptr` the offsets of the rows in their
// new order.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstdint>

#include "cpu/interrupt.h"
#include "cpu/parallel.h"

namespace nb = nanobind;

namespace spbfs {
namespace {

template <class T>
using Array = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class Offset, class Index>
void relabel(Array<const Offset> indptr, Array<const Index> indices, Array<const Index> order,
             Array<const Index> rank, Array<const Offset> out_indptr, Array<Index> out_indices,
             int threads) {
    const std::int64_t n = static_cast<std::int64_t>(indptr.shape(0)) - 1;
    Interrupt interrupt;
    {
        Unlocked unlocked;
        constexpr std::int64_t kGrain = 1 << 10;
        parallel_for(threads, n, kGrain, [&](std::int64_t begin, std::int64_t end, int worker) {
            interrupt.strips(
                begin, end, kRowsPerStrip, worker, [&](std::int64_t i, std::int64_t to) {
                    const std::int64_t first = i;
                    for (; i < to; ++i) {
                        const Index u = order.data()[i];
                        const Index* row = indices.data() + indptr.data()[u];
                        const Index* row_end = indices.data() + indptr.data()[u + 1];
                        Index* out = out_indices.data() + out_indptr.data()[i];
                        Index* out_end = std::transform(row, row_end, out,
                                                        [&](Index v) { return rank.data()[v]; });
                        std::sort(out, out_end);
                    }
                    // Sorting takes several steps an entry.
                    return 4 * (out_indptr.data()[to] - out_indptr.data()[first]);
                });
        });
    }
    interrupt.check();
}

template <class Offset, class Index>
void bind_as(nb::module_& m) {
    m.def("relabel", &relabel<Offset, Index>, nb::arg("indptr").noconvert(),
          nb::arg("indices").noconvert(), nb::arg("order").noconvert(), nb::arg("rank").noconvert(),
          nb::arg("out_indptr").noconvert(), nb::arg("out_indices").noconvert(),
          nb::arg("threads"));
}

}  // namespace
}  // namespace spbfs

void bind_relabel(nb::module_& m) {
    spbfs::bind_as<std::int32_t, std::int32_t>(m);
    spbfs::bind_as<std::int64_t, std::int32_t>(m);
    spbfs::bind_as<std::int64_t, std::int64_t>(m);
}
