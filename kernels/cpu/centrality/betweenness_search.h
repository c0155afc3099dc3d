// One source's shortest paths counted forward and their shares summed backward, each step between
// two levels by whichever of them has fewer edges.
//
// An edge counts if it leads from a level to the next one.  Forward, either the vertices of a level
// give their paths along their out-edges, or all that have no level yet take them along their
// in-edges: unlike in a search that only wants levels, from all of them.  Backward both levels are
// known: either the nearer one takes shares along its out-edges, or the farther one gives them
// along its in-edges.  On graphs of few levels one of these has most of the edges, and it is never
// read.
//
// Nobody asks an edge for its levels.  `value_` is zero but for the vertices whose numbers a step
// reads or makes, so that a vertex adds up what all of its edges lead to:
//   - forward, an in-edge of who has no level comes from the last level or from nobody who has one;
//   - backward, an out-edge of a level leads to the next one, to that level or a nearer one, which
//     are zero, as they get theirs behind the step.
// Numbers of levels that are done with stand beside `order_`.
//
// The same whatever the number of threads: a vertex adds up its edges in one order, that of its
// row or of the level whose rows are given from, and by one thread.  So no two threads write one
// number, and what a step reads of others is written before it begins.
//
// Paths are counted in doubles; where they are too many, as on large grids, the source's search is
// made again with numbers of any size.
//
// Brandes: A faster algorithm for betweenness centrality (2001); Beamer, Asanovic, Patterson:
// Direction-optimizing breadth-first search (2012).
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "common/bits.h"
#include "cpu/numbers/wide.h"
#include "cpu/threads/workers.h"

namespace spbfs {

template <class Offset, class Index>
struct Rows {
    const Offset* indptr = nullptr;
    const Index* indices = nullptr;

    const Index* begin(Index v) const { return indices + indptr[v]; }
    const Index* end(Index v) const { return indices + indptr[v + 1]; }
    std::int64_t degree(Index v) const { return indptr[v + 1] - indptr[v]; }

    template <class F>
    void each(Index v, F&& f) const {
        for (Offset k = indptr[v], end = indptr[v + 1]; k < end; ++k) f(indices[k]);
    }
};

// A pattern and its transpose: the same arrays where it is symmetric, null where it is not known.
template <class Offset, class Index>
struct Graph {
    Rows<Offset, Index> out, into;
    std::int64_t n;
};

// Count is a double, or Wide.
template <class Offset, class Index, class Count>
class Brandes {
  public:
    explicit Brandes(const Graph<Offset, Index>& graph)
        : graph_(graph),
          value_(graph.n),
          seen_(words_for(graph.n)),
          order_(std::make_unique_for_overwrite<Index[]>(graph.n)),
          count_(std::make_unique_for_overwrite<Count[]>(graph.n)) {}

    // Adds the dependencies of the source; -1 where paths are more than a Count counts, else the
    // edges from what it reaches.
    std::int64_t add(Index source, double* total, Workers& workers) {
        forward(source, workers);
        if (counted_ && !workers.stopped()) backward(total, workers);
        forget(workers);
        return counted_ ? edges_ : -1;
    }

  private:
    // Vertices of a turn, whole words of `seen_`.
    static constexpr std::int64_t kTurn = 1 << 12, kWordsOfTurn = kTurn / kWordBits;
    // A level of fewer edges is no work for several threads, and is kept in the order it is found.
    static constexpr std::int64_t kEdgesAlone = 1 << 15;
    // Nor worth a look at all vertices, if it is fewer than this part of them.
    static constexpr std::int64_t kFar = 4;
    // What a thread takes to find its part of a row, in edges: 40 ns of a short row, 180 of a long
    // one, and 5 an edge (Zen 4, Kronecker 20).
    static constexpr std::int64_t kEdgesPerCut = 8;

    // Its vertices stand in `order_` up to where the next one's begin.
    struct Level {
        std::int64_t begin, out_edges, in_edges;
        bool ascending;
    };

    bool both_ways() const { return graph_.into.indptr != nullptr; }
    bool seen(Index v) const { return test_bit(seen_.data(), v); }
    std::int64_t end_of(std::size_t level) const {
        return level + 1 < levels_.size() ? levels_[level + 1].begin : size_;
    }

    // Levels and numbers of paths.
    void forward(Index source, Workers& workers) {
        order_[0] = source;
        count_[0] = Count{1.0};
        set_bit(seen_.data(), source);
        size_ = 1;
        counted_ = true;
        edges_ = 0;
        levels_.clear();
        // In-edges of who has no level.
        std::int64_t open = both_ways() ? graph_.into.indptr[graph_.n] : 0;
        bool ascending = true;
        for (std::int64_t begin = 0; begin < size_ && !workers.stopped();) {
            const Level level = levels_.emplace_back(described(begin, ascending, workers));
            if (!counted_) return;
            edges_ += level.out_edges;
            open -= level.in_edges;
            const std::int64_t end = size_;
            ascending = level.out_edges >= std::max(kEdgesAlone, graph_.n / kFar);
            if (!ascending)
                push(begin, end, workers);
            else if (both_ways() && open + graph_.n < level.out_edges)
                pull(begin, end, workers);
            else
                push_far(begin, end, workers);
            begin = end;
        }
    }

