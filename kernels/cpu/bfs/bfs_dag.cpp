// bfs_dag(): levels from the nearest of some sources, the edges from each level to the next, and
// how many shortest paths end at every vertex, by one queue.
//
// A vertex leaves the queue when all before it have, so that the paths to it are counted by then.
// They are counted in doubles, in the order of the queue.
//
// The caller guarantees sound arrays, distinct sources in range, n levels and counts of paths, and
// a flag for each edge.
//
// Brandes: A faster algorithm for betweenness centrality (2001), its first half.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cpu/threads/interrupt.h"

namespace nb = nanobind;

namespace spbfs::bfs {
namespace {

template <class T>
using Array = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// How many vertices are reached; the levels of others are -1.
template <class Offset, class Index>
std::int64_t bfs_dag(Array<const Offset> indptr, Array<const Index> indices,
                     Array<const std::int64_t> sources, Array<std::int64_t> levels,
                     Array<double> paths, Array<bool> ahead) {
    const auto n = static_cast<std::int64_t>(indptr.shape(0)) - 1;
    const Offset* const offsets = indptr.data();
    const Index* const columns = indices.data();
    std::int64_t* const level = levels.data();
    double* const count = paths.data();
    bool* const is_ahead = ahead.data();
    std::vector<Index> queue;
    Interrupt interrupt;
    {
        Unlocked unlocked;
        std::fill_n(level, n, std::int64_t{-1});
        std::fill_n(count, n, 0.0);
        std::fill_n(is_ahead, offsets[n], false);
        for (std::size_t i = 0; i < sources.shape(0); ++i) {
            const auto s = static_cast<Index>(sources.data()[i]);
            level[s] = 0;
            count[s] = 1;
            queue.push_back(s);
        }
        for (std::size_t at = 0; at < queue.size(); ++at) {
            const Index u = queue[at];
            for (Offset k = offsets[u]; k < offsets[u + 1]; ++k) {
                const Index v = columns[k];
                if (level[v] < 0) {
                    level[v] = level[u] + 1;
                    queue.push_back(v);
                }
                if (level[v] <= level[u]) continue;
                count[v] += count[u];
                is_ahead[k] = true;
            }
            if (interrupt.poll(0, offsets[u + 1] - offsets[u] + 1)) break;
        }
    }
    interrupt.check();
    return static_cast<std::int64_t>(queue.size());
}

template <class Offset, class Index>
void bind_as(nb::module_& m) {
    m.def("bfs_dag", &bfs_dag<Offset, Index>, nb::arg("indptr").noconvert(),
          nb::arg("indices").noconvert(), nb::arg("sources").noconvert(),
          nb::arg("levels").noconvert(), nb::arg("paths").noconvert(),
          nb::arg("ahead").noconvert());
}

}  // namespace
}  // namespace spbfs::bfs

void bind_bfs_dag(nb::module_& m) {
    using std::int32_t, std::int64_t;
    spbfs::bfs::bind_as<int32_t, int32_t>(m);
    spbfs::bfs::bind_as<int64_t, int32_t>(m);
    spbfs::bfs::bind_as<int64_t, int64_t>(m);
}
