// What many searches at once work on: a bit a search in W words a vertex.
//
// Row v of `seen` has the searches that reached v; of a frontier those that reached it last.  A
// frontier's rows are zero but where its bitmap `active` says so, and there are whole words of
// them.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "common/bits.h"
#include "cpu/bfs_many_counts.h"
#include "cpu/interrupt.h"
#include "cpu/parallel.h"

namespace spbfs::many {

template <class Offset, class Index>
struct Graph {
    const Offset* indptr;
    const Index* indices;

    std::int64_t degree(std::int64_t u) const { return indptr[u + 1] - indptr[u]; }

    // In the rows of those vertices of a word of bitmaps that are in `active`.
    std::int64_t entries(std::int64_t word, Word active) const {
        const std::int64_t first = word * kWordBits;
        if (active == ~Word{0}) return indptr[first + kWordBits] - indptr[first];
        std::int64_t sum = 0;
        for_each_bit(active, first, [&](std::int64_t u) { sum += degree(u); });
        return sum;
    }
};

struct Rows {
    Word* words;   // n x W
    Word* active;  // a bit a vertex
};

constexpr int kMostPlanes = 32;

// What steps say about the vertices that they found, summed over workers.
template <int W>
struct Found {
    std::int64_t vertices = 0;
    std::int64_t edges = 0;  // their out-edges
    std::int64_t open = 0;   // in-edges of vertices that a search is still to reach
    Columns<W> columns;      // how many each search found
};

template <int W, class Offset, class Index>
struct State {
    std::int64_t n;
    std::int64_t entered;  // no edge enters a vertex from here on
    Graph<Offset, Index> out, in;
    Word* seen;        // n x W
    Rows front, next;  // the rows of `next` may be left over from the frontier before
    Word* open;        // vertices that some search may still reach
    Index* list;       // the frontier where it is listed, and room for the next; n each
    Index* next_list;
    const Index* names;        // the caller's labels of the vertices, or null where they are theirs
    Index* parents;            // in the caller's labels, a row a search, or null
    const std::int64_t* rows;  // which row of `parents` is whose
    std::int64_t* level_sums;  // a vertex's levels summed over searches, or null
    Word* planes[kMostPlanes];
    bool look;          // whether a push looks before it updates
    bool planed;        // whether levels are kept: bit b of a level in plane b
    int fresh;          // the plane that has its first level now, and anything in it before; or -1
    const Word* alive;  // the searches whose frontier is not empty
    Word wide[W];       // those of them that a pull looks for where the others were pushed before
    const Index* hubs;  // every vertex's in-neighbour of largest degree, or null
    Interrupt* interrupt;

    std::int64_t name(std::int64_t v) const { return names ? names[v] : v; }
    void set_parent(std::int64_t search, std::int64_t v, Index u) const {
        parents[rows[search] * n + name(v)] = static_cast<Index>(name(u));
    }
};

// By vectors: a compiler that knows the count calls the library, or worse, for so few.
SPBFS_CLONES static void copy_words(Word* to, const Word* from, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) to[i] = from[i];
}

SPBFS_CLONES static void clear_words(Word* to, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) to[i] = 0;
}

// Sets those rows of 64 to zero that may be anything else.
template <int W>
inline void clear_rows(const Rows& rows, std::int64_t word, Word active) {
    Word* first = rows.words + word * kWordBits * W;
    if (std::popcount(active) >= kWordBits / 4) return clear_words(first, kWordBits * W);
    for_each_bit(active, 0, [&](std::int64_t i) {
        for (int w = 0; w < W; ++w) first[i * W + w] = 0;
    });
}

SPBFS_CLONES static void or_into(Word* to, const Word* from, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) to[i] |= from[i];
}

// Keeps in `next` what is not in `seen`.
SPBFS_CLONES static void remove(Word* next, const Word* seen, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) next[i] &= ~seen[i];
}

// Of 64 words, those that are not zero.
[[gnu::always_inline]] inline Word nonzero(const Word* words) {
    constexpr Vector kBit = {1, 2, 4, 8, 16, 32, 64, 128};
    Vector found = {};
    for (int i = 0; i < kWordBits; i += kLanes) {
        Vector x;
        std::memcpy(&x, words + i, sizeof x);
        found |= static_cast<Vector>(x != 0) & (kBit << i);
    }
    Word some = 0;
    for (int l = 0; l < kLanes; ++l) some |= found[l];
    return some;
}

