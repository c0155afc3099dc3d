// How often every bit is set in many rows of bits.
#pragma once

#include <cstdint>

#include "common/bits.h"
#include "cpu/clones.h"

namespace spbfs::many {

// Set bits of a row.
SPBFS_CLONES static std::int64_t count_bits(const Word* row, int words) {
    std::int64_t count = 0;
    for (int w = 0; w < words; ++w) count += std::popcount(row[w]);
    return count;
}

// Counters lie on their sides, bit b of all of them in one row, so that a row of bits is added to
// all at once: eight rows by a tree of full adders, what these carry by ripples.
template <int W>
class Columns {
  public:
    void add(const Word* row) {
        for (int w = 0; w < W; ++w) held_[size_][w] = row[w];
        if (++size_ == kHeld) flush();
    }

    // Adds the counts to `totals`, 64 W of them, and starts anew.
    void drain(std::int64_t* totals) {
        for (int i = 0; i < size_; ++i)
            for (int w = 0; w < W; ++w)
                for_each_bit(held_[i][w], w * kWordBits, [&](std::int64_t s) { totals[s] += 1; });
        size_ = 0;
        for (int b = 0; b < kBits; ++b)
            for (int w = 0; w < W; ++w) {
                for_each_bit(bits_[b][w], w * kWordBits,
                             [&](std::int64_t s) { totals[s] += std::int64_t{1} << b; });
                bits_[b][w] = 0;
            }
    }

  private:
    static constexpr int kHeld = 8, kBits = 40;

    // Of three rows: `sum` gets their sum's low bits, what is returned the high ones.
    static Word carry(Word& sum, Word x, Word y) {
        const Word either = sum ^ x, high = (sum & x) | (either & y);
        sum = either ^ y;
        return high;
    }

    void flush() {
        size_ = 0;
        for (int w = 0; w < W; ++w) {
            Word two[4], four[2];
            for (int i = 0; i < 4; ++i)
                two[i] = carry(bits_[0][w], held_[2 * i][w], held_[2 * i + 1][w]);
            for (int i = 0; i < 2; ++i) four[i] = carry(bits_[1][w], two[2 * i], two[2 * i + 1]);
            Word eight = carry(bits_[2][w], four[0], four[1]);
            for (int b = 3; eight != 0; ++b) {
                const Word next = bits_[b][w] & eight;
                bits_[b][w] ^= eight;
                eight = next;
            }
        }
    }

    Word held_[kHeld][W];
    Word bits_[kBits][W] = {};
    int size_ = 0;
};

}  // namespace spbfs::many
