// A level that is pushed: over the whole frontier at once, whose workers share the vertices found,
// or by ranges of vertices, one a worker.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "cpu/bfs_many/bfs_many_level.h"
#include "cpu/bfs_many/bfs_many_push.h"

namespace spbfs::many {

template <int W, class Offset, class Index>
class PushLevel {
  public:
    PushLevel(const Level<W, Offset, Index>& level, const PushPolicy& policy)
        : level_(level), s(level.s), p(level.p), policy_(policy) {}

    void run() {
        if (!p.clean) level_.clean(s.next);
        if (policy_.lists_frontier) level_.list_frontier();
        if (policy_.by_ranges)
            push_ranges();
        else
            push_frontier();
        if (!s.interrupt->stopped()) clear_front();
    }

  private:
    // Vertices of the joint frontier a chunk, words of its bitmap, and vertices of a list.
    static constexpr std::int64_t kPushGrain = 64, kPushWords = 4, kListGrain = 256;
    // Vertices found that a worker gathers before it appends them to the list.
    static constexpr std::int64_t kMostGathered = 256;

    // -- the whole frontier ---------------------------------------------------------------------
    void push_frontier() {
        if (p.listed)
            each_chunk(p.vertices, kPushGrain, [&](std::int64_t i, std::int64_t end, int worker) {
                expand(s.list + i, end - i, worker);
            });
        else
            each_chunk(
                words_for(s.n), kPushWords, [&](std::int64_t i, std::int64_t end, int worker) {
                    Index list[kPushWords * kWordBits];
                    std::int64_t size = 0;
                    for (; i < end; ++i)
                        for_each_bit(s.front.active[i], i * kWordBits,
                                     [&](std::int64_t v) { list[size++] = static_cast<Index>(v); });
                    expand(list, size, worker);
                });
        if (s.interrupt->stopped()) return;
        if (policy_.lists_found)
            record_listed();
        else
            record_all();
    }

    void expand(const Index* list, std::int64_t size, int worker) {
        if (s.interrupt->poll(worker, size * kPollVertex)) return;
        if (policy_.alone && policy_.lists_found)
            expand_as<false, true>(list, size);
        else if (policy_.alone)
            expand_as<false, false>(list, size);
        else if (policy_.lists_found)
            expand_as<true, true>(list, size);
        else
            expand_as<true, false>(list, size);
    }

    template <bool Shared, bool Listing>
    void expand_as(const Index* list, std::int64_t size) {
        Index gathered[kMostGathered];
        std::int64_t count = 0;
        auto append = [&] {
            const std::int64_t at = tail_.fetch_add(count, std::memory_order_relaxed);
            std::copy_n(gathered, count, s.next_list + at);
            count = 0;
        };
        push_list<Shared, Listing>(s, list, size, [&](std::int64_t v) {
            gathered[count++] = static_cast<Index>(v);
            if (count == kMostGathered) append();
        });
        append();
    }

    void record_listed() {
        const std::int64_t listed = tail_.load();
        if (s.fresh >= 0 && listed != 0) clear_fresh();
        each_chunk(listed, kListGrain, [&](std::int64_t i, std::int64_t end, int worker) {
            Found<W>& found = level_.found[worker];
            found.vertices += end - i;
            for (; i < end; ++i) {
                const std::int64_t v = s.next_list[i];
                found.edges += s.out.degree(v);
                if (s.level_sums) add_level(s, v, p.level);
                record_rows(s, v, 1, p.level);
                found.columns.add(s.next.words + v * W);
            }
        });
    }

    // Those found are so few that the others are not passed by: the first level of a plane is
    // zeros, to which they are joined.
    void clear_fresh() {
        level_.team.for_chunks(words_for(s.n), kPassWords,
                               [&](std::int64_t i, std::int64_t end, int) {
                                   for (; i < end; ++i) record_none(s, i);
                               });
        s.fresh = -1;
    }

    void record_all() {
        each_chunk(words_for(s.n), kPassWords, [&](std::int64_t i, std::int64_t end, int worker) {
            for (; i < end; ++i) record_pushed(s, i, p.level, level_.found[worker]);
        });
    }

    // -- ranges of vertices ---------------------------------------------------------------------
    // They have equal shares of the work, if any in-edge is as likely as any other to be pushed.
    void push_ranges() {
        const Rates& rates = level_.rates;
        const double record = rates.record_vertex / rates.push_edge *
                              static_cast<double>(s.in.indptr[s.n]) / static_cast<double>(p.edges);
        auto bound = [&](std::int64_t range) {
            if (range == rates.ranges) return words_for(s.n);
            const double share = static_cast<double>(range) / static_cast<double>(rates.ranges);
            return bound_of_share(s, share, record) / kWordBits;
        };
        level_.team.for_chunks(rates.ranges, 1, [&](std::int64_t range, std::int64_t, int worker) {
            const std::int64_t begin = bound(range), end = bound(range + 1);
            if (s.interrupt->poll(worker, p.edges / rates.ranges)) return;
            push_range(s, s.list, p.vertices, begin * kWordBits, end * kWordBits);
            for (std::int64_t i = begin; i < end; ++i)
                record_pushed(s, i, p.level, level_.found[worker]);
        });
    }

    // -- the end --------------------------------------------------------------------------------
    // The frontier's rows are the next one's room.
    void clear_front() {
        if (p.listed) {
            for (std::int64_t i = 0; i < p.vertices; ++i) {
                const std::int64_t u = s.list[i];
                for (int w = 0; w < W; ++w) s.front.words[u * W + w] = 0;
                s.front.active[u / kWordBits] = 0;
            }
        } else {
            level_.clean(s.front);
        }
        p.listed = policy_.lists_found && !policy_.by_ranges;
        p.clean = true;
    }

    template <class F>
    void each_chunk(std::int64_t size, std::int64_t grain, F&& f) {
        if (!policy_.alone) return level_.team.for_chunks(size, grain, f);
        for (std::int64_t i = 0; i < size; i += grain) f(i, std::min(i + grain, size), 0);
    }

    const Level<W, Offset, Index>& level_;
    State<W, Offset, Index>& s;
    Progress& p;
    const PushPolicy policy_;
    std::atomic<std::int64_t> tail_{0};  // of `next_list`, where what is found is listed
};

}  // namespace spbfs::many
