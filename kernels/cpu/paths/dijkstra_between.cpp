// dijkstra_between(): a shortest path over weights, searched from both its ends by turns.
//
// The ends take turns vertex by vertex, of vertices as far away that one first which was found
// first: so that of paths of one length that is found which NetworkX finds.  A path is the shortest
// when a vertex has been expanded from both ends.
//
// One thread.  The caller guarantees sound arrays, those of the transpose among them, no weight
// below 0 or NaN, and two different vertices in range.
//
// Pohl: Bi-directional search (1971); Nicholson: Finding the shortest route between two points in a
// network (1966).
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "cpu/paths/heap.h"
#include "cpu/python/owned.h"
#include "cpu/threads/interrupt.h"

namespace nb = nanobind;

namespace spbfs {
namespace {

template <class T>
using Array = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

constexpr double kFar = std::numeric_limits<double>::infinity();

template <class Index>
struct Found {
    double distance;
    std::int64_t turn;
    Index vertex;

    bool before(const Found& other) const {
        return distance != other.distance ? distance < other.distance : turn < other.turn;
    }
};

// One end: who found every vertex, how far away, and whether it is expanded.
template <class Offset, class Index>
struct End {
    const Offset* indptr;
    const Index* indices;
    const double* weights;
    std::vector<double> distances;
    std::unique_ptr<Index[]> found_by;
    std::vector<bool> done;
    Heap<Found<Index>> heap;

    End(const Offset* indptr, const Index* indices, const double* weights, std::int64_t n,
        Index from)
        : indptr(indptr),
          indices(indices),
          weights(weights),
          distances(static_cast<std::size_t>(n), kFar),
          found_by(std::make_unique_for_overwrite<Index[]>(static_cast<std::size_t>(n))),
          done(static_cast<std::size_t>(n)) {
        distances[from] = 0;
        found_by[from] = from;
        heap.push({0, 0, from});
    }
};

template <class Offset, class Index>
class BothEnds {
  public:
    using Side = End<Offset, Index>;

    BothEnds(Side& forward, Side& backward) : sides_{&forward, &backward} {}

    // Where the ends of a shortest path meet, or -1.
    Index meet(Interrupt& interrupt) {
        for (int turn = 0; !sides_[0]->heap.empty() && !sides_[1]->heap.empty(); turn ^= 1) {
            Side& here = *sides_[turn];
            const Found<Index> u = here.heap.pop();
            if (here.done[u.vertex]) continue;
            here.done[u.vertex] = true;
            if (sides_[turn ^ 1]->done[u.vertex]) return meeting_;
            expand(here, *sides_[turn ^ 1], u);
            if (interrupt.poll(0, here.indptr[u.vertex + 1] - here.indptr[u.vertex] + 1)) break;
        }
        return -1;
    }

    double length() const { return length_; }

  private:
    void expand(Side& here, const Side& there, const Found<Index>& u) {
        for (Offset k = here.indptr[u.vertex]; k < here.indptr[u.vertex + 1]; ++k) {
            const Index v = here.indices[k];
            const double distance = u.distance + here.weights[k];
            if (here.done[v] || distance >= here.distances[v]) continue;
            here.distances[v] = distance;
            here.found_by[v] = u.vertex;
            here.heap.push({distance, ++turns_, v});
            if (distance + there.distances[v] < length_) {
                length_ = distance + there.distances[v];
                meeting_ = v;
            }
        }
    }

    Side* const sides_[2];
    std::int64_t turns_ = 0;
    double length_ = kFar;
    Index meeting_ = -1;
};

// The length and the vertices of a shortest path, none where there is no path.
template <class Offset, class Index>
nb::object dijkstra_between(Array<const Offset> indptr, Array<const Index> indices,
                            Array<const double> weights, Array<const Offset> back_indptr,
                            Array<const Index> back_indices, Array<const double> back_weights,
                            std::int64_t source, std::int64_t target) {
    using Side = End<Offset, Index>;
    const auto n = static_cast<std::int64_t>(indptr.shape(0)) - 1;
    std::vector<Index> path;
    double length = 0;
    Interrupt interrupt;
    {
        Unlocked unlocked;
        Side forward(indptr.data(), indices.data(), weights.data(), n, static_cast<Index>(source));
        Side backward(back_indptr.data(), back_indices.data(), back_weights.data(), n,
                      static_cast<Index>(target));
        BothEnds<Offset, Index> ends(forward, backward);
        const Index meeting = ends.meet(interrupt);
        length = ends.length();
        if (meeting >= 0) {
            for (Index v = meeting; v != forward.found_by[v]; v = forward.found_by[v])
                path.push_back(v);
            path.push_back(static_cast<Index>(source));
            std::reverse(path.begin(), path.end());
            for (Index v = meeting; v != backward.found_by[v];)
                path.push_back(v = backward.found_by[v]);
        }
    }
    interrupt.check();
    auto vertices = std::make_unique_for_overwrite<Index[]>(path.size());
    std::copy(path.begin(), path.end(), vertices.get());
    return nb::make_tuple(length, owned(std::move(vertices), path.size()));
}

template <class Offset, class Index>
void bind_as(nb::module_& m) {
    m.def("dijkstra_between", &dijkstra_between<Offset, Index>, nb::arg("indptr").noconvert(),
          nb::arg("indices").noconvert(), nb::arg("weights").noconvert(),
          nb::arg("back_indptr").noconvert(), nb::arg("back_indices").noconvert(),
          nb::arg("back_weights").noconvert(), nb::arg("source"), nb::arg("target"));
}

}  // namespace
}  // namespace spbfs

void bind_dijkstra_between(nb::module_& m) {
    using std::int32_t, std::int64_t;
    spbfs::bind_as<int32_t, int32_t>(m);
    spbfs::bind_as<int64_t, int32_t>(m);
    spbfs::bind_as<int64_t, int64_t>(m);
}
