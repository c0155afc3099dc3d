// bfs_resumed(): some levels of a search that another has begun and a third may go on with.
//
// The caller guarantees what it does for bfs(); besides, `visited` is the set visited so far, with
// a bit for every vertex that no edge enters and for every bit past n, and `frontier` holds those
// of `level`, the bits past n clear: both are the first of the bitmaps, and are left as they are
// where it ends.  Outputs are written of what it finds, and of nothing else.
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

namespace nb = nanobind;

namespace spbfs::bfs {
namespace {

// Depth, the frontier's vertices and edges, and the trace.
using Result = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::vector<TraceRow>>;

template <class Offset, class Index>
Result bfs_resumed(Array<const Offset> indptr, Array<const Index> indices,
                   Array<const Offset> in_indptr, Array<const Index> in_indices,
                   std::optional<Array<Index>> levels, std::optional<Array<Index>> parents,
                   std::optional<Array<const Index>> hub, Array<Index> lists, Array<Word> bitmaps,
                   std::int64_t longest_row, std::int64_t level, std::int64_t explored,
                   std::int64_t last_level, std::int64_t target, std::string_view direction,
                   std::optional<Array<const std::uint8_t>> schedule, const Rates& rates,
                   int threads, bool traced) {
    const Memory<Index> memory{levels, parents, hub, lists, bitmaps};
    auto s = state_of<Offset, Index>(
        {indptr.data(), indices.data()}, {in_indptr.data(), in_indices.data()},
        static_cast<std::int64_t>(indptr.shape(0)) - 1, memory, longest_row);
    const Options options{.rates = rates,
                          .max_depth = last_level,
                          .target = target,
                          .direction = direction_of(direction),
                          .schedule = schedule ? schedule->data() : nullptr,
                          .scheduled = schedule ? static_cast<std::int64_t>(schedule->shape(0)) : 0,
                          .threads = threads};
    Interrupt interrupt;
    s.interrupt = &interrupt;
    std::vector<LevelTrace> trace;
    Summary sum;
    Frontier left;
    {
        Unlocked unlocked;
        Search<Offset, Index> search(s, nullptr, {nullptr, 0}, nullptr, options,
                                     traced ? &trace : nullptr);
        sum = search.resume(level, explored);
        left = search.frontier();
    }
    interrupt.check();
    return {sum.depth, left.vertices, left.edges, rows_of(trace)};
}

template <class Offset, class Index>
void bind_as(nb::module_& m) {
    m.def("bfs_resumed", &bfs_resumed<Offset, Index>, nb::arg("indptr").noconvert(),
          nb::arg("indices").noconvert(), nb::arg("in_indptr").noconvert(),
          nb::arg("in_indices").noconvert(), nb::arg("levels").none().noconvert(),
          nb::arg("parents").none().noconvert(), nb::arg("hub").none().noconvert(),
          nb::arg("lists").noconvert(), nb::arg("bitmaps").noconvert(), nb::arg("longest_row"),
          nb::arg("level"), nb::arg("explored"), nb::arg("last_level"), nb::arg("target"),
          nb::arg("direction"), nb::arg("schedule").none().noconvert(), nb::arg("rates"),
          nb::arg("threads"), nb::arg("traced"));
}

}  // namespace
}  // namespace spbfs::bfs

void bind_bfs_resumed(nb::module_& m) {
    spbfs::bfs::bind_as<std::int32_t, std::int32_t>(m);
    spbfs::bfs::bind_as<std::int64_t, std::int32_t>(m);
    spbfs::bfs::bind_as<std::int64_t, std::int64_t>(m);
}
