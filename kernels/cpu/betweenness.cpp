// betweenness(): what shortest paths from sources give the vertices between their ends, summed into
// rows of `totals`; a source's row is its position modulo their number, so that every sum has the
// same order whatever the number of threads.
//
// The caller guarantees square CSRs of a pattern and, where it is known, of its transpose, with
// indices in range, and sources in range.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "cpu/betweenness_search.h"
#include "cpu/interrupt.h"
#include "cpu/parallel.h"

namespace nb = nanobind;

namespace spbfs {
namespace {

template <class T>
using Array = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// The searches of one worker, each with its memory from when it is needed on.
template <class Offset, class Index>
struct Searches {
    std::unique_ptr<Brandes<Offset, Index, double>> narrow;
    std::unique_ptr<Brandes<Offset, Index, Wide>> wide;

    template <class Search>
    static Search& made(std::unique_ptr<Search>& search, const Graph<Offset, Index>& graph) {
        if (!search) search = std::make_unique<Search>(graph);
        return *search;
    }
};

// The edges from what the sources reach.
template <class Offset, class Index>
std::int64_t betweenness(Array<const Offset> indptr, Array<const Index> indices,
                         std::optional<Array<const Offset>> in_indptr,
                         std::optional<Array<const Index>> in_indices, Array<const Index> sources,
                         Array<double> totals, std::int64_t rows, int threads) {
    const std::int64_t n = static_cast<std::int64_t>(indptr.shape(0)) - 1;
    Graph<Offset, Index> graph{{indptr.data(), indices.data()}, {}, n};
    if (in_indptr) graph.into = {in_indptr->data(), in_indices->data()};
    const auto count = static_cast<std::int64_t>(sources.shape(0));
    std::atomic<std::int64_t> edges{0};
    Interrupt interrupt;
    {
        Unlocked unlocked;
        Team team(threads);
        std::vector<Searches<Offset, Index>> searches(team.workers());
        team.for_chunks(rows, 1, [&](std::int64_t row, std::int64_t, int worker) {
            auto& [narrow, wide] = searches[worker];
            auto add = [&](auto& search, Index source) {
                return Searches<Offset, Index>::made(search, graph)
                    .add(source, totals.data() + row * n, interrupt, worker);
            };
            for (std::int64_t i = row; i < count; i += rows) {
                if (interrupt.stopped()) return;
                const Index source = sources.data()[i];
                const std::int64_t seen = add(narrow, source);
                edges += seen < 0 ? add(wide, source) : seen;
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
          nb::arg("totals").noconvert(), nb::arg("rows"), nb::arg("threads"));
}

}  // namespace
}  // namespace spbfs

void bind_betweenness(nb::module_& m) {
    spbfs::bind_as<std::int32_t, std::int32_t>(m);
    spbfs::bind_as<std::int64_t, std::int32_t>(m);
    spbfs::bind_as<std::int64_t, std::int64_t>(m);
}
