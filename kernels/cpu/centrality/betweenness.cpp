// betweenness(): what shortest paths from sources give the vertices between their ends, summed into
// rows of `sums`, and these, scaled, into `total`; a source's row is its position modulo their
// number, so that every sum has the same order whatever the number of threads.
//
// Rows are made side by side, by a thread each; where there are more threads, several share one.
//
// The caller guarantees square CSRs of a pattern and, where it is known, of its transpose, with
// indices in range, and sources in range.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>

#include "cpu/centrality/betweenness_search.h"
#include "cpu/threads/interrupt.h"
#include "cpu/threads/parallel.h"
#include "cpu/threads/workers.h"

namespace nb = nanobind;

namespace spbfs {
namespace {

template <class T>
using Array = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// Searches one after the other, with their threads and each with its memory from when it is needed
// on.
template <class Offset, class Index>
class Searches {
  public:
    Searches(const Graph<Offset, Index>& graph, int threads, Interrupt& interrupt, bool may_ask)
        : graph_(graph), workers_(threads, interrupt, may_ask) {}

    // Adds the dependencies of the source; returns the edges from what it reaches.
    std::int64_t add(Index source, double* sum) {
        const std::int64_t edges = made(narrow_).add(source, sum, workers_);
        return edges < 0 ? made(wide_).add(source, sum, workers_) : edges;
    }

  private:
    template <class Search>
    Search& made(std::unique_ptr<Search>& search) {
        if (!search) search = std::make_unique<Search>(graph_);
        return *search;
    }

    const Graph<Offset, Index>& graph_;
    Workers workers_;
    std::unique_ptr<Brandes<Offset, Index, double>> narrow_;
    std::unique_ptr<Brandes<Offset, Index, Wide>> wide_;
};

constexpr std::int64_t kVerticesPerSum = 1 << 12;

// The edges from what the sources reach.
template <class Offset, class Index>
std::int64_t betweenness(Array<const Offset> indptr, Array<const Index> indices,
                         std::optional<Array<const Offset>> in_indptr,
                         std::optional<Array<const Index>> in_indices, Array<const Index> sources,
                         Array<double> sums, std::int64_t rows, double scale, Array<double> total,
                         int threads) {
    const std::int64_t n = static_cast<std::int64_t>(indptr.shape(0)) - 1;
    Graph<Offset, Index> graph{{indptr.data(), indices.data()}, {}, n};
    if (in_indptr) graph.into = {in_indptr->data(), in_indices->data()};
    const auto count = static_cast<std::int64_t>(sources.shape(0));
    const int at_once = static_cast<int>(std::min<std::int64_t>(rows, threads));
    std::atomic<std::int64_t> edges{0};
    Interrupt interrupt;
    {
        Unlocked unlocked;
        {
            Team team(at_once);
            std::deque<Searches<Offset, Index>> searches;
            for (int w = 0; w < at_once; ++w)
                searches.emplace_back(graph, threads / at_once + (w < threads % at_once), interrupt,
                                      w == 0);
            team.for_chunks(rows, 1, [&](std::int64_t row, std::int64_t, int worker) {
                double* const sum = sums.data() + row * n;
                for (std::int64_t i = row; i < count && !interrupt.stopped(); i += rows)
                    edges += searches[worker].add(sources.data()[i], sum);
            });
        }
        parallel_for(threads, n, kVerticesPerSum, [&](std::int64_t from, std::int64_t to, int) {
            for (std::int64_t v = from; v < to; ++v) {
                double sum = sums.data()[v];
                for (std::int64_t row = 1; row < rows; ++row) sum += sums.data()[row * n + v];
                total.data()[v] = sum * scale;
            }
        });
    }
    interrupt.check();
    return edges.load();
}

template <class Offset, class Index>
void bind_as(nb::module_& m) {
    m.def("betweenness", &betweenness<Offset, Index>, nb::arg("indptr").noconvert(),
          nb::arg("indices").noconvert(), nb::arg("in_indptr").noconvert().none(),
          nb::arg("in_indices").noconvert().none(), nb::arg("sources").noconvert(),
          nb::arg("sums").noconvert(), nb::arg("rows"), nb::arg("scale"),
          nb::arg("total").noconvert(), nb::arg("threads"));
}

}  // namespace
}  // namespace spbfs

void bind_betweenness(nb::module_& m) {
    spbfs::bind_as<std::int32_t, std::int32_t>(m);
    spbfs::bind_as<std::int64_t, std::int32_t>(m);
    spbfs::bind_as<std::int64_t, std::int64_t>(m);
}
