// bfs_between(): a shortest path, searched from both its ends by turns.
//
// One thread: the searches end where they meet, mostly after few vertices, and which path is found
// follows from the order of the rows alone.  The caller guarantees sound arrays, those of the
// transpose among them, and two different vertices in range.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "cpu/python/owned.h"
#include "cpu/threads/interrupt.h"

namespace nb = nanobind;

namespace spbfs::bfs {
namespace {

template <class T>
using Array = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// One end of a search from both: who found every vertex, and the frontier.
template <class Offset, class Index>
struct End {
    const Offset* indptr;
    const Index* indices;
    std::unique_ptr<Index[]> found_by;
    std::vector<Index> frontier, next;

    End(const Offset* indptr, const Index* indices, std::int64_t n, Index from)
        : indptr(indptr),
          indices(indices),
          found_by(std::make_unique_for_overwrite<Index[]>(static_cast<std::size_t>(n))) {
        std::fill_n(found_by.get(), n, Index{-1});
        found_by[from] = from;
        frontier.push_back(from);
    }

    // One level; the first vertex that the other end has found as well, or -1.
    Index expand(const End& other, std::int64_t& work) {
        next.clear();
        for (const Index u : frontier) {
            work += indptr[u + 1] - indptr[u];
            for (Offset k = indptr[u]; k < indptr[u + 1]; ++k) {
                const Index v = indices[k];
                if (found_by[v] < 0) {
                    found_by[v] = u;
                    next.push_back(v);
                }
                if (other.found_by[v] >= 0) return v;
            }
        }
        frontier.swap(next);
        return -1;
    }
};

// The vertices of a shortest path, none where there is no path: levels from both ends by turns,
// always from the one with the smaller frontier.  `source` and `target` differ.
template <class Offset, class Index>
nb::object bfs_between(Array<const Offset> indptr, Array<const Index> indices,
                       Array<const Offset> back_indptr, Array<const Index> back_indices,
                       std::int64_t source, std::int64_t target) {
    const auto n = static_cast<std::int64_t>(indptr.shape(0)) - 1;
    std::vector<Index> path;
    Interrupt interrupt;
    {
        Unlocked unlocked;
        using Side = End<Offset, Index>;
        Side forward(indptr.data(), indices.data(), n, static_cast<Index>(source));
        Side backward(back_indptr.data(), back_indices.data(), n, static_cast<Index>(target));
        Index meeting = -1;
        while (meeting < 0 && !forward.frontier.empty() && !backward.frontier.empty()) {
            const bool from_source = forward.frontier.size() <= backward.frontier.size();
            std::int64_t work = 0;
            meeting = from_source ? forward.expand(backward, work) : backward.expand(forward, work);
            if (interrupt.poll(0, work)) break;
        }
        if (meeting >= 0) {
            for (Index v = meeting;; v = forward.found_by[v]) {
                path.push_back(v);
                if (forward.found_by[v] == v) break;
            }
            std::reverse(path.begin(), path.end());
            for (Index v = meeting; backward.found_by[v] != v;)
                path.push_back(v = backward.found_by[v]);
        }
    }
    interrupt.check();
    auto vertices = std::make_unique_for_overwrite<Index[]>(path.size());
    std::copy(path.begin(), path.end(), vertices.get());
    return owned(std::move(vertices), path.size());
}

template <class Offset, class Index>
void bind_as(nb::module_& m) {
    m.def("bfs_between", &bfs_between<Offset, Index>, nb::arg("indptr").noconvert(),
          nb::arg("indices").noconvert(), nb::arg("back_indptr").noconvert(),
          nb::arg("back_indices").noconvert(), nb::arg("source"), nb::arg("target"));
}

}  // namespace
}  // namespace spbfs::bfs

void bind_bfs_between(nb::module_& m) {
    using std::int32_t, std::int64_t;
    spbfs::bfs::bind_as<int32_t, int32_t>(m);
    spbfs::bfs::bind_as<int64_t, int32_t>(m);
    spbfs::bfs::bind_as<int64_t, int64_t>(m);
}
