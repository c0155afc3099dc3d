// A push into a dense w: by blocks of elements, by the pattern alone, or by whoever is first.
#pragma once

#include <atomic>
#include <bit>
#include <cstdint>

#include "cpu/products/push_task.h"
#include "cpu/threads/parallel.h"
#include "cpu/vectors/frontier.h"

namespace spbfs::push {

// Rows of the frontier a worker takes at a time: hubs make rows uneven, so few.
constexpr std::int64_t kRowsPerChunk = 64;
// Elements whose mask a worker applies at a time.
constexpr std::int64_t kElementsPerChunk = 1 << 16;

// All by value and never inlined: what is read in the loop stays in registers, though it writes
// bytes, which may alias anything.  Inlined among the strips it takes a quarter longer.
template <class S, class O, class I>
[[gnu::noinline]] std::int64_t push_strip(S s, Csr<O, I> M, Task task, std::int64_t begin,
                                          std::int64_t end, std::int64_t first, std::int64_t last,
                                          std::uint8_t* present, void* values) {
    std::int64_t found = 0;
    expand(M, task, begin, end, first, last,
           [&](std::int64_t j, std::int64_t p, std::int64_t t, std::int64_t k) {
               if (present[j] == 0) {
                   present[j] = 1;
                   ++found;
                   s.store(values, j, s.product(p, t, j, k, 0));
               } else if constexpr (!S::any) {
                   s.store(values, j, s.sum(s.load(values, j), s.product(p, t, j, k, 0)));
               }
           });
    return found;
}

// Whatever the monoid, for the elements in [first, last) of w: others take no part in it, so blocks
// of elements are work for several workers, without atomics and with sums in the same order.
template <class S, class O, class I>
std::int64_t push_block(const S& s, const Csr<O, I>& M, const Task& task, std::int64_t first,
                        std::int64_t last, std::uint8_t* present, void* values, int worker) {
    std::int64_t found = 0;
    task.interrupt->strips(
        0, task.count, kRowsPerStrip, worker, [&](std::int64_t begin, std::int64_t end) {
            found += push_strip(s, M, task, begin, end, first, last, present, values);
            return end - begin + edges_of(M, task, begin, end);
        });
    return found;
}

template <class S, class O, class I>
std::int64_t push_blocks(const S& s, const Csr<O, I>& M, const Task& task, std::int64_t blocks,
                         std::uint8_t* present, void* values, std::int64_t columns) {
    const std::int64_t width = (columns + blocks - 1) / blocks;
    std::atomic<std::int64_t> total{0};
    Team(task.threads)
        .for_chunks(columns, width, [&](std::int64_t begin, std::int64_t end, int worker) {
            total.fetch_add(push_block(s, M, task, begin, end, present, values, worker),
                            std::memory_order_relaxed);
        });
    return total.load();
}

// Nothing but the pattern is wanted: every neighbour is set, whatever the mask, whoever else sets
// it too, and what the mask refuses is taken out in one sequential pass.  Most edges of a large
// frontier lead to what is visited or found already, and which do no predictor can know.
template <class O, class I>
std::int64_t push_pattern(const Csr<O, I>& M, const Task& task, std::uint8_t* present,
                          std::int64_t columns) {
    Task open = task;
    open.mask = nullptr;
    Team team(task.threads);
    auto send = [&](std::int64_t j, std::int64_t, std::int64_t, std::int64_t) {
        std::atomic_ref<std::uint8_t>(present[j]).store(1, std::memory_order_relaxed);
    };
    auto body = [&](std::int64_t begin, std::int64_t end, int worker) {
        if (task.interrupt->stopped()) return;
        expand(M, open, begin, end, send);
        task.interrupt->poll(worker, end - begin + edges_of(M, task, begin, end));
    };
    team.for_chunks(task.count, kRowsPerChunk, body);
    const std::uint64_t complement_bytes = task.complement ? kEveryByte : 0;
    std::atomic<std::int64_t> total{0};
    team.for_chunks(columns, kElementsPerChunk, [&](std::int64_t begin, std::int64_t end, int) {
        std::int64_t found = 0;
        for (std::int64_t j = begin; j < end; j += 8) {
            std::uint64_t set = load_bytes(present, j, end);
            if (task.mask != nullptr)
                set &= nonzero_bytes(load_bytes(task.mask, j, end)) ^ complement_bytes;
            std::memcpy(present + j, &set,
                        static_cast<std::size_t>(std::min<std::int64_t>(8, end - j)));
            found += std::popcount(set);
        }
        total.fetch_add(found, std::memory_order_relaxed);
    });
    return total.load();
}

// Several workers and a monoid for which the first product is as good as any: whoever sets the
// byte stores the value, and nobody reads it before the loop has ended.
template <class S, class O, class I>
std::int64_t push_claim(const S& s, const Csr<O, I>& M, const Task& task, std::uint8_t* present,
                        void* values) {
    std::atomic<std::int64_t> total{0};
    Team(task.threads)
        .for_chunks(
            task.count, kRowsPerChunk, [&](std::int64_t begin, std::int64_t end, int worker) {
                if (task.interrupt->stopped()) return;
                std::int64_t found = 0;
                auto send = [&](std::int64_t j, std::int64_t p, std::int64_t t, std::int64_t k) {
                    std::atomic_ref<std::uint8_t> claim(present[j]);
                    if (claim.load(std::memory_order_relaxed) != 0) return;
                    if (claim.exchange(1, std::memory_order_relaxed) != 0) return;
                    s.store(values, j, s.product(p, t, j, k, 0));
                    ++found;
                };
                expand(M, task, begin, end, send);
                task.interrupt->poll(worker, end - begin + edges_of(M, task, begin, end));
                total.fetch_add(found, std::memory_order_relaxed);
            });
    return total.load();
}

}  // namespace spbfs::push
