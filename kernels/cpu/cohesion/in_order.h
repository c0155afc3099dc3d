// Greedy algorithms, which take vertices one after the other, by several threads with the same
// result: a vertex decides as soon as all neighbours that are earlier in the order have.
//
// Blelloch, Fineman, Shun: Greedy sequential maximal independent set and matching are parallel on
// average (2012).
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <utility>
#include <vector>

#include "cpu/threads/interrupt.h"
#include "cpu/threads/parallel.h"

namespace spbfs {

// What is known of a vertex, read while others may write it.  It is known for good once it is
// decided and nothing else is read on account of it, so that no order of memory is needed: who
// reads what was there before waits for another round.
template <class T>
T peek(T& place) {
    return std::atomic_ref<T>(place).load(std::memory_order_relaxed);
}
template <class T>
void post(T& place, T value) {
    std::atomic_ref<T>(place).store(value, std::memory_order_relaxed);
}

// The place of every vertex in an order of all n.
template <class Index>
void places_in(const Index* order, std::int64_t n, Index* place, Team& team) {
    constexpr std::int64_t kGrain = 1 << 14;
    team.for_chunks(n, kGrain, [&](std::int64_t i, std::int64_t end, int) {
        for (; i < end; ++i) place[order[i]] = static_cast<Index>(i);
    });
}

// decide(vertex, worker) for the vertices of `order`, and again later for those for which it was
// false.  They are taken some at a time, those that wait first: the first of these can always
// decide.  Where many wait for others that another thread has at hand, fewer are taken at a time,
// until one thread takes so few alone, of which none waits.
template <class Offset, class Index, class Decide>
void in_order(const Offset* indptr, const Index* indices, const Index* order, std::int64_t count,
              Team& team, Interrupt& interrupt, const Decide& decide) {
    constexpr std::int64_t kGrain = 128, kMost = 1 << 16, kAhead = 8;
    std::vector<Index> taken(kMost), waiting(kMost);
    std::int64_t waits = 0, most = 1 << 12;
    while ((count > 0 || waits > 0) && !interrupt.stopped()) {
        std::swap(taken, waiting);
        const std::int64_t fresh = std::min(count, std::max(most - waits, std::int64_t{0}));
        std::copy_n(order, fresh, taken.data() + waits);
        order += fresh;
        count -= fresh;
        const std::int64_t size = waits + fresh;
        std::atomic<std::int64_t> left{0};
        team.for_chunks(size, kGrain, [&](std::int64_t i, std::int64_t end, int worker) {
            if (interrupt.poll(worker)) return;
            Index undecided[kGrain];
            std::int64_t mine = 0;
            for (; i < end; ++i) {
                if (i + 2 * kAhead < end) __builtin_prefetch(&indptr[taken[i + 2 * kAhead]]);
                if (i + kAhead < end) __builtin_prefetch(&indices[indptr[taken[i + kAhead]]]);
                if (!decide(taken[i], worker)) undecided[mine++] = taken[i];
            }
            if (mine > 0) std::copy_n(undecided, mine, waiting.data() + left.fetch_add(mine));
        });
        waits = left.load();
        most = 4 * waits > size ? std::max(most / 2, kGrain) : std::min(2 * most, kMost);
    }
}

}  // namespace spbfs
