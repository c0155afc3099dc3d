// transitive_closure(): by which of some hundred sources the vertices of a graph without cycles are
// reached, a bit each.
//
// Vertices come in turn along a topological order, so that the lines of bits of all from which an
// edge enters one have been made: its own is their union, and those of them that are sources.
//
// The caller guarantees sound arrays of the transpose, every vertex once in the order, behind all
// from which an edge leads to it, no loops, and `bits` of 1, 2, 4 or 8 words a vertex, of which
// `count` bits are used: bit k stands for vertex `first` + k.
//
// Purdom: A transitive closure algorithm (1970).
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <array>
#include <cstdint>

#include "cpu/threads/interrupt.h"

namespace nb = nanobind;

namespace spbfs {
namespace {

template <class T>
using Array = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <std::size_t Words, class Offset, class Index>
void pass(const Offset* offsets, const Index* sources, const Index* order, std::int64_t n,
          std::int64_t first, std::int64_t count, std::uint64_t* bits, Interrupt& interrupt) {
    for (std::int64_t at = 0; at < n; ++at) {
        const Index v = order[at];
        std::array<std::uint64_t, Words> line{};
        for (Offset k = offsets[v]; k < offsets[v + 1]; ++k) {
            const std::int64_t u = sources[k];
            for (std::size_t w = 0; w < Words; ++w) line[w] |= bits[u * Words + w];
            const std::int64_t bit = u - first;
            if (bit >= 0 && bit < count) line[bit / 64] |= std::uint64_t{1} << (bit % 64);
        }
        for (std::size_t w = 0; w < Words; ++w) bits[v * Words + w] = line[w];
        if (interrupt.poll(0, offsets[v + 1] - offsets[v] + 1)) return;
    }
}

template <class Offset, class Index>
void transitive_closure(Array<const Offset> indptr, Array<const Index> indices,
                        Array<const Index> order, std::int64_t first, std::int64_t count,
                        Array<std::uint64_t> bits) {
    const auto n = static_cast<std::int64_t>(order.shape(0));
    const std::int64_t words = n == 0 ? 1 : static_cast<std::int64_t>(bits.shape(0)) / n;
    Interrupt interrupt;
    const auto run = [&]<std::size_t Words>() {
        pass<Words>(indptr.data(), indices.data(), order.data(), n, first, count, bits.data(),
                    interrupt);
    };
    {
        Unlocked unlocked;
        if (words == 1)
            run.template operator()<1>();
        else if (words == 2)
            run.template operator()<2>();
        else if (words == 4)
            run.template operator()<4>();
        else
            run.template operator()<8>();
    }
    interrupt.check();
}

template <class Offset, class Index>
void bind_as(nb::module_& m) {
    m.def("transitive_closure", &transitive_closure<Offset, Index>, nb::arg("indptr").noconvert(),
          nb::arg("indices").noconvert(), nb::arg("order").noconvert(), nb::arg("first"),
          nb::arg("count"), nb::arg("bits").noconvert());
}

}  // namespace
}  // namespace spbfs

void bind_transitive_closure(nb::module_& m) {
    using std::int32_t, std::int64_t;
    spbfs::bind_as<int32_t, int32_t>(m);
    spbfs::bind_as<int64_t, int32_t>(m);
    spbfs::bind_as<int64_t, int64_t>(m);
}
