// The steps of a breadth-first search, each from one frontier to the next.
//
// Push expands the frontier over out-edges; pull lets every unvisited vertex look for an
// in-neighbour in the frontier and stop at the first.  A frontier is a list where it is short and a
// bitmap where it is long. What a step visits does not depend on threads; which parent a vertex
// gets may, unless LeastParent.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>

#include "common/bits.h"
#include "cpu/parallel.h"

namespace spbfs::bfs {

// A CSR pattern, read only.
template <class Offset, class Index>
struct Graph {
    const Offset* indptr;
    const Index* indices;

    std::int64_t degree(std::int64_t u) const { return indptr[u + 1] - indptr[u]; }
};

// Stops a long step: the calling thread asks, every worker looks.
struct Interrupt {
    bool (*asked)(void* context) = nullptr;
    void* context = nullptr;
    std::atomic<bool> stop{false};

    bool poll(int worker) {
        if (worker == 0 && asked != nullptr && asked(context))
            stop.store(true, std::memory_order_relaxed);
        return stop.load(std::memory_order_relaxed);
    }
};

// Arrays of one search.  `levels`, `parents` and `hub` may be null.  Bits of `visited` past n, and
// of vertices that no edge enters, are set from the start: nothing looks at them again.
template <class Offset, class Index>
struct State {
    std::int64_t n;
    Graph<Offset, Index> out, in;
    Index* levels;
    Index* parents;
    const Index* hub;  // an in-neighbour of every vertex, the likeliest to be found early
    Word* visited;
    Word* front;
    Word* next;
    Index* list;  // the frontier where it is a list, `capacity` entries
    Index* next_list;
    std::int64_t capacity;
    std::int64_t longest_row;  // of `out`
    Interrupt* interrupt;
};

struct Frontier {
    std::int64_t vertices = 0;
    std::int64_t edges = 0;  // out-edges of these
};

// Work a chunk: small enough to balance skewed rows, large enough that taking one costs little.
constexpr std::int64_t kPushGrain = 64;
constexpr std::int64_t kSerialGrain = 4096;
constexpr std::int64_t kWordGrain = 64;  // of bitmaps; whole cache lines, so chunks share none
// Vertices between the fetch of a row and its use.
#ifndef PA
#define PA 16
#define PL 2
#endif
constexpr std::int64_t kPullAhead = PA, kPullLines = PL;
constexpr std::int64_t kPushAhead = 8;
constexpr std::int64_t kPollVertices = 1 << 16;
constexpr std::int64_t kHeld = 1024;  // discoveries held back, as a push writes them in bulk

template <class Index>
inline void lower_to(Index& slot, Index value) {
    std::atomic_ref<Index> ref(slot);
    Index now = ref.load(std::memory_order_relaxed);
    while (value < now && !ref.compare_exchange_weak(now, value, std::memory_order_relaxed)) {
    }
}

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

// Bottom-up, bitmap `front` to bitmap `front`.  A word of vertices belongs to one chunk, so nothing
// is shared but the old frontier, which is only read.  Rows are sorted: the first hit is also the
// least parent.
template <class Offset, class Index>
Frontier pull(State<Offset, Index>& s, Index level, Team& team, bool use_hub) {
    std::atomic<std::int64_t> vertices{0}, edges{0};
    team.for_chunks(
        words_for(s.n), kWordGrain, [&](std::int64_t begin, std::int64_t end, int worker) {
            if (s.interrupt->poll(worker)) return;
            Frontier mine;
            auto found = [&](Index v, Index u) {
                if (s.levels) s.levels[v] = level;
                if (s.parents) s.parents[v] = u;
                set_bit(s.next, v);
                mine.vertices += 1;
                mine.edges += s.out.degree(v);
            };
            // The unvisited as a list, so that rows can be fetched a fixed number of vertices
            // ahead.
            Index todo[kWordGrain * kWordBits];
            std::int64_t size = 0;
            for (std::int64_t w = begin; w < end; ++w) {
                s.next[w] = 0;
                for_each_bit(~s.visited[w], w * kWordBits,
                             [&](std::int64_t v) { todo[size++] = static_cast<Index>(v); });
            }
            if (use_hub) {
                Index hits[kWordGrain * kWordBits];
                std::int64_t misses = 0, nhits = 0;
                for (std::int64_t i = 0; i < size; ++i) {
                    const Index v = todo[i];
                    const bool hit = test_bit(s.front, s.hub[v]);
                    hits[nhits] = v;
                    todo[misses] = v;
                    nhits += hit;
                    misses += !hit;
                }
                for (std::int64_t i = 0; i < nhits; ++i) found(hits[i], s.hub[hits[i]]);
                size = misses;
            }
            for (std::int64_t i = 0; i < size; ++i) {
                if (i + kPullAhead < size) {
                    const Index ahead = todo[i + kPullAhead];
                    constexpr std::int64_t kLine = 64 / sizeof(Index);
                    const Index* row = s.in.indices + s.in.indptr[ahead];
                    const Index* row_end =
                        std::min(s.in.indices + s.in.indptr[ahead + 1], row + kPullLines * kLine);
                    for (; row < row_end; row += kLine) __builtin_prefetch(row);
                }
                const Index v = todo[i];
                const Offset row_end = s.in.indptr[v + 1];
                for (Offset k = s.in.indptr[v]; k < row_end; ++k) {
                    const Index u = s.in.indices[k];
                    if (!test_bit(s.front, u)) continue;
                    found(v, u);
                    break;
                }
            }
            for (std::int64_t w = begin; w < end; ++w) s.visited[w] |= s.next[w];
            vertices.fetch_add(mine.vertices, std::memory_order_relaxed);
            edges.fetch_add(mine.edges, std::memory_order_relaxed);
        });
    std::swap(s.front, s.next);
    return {vertices.load(), edges.load()};
}

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
void settle_parent(const State<Offset, Index>& s, Index level, Index* owners, std::int64_t v) {
    Index owner = std::numeric_limits<Index>::max(), parent = 0;
    for (Offset k = s.in.indptr[v]; k < s.in.indptr[v + 1]; ++k) {
        const Index u = s.in.indices[k];
        // The level first: owners of other levels may be being written.
        if (s.levels[u] != level - 1) continue;
        const Index whose = owners ? owners[u] : 0;
        if (whose >= owner) continue;
        owner = whose;
        parent = u;
        if (!owners) break;
    }
    if (owners) owners[v] = owner;
    if (s.parents) s.parents[v] = parent;
}

template <class Offset, class Index>
void settle_parents(const State<Offset, Index>& s, Index level, Index* owners, std::int64_t listed,
                    Team& team) {
    if (listed >= 0) {
        team.for_chunks(listed, kPushGrain, [&](std::int64_t i, std::int64_t end, int) {
            for (; i < end; ++i) settle_parent(s, level, owners, s.list[i]);
        });
        return;
    }
    team.for_chunks(words_for(s.n), kWordGrain, [&](std::int64_t w, std::int64_t end, int) {
        for (; w < end; ++w)
            for_each_bit(s.front[w], w * kWordBits,
                         [&](std::int64_t v) { settle_parent(s, level, owners, v); });
    });
}

// Marks as not reached what is unvisited or closed from the start; the sources are written after
// it.  Doing this last writes an array that is all reached only once.
template <class Offset, class Index>
void clear_unreached(const State<Offset, Index>& s, const Word* closed, Team& team) {
    if (!s.levels && !s.parents) return;
    team.for_chunks(words_for(s.n), kWordGrain, [&](std::int64_t w, std::int64_t end, int) {
        for (; w < end; ++w) {
            const std::int64_t first = w * kWordBits, last = std::min(first + kWordBits, s.n);
            Word bits = closed[w] | ~s.visited[w];
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

}  // namespace spbfs::bfs
