// The top-down step: every vertex of the joint frontier gives its bits to its out-neighbours.
#pragma once

#include "cpu/bfs_many/bfs_many_state.h"
#include "cpu/numbers/words.h"

namespace spbfs::many {

// Neighbours between the fetch of their bits and their use.
constexpr std::int64_t kPushAhead = 12;
// Rows between the fetch of one, as many lines of what it has in a range, and its use: four rows
// made a push 6.1 ms of 7.6, eight lines 5.3 of 6.2.  docs/performance-notes-many-cpu.md.
constexpr std::int64_t kRowsAhead = 4, kRowLines = 8;

// Expands the vertices of a list.  Listing, take(v) gets each vertex found, once in the whole step;
// else `next` gets all bits, also those that were visited before, and its bitmap is not written.
template <bool Shared, bool Listing, int W, class Offset, class Index, class Take>
inline void push_list(const State<W, Offset, Index>& s, const Index* list, std::int64_t size,
                      Take&& take) {
    const std::int64_t entries = s.out.indptr[s.n];
    for (std::int64_t i = 0; i < size; ++i) {
        const Index u = list[i];
        Word bits[W];
        for (int w = 0; w < W; ++w) bits[w] = s.front.words[std::int64_t{u} * W + w];
        const Offset row_end = s.out.indptr[u + 1];
        for (Offset k = s.out.indptr[u]; k < row_end; ++k) {
            const std::int64_t v = s.out.indices[k];
            if (k + kPushAhead < entries) {
                const std::int64_t ahead = s.out.indices[k + kPushAhead];
                __builtin_prefetch(s.next.words + ahead * W);
                if (Listing || s.parents) __builtin_prefetch(s.visited + ahead * W);
            }
            Word* next = s.next.words + v * W;
            if (!Listing && !s.parents) {
                for (int w = 0; w < W; ++w) give_bits<Shared>(next[w], bits[w], s.test_first);
                continue;
            }
            Word given = 0;
            for (int w = 0; w < W; ++w) {
                const Word fresh = bits[w] & ~s.visited[v * W + w];
                if (fresh == 0) continue;
                const Word mine = give_bits<Shared>(next[w], fresh, s.test_first);
                given |= mine;
                if (s.parents)
                    for_each_bit(mine, w * kWordBits,
                                 [&](std::int64_t search) { s.set_parent(search, v, u); });
            }
            if (Listing && given != 0 &&
                give_bits<Shared>(s.next.active[v / kWordBits], bit_of(v)) != 0)
                take(v);
        }
    }
}

// The vertex before which that share of a push and what follows it lies, where to record a vertex
// costs as much as `record` of its in-edges.
template <int W, class Offset, class Index>
inline std::int64_t bound_of_share(const State<W, Offset, Index>& s, double share, double record) {
    auto before = [&](std::int64_t v) {
        return static_cast<double>(s.in.indptr[v]) + record * static_cast<double>(v);
    };
    std::int64_t low = 0, high = s.entered;
    while (low < high) {
        const std::int64_t middle = (low + high) / 2;
        if (before(middle) < share * before(s.entered))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// std::lower_bound() that begins at a guess.
template <class Index>
inline const Index* lower_bound_near(const Index* first, const Index* last, const Index* guess,
                                     Index value) {
    std::ptrdiff_t step = 8;
    if (guess < last && *guess < value) {
        for (first = guess; last - first > step && first[step] < value; step *= 2) first += step;
        return std::lower_bound(first, first + std::min(step, last - first), value);
    }
    for (last = guess; last - first > step && last[-step] >= value; step *= 2) last -= step;
    return std::lower_bound(last - std::min(step, last - first), last, value);
}

// Expands the vertices of a list over those out-neighbours that are in [begin, end): rows are
// sorted, so that workers with a range each share no word.
template <int W, class Offset, class Index>
inline void push_range(const State<W, Offset, Index>& s, const Index* list, std::int64_t size,
                       std::int64_t begin, std::int64_t end) {
    end = std::min(end, s.n);
    // A row has about the same share of its entries before the range as all rows together.
    const auto entries = static_cast<double>(s.in.indptr[s.n]);
    const double before = static_cast<double>(s.in.indptr[begin]) / entries,
                 until = static_cast<double>(s.in.indptr[end]) / entries;
    auto guess = [&](Index u, double share) {
        const auto skipped = share * static_cast<double>(s.out.degree(u));
        return s.out.indices + s.out.indptr[u] + static_cast<std::int64_t>(skipped);
    };
    for (std::int64_t i = 0; i < size; ++i) {
        if (i + kRowsAhead < size) {
            const Index ahead = list[i + kRowsAhead];
            const Index *at = guess(ahead, before), *last = guess(ahead, until);
            __builtin_prefetch(last);
            constexpr int kLine = 64 / sizeof(Index);
            for (int k = 0; k < kRowLines && at < last; ++k, at += kLine) __builtin_prefetch(at);
        }
        const Index u = list[i];
        Word bits[W];
        std::copy_n(s.front.words + std::int64_t{u} * W, W, bits);
        const Index *row = s.out.indices + s.out.indptr[u],
                    *row_end = s.out.indices + s.out.indptr[u + 1];
        const Index* at =
            lower_bound_near(row, row_end, guess(u, before), static_cast<Index>(begin));
        row_end =
            lower_bound_near(at, row_end, std::max(at, guess(u, until)), static_cast<Index>(end));
        if (!s.parents) {
            for (; at < row_end; ++at)
                for (int w = 0; w < W; ++w) s.next.words[std::int64_t{*at} * W + w] |= bits[w];
            continue;
        }
        for (; at < row_end; ++at) {
            const std::int64_t v = *at;
            for (int w = 0; w < W; ++w) {
                const Word fresh = bits[w] & ~s.visited[v * W + w];
                for_each_bit(give_bits<false>(s.next.words[v * W + w], fresh), w * kWordBits,
                             [&](std::int64_t search) { s.set_parent(search, v, u); });
            }
        }
    }
}

}  // namespace spbfs::many
