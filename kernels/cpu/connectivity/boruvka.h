// Boruvka's rounds over blocks of edges: every component takes the least edge that leaves it, and
// what is joined becomes one component, until no edge leaves any.
//
// Edges are ordered by key, then by their ends, so that none of different ends are equal and the
// forest is the only one.  An edge may be there twice, once from each of its ends' rows.
//
// Why races are harmless.  A round is three loops, and a loop begins when the one before has ended.
// - Proposing writes `least_` by compare-and-swap alone.  A block belongs to one worker, which
//   moves an edge to its place in it before it proposes the place, with release; who compares with
//   it has loaded the place with acquire.  `parents_` is only read.
// - Choosing reads `least_` and `parents_` and writes `next_[r]` for its own r.
// - Moving writes `least_[r]` and `parents_[r]` for its own r; then parents are flattened, of which
//   union_find.h tells.
// Next to choosing no cycle arises: along edges taken keys fall, but where two components take the
// same edge, of which then the lesser one stays a root.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <vector>

#include "cpu/connectivity/union_find.h"
#include "cpu/threads/interrupt.h"
#include "cpu/threads/parallel.h"

namespace spbfs {

template <class Key, class Index>
struct Edge {
    Key key;
    Index low, high;

    bool operator<(const Edge& other) const {
        if (key != other.key) return key < other.key;
        return low != other.low ? low < other.low : high < other.high;
    }
    bool operator==(const Edge&) const = default;
};

template <class Key, class Index>
struct EdgeBlock {
    static constexpr std::int64_t kCapacity = 1 << 12;

    std::int64_t size = 0;
    Edge<Key, Index> edges[kCapacity];
};

template <class Key, class Index>
class Boruvka {
  public:
    using Block = EdgeBlock<Key, Index>;
    using Blocks = std::vector<std::unique_ptr<Block>>;

    // `chosen` has room for n edges.
    Boruvka(std::int64_t n, Edge<Key, Index>* chosen, Team& team, Interrupt& interrupt)
        : n_(n),
          chosen_(chosen),
          parents_(n),
          next_(n),
          least_(n),
          sets_(parents_.data()),
          team_(team),
          interrupt_(interrupt) {
        for (std::int64_t v = 0; v < n; ++v) parents_[v] = static_cast<Index>(v);
    }

    // Whether both ends are in the same component; not while rounds are made.
    bool connected(Index u, Index v) const { return parents_[u] == parents_[v]; }

    // Takes what these edges add to the forest; they are used up.
    void take(Blocks& blocks) {
        // Those that an edge may leave: at first all vertices, then fewer every round.
        std::vector<Index> roots(n_);
        std::iota(roots.begin(), roots.end(), Index{0});
        std::vector<std::int64_t> left(n_ / kGrain + 1);
        while (propose(blocks) && !interrupt_.stopped()) {
            const auto count = static_cast<std::int64_t>(roots.size());
            over(count, [&](std::int64_t begin, std::int64_t end) {
                for (std::int64_t i = begin; i < end; ++i) choose(roots[i]);
            });
            over(count, [&](std::int64_t begin, std::int64_t end) {
                left[begin / kGrain] = move(roots.data() + begin, roots.data() + end);
            });
            std::int64_t kept = 0;
            for (std::int64_t begin = 0; begin < count; begin += kGrain) {
                const auto from = roots.begin() + begin;
                std::copy_n(from, left[begin / kGrain], roots.begin() + kept);
                kept += left[begin / kGrain];
            }
            roots.resize(kept);
            over(n_, [&](std::int64_t begin, std::int64_t end) { sets_.flatten(begin, end); });
        }
    }

    std::int64_t size() const { return size_.load(); }

  private:
    static constexpr std::int64_t kGrain = 1 << 12;

    // The least edge proposed, and the key of one that was: not less than that of the least one,
    // and at hand where the edge is not.
    struct Least {
        Key bound = std::numeric_limits<Key>::max();
        const Edge<Key, Index>* edge = nullptr;
    };

    // f(begin, end) for chunks that begin at multiples of the grain.
    template <class F>
    void over(std::int64_t count, F&& f) {
        team_.for_chunks(count, kGrain, [&](std::int64_t begin, std::int64_t end, int worker) {
            if (!interrupt_.poll(worker, end - begin)) f(begin, end);
        });
    }

    // Joins these roots to what they chose; how many stay roots, which are moved to the front.
    std::int64_t move(Index* begin, Index* end) {
        Index* to = begin;
        for (const Index* at = begin; at < end; ++at) {
            const Index r = *at;
            if (least_[r].edge == nullptr) continue;
            least_[r] = {};
            parents_[r] = next_[r];
            *to = r;
            to += next_[r] == r;
        }
        return to - begin;
    }

    // Whether there are edges that leave components; drops those that do not.
    bool propose(Blocks& blocks) {
        std::atomic<bool> any{false};
        team_.for_chunks(static_cast<std::int64_t>(blocks.size()), 1,
                         [&](std::int64_t b, std::int64_t, int worker) {
                             Block& block = *blocks[b];
                             if (block.size == 0 || interrupt_.poll(worker, block.size)) return;
                             std::int64_t left = 0;
                             for (std::int64_t i = 0; i < block.size; ++i) {
                                 const Edge<Key, Index> edge = block.edges[i];
                                 const Index u = parents_[edge.low], v = parents_[edge.high];
                                 if (u == v) continue;
                                 block.edges[left] = edge;
                                 propose(u, &block.edges[left]);
                                 propose(v, &block.edges[left]);
                                 ++left;
                             }
                             block.size = left;
                             if (left > 0) any.store(true, std::memory_order_relaxed);
                         });
        return any.load();
    }

    void propose(Index r, const Edge<Key, Index>* edge) {
        const std::atomic_ref<Key> bound(least_[r].bound);
        if (edge->key > bound.load(std::memory_order_relaxed)) return;
        const std::atomic_ref<const Edge<Key, Index>*> least(least_[r].edge);
        const Edge<Key, Index>* known = least.load(std::memory_order_acquire);
        while (known == nullptr || *edge < *known)
            if (least.compare_exchange_weak(known, edge, std::memory_order_acq_rel,
                                            std::memory_order_acquire)) {
                bound.store(edge->key, std::memory_order_relaxed);
                return;
            }
    }

    // Where a component goes with the least edge that leaves it.
    void choose(Index r) {
        const Edge<Key, Index>* edge = least_[r].edge;
        if (edge == nullptr) return;
        const Index u = parents_[edge->low], other = u == r ? parents_[edge->high] : u;
        const bool mutual = *least_[other].edge == *edge;
        next_[r] = mutual && r < other ? r : other;
        if (next_[r] == other) chosen_[size_.fetch_add(1, std::memory_order_relaxed)] = *edge;
    }

    const std::int64_t n_;
    Edge<Key, Index>* const chosen_;
    std::atomic<std::int64_t> size_{0};
    std::vector<Index> parents_, next_;
    std::vector<Least> least_;
    UnionFind<Index> sets_;
    Team& team_;
    Interrupt& interrupt_;
};

}  // namespace spbfs
