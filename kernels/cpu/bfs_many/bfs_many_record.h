// What a step found is recorded: marked as visited, written to the planes of levels, and counted.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "cpu/bfs_many/bfs_many_state.h"

namespace spbfs::many {

// Marks rows of `next`, which were found at `level`, as visited, and writes their level.
template <int W, class Offset, class Index>
inline void record_rows(const State<W, Offset, Index>& s, std::int64_t v, std::int64_t count,
                        std::int64_t level) {
    const Word* next = s.next.words + v * W;
    or_into(s.visited + v * W, next, count * W);
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
inline void record_none(const State<W, Offset, Index>& s, std::int64_t word) {
    if (s.fresh >= 0 && word * kWordBits < s.entered)
        clear_words(s.planes[s.fresh] + word * kWordBits * W, kWordBits * W);
}

template <int W, class Offset, class Index>
inline void add_level(const State<W, Offset, Index>& s, std::int64_t v, std::int64_t level) {
    s.level_sums[s.name(v)] += level * count_bits(s.next.words + v * W, W);
}

// The vertices of a word of bitmaps, those in `active` found at `level`.
template <int W, class Offset, class Index>
inline void record_word(const State<W, Offset, Index>& s, std::int64_t word, Word active,
                        std::int64_t level, Found<W>& found) {
    s.next.active[word] = active;
    if (active == 0) return record_none(s, word);
    found.vertices += std::popcount(active);
    found.edges += s.out.entries(word, active);
    for_each_bit(s.level_sums ? active : 0, word * kWordBits,
                 [&](std::int64_t v) { add_level(s, v, level); });
    record_rows(s, word * kWordBits, kWordBits, level);
    found.columns.add_block(s.next.words + word * kWordBits * W);
}

// After a push that did not list what it found, the vertices of a word of bitmaps.
template <int W, class Offset, class Index>
inline void record_pushed(const State<W, Offset, Index>& s, std::int64_t word, std::int64_t level,
                          Found<W>& found) {
    const std::int64_t first = word * kWordBits, last = std::min(first + kWordBits, s.n);
    if (s.in.indptr[first] == s.in.indptr[last]) return record_none(s, word);
    Word* next = s.next.words + first * W;
    remove(next, s.visited + first * W, kWordBits * W);
    record_word(s, word, any_rows(next, W), level, found);
}

}  // namespace spbfs::many
