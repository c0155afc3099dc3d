// Rows of bits by vectors: joined, cleared and tested for 64 vertices at a time.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#include "common/bits.h"
#include "cpu/bfs_many/bfs_many_counts.h"
#include "cpu/memory/clones.h"

namespace spbfs::many {

// By vectors: a compiler that knows the count calls the library, or worse, for so few.
SPBFS_CLONES static void copy_words(Word* to, const Word* from, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) to[i] = from[i];
}

SPBFS_CLONES static void clear_words(Word* to, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) to[i] = 0;
}

SPBFS_CLONES static void or_into(Word* to, const Word* from, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) to[i] |= from[i];
}

// Leaves in `next` what is not in `visited`.
SPBFS_CLONES static void remove(Word* next, const Word* visited, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) next[i] &= ~visited[i];
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

// Leaves in 64 words what is needed, and what was pushed, if anything was; writes that to `next`
// too.  Returns which have any bit.
SPBFS_CLONES static Word take_needed(Word* got, const Word* need, bool pushed, Word* next) {
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

}  // namespace spbfs::many
