// relabel(): the same graph with its vertices in another order, or some of them, and its neighbours
// in any order; restore(): what was found of it, by the labels from before.
//
// The caller owns every array and guarantees: square CSR with indices in range; `order` the old
// labels of the rows that are kept, all that have entries among them; `key` the place of every old
// label where neighbours are sorted, and `numbers` the new number at a place (none: the place
// itself); `out_indptr` the offsets of the kept rows in their new order; `rank` the new number of
// an old label, or -1.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include <algorithm>
#include <cstdint>
#include <optional>

#include "cpu/threads/interrupt.h"
#include "cpu/threads/parallel.h"

namespace nb = nanobind;

namespace spbfs {
namespace {

template <class T>
using Array = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class Offset, class Index>
void relabel(Array<const Offset> indptr, Array<const Index> indices, Array<const Index> order,
             Array<const Index> key, std::optional<Array<const Index>> numbers,
             Array<const Offset> out_indptr, Array<Index> out_indices, int threads) {
    const std::int64_t n = static_cast<std::int64_t>(order.shape(0));
    const Index* number = numbers ? numbers->data() : nullptr;
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
                                                        [&](Index v) { return key.data()[v]; });
                        std::sort(out, out_end);
                        if (number)
                            std::transform(out, out_end, out, [&](Index k) { return number[k]; });
                    }
                    // Sorting takes several steps an entry.
                    return 4 * (out_indptr.data()[to] - out_indptr.data()[first]);
                });
        });
    }
    interrupt.check();
}

// out[v] = values[rank[v]], through `labels` where they are given; -1 for what has no number, and
// for -1.
template <class Index>
void restore(Array<const Index> values, Array<const Index> rank,
             std::optional<Array<const Index>> labels, Array<Index> out, int threads) {
    if (values.shape(0) == 0) {
        std::fill_n(out.data(), rank.shape(0), Index{-1});
        return;
    }
    const Index* label = labels ? labels->data() : nullptr;
    // Which vertices have numbers no predictor knows: what is looked up in vain is the first.
    const auto look_up = [](const Index* at, Index i) {
        const Index none = i >> (8 * sizeof(Index) - 1);
        return static_cast<Index>(at[i & ~none] | none);
    };
    constexpr std::int64_t kGrain = 1 << 14;
    Unlocked unlocked;
    parallel_for(threads, static_cast<std::int64_t>(rank.shape(0)), kGrain,
                 [&](std::int64_t v, std::int64_t end, int) {
                     for (; v < end; ++v) {
                         const Index value = look_up(values.data(), rank.data()[v]);
                         out.data()[v] = label ? look_up(label, value) : value;
                     }
                 });
}

template <class Offset, class Index>
void bind_as(nb::module_& m) {
    m.def("relabel", &relabel<Offset, Index>, nb::arg("indptr").noconvert(),
          nb::arg("indices").noconvert(), nb::arg("order").noconvert(), nb::arg("key").noconvert(),
          nb::arg("numbers").none().noconvert(), nb::arg("out_indptr").noconvert(),
          nb::arg("out_indices").noconvert(), nb::arg("threads"));
}

template <class Index>
void bind_restore(nb::module_& m) {
    m.def("restore", &restore<Index>, nb::arg("values").noconvert(), nb::arg("rank").noconvert(),
          nb::arg("labels").none().noconvert(), nb::arg("out").noconvert(), nb::arg("threads"));
}

}  // namespace
}  // namespace spbfs

void bind_relabel(nb::module_& m) {
    spbfs::bind_as<std::int32_t, std::int32_t>(m);
    spbfs::bind_as<std::int64_t, std::int32_t>(m);
    spbfs::bind_as<std::int64_t, std::int64_t>(m);
    spbfs::bind_restore<std::int32_t>(m);
    spbfs::bind_restore<std::int64_t>(m);
}
