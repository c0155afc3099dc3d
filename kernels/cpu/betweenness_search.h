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
// Paths are counted in doubles; where they are too many, as on large grids, the source's search is
// made again with numbers of any size.
//
// Brandes: A faster algorithm for betweenness centrality (2001); Beamer, Asanovic, Patterson:
// Direction-optimizing breadth-first search (2012).
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "cpu/interrupt.h"
#include "cpu/wide.h"

namespace spbfs {

template <class Offset, class Index>
struct Rows {
    const Offset* indptr = nullptr;
    const Index* indices = nullptr;

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

// Side by side, as they are asked for together.
template <class Index, class Count>
struct Vertex {
    // Shortest paths from the source; in the way back (1 + dependency) / paths.
    Count value;
    Index level;  // -1: not reached
};

// Count is a double, or Wide.
template <class Offset, class Index, class Count>
class Brandes {
  public:
    explicit Brandes(const Graph<Offset, Index>& graph)
        : graph_(graph), vertices_(graph.n, {Count{}, -1}), order_(graph.n) {}

    // Adds the dependencies of the source; -1 where paths are more than a Count counts, else the
    // edges from what it reaches.
    std::int64_t add(Index source, double* total, Interrupt& interrupt, int worker) {
        forward(source, interrupt, worker);
        if (counted_ && !interrupt.stopped()) backward(total, interrupt, worker);
        for (std::int64_t i = 0; i < size_; ++i) vertices_[order_[i]].level = -1;
        return counted_ ? edges_ : -1;
    }

  private:
    static constexpr std::int64_t kVerticesPerPoll = 1 << 12;

    // Its vertices stand in `order_` up to where the next one's begin.
    struct Level {
        std::int64_t begin, out_edges, in_edges;
    };

    // f(vertex) for vertex_at(i), i from `begin` to `end`; returns how many edges it looked at.
    template <class At, class F>
    void strips(std::int64_t begin, std::int64_t end, At&& vertex_at, Interrupt& interrupt,
                int worker, F&& f) {
        interrupt.strips(begin, end, kVerticesPerPoll, worker,
                         [&](std::int64_t from, std::int64_t to) {
                             std::int64_t work = to - from;
                             for (std::int64_t i = from; i < to; ++i) work += f(vertex_at(i));
                             return work;
                         });
    }
    bool both_ways() const { return graph_.into.indptr != nullptr; }
    auto of_order() const {
        return [this](std::int64_t i) { return order_[i]; };
    }

    // Levels and numbers of paths.
    void forward(Index source, Interrupt& interrupt, int worker) {
        vertices_[source] = {Count{1.0}, 0};
        order_[0] = source;
        size_ = 1;
        counted_ = true;
        edges_ = 0;
        levels_.clear();
        // In-edges of who has no level.
        std::int64_t open = both_ways() ? graph_.into.indptr[graph_.n] : 0;
        for (std::int64_t end = 0; end < size_ && !interrupt.stopped();) {
            const auto depth = static_cast<Index>(levels_.size());
            const Level& level = levels_.emplace_back(described(end));
            if (!counted_) return;
            edges_ += level.out_edges;
            open -= level.in_edges;
            end = size_;
            if (both_ways() && open + graph_.n < level.out_edges)
                pull(depth, interrupt, worker);
            else
                push(depth, level.begin, end, interrupt, worker);
        }
    }

    // The level of order_[begin] and what follows, to which nothing is added any more.
    Level described(std::int64_t begin) {
        Level level{begin, 0, 0};
        for (std::int64_t i = begin; i < size_; ++i) {
            const Index u = order_[i];
            level.out_edges += graph_.out.degree(u);
            if (both_ways()) level.in_edges += graph_.into.degree(u);
            counted_ &= finite(vertices_[u].value);
        }
        return level;
    }

