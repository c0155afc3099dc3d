// A search along arrays that nobody has checked: the textbook's queue, a list a level.
//
// Offsets and columns are checked in the rows that are reached, and in no others: each before it is
// followed, so that arrays may hold anything.  The caller guarantees n + 1 offsets, a source in
// range, and n elements of each output.
//
// What a row costs is mostly branches that no predictor knows: where it ends, and which of its
// neighbours are new.  Hence two ways of expanding a level.  A narrow one branches, as what it
// finds is needed at once: on a path the next vertex waits for nothing else.  A wide one lists
// every neighbour and counts those that are new, looks at long rows in blocks of which most have
// nothing new, and fetches rows ahead.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <type_traits>
#include <utility>

#include "cpu/matrices/given.h"
#include "cpu/threads/interrupt.h"

namespace spbfs::bfs {

enum class Rows { sound, unsorted, broken };

// `Vertex`: the type of results, which holds n.  `Sorted`: whether columns must rise within a row;
// where they need not, an entry may occur twice.
template <class Offset, class Index, class Vertex, bool Sorted>
class QueueSearch {
  public:
    QueueSearch(const Given<Offset, Index>& given, Vertex* levels, Vertex* parents)
        : g_(given), levels_(levels), parents_(parents) {}
    QueueSearch(const QueueSearch&) = delete;
    QueueSearch& operator=(const QueueSearch&) = delete;

    // Levels and parents, -1 where not reached; what they hold means nothing unless rows are sound.
    Rows run(Vertex source, std::int64_t max_depth, std::int64_t target, Interrupt& interrupt) {
        if (levels_) std::fill_n(levels_, g_.n, Vertex{-1});
        std::fill_n(parents_, g_.n, Vertex{-1});
        // One more than there are vertices: a neighbour is listed before it is known to be new.
        const auto room = static_cast<std::size_t>(g_.n) + 1;
        const auto queue = std::make_unique_for_overwrite<Vertex[]>(room);
        queue[0] = source;
        parents_[source] = source;
        if (levels_) levels_[source] = 0;
        Level level{queue.get(), queue.get() + 1};
        auto last = [&] {
            return depth == max_depth || reached == g_.n || (target >= 0 && parents_[target] >= 0);
        };
        for (reached = 1;;) {
            if (last() || level.size() >= kWide)
                expand(level, last(), interrupt);
            else
                narrow(level, target >= 0 ? depth + 1 : max_depth);
            if (level.size() == 0 || rows_ != Rows::sound || stopped(interrupt)) return rows_;
        }
    }

    std::int64_t reached = 0, depth = 0, edges = 0;

  private:
    using Unsigned = std::make_unsigned_t<Index>;
    // Vertices of a level from which on it is wide.
    static constexpr std::int64_t kWide = 32;
    // Rows between two polls.
    static constexpr std::int64_t kRowsPerStrip = 1 << 12;
    // Vertices between the fetch of a row and its use; offsets are fetched twice as far ahead.
    static constexpr std::int64_t kAhead = 8;
    // Neighbours of a long row that are looked at together.
    static constexpr int kBlock = 8;

    // The frontier, a part of the queue; what is found is listed behind it.
    struct Level {
        const Vertex* begin;
        Vertex* end;

        std::int64_t size() const { return end - begin; }
    };

    bool stopped(Interrupt& interrupt) {
        const std::int64_t work = edges - polled_;
        polled_ = edges;
        return interrupt.poll(0, work);
    }

    // A row's end; its beginning where it is not valid, and then the search is over.
    Offset enter(Vertex u) {
        if (!g_.valid_row(u)) {
            rows_ = Rows::broken;
            return g_.indptr[u];
        }
        edges += g_.indptr[u + 1] - g_.indptr[u];
        return g_.indptr[u + 1];
    }

    // Whether a column may be followed; if not, why.
    bool allowed(Index v, Index before) {
        if (static_cast<Unsigned>(v) >= static_cast<Unsigned>(g_.n))
            rows_ = Rows::broken;
        else if (Sorted && v <= before)
            rows_ = Rows::unsorted;
        else
            return true;
        return false;
    }

    // One level, of many vertices or the last.
    void expand(Level& level, bool last, Interrupt& interrupt) {
        Vertex* end = level.end;
        for (const Vertex* row = level.begin; row < level.end; row += kRowsPerStrip) {
            const std::int64_t rows = std::min(level.end - row, kRowsPerStrip);
            end = last ? look(row, rows, end) : wide(row, rows, end);
            if (rows_ != Rows::sound || stopped(interrupt)) return;
        }
        level = {level.end, end};
        reached += level.size();
        depth += level.size() > 0;
    }