// What of `wanted` is not in 64 words; returns which of these lack any.
SPBFS_CLONES static Word lacking(Word wanted, const Word* words, Word* lack) {
    for (int i = 0; i < kWordBits; ++i) lack[i] = wanted & ~words[i];
    return nonzero(lack);
}

// Which of 64 words of `need` have a bit that those of `got` have not.
SPBFS_CLONES static Word rows_without(const Word* need, const Word* got) {
    Word left[kWordBits];
    for (int i = 0; i < kWordBits; ++i) left[i] = need[i] & ~got[i];
    return nonzero(left);
}

// Keeps of 64 words what is needed, and what was pushed, if anything was; writes that to `next`
// too.  Returns which have any bit.
SPBFS_CLONES static Word keep(Word* got, const Word* need, bool pushed, Word* next) {
    for (int i = 0; i < kWordBits; ++i)
        next[i] = got[i] = (got[i] & need[i]) | (pushed ? next[i] : 0);
    return nonzero(got);
}

// Which of 64 rows have any bit.
SPBFS_CLONES static Word any_rows(const Word* rows, int words) {
    if (words == 1) return nonzero(rows);
    Word some = 0;
    for (int i = 0; i < kWordBits; ++i) {
        Word any = 0;
        for (int w = 0; w < words; ++w) any |= rows[i * words + w];
        some |= Word{any != 0} << i;
    }
    return some;
}

// Which of 64 rows have any bit that `mask` has.
SPBFS_CLONES static Word rows_with(const Word* rows, const Word* mask, int words) {
    Word some = 0;
    if (words == 1) {
        Word masked[kWordBits];
        for (int i = 0; i < kWordBits; ++i) masked[i] = rows[i] & mask[0];
        return nonzero(masked);
    }
    for (int i = 0; i < kWordBits; ++i) {
        Word any = 0;
        for (int w = 0; w < words; ++w) any |= rows[i * words + w] & mask[w];
        some |= Word{any != 0} << i;
    }
    return some;
}

// Remembers rows of `next`, which were found at `level`, as seen.
template <int W, class Offset, class Index>
inline void settle(const State<W, Offset, Index>& s, std::int64_t v, std::int64_t count,
                   std::int64_t level) {
    const Word* next = s.next.words + v * W;
    or_into(s.seen + v * W, next, count * W);
    if (!s.planed) return;
    for_each_bit(static_cast<Word>(level), 0, [&](std::int64_t b) {
        if (b == s.fresh)
            copy_words(s.planes[b] + v * W, next, count * W);
        else
            or_into(s.planes[b] + v * W, next, count * W);
    });
}

// The vertices of a word of bitmaps where nobody was found.
template <int W, class Offset, class Index>
inline void settle_none(const State<W, Offset, Index>& s, std::int64_t word) {
    if (s.fresh >= 0 && word * kWordBits < s.entered)
        clear_words(s.planes[s.fresh] + word * kWordBits * W, kWordBits * W);
}

template <int W, class Offset, class Index>
inline void add_level(const State<W, Offset, Index>& s, std::int64_t v, std::int64_t level) {
    s.level_sums[s.name(v)] += level * count_bits(s.next.words + v * W, W);
}

// The vertices of a word of bitmaps, those in `active` found at `level`.
template <int W, class Offset, class Index>
inline void settle_word(const State<W, Offset, Index>& s, std::int64_t word, Word active,
                        std::int64_t level, Found<W>& found) {
    s.next.active[word] = active;
    if (active == 0) return settle_none(s, word);
    found.vertices += std::popcount(active);
    found.edges += s.out.entries(word, active);
    for_each_bit(s.level_sums ? active : 0, word * kWordBits,
                 [&](std::int64_t v) { add_level(s, v, level); });
    settle(s, word * kWordBits, kWordBits, level);
    found.columns.add_block(s.next.words + word * kWordBits * W);
}

}  // namespace spbfs::many