    // The level of order_[begin] and what follows, to which nothing is added any more.
    Level described(std::int64_t begin, bool ascending, Workers& workers) {
        std::atomic<std::int64_t> out_edges{0}, in_edges{0};
        std::atomic<bool> counted{true};
        workers.turns(size_ - begin, kTurn, [&](std::int64_t from, std::int64_t to) {
            std::int64_t out = 0, in = 0;
            bool finite_all = true;
            for (std::int64_t i = begin + from; i < begin + to; ++i) {
                out += graph_.out.degree(order_[i]);
                if (both_ways()) in += graph_.into.degree(order_[i]);
                finite_all &= finite(count_[i]);
            }
            out_edges += out;
            in_edges += in;
            if (!finite_all) counted = false;
            return to - from;
        });
        counted_ = counted;
        return {begin, out_edges, in_edges, ascending};
    }

    void push(std::int64_t begin, std::int64_t end, Workers& workers) {
        workers.strips(begin, end, 0, [&](std::int64_t i) {
            const Count paths = count_[i];
            graph_.out.each(order_[i], [&](Index v) {
                if (seen(v)) return;
                if (!positive(value_[v])) order_[size_++] = v;
                value_[v] += paths;
            });
            return graph_.out.degree(order_[i]);
        });
        for (std::int64_t i = end; i < size_; ++i) {
            count_[i] = std::exchange(value_[order_[i]], Count{});
            set_bit(seen_.data(), order_[i]);
        }
    }

    // Of many edges, which all threads share.
    void push_far(std::int64_t begin, std::int64_t end, Workers& workers) {
        scatter(graph_.out, begin, end, true, workers, [&](const Count& paths, Index v) {
            if (!seen(v)) value_[v] += paths;
        });
        find(workers, [&](Index v) { return std::pair(std::exchange(value_[v], Count{}), 0); });
    }

    void pull(std::int64_t begin, std::int64_t end, Workers& workers) {
        show(begin, end, workers);
        find(workers,
             [&](Index v) { return std::pair(sum_of(graph_.into, v), graph_.into.degree(v)); });
        workers.turns(end - begin, kTurn, [&](std::int64_t from, std::int64_t to) {
            for (std::int64_t i = from; i < to; ++i) value_[order_[begin + i]] = Count{};
            return to - from;
        });
    }

    // Everybody sees what order_[begin..end) have.
    void show(std::int64_t begin, std::int64_t end, Workers& workers) {
        workers.turns(end - begin, kTurn, [&](std::int64_t from, std::int64_t to) {
            for (std::int64_t i = from; i < to; ++i) value_[order_[begin + i]] = count_[begin + i];
            return to - from;
        });
    }

    Count sum_of(const Rows<Offset, Index>& rows, Index v) const {
        Count sum{};
        rows.each(v, [&](Index u) { sum += value_[u]; });
        return sum;
    }

    // give(count_[i], v) for all v in the rows of order_[begin..end).  Threads have a range of v
    // each, so that every v is given to in the same order.
    template <class Give>
    void scatter(const Rows<Offset, Index>& rows, std::int64_t begin, std::int64_t end, bool many,
                 Workers& workers, Give&& give) {
        const int parts = many ? workers.count() : 1;
        if (parts == 1) {
            workers.strips(begin, end, 0, [&](std::int64_t i) {
                rows.each(order_[i], [&](Index v) { give(count_[i], v); });
                return rows.degree(order_[i]);
            });
            return;
        }
        workers.each(parts, [&](std::int64_t part, int worker) {
            const Index first = bound(part, parts), last = bound(part + 1, parts);
            workers.strips(begin, end, worker, [&](std::int64_t i) {
                const Index* const row_end = rows.end(order_[i]);
                const Index* v = std::lower_bound(rows.begin(order_[i]), row_end, first);
                const Index* const from = v;
                for (; v < row_end && *v < last; ++v) give(count_[i], *v);
                return v - from + kEdgesPerCut;
            });
        });
    }

    // Where the part of vertices begins; parts have about as many edges.
    Index bound(std::int64_t part, std::int64_t parts) const {
        const Offset* const indptr = graph_.out.indptr;
        const std::int64_t edges = indptr[graph_.n];
        const auto at = static_cast<Offset>(edges / parts * part + edges % parts * part / parts);
        if (part == parts) return static_cast<Index>(graph_.n);
        return static_cast<Index>(std::lower_bound(indptr, indptr + graph_.n, at) - indptr);
    }

