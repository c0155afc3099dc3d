// weighted_betweenness(): what shortest paths over weights, from sources, give the vertices between
// their ends, summed into rows of `totals`; a source's row is its position modulo their number, so
// that every sum has the same order whatever the number of threads.
//
// Paths are as short where their lengths are equal as doubles.  They are counted in doubles.
//
// The caller guarantees sound arrays, weights above 0 and finite, and sources in range.
//
// Brandes: A faster algorithm for betweenness centrality (2001), its search being Dijkstra's.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
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

// Side by side, as they are asked for together.
struct Vertex {
    double distance = std::numeric_limits<double>::infinity();
    // Shortest paths from the source; in the way back (1 + dependency) / paths.
    double value = 0;
    bool done = false;
};

template <class Index>
struct Reached {
    double distance;
    Index vertex;

    bool before(const Reached& other) const { return distance < other.distance; }
};

template <class Offset, class Index>
class WeightedBrandes {
  public:
    WeightedBrandes(const Offset* indptr, const Index* indices, const double* weights,
                    std::int64_t n)
        : indptr_(indptr), indices_(indices), weights_(weights), vertices_(n) {}

    // Adds the dependencies of the source.
    void add(Index source, double* total, Interrupt& interrupt, int worker) {
        forward(source, interrupt, worker);
        if (!interrupt.stopped()) backward(total, interrupt, worker);
        for (const Index v : order_) vertices_[v] = {};
        order_.clear();
        heap_.clear();
    }

  private:
    // Lengths and numbers of paths; the vertices from the nearest to the farthest.
    void forward(Index source, Interrupt& interrupt, int worker) {
        vertices_[source] = {0, 1, false};
        heap_.push({0, source});
        while (!heap_.empty()) {
            const Index u = heap_.pop().vertex;
            Vertex& from = vertices_[u];
            if (from.done) continue;
            from.done = true;
            order_.push_back(u);
            for (Offset k = indptr_[u]; k < indptr_[u + 1]; ++k) {
                const Index v = indices_[k];
                Vertex& to = vertices_[v];
                const double distance = from.distance + weights_[k];
                if (distance < to.distance) {
                    to.distance = distance;
                    to.value = from.value;
                    heap_.push({distance, v});
                } else if (distance == to.distance && !to.done) {
                    to.value += from.value;
                }
            }
            if (interrupt.poll(worker, indptr_[u + 1] - indptr_[u] + 1)) return;
        }
    }

    // From the farthest vertex back to the source, which gets nothing.
    void backward(double* total, Interrupt& interrupt, int worker) {
        for (std::size_t i = order_.size(); i-- > 1;) {
            const Index u = order_[i];
            Vertex& from = vertices_[u];
            double shares = 0;
            for (Offset k = indptr_[u]; k < indptr_[u + 1]; ++k) {
                const Vertex& next = vertices_[indices_[k]];
                if (!next.done && from.distance + weights_[k] == next.distance)
                    shares += next.value;
            }
            const double dependency = from.value * shares;
            total[u] += dependency;
            from.value = (1 + dependency) / from.value;
            from.done = false;  // whose value is a share from now on
            if (interrupt.poll(worker, indptr_[u + 1] - indptr_[u] + 1)) return;
        }
    }

    const Offset* const indptr_;
    const Index* const indices_;
    const double* const weights_;
    std::vector<Vertex> vertices_;
    std::vector<Index> order_;
    Heap<Reached<Index>> heap_;
};

template <class Offset, class Index>
void weighted_betweenness(Array<const Offset> indptr, Array<const Index> indices,
                          Array<const double> weights, Array<const Index> sources,
                          Array<double> totals, std::int64_t rows, int threads) {
    const auto n = static_cast<std::int64_t>(indptr.shape(0)) - 1;
    const auto count = static_cast<std::int64_t>(sources.shape(0));
    Interrupt interrupt;
    {
        Unlocked unlocked;
        Team team(threads);
        std::vector<WeightedBrandes<Offset, Index>> searches(
            static_cast<std::size_t>(team.workers()),
            {indptr.data(), indices.data(), weights.data(), n});
        team.for_chunks(rows, 1, [&](std::int64_t row, std::int64_t, int worker) {
            for (std::int64_t i = row; i < count && !interrupt.stopped(); i += rows)
                searches[static_cast<std::size_t>(worker)].add(
                    sources.data()[i], totals.data() + row * n, interrupt, worker);
        });
    }
    interrupt.check();
}

template <class Offset, class Index>
void bind_as(nb::module_& m) {
    m.def("weighted_betweenness", &weighted_betweenness<Offset, Index>,
          nb::arg("indptr").noconvert(), nb::arg("indices").noconvert(),
          nb::arg("weights").noconvert(), nb::arg("sources").noconvert(),
          nb::arg("totals").noconvert(), nb::arg("rows"), nb::arg("threads"));
}

}  // namespace
}  // namespace spbfs

void bind_weighted_betweenness(nb::module_& m) {
    spbfs::bind_as<std::int32_t, std::int32_t>(m);
    spbfs::bind_as<std::int64_t, std::int32_t>(m);
    spbfs::bind_as<std::int64_t, std::int64_t>(m);
}
