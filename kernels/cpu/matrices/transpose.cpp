// transpose(): the CSR of the transpose, by counting; symmetric(): whether a pattern equals its
// transpose.
//
// For transpose() the caller guarantees canonical CSR with indices in range; `out_indptr` has
// ncols + 1 entries.  symmetric() takes any n + 1 offsets and any columns.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <optional>
#include <utility>

#include "cpu/matrices/given.h"
#include "cpu/numbers/mixed.h"
#include "cpu/threads/interrupt.h"
#include "cpu/threads/parallel.h"

namespace nb = nanobind;

namespace spbfs {
namespace {

constexpr std::int64_t kEntriesPerStrip = 1 << 16;

template <class T>
using Array = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// Rows [begin, end) of block b of `blocks`, cut so that blocks have about the same number of
// entries.
template <class Offset>
std::int64_t block_begin(const Offset* indptr, std::int64_t nrows, int b, int blocks) {
    const Offset want = static_cast<Offset>(static_cast<double>(indptr[nrows]) * b / blocks);
    return b == blocks ? nrows : std::lower_bound(indptr, indptr + nrows, want) - indptr;
}

// Every entry of rows [begin, end) to the next place of its column.
template <class Offset, class Index, class Value>
void place_rows(const Offset* indptr, const Index* indices, const Value* values, std::int64_t begin,
                std::int64_t end, Offset* next, Index* out_indices, Value* out_values) {
    for (std::int64_t i = begin; i < end; ++i) {
        for (Offset k = indptr[i]; k < indptr[i + 1]; ++k) {
            const Offset to = next[indices[k]]++;
            out_indices[to] = static_cast<Index>(i);
            if (values) out_values[to] = values[k];
        }
    }
}

// Every block counts its own columns, so each knows where its entries of a column go: blocks write
// without atomics, and rows come out sorted because blocks and rows are in order.
template <class Offset, class Index, class Value>
void transpose_as(const Offset* indptr, const Index* indices, const Value* values,
                  std::int64_t nrows, std::int64_t ncols, Offset* out_indptr, Index* out_indices,
                  Value* out_values, Offset* place, int blocks, Team& team, Interrupt& interrupt) {
    team.for_chunks(blocks, 1, [&](std::int64_t b, std::int64_t, int worker) {
        Offset* count = place + b * ncols;
        std::fill_n(count, ncols, Offset{0});
        const Offset end = indptr[block_begin(indptr, nrows, b + 1, blocks)];
        interrupt.strips(indptr[block_begin(indptr, nrows, b, blocks)], end, kEntriesPerStrip,
                         worker, [&](std::int64_t from, std::int64_t to) {
                             for (std::int64_t k = from; k < to; ++k) ++count[indices[k]];
                             return to - from;
                         });
    });
    if (interrupt.stopped()) return;  // where entries go is not known
    Offset total = 0;
    for (std::int64_t j = 0; j < ncols; ++j) {
        out_indptr[j] = total;
        for (int b = 0; b < blocks; ++b) total += std::exchange(place[b * ncols + j], total);
    }
    out_indptr[ncols] = total;
    team.for_chunks(blocks, 1, [&](std::int64_t b, std::int64_t, int worker) {
        Offset* next = place + b * ncols;
        interrupt.strips(
            block_begin(indptr, nrows, b, blocks), block_begin(indptr, nrows, b + 1, blocks),
            kRowsPerStrip, worker, [&](std::int64_t begin, std::int64_t end) {
                place_rows(indptr, indices, values, begin, end, next, out_indices, out_values);
                return indptr[end] - indptr[begin] + end - begin;
            });
    });
}

template <class Offset, class Index>
void transpose(Array<const Offset> indptr, Array<const Index> indices,
               std::optional<Array<const std::uint8_t>> values, std::int64_t itemsize,
               Array<Offset> out_indptr, Array<Index> out_indices,
               std::optional<Array<std::uint8_t>> out_values, Array<Offset> place, int threads) {
    const std::int64_t nrows = static_cast<std::int64_t>(indptr.shape(0)) - 1;
    const std::int64_t ncols = static_cast<std::int64_t>(out_indptr.shape(0)) - 1;
    const int blocks = ncols == 0 ? 1 : static_cast<int>(place.shape(0) / ncols);
    Interrupt interrupt;
    Team team(threads);
    const void* from = values ? values->data() : nullptr;
    void* to = out_values ? out_values->data() : nullptr;
    auto as = [&]<class Value>(Value) {
        transpose_as(indptr.data(), indices.data(), static_cast<const Value*>(from), nrows, ncols,
                     out_indptr.data(), out_indices.data(), static_cast<Value*>(to), place.data(),
                     blocks, team, interrupt);
    };
    {
        Unlocked unlocked;
        if (itemsize == 8)
            as(std::uint64_t{});
        else if (itemsize == 4)
            as(std::uint32_t{});
        else if (itemsize == 2)
            as(std::uint16_t{});
        else
            as(std::uint8_t{});
    }
    interrupt.check();
}

// Whether a row has a column; of a row out of order it may miss one.
template <class Offset, class Index>
bool has(const Given<Offset, Index>& g, std::int64_t row, std::int64_t column) {
    return 0 <= row && row < g.n && g.valid_row(row) &&
           std::binary_search(g.indices + g.indptr[row], g.indices + g.indptr[row + 1], column);
}

// Whether one of a few random entries has no mirror image, as most have none in a directed graph.
template <class Offset, class Index>
bool lacks_mirror_image(const Given<Offset, Index>& g, std::uint64_t key) {
    constexpr std::uint64_t kSampled = 16;
    if (g.entries == 0) return false;
    for (std::uint64_t sample = 0; sample < kSampled; ++sample) {
        const auto k =
            static_cast<std::int64_t>(mixed(key + sample) % static_cast<std::uint64_t>(g.entries));
        const Offset* const after = std::upper_bound(g.indptr, g.indptr + g.n + 1, k);
        if (!has(g, g.indices[k], after - g.indptr - 1)) return true;
    }
    return false;
}

// The pairs right of the diagonal are those left of it, mirrored, if and only if both sets have the
// same sum of random numbers, one a pair; a difference goes unnoticed once in 2^64, whatever the
// matrix, as the numbers are drawn anew by every call.  Comparing entry by entry makes no
// error and takes 20 times longer: each searches for its mirror image elsewhere in memory.
//
// Where a row is out of order or has an entry twice, a pair may count on the wrong side; nothing
// cancels it there, so the answer is at worst no.
template <class Offset, class Index>
bool symmetric(Array<const Offset> indptr, Array<const Index> indices, int threads) {
    const auto n = static_cast<std::int64_t>(indptr.shape(0)) - 1;
    const auto g = Given<Offset, Index>::of(indptr.data(), indices.data(), n,
                                            static_cast<std::int64_t>(indices.shape(0)));
    if (!g.plausible()) return n == 0;
    const std::uint64_t key = random_key(), factor = random_key() | 1;
    if (lacks_mirror_image(g, key)) return false;
    std::atomic<std::uint64_t> difference{0};
    std::atomic<bool> sound{true};
    Interrupt interrupt;
    auto add_rows = [&](std::int64_t begin, std::int64_t end) -> std::int64_t {
        std::uint64_t sum = 0;
        for (std::int64_t row = begin; row < end; ++row) {
            if (!g.valid_row(row)) {
                sound.store(false, std::memory_order_relaxed);
                return end - begin;
            }
            const auto i = static_cast<std::uint64_t>(row);
            const Index diagonal = static_cast<Index>(row);
            Offset k = g.indptr[row];
            const Offset row_end = g.indptr[row + 1];
            for (; k < row_end && g.indices[k] < diagonal; ++k)
                sum -= mixed(key + static_cast<std::uint64_t>(g.indices[k]) * factor + i);
            if (k < row_end && g.indices[k] == diagonal) ++k;
            for (; k < row_end; ++k)
                sum += mixed(key + i * factor + static_cast<std::uint64_t>(g.indices[k]));
        }
        difference.fetch_add(sum, std::memory_order_relaxed);
        return g.indptr[end] - g.indptr[begin] + end - begin;
    };
    {
        Unlocked unlocked;
        parallel_for(threads, n, 1024, [&](std::int64_t begin, std::int64_t end, int worker) {
            interrupt.strips(begin, end, kRowsPerStrip, worker, add_rows);
        });
    }
    interrupt.check();
    return sound.load() && difference.load() == 0;
}

template <class Offset, class Index>
void bind_as(nb::module_& m) {
    m.def("transpose", &transpose<Offset, Index>, nb::arg("indptr").noconvert(),
          nb::arg("indices").noconvert(), nb::arg("values").none().noconvert(), nb::arg("itemsize"),
          nb::arg("out_indptr").noconvert(), nb::arg("out_indices").noconvert(),
          nb::arg("out_values").none().noconvert(), nb::arg("place").noconvert(),
          nb::arg("threads"));
    m.def("symmetric", &symmetric<Offset, Index>, nb::arg("indptr").noconvert(),
          nb::arg("indices").noconvert(), nb::arg("threads"));
}

}  // namespace
}  // namespace spbfs

void bind_transpose(nb::module_& m) {
    spbfs::bind_as<std::int32_t, std::int32_t>(m);
    spbfs::bind_as<std::int64_t, std::int32_t>(m);
    spbfs::bind_as<std::int64_t, std::int64_t>(m);
}
