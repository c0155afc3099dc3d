// packed_pull(), packed_push(): products with a Boolean matrix of few columns in packed bits.
//
// Row i of the result joins the rows of `bits` at the entries of row i of a CSR matrix, within row
// i of `mask` where that is given.  The caller owns every array and guarantees: indices in range;
// rows of `words` words (1, 2, 4, 8 or 16); for a push the transpose's arrays, and zeros in `out`.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include <optional>

#include "common/bits.h"
#include "cpu/numbers/words.h"
#include "cpu/threads/interrupt.h"
#include "cpu/threads/parallel.h"

namespace nb = nanobind;

namespace spbfs {
namespace {

template <class T>
using Array = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Mask = std::optional<Array<const Word>>;

template <int W>
inline bool any_of(const Word* row) {
    Word any = 0;
    for (int w = 0; w < W; ++w) any |= row[w];
    return any != 0;
}

// A row stops at the last bit that it may have.
template <class Offset, class Index>
void pull(Array<const Offset> indptr, Array<const Index> indices, Array<const Word> bits, Mask mask,
          Array<Word> out, int words, int threads) {
    const std::int64_t n = static_cast<std::int64_t>(indptr.shape(0)) - 1;
    Interrupt interrupt;
    with_words(words, [&]<int W>() {
        Unlocked unlocked;
        auto row = [&](std::int64_t i) {
            Word need[W], got[W] = {};
            for (int w = 0; w < W; ++w) need[w] = mask ? mask->data()[i * W + w] : ~Word{0};
            if (any_of<W>(need)) {
                for (Offset k = indptr.data()[i]; k < indptr.data()[i + 1]; ++k) {
                    const Word* other = bits.data() + std::int64_t{indices.data()[k]} * W;
                    Word missing = 0;
                    for (int w = 0; w < W; ++w) {
                        got[w] |= other[w];
                        missing |= need[w] & ~got[w];
                    }
                    if (missing == 0) break;
                }
            }
            for (int w = 0; w < W; ++w) out.data()[i * W + w] = got[w] & need[w];
        };
        constexpr std::int64_t kGrain = 512;
        parallel_for(threads, n, kGrain, [&](std::int64_t begin, std::int64_t end, int worker) {
            interrupt.strips(begin, end, kRowsPerStrip, worker,
                             [&](std::int64_t i, std::int64_t to) {
                                 const std::int64_t first = i;
                                 for (; i < to; ++i) row(i);
                                 return indptr.data()[to] - indptr.data()[first] + (to - first);
                             });
        });
    });
    interrupt.check();
}

// Rows of the transpose give their bits to where their entries lead.
template <class Offset, class Index>
void push(Array<const Offset> t_indptr, Array<const Index> t_indices, Array<const Word> bits,
          Mask mask, Array<Word> out, int words, int threads) {
    const std::int64_t n = static_cast<std::int64_t>(t_indptr.shape(0)) - 1;
    Interrupt interrupt;
    with_words(words, [&]<int W>() {
        Unlocked unlocked;
        auto row = [&](std::int64_t u) {
            const Word* mine = bits.data() + u * W;
            if (!any_of<W>(mine)) return;
            for (Offset k = t_indptr.data()[u]; k < t_indptr.data()[u + 1]; ++k) {
                const std::int64_t i = t_indices.data()[k];
                for (int w = 0; w < W; ++w)
                    give_bits<true>(out.data()[i * W + w],
                                    mask ? mine[w] & mask->data()[i * W + w] : mine[w]);
            }
        };
        constexpr std::int64_t kGrain = 512;
        parallel_for(threads, n, kGrain, [&](std::int64_t begin, std::int64_t end, int worker) {
            interrupt.strips(begin, end, kRowsPerStrip, worker,
                             [&](std::int64_t u, std::int64_t to) {
                                 const std::int64_t first = u;
                                 for (; u < to; ++u) row(u);
                                 return t_indptr.data()[to] - t_indptr.data()[first] + (to - first);
                             });
        });
    });
    interrupt.check();
}

template <class Offset, class Index>
void bind_as(nb::module_& m) {
    m.def("packed_pull", &pull<Offset, Index>, nb::arg("indptr").noconvert(),
          nb::arg("indices").noconvert(), nb::arg("bits").noconvert(),
          nb::arg("mask").none().noconvert(), nb::arg("out").noconvert(), nb::arg("words"),
          nb::arg("threads"));
    m.def("packed_push", &push<Offset, Index>, nb::arg("t_indptr").noconvert(),
          nb::arg("t_indices").noconvert(), nb::arg("bits").noconvert(),
          nb::arg("mask").none().noconvert(), nb::arg("out").noconvert(), nb::arg("words"),
          nb::arg("threads"));
}

}  // namespace
}  // namespace spbfs

void bind_packed(nb::module_& m) {
    spbfs::bind_as<std::int32_t, std::int32_t>(m);
    spbfs::bind_as<std::int64_t, std::int32_t>(m);
    spbfs::bind_as<std::int64_t, std::int64_t>(m);
}
