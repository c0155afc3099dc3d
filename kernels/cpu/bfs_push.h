// Top-down steps: expand a frontier over its out-edges.
//
// What a step visits does not depend on threads; which of its possible parents a vertex gets may.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "cpu/bfs_state.h"

namespace spbfs::bfs {

// Vertices of a frontier a chunk: few, as rows are skewed.
constexpr std::int64_t kPushGrain = 64;
constexpr std::int64_t kSerialGrain = 4096;
// Vertices between the fetch of a row and its use; bounds are fetched twice as far ahead.
constexpr std::int64_t kPushAhead = 8;
// Vertices between two looks at whether to stop.
constexpr std::int64_t kPollVertices = 1 << 16;
constexpr std::int64_t kHeld = 1024;  // discoveries held back, as a push writes them in bulk

// Discoveries of one worker and the vertices that made them.
template <class Index>
struct Held {
    Index child[kHeld], parent[kHeld];
    std::int64_t size = 0;
};

// Looks at row [k, end) of u and holds back what is unvisited, without a branch that depends on it:
// whether a neighbour is visited is what a predictor cannot know.  Returns where it stopped: the
// buffer is full.
//
// Shared: other workers expand too, so a vertex may be held more than once; claim() settles whose
// it is.
template <bool Shared, class Offset, class Index>
inline Offset scan_row(const State<Offset, Index>& s, Index u, Offset k, Offset end,
                       Held<Index>& held) {
    const Offset stop = std::min<std::int64_t>(end, k + (kHeld - held.size));
    std::int64_t size = held.size;
    for (; k < stop; ++k) {
        const Index v = s.out.indices[k];
        Word& word = s.visited[v / kWordBits];
        const Word seen =
            Shared ? std::atomic_ref<Word>(word).load(std::memory_order_relaxed) : word;
        held.child[size] = v;
        held.parent[size] = u;
        size += static_cast<std::int64_t>(~(seen >> (v & (kWordBits - 1))) & 1);
        if constexpr (!Shared) word = seen | bit_of(v);
    }
    held.size = size;
    return k;
}

// Keeps of `held` what this worker is first to mark, where workers share a set of marks.
template <class Offset, class Index>
inline void claim(const State<Offset, Index>& s, Held<Index>& held) {
    std::int64_t kept = 0;
    for (std::int64_t i = 0; i < held.size; ++i) {
        const Index v = held.child[i];
        const Word bit = bit_of(v);
        std::atomic_ref<Word> word(s.visited[v / kWordBits]);
        if (word.fetch_or(bit, std::memory_order_relaxed) & bit) continue;
        held.child[kept] = v;
        held.parent[kept++] = held.parent[i];
    }
    held.size = kept;
}

// Expands the vertices u = vertex(i), begin <= i < end; take(held) empties the buffer.  Returns
// their out-edges.
template <bool Shared, class Offset, class Index, class Vertex, class Take>
inline std::int64_t expand(const State<Offset, Index>& s, std::int64_t begin, std::int64_t end,
                           Vertex&& vertex, Take&& take) {
    Held<Index> held;
    std::int64_t edges = 0;
    auto empty = [&] {
        if constexpr (Shared) claim(s, held);
        take(held);
        held.size = 0;
    };
    for (std::int64_t i = begin; i < end; ++i) {
        if (i + 2 * kPushAhead < end) __builtin_prefetch(&s.out.indptr[vertex(i + 2 * kPushAhead)]);
        if (i + kPushAhead < end)
            __builtin_prefetch(&s.out.indices[s.out.indptr[vertex(i + kPushAhead)]]);
        const Index u = vertex(i);
        const Offset row_end = s.out.indptr[u + 1];
        Offset k = s.out.indptr[u];
        edges += row_end - k;
        for (;;) {
            k = scan_row<Shared>(s, u, k, row_end, held);
            if (held.size > kHeld / 2) empty();
            if (k == row_end) break;
        }
    }
    empty();
    return edges;
}

// Top-down by one thread, list to list, whose capacity is at least the frontier's out-edges.
template <class Offset, class Index>
Frontier push_list(State<Offset, Index>& s, Index level, std::int64_t size) {
    Index* to = s.next_list;
    std::int64_t edges = 0;
    for (std::int64_t i = 0; i < size && !s.interrupt->poll(0); i += kSerialGrain)
        edges += expand<false>(
            s, i, std::min(i + kSerialGrain, size), [&](std::int64_t k) { return s.list[k]; },
            [&](const Held<Index>& held) {
                for (std::int64_t k = 0; k < held.size; ++k) {
                    const Index v = held.child[k];
                    *to++ = v;
                    if (s.levels) s.levels[v] = level;
                    if (s.parents) s.parents[v] = held.parent[k];
                }
            });
    const std::int64_t found = to - s.next_list;
    std::swap(s.list, s.next_list);
    return {found, edges};
}

// Top-down by one thread, level after level, while a list has at most `longest` vertices: on a deep
// graph what is done once a level is what costs.  Frontiers of deep graphs are regular enough that
// a predictor knows most neighbours' state, so here discoveries are written at once.
struct Run {
    std::int64_t level, vertices, edges, reached;
};

template <class Offset, class Index>
Run push_run(State<Offset, Index>& s, std::int64_t level, std::int64_t size, std::int64_t longest,
             std::int64_t max_depth, std::int64_t target) {
    Run run{level, size, 0, 0};
    std::int64_t since_poll = 0;
    while (run.vertices > 0 && run.vertices <= longest && run.level < max_depth &&
           !(target >= 0 && test_bit(s.visited, target))) {
        since_poll += run.vertices + 64;
        if (since_poll > kPollVertices) {
            since_poll = 0;
            if (s.interrupt->poll(0)) break;
        }
        run.reached += run.vertices;
        run.level += 1;
        const Index deeper = static_cast<Index>(run.level);
        const Index* list = s.list;
        Index* to = s.next_list;
        for (std::int64_t i = 0; i < run.vertices; ++i) {
            if (i + 3 * kPushAhead < run.vertices)
                __builtin_prefetch(&s.out.indptr[list[i + 3 * kPushAhead]]);
            if (i + kPushAhead < run.vertices)
                __builtin_prefetch(&s.out.indices[s.out.indptr[list[i + kPushAhead]]]);
            const Index u = list[i];
            const Offset row_end = s.out.indptr[u + 1];
            run.edges += row_end - s.out.indptr[u];
            for (Offset k = s.out.indptr[u]; k < row_end; ++k) {
                const Index v = s.out.indices[k];
                Word& word = s.visited[v / kWordBits];
                if (word & bit_of(v)) continue;
                word |= bit_of(v);
                *to++ = v;
                if (s.levels) s.levels[v] = deeper;
                if (s.parents) s.parents[v] = u;
            }
        }
        run.vertices = to - s.next_list;
        std::swap(s.list, s.next_list);
    }
    return run;
}

// The end of a push to bitmaps: the new frontier is what any copy has and `visited` has not. Levels
// are written here, in the order of memory, rather than at discovery, all over the place.
template <class Offset, class Index>
Frontier settle(const State<Offset, Index>& s, Index level, int copies, Team& team) {
    const std::int64_t words = words_for(s.n);
    std::atomic<std::int64_t> vertices{0}, edges{0};
    team.for_chunks(words, kWordGrain, [&](std::int64_t begin, std::int64_t end, int) {
        Frontier mine;
        for (std::int64_t w = begin; w < end; ++w) {
            Word fresh = s.next[w];
            for (int c = 1; c < copies; ++c) fresh |= s.copies[(c - 1) * words + w];
            fresh &= ~s.visited[w];
            s.next[w] = fresh;
            s.visited[w] |= fresh;
            mine.vertices += std::popcount(fresh);
            for_each_bit(fresh, w * kWordBits, [&](std::int64_t v) {
                if (s.levels) s.levels[v] = level;
                mine.edges += s.out.degree(v);
            });
        }
        vertices.fetch_add(mine.vertices, std::memory_order_relaxed);
        edges.fetch_add(mine.edges, std::memory_order_relaxed);
    });
    return {vertices.load(), edges.load()};
}

// Top-down, to the bitmap `front`, from the list (size >= 0) or the bitmap `front` (size < 0).
//
// Workers mark what they discover in copies of `visited`, one each while there are enough: in a set
// written by two cores at random, nearly every mark would wait for the other's cache.  A vertex
// that two copies have got two parents one after the other, either of which is right.
template <class Offset, class Index>
Frontier push_bitmap(State<Offset, Index>& s, Index level, std::int64_t size, Team& team) {
    const std::int64_t words = words_for(s.n);
    const int copies = std::min(team.workers(), s.ncopies + 1);
    auto copy_of = [&](int worker) {
        const int c = worker % copies;
        return c == 0 ? s.next : s.copies + (c - 1) * words;
    };
    for (int c = 0; c < copies; ++c) std::copy_n(s.visited, words, copy_of(c));
    auto write = [&](const Held<Index>& held) {
        if (!s.parents) return;
        for (std::int64_t i = 0; i < held.size; ++i)
            std::atomic_ref<Index>(s.parents[held.child[i]])
                .store(held.parent[i], std::memory_order_relaxed);
    };
    auto run = [&]<bool Shared>() {
        const std::int64_t n = size >= 0 ? size : words;
        const std::int64_t grain = size >= 0 ? kPushGrain : kWordGrain;
        team.for_chunks(n, grain, [&](std::int64_t begin, std::int64_t end, int worker) {
            if (s.interrupt->poll(worker)) return;
            State<Offset, Index> mine = s;
            mine.visited = copy_of(worker);
            if (size >= 0) {
                expand<Shared>(mine, begin, end, [&](std::int64_t i) { return s.list[i]; }, write);
                return;
            }
            Index todo[kWordGrain * kWordBits];
            std::int64_t count = 0;
            for (std::int64_t w = begin; w < end; ++w)
                for_each_bit(s.front[w], w * kWordBits,
                             [&](std::int64_t v) { todo[count++] = static_cast<Index>(v); });
            expand<Shared>(mine, 0, count, [&](std::int64_t i) { return todo[i]; }, write);
        });
    };
    if (team.workers() > copies)
        run.template operator()<true>();
    else
        run.template operator()<false>();
    const Frontier found = settle(s, level, copies, team);
    std::swap(s.front, s.next);
    return found;
}

}  // namespace spbfs::bfs
