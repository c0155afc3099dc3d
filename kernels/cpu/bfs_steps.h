// The two steps of a breadth-first search and the changes of the frontier's form between them.
//
// Push expands the listed frontier over out-edges; pull lets every unvisited vertex look for an
// in-neighbour in the frontier and stop at the first.  A step that may run on several threads takes
// a Team and is deterministic in what it visits; which parent a vertex gets is a race unless
// LeastParent.
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

// Stops a long step: the caller's thread asks, every worker looks.
struct Interrupt {
    bool (*asked)(void* context) = nullptr;
    void* context = nullptr;
    std::atomic<bool> stop{false};

    // Called between chunks; only the calling thread (worker 0) may touch what `asked` touches.
    bool poll(int worker) {
        if (worker == 0 && asked != nullptr && asked(context))
            stop.store(true, std::memory_order_relaxed);
        return stop.load(std::memory_order_relaxed);
    }
};

// Arrays of one search.  `levels` and `parents` may be null.  Bits past n in `visited` are set, and
// so are those of vertices that no edge enters: nothing ever looks at them again.
template <class Offset, class Index>
struct State {
    std::int64_t n;
    Graph<Offset, Index> out, in;
    Index* levels;
    Index* parents;
    Word* visited;
    Word* front;
    Word* next;
    Index* queue;  // n entries: [front_begin, front_end) is the frontier, what follows is the next
    std::int64_t front_begin = 0, front_end = 0;
    Interrupt* interrupt = nullptr;
};

struct Count {
    std::int64_t vertices = 0;  // discovered
    std::int64_t edges = 0;     // out-edges: of the frontier (push), of the discovered (pull)
};

// Work per chunk: small enough to balance skewed rows, large enough that taking one costs nothing.
constexpr std::int64_t kPushGrain = 64;
constexpr std::int64_t kSerialGrain = 4096;
constexpr std::int64_t kPullGrain = 64;  // words, so chunks start at cache lines of the bitmaps
constexpr std::int64_t kAhead = 8;       // queue entries between a prefetch and its use

template <class Index>
inline void lower_to(Index& slot, Index value) {
    std::atomic_ref<Index> ref(slot);
    Index now = ref.load(std::memory_order_relaxed);
    while (value < now && !ref.compare_exchange_weak(now, value, std::memory_order_relaxed)) {
    }
}

// Fetches the row bounds of queue[i + 2 * kAhead] and the neighbours of queue[i + kAhead].
template <class Offset, class Index>
inline void prefetch_rows(const State<Offset, Index>& s, std::int64_t i, std::int64_t end) {
    if (i + 2 * kAhead < end) __builtin_prefetch(&s.out.indptr[s.queue[i + 2 * kAhead]]);
    if (i + kAhead < end) __builtin_prefetch(&s.out.indices[s.out.indptr[s.queue[i + kAhead]]]);
}

// Expands queue[begin, end) and hands what it discovers to append(v).  Returns the edges looked at.
//
// Shared: other threads expand at the same time.  Whoever's fetch_or turns the visited bit on owns
// the vertex, alone writes its level, its parent and its place in the next queue; nobody reads
// these before the end of the step, which orders them (Crew::run).  The plain look before the
// atomic may miss a bit just set, never see one that is not. LeastParent: parents start at the
// largest Index and only fall.  `next` marks what this step discovers and is marked before
// `visited` is, so whoever finds a vertex visited can tell whether it still counts.
template <bool Shared, bool LeastParent, class Offset, class Index, class Append>
inline std::int64_t expand(const State<Offset, Index>& s, Index level, std::int64_t begin,
                           std::int64_t end, Append&& append) {
    std::int64_t edges = 0;
    for (std::int64_t i = begin; i < end; ++i) {
        prefetch_rows(s, i, end);
        const Index u = s.queue[i];
        const Offset row_end = s.out.indptr[u + 1];
        edges += row_end - s.out.indptr[u];
        for (Offset k = s.out.indptr[u]; k < row_end; ++k) {
            const Index v = s.out.indices[k];
            const Word bit = bit_of(v);
            bool mine;
            if constexpr (Shared || LeastParent) {
                std::atomic_ref<Word> visited(s.visited[v / kWordBits]);
                mine = !(visited.load(std::memory_order_acquire) & bit);
                if constexpr (LeastParent) {
                    std::atomic_ref<Word> next(s.next[v / kWordBits]);
                    if (mine) next.fetch_or(bit, std::memory_order_relaxed);
                    if (next.load(std::memory_order_relaxed) & bit) lower_to(s.parents[v], u);
                }
                if (mine) mine = !(visited.fetch_or(bit, std::memory_order_acq_rel) & bit);
            } else {
                Word& visited = s.visited[v / kWordBits];
                mine = !(visited & bit);
                visited |= bit;
            }
            if (mine) {
                if (s.levels) s.levels[v] = level;
                if constexpr (!LeastParent) {
                    if (s.parents) s.parents[v] = u;
                }
                append(v);
            }
        }
    }
    return edges;
}

