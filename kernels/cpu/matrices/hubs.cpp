// hubs(): for every vertex the in-neighbour that most edges enter, the likeliest to be in a
// frontier early.
//
// A pull that probes there first answers most vertices from one dense array and never fetches their
// rows. The caller guarantees canonical CSR; `entering` has the edges that enter every column,
// `hub` an element a row, `scratch` a byte a column.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <bit>
#include <cstdint>

#include "cpu/threads/interrupt.h"
#include "cpu/threads/parallel.h"

namespace nb = nanobind;

namespace spbfs {
namespace {

template <class T>
using Array = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

constexpr std::int64_t kGrain = 4096;

// A degree in a byte, larger for larger ones: its length in bits and the three bits after the
// first.  The bytes of a million vertices stay in cache, where their offsets would not.
inline std::uint8_t rank_of(std::int64_t degree) {
    const auto d = static_cast<std::uint64_t>(degree);
    const int length = std::bit_width(d);
    if (length <= 3) return static_cast<std::uint8_t>(d);
    if (length > 33) return 255;
    return static_cast<std::uint8_t>((length - 3) * 8 + ((d >> (length - 4)) & 7));
}

// A row without entries has itself; with `alone`, -1, as rows and columns are others' vertices.
template <class Offset, class Index>
void hubs(Array<const Offset> indptr_array, Array<const Index> indices_array,
          Array<const std::int64_t> entering_array, Array<Index> hub_array,
          Array<std::uint8_t> scratch, bool alone, int threads) {
    const Offset* indptr = indptr_array.data();
    const Index* indices = indices_array.data();
    const std::int64_t* entering = entering_array.data();
    Index* hub = hub_array.data();
    std::uint8_t* rank = scratch.data();
    const std::int64_t n = static_cast<std::int64_t>(indptr_array.shape(0)) - 1;
    const std::int64_t columns = static_cast<std::int64_t>(entering_array.shape(0));
    Interrupt interrupt;
    auto find = [&](std::int64_t begin, std::int64_t end) -> std::int64_t {
        for (std::int64_t v = begin; v < end; ++v) {
            int best = -1;
            Index found = alone ? Index{-1} : static_cast<Index>(v);
            for (Offset k = indptr[v]; k < indptr[v + 1]; ++k) {
                const Index u = indices[k];
                const int r = u == v && !alone ? -1 : rank[u];
                found = r > best ? u : found;
                best = r > best ? r : best;
            }
            hub[v] = found;
        }
        return indptr[end] - indptr[begin] + end - begin;
    };
    {
        Unlocked unlocked;
        Team team(threads);
        team.for_chunks(columns, kGrain, [&](std::int64_t v, std::int64_t end, int) {
            for (; v < end; ++v) rank[v] = rank_of(entering[v]);
        });
        team.for_chunks(n, kGrain, [&](std::int64_t begin, std::int64_t end, int worker) {
            interrupt.strips(begin, end, kRowsPerStrip, worker, find);
        });
    }
    interrupt.check();
}

template <class Offset, class Index>
void bind_as(nb::module_& m) {
    m.def("hubs", &hubs<Offset, Index>, nb::arg("indptr").noconvert(),
          nb::arg("indices").noconvert(), nb::arg("entering").noconvert(),
          nb::arg("hub").noconvert(), nb::arg("scratch").noconvert(), nb::arg("alone"),
          nb::arg("threads"));
}

}  // namespace
}  // namespace spbfs

void bind_hubs(nb::module_& m) {
    spbfs::bind_as<std::int32_t, std::int32_t>(m);
    spbfs::bind_as<std::int64_t, std::int32_t>(m);
    spbfs::bind_as<std::int64_t, std::int64_t>(m);
}
