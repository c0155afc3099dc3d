// Sets of vertices as packed bits, 64 to a word.
#pragma once

#include <bit>
#include <cstdint>

namespace spbfs {

using Word = std::uint64_t;
constexpr int kWordBits = 64;

constexpr std::int64_t words_for(std::int64_t bits) { return (bits + kWordBits - 1) / kWordBits; }

constexpr Word bit_of(std::int64_t i) { return Word{1} << (i & (kWordBits - 1)); }

inline bool test_bit(const Word* words, std::int64_t i) {
    return (words[i / kWordBits] >> (i & (kWordBits - 1))) & 1;
}

inline void set_bit(Word* words, std::int64_t i) { words[i / kWordBits] |= bit_of(i); }

// visit(i) for every set bit of `word`, whose lowest bit stands for `first`, in rising order.
template <class Visit>
inline void for_each_bit(Word word, std::int64_t first, Visit&& visit) {
    for (; word != 0; word &= word - 1) visit(first + std::countr_zero(word));
}

}  // namespace spbfs
