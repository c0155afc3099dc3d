// core_numbers(): the greatest k for which every vertex is in the k-core, which is what peeling had
// come to when it left.
//
// The caller guarantees a square CSR with a symmetric pattern and indices in range, loops allowed;
// `cores` n elements.
//
// Batagelj, Zaversnik: An O(m) algorithm for cores decomposition of networks (2003).
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <vector>

#include "cpu/cohesion/peeling.h"
#include "cpu/threads/interrupt.h"

namespace nb = nanobind;

namespace spbfs {
namespace {

template <class T>
using Array = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class Offset, class Index>
void core_numbers(Array<const Offset> indptr, Array<const Index> indices, Array<std::int64_t> cores,
                  int threads) {
    Interrupt interrupt;
    {
        Unlocked unlocked;
        const auto n = static_cast<std::int64_t>(cores.shape(0));
        std::vector<Index> order(n);
        Peeling<Offset, Index>(indptr.data(), indices.data(), n, order.data(), threads)
            .run(interrupt, [&](std::int64_t begin, std::int64_t end, Index least) {
                for (std::int64_t i = begin; i < end; ++i) cores.data()[order[i]] = least;
            });
    }
    interrupt.check();
}

template <class Offset, class Index>
void bind_as(nb::module_& m) {
    m.def("core_numbers", &core_numbers<Offset, Index>, nb::arg("indptr").noconvert(),
          nb::arg("indices").noconvert(), nb::arg("cores").noconvert(), nb::arg("threads"));
}

}  // namespace
}  // namespace spbfs

void bind_core_numbers(nb::module_& m) {
    spbfs::bind_as<std::int32_t, std::int32_t>(m);
    spbfs::bind_as<std::int64_t, std::int32_t>(m);
    spbfs::bind_as<std::int64_t, std::int64_t>(m);
}
