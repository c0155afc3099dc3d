// Top-down steps: a frontier is expanded over its out-edges, from list to list by one thread, or to
// a bitmap by several.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <vector>

#include "cpu/bfs/bfs_expand.h"
#include "cpu/bfs/bfs_state.h"

namespace spbfs::bfs {

// Vertices of a listed frontier a chunk: few, as rows are skewed; and between two polls of one
// thread.
constexpr std::int64_t kPushGrain = 64;
constexpr std::int64_t kSerialGrain = 4096;
// Chunks of a short list for every worker; words of the visited set that are copied at a time.
constexpr std::int64_t kChunks = 8, kCopiedWords = 2048;

// Top-down by one thread, list to list, whose capacity is at least the frontier's out-edges.
template <class Offset, class Index>
Frontier push_list(State<Offset, Index>& s, Index level, std::int64_t size) {
    Index* to = s.next_list;
    std::int64_t edges = 0;
    for (std::int64_t i = 0; i < size && !s.interrupt->poll(0); i += kSerialGrain)
        edges += expand<false>(
            s, i, std::min(i + kSerialGrain, size), [&](std::int64_t k) { return s.list[k]; },
            [&](const Discoveries<Index>& found) {
                for (std::int64_t k = 0; k < found.size; ++k) {
                    const Index v = found.child[k];
                    *to++ = v;
                    if (s.levels) s.levels[v] = level;
                    if (s.parents) s.parents[v] = found.parent[k];
                }
            },
            [](Index, Offset) { return false; });
    const std::int64_t vertices = to - s.next_list;
    std::swap(s.list, s.next_list);
    return {vertices, edges};
}

// The end of a push to bitmaps: the new frontier is what any copy has and `visited` has not. Levels
// are written here, in the order of memory, rather than at discovery, all over the place.
template <class Offset, class Index>
Frontier merge_copies(const State<Offset, Index>& s, Index level, int copies, Team& team) {
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

// Rows of the frontier that are too long for one worker, cut into pieces of as many edges.
template <class Offset, class Index>
class LongRows {
  public:
    explicit LongRows(std::int64_t edges) : rows_(edges / kPieceEdges + 1) {}

    // Takes u if its row is long; by any worker.
    bool take(Index u, Offset edges) {
        if (edges <= kPieceEdges) return false;
        rows_[size_.fetch_add(1, std::memory_order_relaxed)] = u;
        return true;
    }
    // Once all are taken: body(u, begin, end, worker) for every piece.
    template <class Body>
    void for_pieces(const State<Offset, Index>& s, Team& team, Body&& body) {
        std::vector<std::int64_t> first{0};  // the number of every row's first piece
        for (std::int64_t r = 0; r < size_; ++r)
            first.push_back(first.back() + (s.out.degree(rows_[r]) - 1) / kPieceEdges + 1);
        team.for_chunks(first.back(), 1, [&](std::int64_t piece, std::int64_t end, int worker) {
            for (; piece < end; ++piece) {
                const auto r = std::upper_bound(first.begin(), first.end(), piece) - first.begin();
                const Index u = rows_[r - 1];
                const Offset begin = s.out.indptr[u] + (piece - first[r - 1]) * kPieceEdges;
                const Offset stop = s.out.indptr[u + 1];
                body(u, begin, std::min<Offset>(begin + kPieceEdges, stop), worker);
            }
        });
    }

  private:
    static constexpr std::int64_t kPieceEdges = 4096;
    std::vector<Index> rows_;
    std::atomic<std::int64_t> size_{0};
};

// Top-down, to the bitmap `front`, from the list (size >= 0) or the bitmap `front` (size < 0) of a
// frontier with so many out-edges.
//
// Workers mark what they discover in copies of `visited`, one each while there are enough: in a set
// written by two cores at random, nearly every mark would wait for the other's cache.  A vertex
// that two copies have got two parents one after the other, either of which is right.
template <class Offset, class Index>
Frontier push_bitmap(State<Offset, Index>& s, Index level, std::int64_t size, std::int64_t edges,
                     Team& team) {
    const std::int64_t words = words_for(s.n);
    const int copies = std::min(team.workers(), s.ncopies + 1);
    auto copy_of = [&](int worker) {
        const int c = worker % copies;
        return c == 0 ? s.next : s.copies + (c - 1) * words;
    };
    team.for_chunks(words, kCopiedWords, [&](std::int64_t w, std::int64_t end, int) {
        for (int c = 0; c < copies; ++c) std::copy_n(s.visited + w, end - w, copy_of(c) + w);
    });
    auto write = [&](const Discoveries<Index>& found) {
        if (!s.parents) return;
        for (std::int64_t i = 0; i < found.size; ++i)
            std::atomic_ref<Index>(s.parents[found.child[i]])
                .store(found.parent[i], std::memory_order_relaxed);
    };
    LongRows<Offset, Index> long_rows(edges);
    auto run = [&]<bool Shared>() {
        const std::int64_t n = size >= 0 ? size : words;
        // Of few vertices every worker has some.
        const std::int64_t few = n / (kChunks * team.workers());
        const std::int64_t grain =
            size >= 0 ? std::clamp<std::int64_t>(few, 1, kPushGrain) : kWordGrain;
        auto later = [&](Index u, Offset its) { return long_rows.take(u, its); };
        team.for_chunks(n, grain, [&](std::int64_t begin, std::int64_t end, int worker) {
            if (s.interrupt->poll(worker)) return;
            State<Offset, Index> mine = s;
            mine.visited = copy_of(worker);
            if (size >= 0) {
                auto listed = [&](std::int64_t i) { return s.list[i]; };
                expand<Shared>(mine, begin, end, listed, write, later);
                return;
            }
            Index todo[kWordGrain * kWordBits];
            std::int64_t count = 0;
            for (std::int64_t w = begin; w < end; ++w)
                for_each_bit(s.front[w], w * kWordBits,
                             [&](std::int64_t v) { todo[count++] = static_cast<Index>(v); });
            expand<Shared>(mine, 0, count, [&](std::int64_t i) { return todo[i]; }, write, later);
        });
        long_rows.for_pieces(s, team, [&](Index u, Offset begin, Offset end, int worker) {
            if (s.interrupt->poll(worker)) return;
            State<Offset, Index> mine = s;
            mine.visited = copy_of(worker);
            expand_part<Shared>(mine, u, begin, end, write);
        });
    };
    if (team.workers() > copies)
        run.template operator()<true>();
    else
        run.template operator()<false>();
    const Frontier frontier = merge_copies(s, level, copies, team);
    std::swap(s.front, s.next);
    return frontier;
}

}  // namespace spbfs::bfs
