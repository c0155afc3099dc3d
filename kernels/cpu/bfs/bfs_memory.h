// The state of a search from the arrays that Python owns, and its trace for Python.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <optional>
#include <tuple>
#include <vector>

#include "cpu/bfs/bfs_search.h"

namespace spbfs::bfs {

template <class T>
using Array = nanobind::ndarray<T, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;

using TraceRow = std::tuple<std::int64_t, std::int64_t, bool, double>;

// Outputs and workspace, see bfs.cpp.
template <class Index>
struct Memory {
    const std::optional<Array<Index>>& levels;
    const std::optional<Array<Index>>& parents;
    const std::optional<Array<const Index>>& hub;
    const Array<Index>& lists;
    const Array<Word>& bitmaps;
};

// The first three bitmaps are the visited, the frontier and the next one.
template <class Offset, class Index>
State<Offset, Index> state_of(Graph<Offset, Index> out, Graph<Offset, Index> in, std::int64_t n,
                              const Memory<Index>& memory, std::int64_t longest_row) {
    State<Offset, Index> s;
    s.n = n;
    const std::int64_t words = words_for(n);
    s.out = out;
    s.in = in;
    s.levels = memory.levels ? memory.levels->data() : nullptr;
    s.parents = memory.parents ? memory.parents->data() : nullptr;
    s.visited = memory.bitmaps.data();
    s.front = s.visited + words;
    s.next = s.front + words;
    s.copies = s.next + words;
    s.ncopies = static_cast<int>(static_cast<std::int64_t>(memory.bitmaps.shape(0)) / words) - 3;
    s.hub = memory.hub ? memory.hub->data() : nullptr;
    s.capacity = static_cast<std::int64_t>(memory.lists.shape(0)) / 2;
    s.list = memory.lists.data();
    s.next_list = s.list + s.capacity;
    s.longest_row = longest_row;
    return s;
}

inline std::vector<TraceRow> rows_of(const std::vector<LevelTrace>& trace) {
    std::vector<TraceRow> rows;
    for (const LevelTrace& t : trace) rows.emplace_back(t.frontier, t.edges, t.pull, t.seconds);
    return rows;
}

}  // namespace spbfs::bfs
