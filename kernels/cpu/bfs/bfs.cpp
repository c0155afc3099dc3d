// bfs(): one breadth-first search in one native call, direction-optimising, on one or several
// threads.
//
// The caller owns every array and guarantees: square canonical CSR with indices in range; `in` the
// transpose (or the same arrays for a symmetric pattern); `sources` distinct and in range;
// `no_in_edges` with a bit for every vertex that no edge enters and for every bit past n;
// `longest_row` of `out`, or more; bitmaps words_for(n) words each, 3 or more; lists two halves,
// each of n / 8 + 1 entries or more; `hub`, where given, an in-neighbour of every vertex that has
// one.  With owners or least_parent there are levels, and these and owners are full of -1; else
// what outputs hold on entry does not matter.
//
// Beamer, Asanovic, Patterson: Direction-optimizing breadth-first search (SC 2012).
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string_view>
#include <tuple>

#include "cpu/bfs/bfs_memory.h"
#include "cpu/bfs/bfs_search.h"
#include "cpu/python/fields.h"

namespace nb = nanobind;

namespace spbfs::bfs {
namespace {

using Result = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::vector<TraceRow>>;

template <class Offset, class Index>
Result bfs(Array<const Offset> indptr, Array<const Index> indices, Array<const Offset> in_indptr,
           Array<const Index> in_indices, Array<const Index> sources, Array<const Word> no_in_edges,
           std::optional<Array<Index>> levels, std::optional<Array<Index>> parents,
           std::optional<Array<Index>> owners, std::optional<Array<const Index>> hub,
           Array<Index> lists, Array<Word> bitmaps, std::int64_t longest_row,
           std::int64_t max_depth, std::int64_t target, std::string_view direction,
           std::optional<Array<const std::uint8_t>> schedule, bool least_parent, const Rates& rates,
           int threads, bool traced) {
    const Memory<Index> memory{levels, parents, hub, lists, bitmaps};
    auto s = state_of<Offset, Index>(
        {indptr.data(), indices.data()}, {in_indptr.data(), in_indices.data()},
        static_cast<std::int64_t>(indptr.shape(0)) - 1, memory, longest_row);
    Options options{.rates = rates,
                    .max_depth = max_depth,
                    .target = target,
                    .direction = direction_of(direction),
                    .schedule = schedule ? schedule->data() : nullptr,
                    .scheduled = schedule ? static_cast<std::int64_t>(schedule->shape(0)) : 0,
                    .least_parent = least_parent,
                    .threads = threads};
    Interrupt interrupt;
    s.interrupt = &interrupt;
    std::vector<LevelTrace> trace;
    Summary sum;
    {
        Unlocked unlocked;
        const auto nsources = static_cast<std::int64_t>(sources.shape(0));
        sum = Search<Offset, Index>(s, no_in_edges.data(), {sources.data(), nsources},
                                    owners ? owners->data() : nullptr, options,
                                    traced ? &trace : nullptr)
                  .run();
    }
    interrupt.check();
    return {sum.depth, sum.reached, sum.edges, rows_of(trace)};
}

template <class Offset, class Index>
void bind_as(nb::module_& m) {
    m.def("bfs", &bfs<Offset, Index>, nb::arg("indptr").noconvert(), nb::arg("indices").noconvert(),
          nb::arg("in_indptr").noconvert(), nb::arg("in_indices").noconvert(),
          nb::arg("sources").noconvert(), nb::arg("no_in_edges").noconvert(),
          nb::arg("levels").none().noconvert(), nb::arg("parents").none().noconvert(),
          nb::arg("owners").none().noconvert(), nb::arg("hub").none().noconvert(),
          nb::arg("lists").noconvert(), nb::arg("bitmaps").noconvert(), nb::arg("longest_row"),
          nb::arg("max_depth"), nb::arg("target"), nb::arg("direction"),
          nb::arg("schedule").none().noconvert(), nb::arg("least_parent"), nb::arg("rates"),
          nb::arg("threads"), nb::arg("traced"));
}

// From a `CpuSearchRates` of the planner.
Rates rates_of(nb::handle planned) {
    const Fields from(planned, 12);
    return {.push_level = from.get<double>("push_level"),
            .push_edge = from.get<double>("push_edge"),
            .push_row = from.get<double>("push_row"),
            .push_found = from.get<double>("push_found"),
            .pull_level = from.get<double>("pull_level"),
            .pull_word = from.get<double>("pull_word"),
            .pull_row = from.get<double>("pull_row"),
            .pull_probe = from.get<double>("pull_probe"),
            .pull_found = from.get<double>("pull_found"),
            .pull_at_hub = from.get<double>("pull_at_hub"),
            .serial_edges = from.get<std::int64_t>("serial_edges"),
            .serial_share = from.get<double>("serial_share")};
}

}  // namespace
}  // namespace spbfs::bfs

void bind_bfs(nb::module_& m) {
    using spbfs::bfs::Rates;
    nb::class_<Rates>(m, "BfsRates").def("__init__", [](Rates* made, nb::handle planned) {
        new (made) Rates(spbfs::bfs::rates_of(planned));
    });
    spbfs::bfs::bind_as<std::int32_t, std::int32_t>(m);
    spbfs::bfs::bind_as<std::int64_t, std::int32_t>(m);
    spbfs::bfs::bind_as<std::int64_t, std::int64_t>(m);
}
