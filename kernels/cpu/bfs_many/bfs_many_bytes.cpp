// Many breadth-first searches in one traversal, a status byte a search, with one queue for all of
// them: what iBFS calls joint traversal, before its bits.  For comparison, a level at a time:
// bfs_many_bytes_census(), bfs_many_bytes_enqueue(), bfs_many_bytes_expand().
//
// Liu, Huang, Hu: iBFS: concurrent breadth-first search on GPUs (SIGMOD 2016), section 4.
//
// Row v of `status` has a byte a search: the level of v, or kUnvisited.  The caller owns every
// array and guarantees: indices in range; levels 0 at the sources and kUnvisited elsewhere at
// first; room for n vertices in `queue`; at most kMostSearches.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <tuple>
#include <utility>

#include "cpu/threads/interrupt.h"
#include "cpu/threads/parallel.h"

namespace nb = nanobind;

namespace spbfs {
namespace {

template <class T>
using Array = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Byte = std::uint8_t;

constexpr Byte kUnvisited = 255;
constexpr int kMostSearches = 1024;
constexpr std::int64_t kGrain = 256;

// Several threads may visit the same vertex for the same search, all with the same level.
inline Byte seen(const Byte* at) {
    return std::atomic_ref<Byte>(*const_cast<Byte*>(at)).load(std::memory_order_relaxed);
}
inline void visit(Byte* at, Byte level) {
    std::atomic_ref<Byte>(*at).store(level, std::memory_order_relaxed);
}

// Pairs of a vertex and a search for which it is at a level, entries in the rows of these; the same
// of what is not visited.
template <class Offset>
std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t> census(
    Array<const Offset> indptr, Array<const Byte> status, int searches, int level, int threads) {
    const auto n = static_cast<std::int64_t>(indptr.shape(0)) - 1;
    std::atomic<std::int64_t> frontier{0}, edges{0}, unvisited{0}, unvisited_edges{0};
    Interrupt interrupt;
    {
        Unlocked unlocked;
        parallel_for(threads, n, kGrain, [&](std::int64_t begin, std::int64_t end, int worker) {
            std::int64_t sums[4] = {};
            if (interrupt.stopped()) return;
            for (std::int64_t v = begin; v < end; ++v) {
                const Byte* row = status.data() + v * searches;
                const std::int64_t degree = indptr.data()[v + 1] - indptr.data()[v];
                int at_level = 0, open = 0;
                for (int j = 0; j < searches; ++j) {
                    at_level += row[j] == level;
                    open += row[j] == kUnvisited;
                }
                sums[0] += at_level;
                sums[1] += at_level * degree;
                sums[2] += open;
                sums[3] += open * degree;
            }
            frontier += sums[0];
            edges += sums[1];
            unvisited += sums[2];
            unvisited_edges += sums[3];
            interrupt.poll(worker, (end - begin) * searches / 16);
        });
    }
    interrupt.check();
    return {frontier, edges, unvisited, unvisited_edges};
}

// The queue of all searches, how long it is: every vertex with this status for some of them.
template <class Index>
std::int64_t enqueue(Array<const Byte> status, Array<Index> queue, int searches, int wanted,
                     int threads) {
    const auto n = static_cast<std::int64_t>(status.shape(0)) / searches;
    std::atomic<std::int64_t> tail{0};
    Interrupt interrupt;
    {
        Unlocked unlocked;
        parallel_for(threads, n, kGrain, [&](std::int64_t begin, std::int64_t end, int worker) {
            std::array<Index, kGrain> found;
            std::int64_t size = 0;
            if (interrupt.stopped()) return;
            for (std::int64_t v = begin; v < end; ++v) {
                const Byte* row = status.data() + v * searches;
                bool any = false;
                for (int j = 0; j < searches; ++j) any |= row[j] == wanted;
                if (any) found[size++] = static_cast<Index>(v);
            }
            std::copy_n(found.begin(), size, queue.data() + tail.fetch_add(size));
            interrupt.poll(worker, (end - begin) * searches / 16);
        });
    }
    interrupt.check();
    return tail;
}

// A row pushed: it gives the next level to neighbours that its searches have not visited.  Entries
// read, and statuses that searches looked at for them.
template <class Offset, class Index>
std::pair<std::int64_t, std::int64_t> push(const Offset* indptr, const Index* indices,
                                           std::int64_t v, Byte* status, int searches, Byte level) {
    std::array<int, kMostSearches> sharing;
    int count = 0;
    for (int j = 0; j < searches; ++j)
        if (seen(status + v * searches + j) == level) sharing[count++] = j;
    for (Offset k = indptr[v]; k < indptr[v + 1]; ++k) {
        Byte* const other = status + std::int64_t{indices[k]} * searches;
        for (int s = 0; s < count; ++s)
            if (seen(other + sharing[s]) == kUnvisited)
                visit(other + sharing[s], static_cast<Byte>(level + 1));
    }
    const std::int64_t entries = indptr[v + 1] - indptr[v];
    return {entries, entries * count};
}

// A row pulled: it looks for a visited neighbour, for every search until that has found one.
template <class Offset, class Index>
std::pair<std::int64_t, std::int64_t> pull(const Offset* indptr, const Index* indices,
                                           std::int64_t v, Byte* status, int searches, Byte level) {
    std::array<int, kMostSearches> open;
    int count = 0;
    Byte* const row = status + v * searches;
    for (int j = 0; j < searches; ++j)
        if (row[j] == kUnvisited) open[count++] = j;
    std::int64_t looked = 0;
    Offset k = indptr[v];
    for (; k < indptr[v + 1] && count; ++k) {
        const Byte* const other = status + std::int64_t{indices[k]} * searches;
        looked += count;
        for (int s = 0; s < count;) {
            if (seen(other + open[s]) <= level) {
                visit(row + open[s], static_cast<Byte>(level + 1));
                open[s] = open[--count];
            } else {
                ++s;
            }
        }
    }
    return {k - indptr[v], looked};
}

// All rows of a queue: out-edges where they are pushed, in-edges where they are pulled.
template <class Offset, class Index>
std::tuple<std::int64_t, std::int64_t> expand(Array<const Offset> indptr,
                                              Array<const Index> indices, Array<Byte> status,
                                              Array<const Index> queue, std::int64_t queued,
                                              int searches, int level, bool pulled, int threads) {
    std::atomic<std::int64_t> entries{0}, inspections{0};
    Interrupt interrupt;
    {
        Unlocked unlocked;
        const auto row = pulled ? pull<Offset, Index> : push<Offset, Index>;
        parallel_for(threads, queued, kGrain / 8,
                     [&](std::int64_t begin, std::int64_t end, int worker) {
                         std::int64_t sums[2] = {};
                         for (std::int64_t i = begin; i < end && !interrupt.stopped(); ++i) {
                             const auto [read, looked] =
                                 row(indptr.data(), indices.data(), std::int64_t{queue.data()[i]},
                                     status.data(), searches, static_cast<Byte>(level));
                             sums[0] += read;
                             sums[1] += looked;
                             interrupt.poll(worker, read + looked / 16);
                         }
                         entries += sums[0];
                         inspections += sums[1];
                     });
    }
    interrupt.check();
    return {entries, inspections};
}

template <class Offset, class Index>
void bind_as(nb::module_& m) {
    m.def("bfs_many_bytes_expand", &expand<Offset, Index>, nb::arg("indptr").noconvert(),
          nb::arg("indices").noconvert(), nb::arg("status").noconvert(),
          nb::arg("queue").noconvert(), nb::arg("queued"), nb::arg("searches"), nb::arg("level"),
          nb::arg("pulled"), nb::arg("threads"));
}

template <class Width>
void bind_width(nb::module_& m) {
    m.def("bfs_many_bytes_census", &census<Width>, nb::arg("indptr").noconvert(),
          nb::arg("status").noconvert(), nb::arg("searches"), nb::arg("level"), nb::arg("threads"));
    m.def("bfs_many_bytes_enqueue", &enqueue<Width>, nb::arg("status").noconvert(),
          nb::arg("queue").noconvert(), nb::arg("searches"), nb::arg("wanted"), nb::arg("threads"));
}

}  // namespace
}  // namespace spbfs

void bind_bfs_many_bytes(nb::module_& m) {
    spbfs::bind_width<std::int32_t>(m);
    spbfs::bind_width<std::int64_t>(m);
    spbfs::bind_as<std::int32_t, std::int32_t>(m);
    spbfs::bind_as<std::int64_t, std::int32_t>(m);
    spbfs::bind_as<std::int64_t, std::int64_t>(m);
}