    void push(Index level, std::int64_t begin, std::int64_t end, Interrupt& interrupt, int worker) {
        const auto deeper = static_cast<Index>(level + 1);
        strips(begin, end, of_order(), interrupt, worker, [&](Index u) {
            const Count paths = vertices_[u].value;
            graph_.out.each(u, [&](Index v) {
                Vertex<Index, Count>& to = vertices_[v];
                if (to.level < 0) {
                    to = {paths, deeper};
                    order_[size_++] = v;
                } else if (to.level == deeper) {
                    to.value += paths;
                }
            });
            return graph_.out.degree(u);
        });
    }

    void pull(Index level, Interrupt& interrupt, int worker) {
        const auto deeper = static_cast<Index>(level + 1);
        auto itself = [](std::int64_t i) { return static_cast<Index>(i); };
        strips(0, graph_.n, itself, interrupt, worker, [&](Index v) -> std::int64_t {
            if (vertices_[v].level >= 0) return 0;
            bool found = false;
            Count paths{};
            graph_.into.each(v, [&](Index u) {
                const Vertex<Index, Count>& from = vertices_[u];
                if (from.level != level) return;
                paths += from.value;
                found = true;
            });
            if (found) {
                vertices_[v] = {paths, deeper};
                order_[size_++] = v;
            }
            return graph_.into.degree(v);
        });
    }

    // From the farthest level back: a vertex gets of every next one on a path the share of its
    // paths, and of what that one got.  The last level gets nothing.
    void backward(double* total, Interrupt& interrupt, int worker) {
        auto level = static_cast<Index>(levels_.size() - 1);
        for (std::int64_t i = levels_[level].begin; i < size_; ++i)
            vertices_[order_[i]].value = quotient(1.0, vertices_[order_[i]].value);
        // Nobody asks for the source's.
        while (--level > 0 && !interrupt.stopped()) {
            if (both_ways() && levels_[level + 1].in_edges < levels_[level].out_edges)
                give(level, total, interrupt, worker);
            else
                take(level, total, interrupt, worker);
        }
    }

    void take(Index level, double* total, Interrupt& interrupt, int worker) {
        const auto deeper = static_cast<Index>(level + 1);
        strips(levels_[level].begin, levels_[deeper].begin, of_order(), interrupt, worker,
               [&](Index u) {
                   Count shares{};
                   graph_.out.each(u, [&](Index v) {
                       const Vertex<Index, Count>& next = vertices_[v];
                       if (next.level == deeper) shares += next.value;
                   });
                   finish(u, shares, total);
                   return graph_.out.degree(u);
               });
    }

    void give(Index level, double* total, Interrupt& interrupt, int worker) {
        if (shares_.empty()) shares_.resize(graph_.n);
        const std::size_t deeper = level + 1;
        strips(levels_[deeper].begin, end_of(deeper), of_order(), interrupt, worker, [&](Index v) {
            const Count share = vertices_[v].value;
            graph_.into.each(v, [&](Index u) {
                if (vertices_[u].level == level) shares_[u] += share;
            });
            return graph_.into.degree(v);
        });
        strips(levels_[level].begin, levels_[deeper].begin, of_order(), interrupt, worker,
               [&](Index u) {
                   finish(u, std::exchange(shares_[u], Count{}), total);
                   return std::int64_t{0};
               });
    }

    void finish(Index u, const Count& shares, double* total) {
        const double dependency = product(vertices_[u].value, shares);
        total[u] += dependency;
        vertices_[u].value = quotient(1.0 + dependency, vertices_[u].value);
    }

    std::int64_t end_of(std::size_t level) const {
        return level + 1 < levels_.size() ? levels_[level + 1].begin : size_;
    }

    const Graph<Offset, Index> graph_;
    std::vector<Vertex<Index, Count>> vertices_;
    std::vector<Index> order_;
    std::vector<Count> shares_;
    std::vector<Level> levels_;
    std::int64_t size_ = 0, edges_ = 0;
    bool counted_ = true;
};

}  // namespace spbfs
