// transitive_reduction(): which edges of a graph without cycles no other path leads along.
//
// Who is reached is told for some hundred vertices at a time, a bit each in a line of the cache
// that every vertex has.  Vertices come in turn from the end of a topological order: the lines of
// those that an edge leads to have been made, and all that is in one of them is reached by a longer
// way.
//
// The caller guarantees sound arrays, every vertex once in the order, behind all from which an edge
// leads to it, no loops, and an element of `kept` an entry.
//
// Aho, Garey, Ullman: The transitive reduction of a directed graph (1972).
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "cpu/threads/interrupt.h"

namespace nb = nanobind;

namespace spbfs {
namespace {

template <class T>
using Array = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

struct alignas(64) Line {
    static constexpr std::int64_t kBits = 512;
    std::array<std::uint64_t, kBits / 64> words{};

    void operator|=(const Line& other) {
        for (std::size_t k = 0; k < words.size(); ++k) words[k] |= other.words[k];
    }
    std::uint64_t has(std::int64_t bit) const { return words[bit / 64] >> (bit % 64) & 1; }
    void set(std::int64_t bit) { words[bit / 64] |= std::uint64_t{1} << (bit % 64); }
};

template <class Offset, class Index>
void transitive_reduction(Array<const Offset> indptr, Array<const Index> indices,
                          Array<const Index> order, Array<bool> kept) {
    const auto n = static_cast<std::int64_t>(order.shape(0));
    const Offset* const offsets = indptr.data();
    const Index* const columns = indices.data();
    Interrupt interrupt;
    {
        Unlocked unlocked;
        std::vector<Line> reached(static_cast<std::size_t>(n));
        for (std::int64_t first = 0; first < n && !interrupt.stopped(); first += Line::kBits) {
            for (std::int64_t at = n; at-- > 0;) {
                const Index u = order.data()[at];
                Line longer;
                for (Offset k = offsets[u]; k < offsets[u + 1]; ++k) longer |= reached[columns[k]];
                reached[u] = longer;
                for (Offset k = offsets[u]; k < offsets[u + 1]; ++k) {
                    const std::int64_t bit = columns[k] - first;
                    if (bit < 0 || bit >= Line::kBits) continue;
                    kept.data()[k] = !longer.has(bit);
                    reached[u].set(bit);
                }
                if (interrupt.poll(0, 2 * (offsets[u + 1] - offsets[u]) + 1)) break;
            }
        }
    }
    interrupt.check();
}

template <class Offset, class Index>
void bind_as(nb::module_& m) {
    m.def("transitive_reduction", &transitive_reduction<Offset, Index>,
          nb::arg("indptr").noconvert(), nb::arg("indices").noconvert(),
          nb::arg("order").noconvert(), nb::arg("kept").noconvert());
}

}  // namespace
}  // namespace spbfs

void bind_transitive_reduction(nb::module_& m) {
    using std::int32_t, std::int64_t;
    spbfs::bind_as<int32_t, int32_t>(m);
    spbfs::bind_as<int64_t, int32_t>(m);
    spbfs::bind_as<int64_t, int64_t>(m);
}