    // Nothing is sought in these rows: all is found, or deep enough.
    Vertex* look(const Vertex* list, std::int64_t size, Vertex* next) {
        for (std::int64_t i = 0; i < size && rows_ == Rows::sound; ++i) {
            const Offset end = enter(list[i]);
            Index before = -1;
            for (Offset k = g_.indptr[list[i]]; k < end; ++k) {
                if (!allowed(g_.indices[k], before)) break;
                before = g_.indices[k];
            }
        }
        return next;
    }

    // Levels as long as they are narrow, and above `deepest`; so many at most as a poll may wait.
    void narrow(Level& level, std::int64_t deepest) {
        const Offset* const indptr = g_.indptr;
        const Index* const indices = g_.indices;
        Vertex* const parents = parents_;
        Vertex* const levels = levels_;
        const Vertex* begin = level.begin;
        Vertex* end = level.end;
        std::int64_t seen = 0, deeper = depth, rows = 0;
        const Vertex* const queue = end - reached;
        const Vertex* const all = queue + g_.n;
        while (begin < end && end - begin < kWide && deeper < deepest && rows < kRowsPerStrip &&
               end < all) {
            ++deeper;
            rows += end - begin;
            Vertex* next = end;
            for (; begin < end; ++begin) {
                const Vertex u = *begin;
                if (!g_.valid_row(u)) {
                    rows_ = Rows::broken;
                    return;
                }
                const Offset row_end = indptr[u + 1];
                seen += row_end - indptr[u];
                Index before = -1;
                for (Offset k = indptr[u]; k < row_end; ++k) {
                    const Index v = indices[k];
                    if (!allowed(v, before)) return;
                    before = v;
                    if (parents[v] >= 0) continue;
                    parents[v] = u;
                    if (levels) levels[v] = static_cast<Vertex>(deeper);
                    *next++ = static_cast<Vertex>(v);
                }
            }
            end = next;
        }
        level = {begin, end};
        depth = deeper - (begin == end);
        reached = end - queue;
        edges += seen;
    }

    Vertex* wide(const Vertex* list, std::int64_t size, Vertex* next) {
        Vertex* const begin = next;
        for (std::int64_t i = 0; i < size; ++i) {
            // What is prefetched may be anywhere: only to read it needs a row that is valid.
            if (i + 2 * kAhead < size) __builtin_prefetch(&g_.indptr[list[i + 2 * kAhead]]);
            if (i + kAhead < size) __builtin_prefetch(g_.indices + g_.indptr[list[i + kAhead]]);
            const Offset end = enter(list[i]);
            next = row(list[i], g_.indptr[list[i]], end, next);
            if (rows_ != Rows::sound) return next;
        }
        if (levels_) {
            const auto deeper = static_cast<Vertex>(depth + 1);
            for (const Vertex* found = begin; found < next; ++found) levels_[*found] = deeper;
        }
        return next;
    }

    // Lists v, and keeps it where it is new.  By arithmetic: compilers make branches of conditions.
    Vertex* take(Index v, Vertex u, Vertex* next) {
        Vertex& parent = parents_[v];
        const Vertex fresh = parent >> std::numeric_limits<Vertex>::digits;  // -1 or 0
        *next = static_cast<Vertex>(v);
        parent ^= (parent ^ u) & fresh;
        return next - fresh;
    }

    Vertex* row(Vertex u, Offset k, Offset end, Vertex* next) {
        const Index* const indices = g_.indices;
        Index before = -1;
        if (end - k >= 2 * kBlock)
            for (; k + kBlock <= end; k += kBlock) {
                if (!block(indices + k, before)) return next;
                before = indices[k + kBlock - 1];
                Vertex known = 0;  // negative where any is new
                for (int j = 0; j < kBlock; ++j) known |= parents_[indices[k + j]];
                if (known >= 0) continue;
                for (int j = 0; j < kBlock; ++j) next = take(indices[k + j], u, next);
            }
        for (; k < end && allowed(indices[k], before); ++k) {
            before = indices[k];
            next = take(before, u, next);
        }
        return next;
    }

    // As `allowed`, of a block of columns.
    bool block(const Index* v, Index before) {
        const auto n = static_cast<Unsigned>(g_.n);
        bool outside = static_cast<Unsigned>(v[kBlock - 1]) >= n, falls = v[0] <= before;
        for (int j = 1; j < kBlock; ++j) falls |= v[j] <= v[j - 1];
        // Where they rise they are between the first and the last.
        if (!Sorted)
            for (int j = 0; j < kBlock; ++j) outside |= static_cast<Unsigned>(v[j]) >= n;
        if (!outside && !(Sorted && falls)) return true;
        rows_ = Sorted && falls ? Rows::unsorted : Rows::broken;
        return false;
    }

    const Given<Offset, Index> g_;
    Vertex* const levels_;
    Vertex* const parents_;
    std::int64_t polled_ = 0;
    Rows rows_ = Rows::sound;
};

}  // namespace spbfs::bfs
