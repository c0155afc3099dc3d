// bfs_as_given(): one search along arrays that nobody has checked, sorted or copied, for those who
// search a graph once: what a conversion would look at, it looks at where it comes by.
//
// The textbook's queue, as nothing that needs preparation pays for one search.  Offsets and columns
// are checked in the rows that are reached, and an entry twice in a row is looked for where rows
// are not sorted; then the search says that it was none.  The caller guarantees n + 1 offsets, a
// source in range, and n elements of each output and of `order`.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <tuple>
#include <type_traits>
#include <vector>

#include "cpu/interrupt.h"

namespace nb = nanobind;

namespace spbfs::bfs {
namespace {

template <class T>
using Array = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class Offset, class Index>
struct Given {
    const Offset* indptr;
    const Index* indices;
    std::int64_t n, entries;

    bool valid_row(Index u) const {
        const Offset begin = indptr[u], end = indptr[u + 1];
        return 0 <= begin && begin <= end && static_cast<std::int64_t>(end) <= entries;
    }
};

struct Found {
    bool valid = true, sorted = true;
    std::int64_t reached = 1, depth = 0, edges = 0;
};

constexpr std::int64_t kRowsPerPoll = 1 << 12;
// Vertices between the fetch of a row and its use; bounds are fetched twice as far ahead.
constexpr std::int64_t kAhead = 8;

template <class Offset, class Index>
Found search(const Given<Offset, Index>& g, Index source, std::int64_t max_depth,
             std::int64_t target, Index* levels, Index* parents, Index* order,
             Interrupt& interrupt) {
    using Unsigned = std::make_unsigned_t<Index>;
    const auto n = static_cast<Unsigned>(g.n);
    if (levels) std::fill_n(levels, g.n, Index{-1});
    std::fill_n(parents, g.n, Index{-1});
    parents[source] = source;
    if (levels) levels[source] = 0;
    order[0] = source;
    Found found;
    std::int64_t begin = 0, size = 1, since = 0, work = 0;
    for (;;) {
        const std::int64_t end = size;
        const bool last = found.depth == max_depth || (target >= 0 && parents[target] >= 0);
        const auto deeper = static_cast<Index>(found.depth + 1);
        for (std::int64_t i = begin; i < end; ++i) {
            // What is prefetched may be anywhere: only to read it needs a row that is valid.
            if (i + 2 * kAhead < size) __builtin_prefetch(&g.indptr[order[i + 2 * kAhead]]);
            if (i + kAhead < size) __builtin_prefetch(g.indices + g.indptr[order[i + kAhead]]);
            const Index u = order[i];
            if (!g.valid_row(u)) found.valid = false;
            if (!found.valid) return found;
            const Offset row_end = g.indptr[u + 1];
            found.edges += row_end - g.indptr[u];
            work += row_end - g.indptr[u] + 1;
            if (++since == kRowsPerPoll) {
                if (interrupt.poll(0, work)) return found;
                since = work = 0;
            }
            Index before = -1;
            // When all are found, and at the last level, rows are only looked at.
            const bool looking = last || size == g.n;
            bool valid = true, sorted = true;
            for (Offset k = g.indptr[u]; k < row_end; ++k) {
                const Index v = g.indices[k];
                if (static_cast<Unsigned>(v) >= n) {
                    valid = false;
                    break;
                }
                sorted &= v > before;
                before = v;
                if (looking || parents[v] >= 0) continue;
                parents[v] = u;
                order[size++] = v;
            }
            found.valid &= valid;
            found.sorted &= sorted;
        }
        if (levels)
            for (std::int64_t i = end; i < size; ++i) levels[order[i]] = deeper;
        begin = end;
        if (last || size == end || !found.valid) break;
        found.depth = deeper;
    }
    found.reached = size;
    return found;
}

// Whether an entry of the rows that were reached occurs twice.
template <class Offset, class Index>
bool twice_in_a_row(const Given<Offset, Index>& g, const Index* order, std::int64_t reached) {
    std::vector<Index> last_row(static_cast<std::size_t>(g.n), Index{-1});
    for (std::int64_t i = 0; i < reached; ++i)
        for (Offset k = g.indptr[order[i]]; k < g.indptr[order[i] + 1]; ++k) {
            Index& row = last_row[g.indices[k]];
            if (row == order[i]) return true;
            row = order[i];
        }
    return false;
}

// Vertices reached, depth and edges; None where the arrays are not what a search may follow.
template <class Offset, class Index>
nb::object bfs_as_given(Array<const Offset> indptr, Array<const Index> indices, std::int64_t source,
                        std::int64_t max_depth, std::int64_t target,
                        std::optional<Array<Index>> levels, Array<Index> parents,
                        Array<Index> order) {
    const Given<Offset, Index> graph{indptr.data(), indices.data(),
                                     static_cast<std::int64_t>(indptr.shape(0)) - 1,
                                     static_cast<std::int64_t>(indices.shape(0))};
    Interrupt interrupt;
    Found found;
    {
        nb::gil_scoped_release unlocked;
        found = search(graph, static_cast<Index>(source), max_depth, target,
                       levels ? levels->data() : nullptr, parents.data(), order.data(), interrupt);
        if (found.valid && !found.sorted && !interrupt.stopped())
            found.valid = !twice_in_a_row(graph, order.data(), found.reached);
    }
    interrupt.check();
    if (!found.valid) return nb::none();
    return nb::make_tuple(found.reached, found.depth, found.edges);
}

template <class Offset, class Index>
void bind_as(nb::module_& m) {
    m.def("bfs_as_given", &bfs_as_given<Offset, Index>, nb::arg("indptr").noconvert(),
          nb::arg("indices").noconvert(), nb::arg("source"), nb::arg("max_depth"),
          nb::arg("target"), nb::arg("levels").none().noconvert(), nb::arg("parents").noconvert(),
          nb::arg("order").noconvert());
}

}  // namespace
}  // namespace spbfs::bfs

void bind_bfs_as_given(nb::module_& m) {
    spbfs::bfs::bind_as<std::int32_t, std::int32_t>(m);
    spbfs::bfs::bind_as<std::int64_t, std::int32_t>(m);
    spbfs::bfs::bind_as<std::int64_t, std::int64_t>(m);
}
