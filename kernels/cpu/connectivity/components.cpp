// components(): the least vertex of everybody's component, edges taken without direction.
//
// All work is done in the array of labels, which is twice as long as parents of 32 bits: memory
// that nobody had before takes longer to get than to work in.
//
// components() has a square CSR in canonical order with indices in range; components_numbered() has
// arrays that nobody checked.  `labels`, `parents` and `numbers` have n entries.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <type_traits>

#include "cpu/connectivity/afforest.h"
#include "cpu/connectivity/joined.h"
#include "cpu/connectivity/joined_chunks.h"
#include "cpu/matrices/given.h"
#include "cpu/threads/interrupt.h"
#include "cpu/threads/parallel.h"

namespace nb = nanobind;

namespace spbfs {
namespace {

template <class T>
using Array = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// Entries a row up to which a graph has few.
constexpr std::int64_t kFewEntries = 5;

// Labels in the place of parents, which are in their upper half, while nobody joins.  The labels of
// the first half of vertices lie where there are no parents, those of half of the rest where the
// parents of these were, and so on; the last of them are written in their order, by one worker.
template <class Offset, class Index>
void widen(Joined<Offset, Index>& joined, std::int64_t* labels) {
    auto copy = [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t v = begin; v < end; ++v) {
            const std::int64_t label = joined.parents[v];
            std::memcpy(labels + v, &label, sizeof label);  // over numbers of another type
        }
    };
    std::int64_t done = 0;
    while (joined.n - done > kGrain && !joined.interrupt.stopped()) {
        const std::int64_t count = (joined.n - done) / 2;
        joined.team.for_chunks(count, kGrain, [&](std::int64_t begin, std::int64_t end, int) {
            copy(done + begin, done + end);
        });
        done += count;
    }
    copy(done, joined.n);
}

// The sets as trees of parents, none greater than its vertex.
template <class Offset, class Index>
void join(Joined<Offset, Index>& joined, Rows<Offset, Index> back) {
    if (joined.rows.indptr[joined.n] <= kFewEntries * joined.n)
        JoinedChunks<Offset, Index>(joined).link();
    else
        Afforest<Offset, Index>(joined, back).link();
}

template <class Offset, class Index>
void components(Array<const Offset> indptr, Array<const Index> indices,
                std::optional<Array<const Offset>> back_indptr,
                std::optional<Array<const Index>> back_indices, bool symmetric,
                Array<std::int64_t> labels, int threads) {
    constexpr bool narrow = sizeof(Index) < sizeof(std::int64_t);
    const auto n = static_cast<std::int64_t>(labels.shape(0));
    Rows<Offset, Index> back;
    if (back_indptr && back_indices) back = {back_indptr->data(), back_indices->data()};
    std::unique_ptr<Index[]> more(narrow ? nullptr : new Index[n]);
    Index* const room = reinterpret_cast<Index*>(labels.data());
    Interrupt interrupt;
    {
        Unlocked unlocked;
        Team team(threads);
        Joined<Offset, Index> joined{
            {indptr.data(), indices.data()}, symmetric, n,        narrow ? room + n : room,
            narrow ? room : more.get(),      team,      interrupt};
        join(joined, back);
        joined.flatten();
        if (narrow) widen(joined, labels.data());
    }
    interrupt.check();
}

// Whether offsets and columns are those of a CSR whose columns rise in every row.
template <class Offset, class Index>
bool canonical(const Given<Offset, Index>& g, Team& team) {
    if (!g.plausible()) return false;
    constexpr std::int64_t kChunk = 1 << 12;
    using Unsigned = std::make_unsigned_t<Index>;
    std::atomic<bool> sound{true};
    team.for_chunks(g.n, kChunk, [&](std::int64_t begin, std::int64_t end, int) {
        bool fine = true;
        for (std::int64_t v = begin; v < end && fine; ++v) {
            if (!(fine = g.valid_row(v)) || g.indptr[v] == g.indptr[v + 1]) continue;
            const Index* const row = g.indices + g.indptr[v];
            const Offset size = g.indptr[v + 1] - g.indptr[v];
            // Where they rise all are between the first and the last.
            fine = row[0] >= 0 && static_cast<Unsigned>(row[size - 1]) < static_cast<Unsigned>(g.n);
            for (Offset k = 1; k < size; ++k) fine &= row[k - 1] < row[k];
        }
        if (!fine) sound.store(false, std::memory_order_relaxed);
    });
    return sound.load();
}

// How many components there are, `numbers` in the order of their least vertices; -1 where the
// arrays are no such CSR.
template <class Offset, class Index>
std::int64_t components_numbered(Array<const Offset> indptr, Array<const Index> indices,
                                 Array<Index> parents, Array<Index> numbers, int threads) {
    const auto n = static_cast<std::int64_t>(numbers.shape(0));
    const auto given = Given<Offset, Index>::of(indptr.data(), indices.data(), n,
                                                static_cast<std::int64_t>(indices.shape(0)));
    std::int64_t count = -1;
    Interrupt interrupt;
    {
        Unlocked unlocked;
        Team team(threads);
        if (canonical(given, team)) {
            // What is noted of second edges is used up when components are numbered.
            Joined<Offset, Index> joined{{given.indptr, given.indices},
                                         false,
                                         n,
                                         parents.data(),
                                         numbers.data(),
                                         team,
                                         interrupt};
            join(joined, Rows<Offset, Index>{});
            count = 0;
            // A parent is less than its vertex, and has its number.
            for (std::int64_t v = 0; v < n && !interrupt.stopped(); ++v) {
                const Index parent = parents.data()[v];
                numbers.data()[v] =
                    parent == v ? static_cast<Index>(count++) : numbers.data()[parent];
            }
        }
    }
    interrupt.check();
    return count;
}

template <class Offset, class Index>
void bind_as(nb::module_& m) {
    m.def("components_numbered", &components_numbered<Offset, Index>, nb::arg("indptr").noconvert(),
          nb::arg("indices").noconvert(), nb::arg("parents").noconvert(),
          nb::arg("numbers").noconvert(), nb::arg("threads"));
    m.def("components", &components<Offset, Index>, nb::arg("indptr").noconvert(),
          nb::arg("indices").noconvert(), nb::arg("back_indptr").none().noconvert(),
          nb::arg("back_indices").none().noconvert(), nb::arg("symmetric"),
          nb::arg("labels").noconvert(), nb::arg("threads"));
}

}  // namespace
}  // namespace spbfs

void bind_components(nb::module_& m) {
    spbfs::bind_as<std::int32_t, std::int32_t>(m);
    spbfs::bind_as<std::int64_t, std::int32_t>(m);
    spbfs::bind_as<std::int64_t, std::int64_t>(m);
}