    // The next level: all vertices v that are not seen and for which paths_of(v).first is positive.
    // They are found in turns, each of which has room for as many as it may find, and moved
    // together.
    template <class PathsOf>
    void find(Workers& workers, PathsOf&& paths_of) {
        const std::int64_t turns = (graph_.n + kTurn - 1) / kTurn;
        ends_.resize(turns);
        begins_.resize(turns);
        std::int64_t room = size_;
        for (std::int64_t turn = 0; turn < turns; ++turn) {
            begins_[turn] = ends_[turn] = room;
            const std::int64_t end = std::min((turn + 1) * kTurn, graph_.n);
            room += end - turn * kTurn;
            for (std::int64_t w = turn * kWordsOfTurn; w * kWordBits < end; ++w)
                room -= std::popcount(seen_[w]);
        }
        workers.turns(graph_.n, kTurn, [&](std::int64_t from, std::int64_t to) {
            std::int64_t work = to - from, &end = ends_[from / kTurn];
            for (std::int64_t base = from; base < to; base += kWordBits) {
                Word found = 0, &seen = seen_[base / kWordBits];
                for_each_bit(~seen & low_bits(to - base), base, [&](std::int64_t i) {
                    const auto v = static_cast<Index>(i);
                    const auto [paths, edges] = paths_of(v);
                    work += edges;
                    if (!positive(paths)) return;
                    order_[end] = v;
                    count_[end++] = paths;
                    found |= bit_of(i);
                });
                seen |= found;
            }
            return work;
        });
        for (std::int64_t turn = 0; turn < turns; ++turn) {
            const std::int64_t begin = begins_[turn], end = ends_[turn];
            if (begin != end && begin != size_) {
                std::copy_n(&order_[begin], end - begin, &order_[size_]);
                std::copy_n(&count_[begin], end - begin, &count_[size_]);
            }
            size_ += end - begin;
        }
    }

    static Word low_bits(std::int64_t bits) {
        return bits < kWordBits ? (Word{1} << bits) - 1 : ~Word{0};
    }

    // From the farthest level back: a vertex gets of every next one on a path the share of its
    // paths, and of what that one got.  The last level gets nothing.  What a vertex passes on,
    // (1 + dependency) / paths, takes the place of its paths.
    void backward(double* total, Workers& workers) {
        std::size_t level = levels_.size() - 1;
        for (std::int64_t i = levels_[level].begin; i < size_; ++i)
            count_[i] = quotient(1.0, count_[i]);
        show(levels_[level].begin, size_, workers);
        // Nobody asks for the source's.
        while (level-- > 1 && !workers.stopped()) {
            const std::int64_t begin = levels_[level].begin, end = levels_[level + 1].begin;
            const bool many = levels_[level].out_edges >= kEdgesAlone,
                       given = gives(level, workers);
            if (given)
                scatter(graph_.into, end, end_of(level + 1),
                        levels_[level + 1].in_edges >= kEdgesAlone, workers,
                        [&](const Count& share, Index u) {
                            // Who is not reached has edges to who is, in one direction.
                            if (seen(u)) value_[u] += share;
                        });
            workers.turns(end - begin, many ? kTurn / 16 : end - begin,
                          [&](std::int64_t from, std::int64_t to) {
                              std::int64_t work = to - from;
                              for (std::int64_t i = begin + from; i < begin + to; ++i) {
                                  const Index u = order_[i];
                                  const Count shares = given ? value_[u] : sum_of(graph_.out, u);
                                  if (!given) work += graph_.out.degree(u);
                                  const double dependency = product(count_[i], shares);
                                  total[u] += dependency;
                                  count_[i] = quotient(1.0 + dependency, count_[i]);
                              }
                              return work;
                          });
            show(begin, end, workers);
        }
    }

    // Whether the next level gives its shares, which makes the same sums only where its order is
    // that of rows: else the number of threads may not count.
    bool gives(std::size_t level, const Workers& workers) const {
        if (!both_ways()) return false;
        const Level& next = levels_[level + 1];
        const std::int64_t cuts =
            next.ascending && workers.count() > 1
                ? workers.count() * kEdgesPerCut * (end_of(level + 1) - next.begin)
                : 0;
        return next.in_edges + cuts < levels_[level].out_edges;
    }

    void forget(Workers& workers) {
        if (size_ < graph_.n / kWordBits) {
            for (std::int64_t i = 0; i < size_; ++i) {
                value_[order_[i]] = Count{};
                seen_[order_[i] / kWordBits] = 0;
            }
            return;
        }
        workers.turns(graph_.n, kTurn, [&](std::int64_t from, std::int64_t to) {
            std::fill_n(&value_[from], to - from, Count{});
            return to - from;
        });
        std::ranges::fill(seen_, 0);
    }

    const Graph<Offset, Index> graph_;
    std::vector<Count> value_;
    std::vector<Word> seen_;
    std::unique_ptr<Index[]> order_;
    // Of order_[i]: shortest paths from the source; in the way back (1 + dependency) / paths.
    std::unique_ptr<Count[]> count_;
    std::vector<Level> levels_;
    std::vector<std::int64_t> begins_, ends_;
    std::int64_t size_ = 0, edges_ = 0;
    bool counted_ = true;
};

}  // namespace spbfs
