// The top-down step: every vertex of the joint frontier gives its bits to its out-neighbours.
#pragma once

#include "cpu/bfs_many_state.h"
#include "cpu/words.h"

namespace spbfs::many {

// Vertices of the joint frontier a chunk.
constexpr std::int64_t kPushGrain = 64;
// Neighbours between the fetch of their bits and their use.
constexpr std::int64_t kPushAhead = 12;
// Rows between a look for the entries of one in a range and the fetch of what it looks at.
constexpr std::int64_t kRowsAhead = 4;

// Expands the vertices of a list.  Listing, take(v) gets each vertex found, once in the whole step;
// else `next` gets all bits, also those that were seen before, and its bitmap is not written.
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
                if (Listing || s.parents) __builtin_prefetch(s.seen + ahead * W);
            }
            Word* next = s.next.words + v * W;
            if (!Listing && !s.parents) {
                for (int w = 0; w < W; ++w) give_bits<Shared>(next[w], bits[w], s.look);
                continue;
            }
            Word given = 0;
            for (int w = 0; w < W; ++w) {
                const Word fresh = bits[w] & ~s.seen[v * W + w];
                if (fresh == 0) continue;
                const Word mine = give_bits<Shared>(next[w], fresh, s.look);
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

// std::lower_bound() that begins at a guess.
template <class Index>
inline const Index* lower_bound_near(const Index* first, const Index* last, const Index* guess,
                                     Index value) {
    std::ptrdiff_t step = 8;
    if (guess < last && *guess < value) {
        for (first = guess; last - first > step && first[step] < value; step *= 2) first += step;
        return std::lower_bound(first, std::min(first + step, last), value);
    }
    for (last = guess; last - first > step && last[-step] >= value; step *= 2) last -= step;
    return std::lower_bound(std::max(first, last - step), last, value);
}

// Expands the vertices of a list over those out-neighbours that are in [begin, end): rows are
// sorted, so that workers with a range each share no word.
template <int W, class Offset, class Index>
inline void push_range(const State<W, Offset, Index>& s, const Index* list, std::int64_t size,
                       std::int64_t begin, std::int64_t end) {
    // A row has about the same share of its entries before the range as all rows together.
    const auto entries = static_cast<double>(s.in.indptr[s.n]);
    const double before = static_cast<double>(s.in.indptr[begin]) / entries,
                 within = static_cast<double>(s.in.indptr[std::min(end, s.n)]) / entries;
    auto guess = [&](Index u, double share) {
        const auto skipped = share * static_cast<double>(s.out.degree(u));
        return s.out.indices + s.out.indptr[u] + static_cast<std::int64_t>(skipped);
    };
    for (std::int64_t i = 0; i < size; ++i) {
        if (i + kRowsAhead < size) {
            __builtin_prefetch(guess(list[i + kRowsAhead], before));
            __builtin_prefetch(guess(list[i + kRowsAhead], within));
        }
        const Index u = list[i];
        Word bits[W];
        std::copy_n(s.front.words + std::int64_t{u} * W, W, bits);
        const Index *row = s.out.indices + s.out.indptr[u],
                    *row_end = s.out.indices + s.out.indptr[u + 1];
        const Index* at =
            lower_bound_near(row, row_end, guess(u, before), static_cast<Index>(begin));
        row_end =
            lower_bound_near(at, row_end, std::max(at, guess(u, within)), static_cast<Index>(end));
        for (; at < row_end; ++at) {
            const std::int64_t v = *at;
            Word* next = s.next.words + v * W;
            for (int w = 0; w < W; ++w) {
                if (s.parents) {
                    const Word mine = give_bits<false>(next[w], bits[w] & ~s.seen[v * W + w]);
                    for_each_bit(mine, w * kWordBits,
                                 [&](std::int64_t search) { s.set_parent(search, v, u); });
                } else {
                    next[w] |= bits[w];
                }
            }
        }
    }
}

// After a push that did not list what it found, the vertices of a word of bitmaps.
template <int W, class Offset, class Index>
inline void settle_pushed(const State<W, Offset, Index>& s, std::int64_t word, std::int64_t level,
                          Found<W>& found) {
    const std::int64_t first = word * kWordBits, last = std::min(first + kWordBits, s.n);
    if (s.in.indptr[first] == s.in.indptr[last]) return settle_none(s, word);
    Word* next = s.next.words + first * W;
    remove(next, s.seen + first * W, kWordBits * W);
    settle_word(s, word, any_rows(next, W), level, found);
}

}  // namespace spbfs::many