// Top-down step: the queue's frontier to the queue's next, which starts at front_end.
template <bool LeastParent, class Offset, class Index>
Count push(const State<Offset, Index>& s, Index level, Team* team) {
    const std::int64_t size = s.front_end - s.front_begin;
    if (team == nullptr) {
        Index* tail = s.queue + s.front_end;
        std::int64_t edges = 0;
        for (std::int64_t i = s.front_begin; i < s.front_end; i += kSerialGrain) {
            edges +=
                expand<false, LeastParent>(s, level, i, std::min(i + kSerialGrain, s.front_end),
                                           [&](Index v) { *tail++ = v; });
            if (s.interrupt->poll(0)) break;
        }
        return {tail - (s.queue + s.front_end), edges};
    }
    std::atomic<std::int64_t> tail{s.front_end}, edges{0};
    team->for_chunks(size, kPushGrain, [&](std::int64_t begin, std::int64_t end, int worker) {
        if (s.interrupt->poll(worker)) return;
        Index found[1024];
        std::int64_t held = 0;
        auto flush = [&] {
            std::copy_n(found, held, s.queue + tail.fetch_add(held, std::memory_order_relaxed));
            held = 0;
        };
        std::int64_t seen = expand<true, LeastParent>(s, level, s.front_begin + begin,
                                                      s.front_begin + end, [&](Index v) {
                                                          found[held++] = v;
                                                          if (held == std::ssize(found)) flush();
                                                      });
        flush();
        edges.fetch_add(seen, std::memory_order_relaxed);
    });
    return {tail.load() - s.front_end, edges.load()};
}

// Bottom-up step: from the bitmap `front` to the bitmap `next`, every word of which is written.
// A word of vertices belongs to one chunk, so nothing here is shared but `front`, which is only
// read. Rows are sorted, so the first hit is also the least parent.
template <class Offset, class Index>
Count pull(const State<Offset, Index>& s, Index level, Team& team) {
    std::atomic<std::int64_t> vertices{0}, edges{0};
    team.for_chunks(words_for(s.n), kPullGrain,
                    [&](std::int64_t begin, std::int64_t end, int worker) {
                        if (s.interrupt->poll(worker)) return;
                        Count mine;
                        for (std::int64_t w = begin; w < end; ++w) {
                            Word found = 0;
                            for_each_bit(~s.visited[w], w * kWordBits, [&](std::int64_t v) {
                                const Offset row_end = s.in.indptr[v + 1];
                                for (Offset k = s.in.indptr[v]; k < row_end; ++k) {
                                    const Index u = s.in.indices[k];
                                    if (!test_bit(s.front, u)) continue;
                                    if (s.levels) s.levels[v] = level;
                                    if (s.parents) s.parents[v] = u;
                                    found |= bit_of(v);
                                    mine.vertices += 1;
                                    mine.edges += s.out.degree(v);
                                    break;
                                }
                            });
                            s.next[w] = found;
                            s.visited[w] |= found;
                        }
                        vertices.fetch_add(mine.vertices, std::memory_order_relaxed);
                        edges.fetch_add(mine.edges, std::memory_order_relaxed);
                    });
    return {vertices.load(), edges.load()};
}

// With several sources, v belongs to the least source among those of its in-neighbours one level
// up, and so does its parent, the least of these.  Each vertex reads what earlier levels wrote and
// writes its own. `levels` is needed.
template <class Offset, class Index>
void settle_owner(const State<Offset, Index>& s, Index* owners, std::int64_t v) {
    Index owner = std::numeric_limits<Index>::max(), parent = 0;
    for (Offset k = s.in.indptr[v]; k < s.in.indptr[v + 1]; ++k) {
        const Index u = s.in.indices[k];
        if (s.levels[u] != s.levels[v] - 1 || owners[u] >= owner) continue;
        owner = owners[u];
        parent = u;
    }
    owners[v] = owner;
    if (s.parents) s.parents[v] = parent;
}

// Out-edges of the queued frontier.
template <class Offset, class Index>
std::int64_t frontier_edges(const State<Offset, Index>& s) {
    std::int64_t edges = 0;
    for (std::int64_t i = s.front_begin; i < s.front_end; ++i) {
        if (i + 2 * kAhead < s.front_end)
            __builtin_prefetch(&s.out.indptr[s.queue[i + 2 * kAhead]]);
        edges += s.out.degree(s.queue[i]);
    }
    return edges;
}

template <class Offset, class Index>
void queue_to_bitmap(const State<Offset, Index>& s, Word* bitmap) {
    std::fill_n(bitmap, words_for(s.n), Word{0});
    for (std::int64_t i = s.front_begin; i < s.front_end; ++i) set_bit(bitmap, s.queue[i]);
}

template <class Offset, class Index>
void bitmap_to_queue(State<Offset, Index>& s, const Word* bitmap) {
    Index* tail = s.queue + s.front_begin;
    for (std::int64_t w = 0; w < words_for(s.n); ++w)
        for_each_bit(bitmap[w], w * kWordBits,
                     [&](std::int64_t v) { *tail++ = static_cast<Index>(v); });
    s.front_end = tail - s.queue;
}

}  // namespace spbfs::bfs
