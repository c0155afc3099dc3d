// What a push is given, and the walk over the rows that its frontier lists.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "cpu/python/bindings.h"
#include "cpu/threads/interrupt.h"

namespace spbfs::push {

// Rows between the fetch of a row and its use: rows of a frontier stand anywhere.  As in
// bfs_expand.h.
constexpr std::int64_t kAhead = 8;

struct Task {
    const std::int64_t* frontier;  // strictly increasing
    std::int64_t count;
    const std::uint8_t* mask;  // nullptr: everything is admitted
    bool complement;
    int threads;
    Interrupt* interrupt;

    bool admits(std::int64_t j) const { return mask == nullptr || (mask[j] != 0) != complement; }
};

// send(j, p, t, k) for every admitted entry j in [first, last) of the rows k that the frontier
// lists at [begin, end); p is the entry's place in M, t that of its row in the frontier.
template <class O, class I, class Send>
void expand(const Csr<O, I>& M, const Task& task, std::int64_t begin, std::int64_t end,
            std::int64_t first, std::int64_t last, Send&& send) {
    for (std::int64_t t = begin; t < end; ++t) {
        if (t + 2 * kAhead < task.count)
            __builtin_prefetch(&M.indptr[task.frontier[t + 2 * kAhead]]);
        if (t + kAhead < task.count)
            __builtin_prefetch(&M.indices[M.indptr[task.frontier[t + kAhead]]]);
        const std::int64_t k = task.frontier[t], row_end = M.indptr[k + 1];
        std::int64_t p = M.indptr[k];
        if (first > 0) p = std::lower_bound(M.indices + p, M.indices + row_end, first) - M.indices;
        for (; p < row_end && M.indices[p] < last; ++p) {
            const std::int64_t j = M.indices[p];
            if (task.admits(j)) send(j, p, t, k);
        }
    }
}

// The same of whole rows.
template <class O, class I, class Send>
void expand(const Csr<O, I>& M, const Task& task, std::int64_t begin, std::int64_t end,
            Send&& send) {
    expand(M, task, begin, end, 0, std::numeric_limits<std::int64_t>::max(), send);
}

template <class O, class I>
std::int64_t edges_of(const Csr<O, I>& M, const Task& task, std::int64_t begin, std::int64_t end) {
    std::int64_t edges = 0;
    for (std::int64_t t = begin; t < end; ++t)
        edges += M.indptr[task.frontier[t] + 1] - M.indptr[task.frontier[t]];
    return edges;
}

template <class O, class I>
std::int64_t edges_of(const Csr<O, I>& M, const Task& task) {
    return edges_of(M, task, 0, task.count);
}

}  // namespace spbfs::push
