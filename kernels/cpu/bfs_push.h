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

// Keeps of `held` what this worker is first to visit.  Whoever's fetch_or turns the bit on owns the
// vertex and alone writes its level, parent and place in the next list; nobody reads these before
// the step has ended, which orders them (Crew::run).
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

// Writes what a list push discovered; rows of the next level are found by fetching their bounds
// now.
template <class Offset, class Index>
inline void write_list(const State<Offset, Index>& s, Index level, const Held<Index>& held,
                       Index* to) {
    for (std::int64_t i = 0; i < held.size; ++i) {
        const Index v = held.child[i];
        to[i] = v;
        if (s.levels) s.levels[v] = level;
        if (s.parents) s.parents[v] = held.parent[i];
    }
}

// Top-down, list to list, whose capacity is at least the frontier's out-edges.
template <class Offset, class Index>
Frontier push_list(State<Offset, Index>& s, Index level, std::int64_t size, Team* team) {
    std::atomic<std::int64_t> tail{0}, edges{0};
    auto vertex = [&](std::int64_t i) { return s.list[i]; };
    if (team == nullptr) {
        Index* to = s.next_list;
        for (std::int64_t i = 0; i < size && !s.interrupt->poll(0); i += kSerialGrain)
            edges += expand<false>(s, i, std::min(i + kSerialGrain, size), vertex,
                                   [&](const Held<Index>& held) {
                                       write_list(s, level, held, to);
                                       to += held.size;
                                   });
        tail = to - s.next_list;
    } else {
        team->for_chunks(size, kPushGrain, [&](std::int64_t begin, std::int64_t end, int worker) {
            if (s.interrupt->poll(worker)) return;
            edges.fetch_add(expand<true>(s, begin, end, vertex,
                                         [&](const Held<Index>& held) {
                                             write_list(s, level, held,
                                                        s.next_list + tail.fetch_add(held.size));
                                         }),
                            std::memory_order_relaxed);
        });
    }
    std::swap(s.list, s.next_list);
    return {tail.load(), edges.load()};
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

// After a push to a bitmap: the new frontier is what is visited and was not.  Levels are written
// here, in the order of memory, rather than at discovery, all over the place.
template <class Offset, class Index>
Frontier settle(const State<Offset, Index>& s, Index level, const Word* before, Team& team) {
    std::atomic<std::int64_t> vertices{0}, edges{0};
    team.for_chunks(words_for(s.n), kWordGrain, [&](std::int64_t begin, std::int64_t end, int) {
        Frontier mine;
        for (std::int64_t w = begin; w < end; ++w) {
            const Word fresh = s.visited[w] & ~before[w];
            s.next[w] = fresh;
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
template <class Offset, class Index>
Frontier push_bitmap(State<Offset, Index>& s, Index level, std::int64_t size, Team& team) {
    std::copy_n(s.visited, words_for(s.n), s.next);
    auto write = [&](const Held<Index>& held) {
        if (s.parents)
            for (std::int64_t i = 0; i < held.size; ++i) s.parents[held.child[i]] = held.parent[i];
    };
    auto run = [&]<bool Shared>() {
        if (size >= 0) {
            team.for_chunks(
                size, kPushGrain, [&](std::int64_t begin, std::int64_t end, int worker) {
                    if (s.interrupt->poll(worker)) return;
                    expand<Shared>(s, begin, end, [&](std::int64_t i) { return s.list[i]; }, write);
                });
            return;
        }
        team.for_chunks(
            words_for(s.n), kWordGrain, [&](std::int64_t begin, std::int64_t end, int worker) {
                if (s.interrupt->poll(worker)) return;
                Index todo[kWordGrain * kWordBits];
                std::int64_t count = 0;
                for (std::int64_t w = begin; w < end; ++w)
                    for_each_bit(s.front[w], w * kWordBits,
                                 [&](std::int64_t v) { todo[count++] = static_cast<Index>(v); });
                expand<Shared>(s, 0, count, [&](std::int64_t i) { return todo[i]; }, write);
            });
    };
    if (team.workers() > 1)
        run.template operator()<true>();
    else
        run.template operator()<false>();
    const Frontier found = settle(s, level, s.next, team);
    std::swap(s.front, s.next);
    return found;
}

}  // namespace spbfs::bfs
