// distances_by_potential(): lengths of shortest paths from each of some sources where lengths may
// be negative, every search by one worker.
//
// Dijkstra's algorithm in the order of distances less potentials, which Johnson's edges make and
// along which nobody comes nearer later on, but for what rounding does to that order: whoever comes
// nearer is pushed again.  Distances themselves are sums of the lengths as they are, in the order
// of the path, so that they are those of Bellman and Ford, however great potentials are beside
// them.
//
// Johnson: Efficient algorithms for shortest paths in sparse networks (1977).
//
// Data races: a search writes its row of the distances, and its worker's heap.
//
// The caller guarantees sound arrays, lengths whose sums are finite, no cycle of negative length,
// potentials that are finite, sources in range, and a row of n for each of them.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <vector>

#include "cpu/paths/heap.h"
#include "cpu/threads/interrupt.h"
#include "cpu/threads/parallel.h"

namespace nb = nanobind;

namespace spbfs {
namespace {

template <class T>
using Array = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class Index>
struct Reached {
    double key, distance;
    Index vertex;

    bool before(const Reached& other) const { return key < other.key; }
};

// Turns a vertex, on average, after which the order is of no use.
constexpr std::int64_t kMostTurns = 16;

template <class Offset, class Index>
struct Graph {
    const Offset* indptr;
    const Index* indices;
    const double* lengths;
    const double* potential;
    std::int64_t n;
};

// False where the search was given up.
template <class Offset, class Index>
bool search(const Graph<Offset, Index>& g, Index source, double* distances,
            Heap<Reached<Index>>& heap, Interrupt& interrupt, int worker) {
    std::fill_n(distances, g.n, std::numeric_limits<double>::infinity());
    heap.clear();
    distances[source] = 0;
    heap.push({-g.potential[source], 0, source});
    for (std::int64_t turns = 0; !heap.empty() && !interrupt.stopped();) {
        const Reached<Index> u = heap.pop();
        if (u.distance != distances[u.vertex]) continue;
        if (++turns > kMostTurns * g.n) return false;
        const Offset begin = g.indptr[u.vertex], end = g.indptr[u.vertex + 1];
        for (Offset k = begin; k < end; ++k) {
            const Index v = g.indices[k];
            const double there = u.distance + g.lengths[k];
            if (there >= distances[v]) continue;
            distances[v] = there;
            heap.push({there - g.potential[v], there, v});
        }
        interrupt.poll(worker, end - begin + 1);
    }
    return true;
}

// Whether no search was given up.
template <class Offset, class Index>
bool distances_by_potential(Array<const Offset> indptr, Array<const Index> indices,
                            Array<const double> lengths, Array<const double> potential,
                            Array<const std::int64_t> sources, Array<double> distances,
                            int threads) {
    const auto n = static_cast<std::int64_t>(indptr.shape(0)) - 1;
    const Graph<Offset, Index> g{indptr.data(), indices.data(), lengths.data(), potential.data(),
                                 n};
    const auto count = static_cast<std::int64_t>(sources.shape(0));
    std::atomic<bool> found{true};
    Interrupt interrupt;
    {
        Unlocked unlocked;
        Team team(threads);
        std::vector<Heap<Reached<Index>>> heaps(static_cast<std::size_t>(team.workers()));
        team.for_chunks(count, 1, [&](std::int64_t i, std::int64_t, int worker) {
            if (!found.load(std::memory_order_relaxed) || interrupt.stopped()) return;
            if (!search(g, static_cast<Index>(sources.data()[i]), distances.data() + i * n,
                        heaps[static_cast<std::size_t>(worker)], interrupt, worker))
                found.store(false, std::memory_order_relaxed);
        });
    }
    interrupt.check();
    return found.load();
}

template <class Offset, class Index>
void bind_as(nb::module_& m) {
    m.def("distances_by_potential", &distances_by_potential<Offset, Index>,
          nb::arg("indptr").noconvert(), nb::arg("indices").noconvert(),
          nb::arg("lengths").noconvert(), nb::arg("potential").noconvert(),
          nb::arg("sources").noconvert(), nb::arg("distances").noconvert(), nb::arg("threads"));
}

}  // namespace
}  // namespace spbfs

void bind_distances_by_potential(nb::module_& m) {
    using std::int32_t, std::int64_t;
    spbfs::bind_as<int32_t, int32_t>(m);
    spbfs::bind_as<int64_t, int32_t>(m);
    spbfs::bind_as<int64_t, int64_t>(m);
}
