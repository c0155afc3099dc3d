// What is made of the bits of searches that have ended: levels, counts and sums.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <optional>
#include <vector>

#include "cpu/bfs_many/bfs_many_counts.h"
#include "cpu/bfs_many/bfs_many_levels.h"
#include "cpu/bfs_many/bfs_many_state.h"
#include "cpu/python/interpreter.h"
#include "cpu/threads/parallel.h"

namespace spbfs::many {

namespace nb = nanobind;

template <class T>
using Array = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Planes = std::vector<Array<Word>>;

// Vertices a chunk of what is done once for each.
constexpr std::int64_t kVertices = 1 << 14;

// Sets rows of bits to zero.
inline void clear(const Planes& arrays, int threads) {
    Unlocked unlocked;
    constexpr std::int64_t kGrain = 1 << 16;
    Team team(threads);
    for (const Array<Word>& array : arrays)
        team.for_chunks(static_cast<std::int64_t>(array.shape(0)), kGrain,
                        [&](std::int64_t begin, std::int64_t end, int) {
                            std::fill(array.data() + begin, array.data() + end, Word{0});
                        });
}

template <class T, class Index>
void levels(std::int64_t n, std::int64_t entered, Array<const Word> visited, const Planes& planes,
            int words, std::optional<Array<const Index>> rank, Array<const std::int64_t> rows,
            Array<T> out, int threads) {
    Reached<Index> r;
    r.n = n;
    r.searches = static_cast<std::int64_t>(rows.shape(0));
    r.entered = entered;
    r.words = words;
    r.nplanes = static_cast<int>(planes.size());
    r.visited = visited.data();
    const Word* bits[kMostPlanes];
    for (std::size_t b = 0; b < planes.size(); ++b) bits[b] = planes[b].data();
    r.planes = bits;
    r.rank = rank ? rank->data() : nullptr;
    r.rows = rows.data();
    Unlocked unlocked;
    constexpr std::int64_t kGrain = 1 << 13;
    parallel_for(threads, r.n, kGrain, [&](std::int64_t begin, std::int64_t end, int) {
        write_levels(r, begin, end, out.data());
    });
}

// The entries in the rows of what was reached, summed over searches; rows of bits are in the order
// of the graph's.
template <class Offset>
std::int64_t entries(Array<const Offset> indptr, Array<const Word> visited, int words,
                     int threads) {
    const std::int64_t n = static_cast<std::int64_t>(indptr.shape(0)) - 1;
    std::atomic<std::int64_t> sum{0};
    Unlocked unlocked;
    parallel_for(threads, n, kVertices, [&](std::int64_t begin, std::int64_t end, int) {
        sum.fetch_add(count_entries(indptr.data(), visited.data(), words, begin, end),
                      std::memory_order_relaxed);
    });
    return sum.load();
}

// Adds to every vertex the number of searches that reached it.
template <class Index>
void counts(Array<const Word> visited, int words, std::optional<Array<const Index>> rank,
            Array<std::int64_t> out, int threads) {
    Unlocked unlocked;
    parallel_for(threads, static_cast<std::int64_t>(out.shape(0)), kVertices,
                 [&](std::int64_t begin, std::int64_t end, int) {
                     for (std::int64_t v = begin; v < end; ++v) {
                         const std::int64_t row = rank ? rank->data()[v] : v;
                         out.data()[v] += count_bits(visited.data() + row * words, words);
                     }
                 });
}

template <class T, class Index>
void bind_levels(nb::module_& m) {
    m.def("bfs_many_levels", &levels<T, Index>, nb::arg("n"), nb::arg("entered"),
          nb::arg("visited").noconvert(), nb::arg("planes").noconvert(), nb::arg("words"),
          nb::arg("rank").none().noconvert(), nb::arg("rows").noconvert(),
          nb::arg("out").noconvert(), nb::arg("threads"));
}

template <class Offset>
void bind_entries(nb::module_& m) {
    m.def("bfs_many_entries", &entries<Offset>, nb::arg("indptr").noconvert(),
          nb::arg("visited").noconvert(), nb::arg("words"), nb::arg("threads"));
}

template <class Index>
void bind_counts(nb::module_& m) {
    m.def("bfs_many_counts", &counts<Index>, nb::arg("visited").noconvert(), nb::arg("words"),
          nb::arg("rank").none().noconvert(), nb::arg("out").noconvert(), nb::arg("threads"));
}

template <class T>
void bind_levels(nb::module_& m) {
    bind_levels<T, std::int32_t>(m);
    bind_levels<T, std::int64_t>(m);
}

inline void bind_results(nb::module_& m) {
    m.def("bfs_many_clear", &clear, nb::arg("arrays").noconvert(), nb::arg("threads"));
    bind_entries<std::int32_t>(m);
    bind_entries<std::int64_t>(m);
    bind_counts<std::int32_t>(m);
    bind_counts<std::int64_t>(m);
    bind_levels<std::uint8_t>(m);
    bind_levels<std::uint16_t>(m);
    bind_levels<std::uint32_t>(m);
}

}  // namespace spbfs::many
