// diagonal(): where every row of a CSR has its entry of the k-th diagonal, or -1.
//
// The caller guarantees canonical CSR and `out` as long as there are rows.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstdint>

#include "cpu/threads/interrupt.h"
#include "cpu/threads/parallel.h"

namespace nb = nanobind;

namespace spbfs {
namespace {

template <class T>
using Array = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class Offset, class Index>
void diagonal(Array<const Offset> indptr, Array<const Index> indices, std::int64_t k,
              Array<Offset> out, int threads) {
    constexpr std::int64_t kGrain = 1 << 12;
    Unlocked unlocked;
    parallel_for(threads, static_cast<std::int64_t>(out.shape(0)), kGrain,
                 [&](std::int64_t i, std::int64_t end, int) {
                     for (; i < end; ++i) {
                         const Index* row = indices.data() + indptr.data()[i];
                         const Index* row_end = indices.data() + indptr.data()[i + 1];
                         const Index* at = std::lower_bound(row, row_end, i + k);
                         const bool stored = at < row_end && *at == i + k;
                         out.data()[i] = stored ? static_cast<Offset>(at - indices.data()) : -1;
                     }
                 });
}

template <class Offset, class Index>
void bind_as(nb::module_& m) {
    m.def("diagonal", &diagonal<Offset, Index>, nb::arg("indptr").noconvert(),
          nb::arg("indices").noconvert(), nb::arg("k"), nb::arg("out").noconvert(),
          nb::arg("threads"));
}

}  // namespace
}  // namespace spbfs

void bind_diagonal(nb::module_& m) {
    spbfs::bind_as<std::int32_t, std::int32_t>(m);
    spbfs::bind_as<std::int64_t, std::int32_t>(m);
    spbfs::bind_as<std::int64_t, std::int64_t>(m);
}
