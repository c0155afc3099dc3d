// The loop of a push: the rows of a frontier's vertices are scanned for unvisited neighbours, and
// what is discovered is gathered in a buffer that is emptied in bulk.
//
// What a step visits does not depend on threads; which of its possible parents a vertex gets may.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "cpu/bfs/bfs_state.h"

namespace spbfs::bfs {

// Vertices between the fetch of a row and its use; bounds are fetched twice as far ahead.  4 and 16
// were no faster: docs/performance-notes.md, "The grid beside SciPy".
constexpr std::int64_t kPushAhead = 8;
// Discoveries that are gathered before they are written: a branch for each, which no predictor
// knows, costs more.  docs/performance-notes.md, "Where the time goes".
constexpr std::int64_t kMostDiscoveries = 1024;

// Discoveries of one worker and the vertices that made them.
template <class Index>
struct Discoveries {
    Index child[kMostDiscoveries], parent[kMostDiscoveries];
    std::int64_t size = 0;
};

// Scans row [k, end) of u and gathers what is unvisited, without a branch that depends on it:
// whether a neighbour is visited is what a predictor cannot know.  Returns where it stopped: the
// buffer is full.
//
// Shared: other workers expand too, so a vertex may be gathered more than once; claim() decides
// whose it is.
template <bool Shared, class Offset, class Index>
inline Offset scan_row(const State<Offset, Index>& s, Index u, Offset k, Offset end,
                       Discoveries<Index>& found) {
    const Offset stop = std::min<std::int64_t>(end, k + (kMostDiscoveries - found.size));
    std::int64_t size = found.size;
    for (; k < stop; ++k) {
        const Index v = s.out.indices[k];
        Word& word = s.visited[v / kWordBits];
        const Word visited =
            Shared ? std::atomic_ref<Word>(word).load(std::memory_order_relaxed) : word;
        found.child[size] = v;
        found.parent[size] = u;
        size += static_cast<std::int64_t>(~(visited >> (v & (kWordBits - 1))) & 1);
        if constexpr (!Shared) word = visited | bit_of(v);
    }
    found.size = size;
    return k;
}

// Leaves in `found` what this worker is first to mark, where workers share a set of marks.
template <class Offset, class Index>
inline void claim(const State<Offset, Index>& s, Discoveries<Index>& found) {
    std::int64_t claimed = 0;
    for (std::int64_t i = 0; i < found.size; ++i) {
        const Index v = found.child[i];
        const Word bit = bit_of(v);
        std::atomic_ref<Word> word(s.visited[v / kWordBits]);
        if (word.fetch_or(bit, std::memory_order_relaxed) & bit) continue;
        found.child[claimed] = v;
        found.parent[claimed++] = found.parent[i];
    }
    found.size = claimed;
}

// What empties the buffer: take(found) is given what this worker has discovered.
template <bool Shared, class Offset, class Index, class Take>
inline auto emptying(const State<Offset, Index>& s, Discoveries<Index>& found, Take& take) {
    return [&] {
        if constexpr (Shared) claim(s, found);
        take(found);
        found.size = 0;
    };
}

// Scans entries [k, end) of u's row; empty() makes room in the buffer.
template <bool Shared, class Offset, class Index, class Empty>
inline void expand_row(const State<Offset, Index>& s, Index u, Offset k, Offset end,
                       Discoveries<Index>& found, Empty&& empty) {
    for (;;) {
        k = scan_row<Shared>(s, u, k, end, found);
        if (found.size > kMostDiscoveries / 2) empty();
        if (k == end) return;
    }
}

// The same of a part of a row alone; take(found) empties the buffer.
template <bool Shared, class Offset, class Index, class Take>
inline void expand_part(const State<Offset, Index>& s, Index u, Offset begin, Offset end,
                        Take&& take) {
    Discoveries<Index> found;
    auto empty = emptying<Shared>(s, found, take);
    expand_row<Shared>(s, u, begin, end, found, empty);
    empty();
}

// Expands the vertices u = vertex(i), begin <= i < end; take(found) empties the buffer, and
// later(u, its edges) says whether its row is left for now.  Returns all out-edges, these too.
template <bool Shared, class Offset, class Index, class Vertex, class Take, class Later>
inline std::int64_t expand(const State<Offset, Index>& s, std::int64_t begin, std::int64_t end,
                           Vertex&& vertex, Take&& take, Later&& later) {
    Discoveries<Index> found;
    std::int64_t edges = 0;
    auto empty = emptying<Shared>(s, found, take);
    for (std::int64_t i = begin; i < end; ++i) {
        if (i + 2 * kPushAhead < end) __builtin_prefetch(&s.out.indptr[vertex(i + 2 * kPushAhead)]);
        if (i + kPushAhead < end)
            __builtin_prefetch(&s.out.indices[s.out.indptr[vertex(i + kPushAhead)]]);
        const Index u = vertex(i);
        const Offset row_end = s.out.indptr[u + 1];
        const Offset k = s.out.indptr[u];
        edges += row_end - k;
        if (!later(u, row_end - k)) expand_row<Shared>(s, u, k, row_end, found, empty);
    }
    empty();
    return edges;
}

}  // namespace spbfs::bfs
