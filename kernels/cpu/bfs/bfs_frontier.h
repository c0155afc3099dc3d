// Between the steps: a frontier's form and size, parents that must be the least, what was not
// reached.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "cpu/bfs/bfs_push.h"

namespace spbfs::bfs {

template <class Offset, class Index>
void list_to_bitmap(const State<Offset, Index>& s, std::int64_t size) {
    std::fill_n(s.front, words_for(s.n), Word{0});
    for (std::int64_t i = 0; i < size; ++i) set_bit(s.front, s.list[i]);
}

template <class Offset, class Index>
void bitmap_to_list(const State<Offset, Index>& s) {
    Index* tail = s.list;
    for (std::int64_t w = 0; w < words_for(s.n); ++w)
        for_each_bit(s.front[w], w * kWordBits,
                     [&](std::int64_t v) { *tail++ = static_cast<Index>(v); });
}

// For a vertex of `level`: the least parent, and with several sources the least owner first and the
// least parent of that owner.  Reads what earlier levels wrote; writes what is v's.  Needs
// `levels`.
template <class Offset, class Index>
void set_least_parent(const State<Offset, Index>& s, Index level, Index* owners, std::int64_t v) {
    Index owner = std::numeric_limits<Index>::max(), parent = 0;
    for (Offset k = s.in.indptr[v]; k < s.in.indptr[v + 1]; ++k) {
        const Index u = s.in.indices[k];
        // The level first: owners of other levels may be being written.
        if (s.levels[u] != level - 1) continue;
        const Index claimant = owners ? owners[u] : 0;
        if (claimant >= owner) continue;
        owner = claimant;
        parent = u;
        if (!owners) break;
    }
    if (owners) owners[v] = owner;
    if (s.parents) s.parents[v] = parent;
}

template <class Offset, class Index>
void set_least_parents(const State<Offset, Index>& s, Index level, Index* owners,
                       std::int64_t listed, Team& team) {
    if (listed >= 0) {
        team.for_chunks(listed, kPushGrain, [&](std::int64_t i, std::int64_t end, int) {
            for (; i < end; ++i) set_least_parent(s, level, owners, s.list[i]);
        });
        return;
    }
    team.for_chunks(words_for(s.n), kWordGrain, [&](std::int64_t w, std::int64_t end, int) {
        for (; w < end; ++w)
            for_each_bit(s.front[w], w * kWordBits,
                         [&](std::int64_t v) { set_least_parent(s, level, owners, v); });
    });
}

// Marks as not reached what is unvisited, or has no in-edges; the sources are written after
// it.  Doing this last writes an array that is all reached only once.
template <class Offset, class Index>
void clear_unreached(const State<Offset, Index>& s, const Word* no_in_edges, Team& team) {
    if (!s.levels && !s.parents) return;
    team.for_chunks(words_for(s.n), kWordGrain, [&](std::int64_t w, std::int64_t end, int) {
        for (; w < end; ++w) {
            const std::int64_t first = w * kWordBits, last = std::min(first + kWordBits, s.n);
            Word bits = no_in_edges[w] | ~s.visited[w];
            if (last - first < kWordBits) bits &= bit_of(last) - 1;
            for_each_bit(bits, first, [&](std::int64_t v) {
                if (s.levels) s.levels[v] = -1;
                if (s.parents) s.parents[v] = -1;
            });
        }
    });
}

// Out-edges of the listed frontier.
template <class Offset, class Index>
std::int64_t list_edges(const State<Offset, Index>& s, std::int64_t size) {
    std::int64_t edges = 0;
    for (std::int64_t i = 0; i < size; ++i) {
        if (i + 2 * kPushAhead < size)
            __builtin_prefetch(&s.out.indptr[s.list[i + 2 * kPushAhead]]);
        edges += s.out.degree(s.list[i]);
    }
    return edges;
}

// Size of the frontier in the bitmap `front`.
template <class Offset, class Index>
Frontier bitmap_frontier(const State<Offset, Index>& s, Team& team) {
    std::atomic<std::int64_t> vertices{0}, edges{0};
    team.for_chunks(words_for(s.n), kWordGrain, [&](std::int64_t w, std::int64_t end, int) {
        Frontier mine;
        for (; w < end; ++w) {
            mine.vertices += std::popcount(s.front[w]);
            for_each_bit(s.front[w], w * kWordBits,
                         [&](std::int64_t v) { mine.edges += s.out.degree(v); });
        }
        vertices.fetch_add(mine.vertices, std::memory_order_relaxed);
        edges.fetch_add(mine.edges, std::memory_order_relaxed);
    });
    return {vertices.load(), edges.load()};
}

}  // namespace spbfs::bfs
