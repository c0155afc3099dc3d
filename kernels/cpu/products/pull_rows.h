// The rows of a pull: which of them the mask admits, and the scan of each for the frontier.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstring>

#include "cpu/products/pull_whole.h"
#include "cpu/python/bindings.h"
#include "cpu/threads/interrupt.h"
#include "cpu/threads/parallel.h"
#include "cpu/vectors/frontier.h"

namespace spbfs::pull {

// Large enough that a chunk outweighs taking it, small enough to balance rows of any length and to
// keep the list of its rows in the nearest cache.
constexpr std::int64_t kRowsPerChunk = 2048;
// Chunks that a worker takes together where all rows are summed whole, if that leaves everybody
// kTurns turns: then what a chunk is near to in memory is fetched ahead.  On a grid of 1500 x 1500
// two threads take 4.0 ms for 4.9 (plus_times, FP32, the least of 2800 products each in turns,
// 2-core AMD EPYC, others at work on it, 2026-11-23).
constexpr std::int64_t kTogether = 32, kTurns = 8;
// Rows between the fetch of a row's first entries and their use: rows are short and stand anywhere.
// 32 changed nothing and 64 was slower: docs/performance-notes-products.md.
constexpr std::int64_t kAhead = 16;
// Of a vector with more than one element in so many, rows are read whole: with fewer the branches
// are foreseen more often, and elements that are not there need not be fetched
// (docs/performance-notes-products.md).
constexpr std::int64_t kCrowd = 3;

// First entries of a row that are looked at without a branch between them where the first one may
// end it and the vector is crowded: at which of them a row ends no predictor knows, but seldom
// behind these.  Where any entry will do, predictors are right of a vector with more than kMany
// tenths of its elements (docs/performance-notes-small-cpu.md).
constexpr std::int64_t kLooked = 4, kMany = 6;

struct Task {
    const std::int64_t* rows;    // the rows wanted; nullptr for those that the mask admits
    std::int64_t count;          // of rows wanted
    const std::uint8_t* filled;  // a bit a row: whether it holds entries
    const Bits* frontier;        // nullptr: every vertex is in it
    bool crowded;                // whether so many are that rows are better read whole
    bool full;                   // whether so many are that the first entry will do mostly
    const std::uint8_t* mask;    // nullptr: every row is admitted
    bool complement;
    const void*
        hubs;  // the likeliest member of a frontier in every row, as M's indices; or nullptr
    std::uint8_t* present;  // `count` long, as `values`
    void* values;
    int threads;
    Interrupt* interrupt;
};

// A row that may be done with any entry, of a crowded vector: the first entries together, the last
// one again where there are fewer, which changes nothing.
template <class S, class O, class I>
bool pull_crowded(const S& s, const Csr<O, I>& M, const Bits& frontier, std::int64_t row,
                  std::int64_t begin, std::int64_t end, typename S::Value& sum,
                  std::int64_t& touched) {
    if (begin == end) return false;
    std::int64_t first = begin;
    bool found = false;
    sum = {};
    for (std::int64_t t = kLooked - 1; t >= 0; --t) {
        const std::int64_t p = std::min(begin + t, end - 1), k = M.indices[p];
        const bool has = frontier[k];
        found |= has;
        if constexpr (S::any)
            first = chosen(has, p, first);
        else
            sum = s.fold(sum, chosen(has, s.product(p, k, row, k, 0), S::neutral()));
    }
    if constexpr (S::any) {
        const std::int64_t k = M.indices[first];
        if (found) sum = s.product(first, k, row, k, 0);
    }
    std::int64_t p = begin + kLooked;
    for (; p < end && !(found && s.done(sum)); ++p) {
        const std::int64_t k = M.indices[p];
        if (!frontier[k]) continue;
        const auto made = s.product(p, k, row, k, 0);
        sum = found ? s.sum(sum, made) : made;
        found = true;
    }
    touched += std::min(p, end) - begin;
    return found;
}

template <class S, class O, class I>
bool pull_row(const S& s, const Csr<O, I>& M, const Task& task, std::int64_t row,
              typename S::Value& sum, std::int64_t& touched) {
    const Bits* frontier = task.frontier;
    const std::int64_t begin = M.indptr[row], end = M.indptr[row + 1];
    std::int64_t p = begin;
    if constexpr (S::any || S::logical) {
        if (task.crowded && (S::logical || !task.full))
            return pull_crowded(s, M, *frontier, row, begin, end, sum, touched);
    } else if constexpr (!S::interpreted) {
        if (frontier == nullptr || task.crowded) {
            touched += end - begin;
            if (begin == end) return false;
            return frontier == nullptr ? whole_row(s, M, begin, end, Everything{}, sum)
                                       : whole_row(s, M, begin, end, *frontier, sum);
        }
    }
    if (frontier != nullptr)
        while (p < end && !(*frontier)[M.indices[p]]) ++p;
    touched += p - begin + (p < end);
    if (p == end) return false;
    sum = s.product(p, M.indices[p], row, M.indices[p], 0);
    if constexpr (!S::any) {
        for (++p; p < end && !s.done(sum); ++p) {
            const std::int64_t k = M.indices[p];
            if (frontier == nullptr || (*frontier)[k]) sum = s.sum(sum, s.product(p, k, row, k, 0));
            ++touched;
        }
    }
    return true;
}

// Bit b is row i + b, of the 64 before `end`: whether the mask admits it and it holds entries.
inline std::uint64_t choose_rows(const Task& task, std::int64_t i, std::int64_t end) {
    const std::uint64_t complement_bytes = task.complement ? kEveryByte : 0;
    std::uint64_t chosen = 0;
    for (int b = 0; b < 64 && i + b < end; b += 8) {
        std::uint64_t admitted = kEveryByte;
        if (task.mask != nullptr)
            admitted = nonzero_bytes(load_bytes(task.mask, i + b, end)) ^ complement_bytes;
        const unsigned rows = pack_bytes(admitted) & task.filled[(i + b) / 8];
        chosen |= static_cast<std::uint64_t>(rows) << b;
    }
    return chosen;
}

// Those rows in [begin, end), into `wanted`; returns how many.  By bits, 64 at a time: which rows
// are visited no predictor can know.
inline int choose_rows(const Task& task, std::int64_t begin, std::int64_t end,
                       std::int64_t* wanted) {
    int count = 0;
    for (std::int64_t i = begin; i < end; i += 64)
        for_each_bit(choose_rows(task, i, end), i,
                     [&](std::int64_t row) { wanted[count++] = row; });
    return count;
}

// Most rows are answered by one dense array, and theirs are never fetched.  Leaves in `rows` those
// whose hub is not in the frontier; returns how many.
//
// Nothing depends on a hit but how far the list grows: what is stored at a row that is absent means
// nothing.
template <class I, class S>
[[gnu::always_inline]] inline std::int64_t probe_hubs(const S& s, const Task& task,
                                                      std::int64_t* rows, std::int64_t count) {
    const I* hubs = static_cast<const I*>(task.hubs);
    std::int64_t missed = 0;
    for (std::int64_t t = 0; t < count; ++t) {
        const std::int64_t row = rows[t], k = hubs[row];
        const bool hit = (*task.frontier)[k];
        task.present[row] = hit;
        s.store(task.values, row, s.product(0, k, row, k, 0));
        rows[missed] = row;
        missed += !hit;
    }
    return missed;
}

struct Outcome {
    std::int64_t present, touched;
};

// All rows are read whole.
template <class S, class O, class I, class Elements>
Outcome pull_all(const S& s, const Csr<O, I>& M, const Task& task, const Elements& elements) {
    std::atomic<std::int64_t> total{0};
    Team team(task.threads);
    const std::int64_t most = task.count / (kRowsPerChunk * kTurns * team.workers());
    team.for_chunks(task.count, kRowsPerChunk * std::clamp<std::int64_t>(most, 1, kTogether),
                    [&](std::int64_t begin, std::int64_t end, int worker) {
                        if (task.interrupt->poll(worker, end - begin)) return;
                        total.fetch_add(
                            whole_rows(s, M, begin, end, elements, task.present, task.values),
                            std::memory_order_relaxed);
                    });
    return {total.load(), M.indptr[task.count]};
}

template <class S, class O, class I>
Outcome pull_rows(const S& s, const Csr<O, I>& M, const Task& task) {
    std::atomic<std::int64_t> total{0}, total_touched{0};
    if constexpr (!S::any && !S::logical && !S::interpreted) {
        if (task.rows == nullptr && task.mask == nullptr) {
            if (task.frontier == nullptr) return pull_all(s, M, task, Everything{});
            if (task.crowded) return pull_all(s, M, task, *task.frontier);
        }
    }
    auto body = [&](std::int64_t begin, std::int64_t end, int worker) {
        if (task.interrupt->poll(worker, end - begin)) return;
        std::int64_t chosen[kRowsPerChunk];
        const std::int64_t* rows = chosen;
        std::int64_t count = end - begin, found = 0, touched = 0;
        if (task.rows != nullptr)
            rows = task.rows + begin;
        else
            count = choose_rows(task, begin, end, chosen);
        std::memset(task.present + begin, 0, static_cast<std::size_t>(end - begin));
        auto found_at = [&](std::int64_t at, typename S::Value sum) {
            task.present[at] = 1;
            s.store(task.values, at, sum);
            ++found;
        };
        if constexpr (S::any && !S::reads_matrix) {
            if (task.hubs != nullptr && task.rows == nullptr && task.frontier != nullptr) {
                touched += count;
                const std::int64_t missed = probe_hubs<I>(s, task, chosen, count);
                found += count - missed;
                count = missed;
            }
        }
        task.interrupt->strips(
            0, count, kRowsPerStrip, worker, [&](std::int64_t from, std::int64_t to) {
                const std::int64_t before = touched;
                for (std::int64_t t = from; t < to; ++t) {
                    if (t + kAhead < count) {
                        const std::int64_t first = M.indptr[rows[t + kAhead]];
                        __builtin_prefetch(&M.indices[first]);
                        s.prefetch(first);
                    }
                    typename S::Value sum{};
                    if (pull_row(s, M, task, rows[t], sum, touched))
                        found_at(task.rows != nullptr ? begin + t : rows[t], sum);
                }
                return touched - before;
            });
        total.fetch_add(found, std::memory_order_relaxed);
        total_touched.fetch_add(touched, std::memory_order_relaxed);
    };
    Team(task.threads).for_chunks(task.count, kRowsPerChunk, body);
    return {total.load(), total_touched.load()};
}

}  // namespace spbfs::pull
