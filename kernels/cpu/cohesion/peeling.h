// The vertices as they leave a graph, round by round: all that have no more neighbours left than
// the least degree that was left in this round or one before.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "cpu/threads/interrupt.h"
#include "cpu/threads/parallel.h"

namespace spbfs {

// `order` has n elements; of a round the least vertex comes first.
template <class Offset, class Index>
class Peeling {
  public:
    Peeling(const Offset* indptr, const Index* indices, std::int64_t n, Index* order, int threads)
        : indptr_(indptr), indices_(indices), order_(order), degree_(n), left_(n), team_(threads) {}

    // What is left is looked through once for every degree that it has, which no vertex sees more
    // often than its core number says: in all no more than once an entry.
    //
    // With leave(begin, end, least) for order[begin] to order[end], which leave together.
    template <class Leave>
    void run(Interrupt& interrupt, Leave&& leave) {
        std::iota(left_.begin(), left_.end(), Index{0});
        team_.for_chunks(std::ssize(left_), kGrain, [&](std::int64_t v, std::int64_t end, int) {
            for (; v < end; ++v) {
                const Index* row = indices_ + indptr_[v];
                const Index* row_end = indices_ + indptr_[v + 1];
                const bool loop = std::binary_search(row, row_end, static_cast<Index>(v));
                degree_[v] = static_cast<Index>(row_end - row - loop);
            }
        });
        std::int64_t out = 0;
        while (!left_.empty() && !interrupt.stopped()) {
            Index least = std::numeric_limits<Index>::max();
            for (const Index v : left_) least = std::min(least, degree_[v]);
            // Of the degrees that were left so far this is the greatest: lower ones have left.
            std::int64_t end = out;
            std::erase_if(left_, [&](Index v) {
                if (degree_[v] > least) return false;
                order_[end++] = v;
                return true;
            });
            while (out < end && !interrupt.stopped()) {
                leave(out, end, least);
                const std::int64_t next = round(out, end, least, interrupt);
                out = end;
                end = next;
                std::sort(order_ + out, order_ + end);
            }
            std::erase_if(left_, [&](Index v) { return degree_[v] <= least; });
        }
    }

  private:
    static constexpr std::int64_t kGrain = 1024;

    // Takes out order_[begin] to order_[end]; lists behind them who has `least` neighbours left for
    // it, and returns where that list ends.  Whoever takes the last one too many lists a vertex, so
    // that it is listed once; degrees of what has left fall on, and are not looked at.
    std::int64_t round(std::int64_t begin, std::int64_t end, Index least, Interrupt& interrupt) {
        std::atomic<std::int64_t> size{end};
        team_.for_chunks(end - begin, kGrain, [&](std::int64_t i, std::int64_t to, int worker) {
            std::int64_t work = 0;
            for (; i < to; ++i) {
                const Index u = order_[begin + i];
                work += indptr_[u + 1] - indptr_[u];
                for (Offset k = indptr_[u]; k < indptr_[u + 1]; ++k) {
                    const Index v = indices_[k];
                    std::atomic_ref<Index> degree(degree_[v]);
                    if (v == u || degree.load(std::memory_order_relaxed) <= least) continue;
                    if (degree.fetch_sub(1, std::memory_order_relaxed) == least + 1)
                        order_[size.fetch_add(1, std::memory_order_relaxed)] = v;
                }
            }
            interrupt.poll(worker, work);
        });
        return size.load();
    }

    const Offset* const indptr_;
    const Index* const indices_;
    Index* const order_;
    std::vector<Index> degree_, left_;
    Team team_;
};

}  // namespace spbfs
