// How often every bit is set in many rows of bits.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "common/bits.h"
#include "cpu/memory/clones.h"

namespace spbfs::many {

using Vector [[gnu::vector_size(64)]] = Word;
constexpr int kLanes = 8;

// Counters that lie on their sides, bit b of 512 of them in one vector, so that a vector of bits is
// added to all at once.
struct alignas(64) Counters {
    static constexpr int kBits = 40;
    Vector bits[kBits] = {};
    Vector any = {};  // every bit that was ever set
};

// Of three vectors: `sum` gets the low bits of their sum, `high` the high ones.
[[gnu::always_inline]] inline void full_add(Vector& sum, const Vector& x, const Vector& y,
                                            Vector& high) {
    const Vector either = sum ^ x;
    high = (sum & x) | (either & y);
    sum = either ^ y;
}

// Adds eight vectors, `stride` words apart: a tree of full adders, what it carries by ripples.
SPBFS_CLONES static void add_eight(Counters& c, const Word* words, std::int64_t stride) {
    Vector x[8];
    for (int i = 0; i < 8; ++i) {
        std::memcpy(&x[i], words + i * stride, sizeof x[i]);
        c.any |= x[i];
    }
    Vector two[4], four[2];
    for (int i = 0; i < 4; ++i) full_add(c.bits[0], x[2 * i], x[2 * i + 1], two[i]);
    for (int i = 0; i < 2; ++i) full_add(c.bits[1], two[2 * i], two[2 * i + 1], four[i]);
    Vector up;
    full_add(c.bits[2], four[0], four[1], up);
    for (int b = 3; b < Counters::kBits; ++b) {
        Word left = 0;
        for (int l = 0; l < kLanes; ++l) left |= up[l];
        if (left == 0) return;
        const Vector next = c.bits[b] & up;
        c.bits[b] ^= up;
        up = next;
    }
}

// Counts of 64 W searches.  A vector has the rows of 8 / W vertices, or half of a row where W
// is 16.
template <int W>
class Columns {
  public:
    // One row.
    void add(const Word* row) {
        for (int w = 0; w < W; ++w) buffer_[size_][w] = row[w];
        if (++size_ == kWordBits) flush();
    }

    // The rows of 64 vertices.
    void add_block(const Word* rows) {
        constexpr int kVectors = kWordBits * W / kLanes;
        for (int i = 0; i < kVectors / kSets; i += 8)
            for (int h = 0; h < kSets; ++h)
                add_eight(counters_[h], rows + (i * kSets + h) * kLanes, kSets * kLanes);
    }

    // Adds the counts to `totals`, and to `alive` the searches that have any; starts anew.
    void drain(std::int64_t* totals, Word* alive) {
        if (size_ != 0) flush();
        for (int h = 0; h < kSets; ++h) {
            Counters& c = counters_[h];
            for (int l = 0; l < kLanes; ++l) {
                const int w = W == 16 ? h * kLanes + l : l % W;
                if (c.any[l] == 0) continue;
                alive[w] |= c.any[l];
                for (int b = 0; b < Counters::kBits; ++b)
                    for_each_bit(c.bits[b][l], w * kWordBits,
                                 [&](std::int64_t s) { totals[s] += std::int64_t{1} << b; });
            }
            c = Counters{};
        }
    }

  private:
    static constexpr int kSets = W == 16 ? 2 : 1;

    void flush() {
        std::memset(buffer_[size_], 0,
                    static_cast<std::size_t>(kWordBits - size_) * sizeof buffer_[0]);
        add_block(buffer_[0]);
        size_ = 0;
    }

    Counters counters_[kSets];
    Word buffer_[kWordBits][W];
    int size_ = 0;
};

// Set bits of a row.
SPBFS_CLONES static std::int64_t count_bits(const Word* row, int words) {
    std::int64_t count = 0;
    for (int w = 0; w < words; ++w) count += std::popcount(row[w]);
    return count;
}

// The entries in rows of a graph, each as often as its row of bits has any: rows [begin, end).
template <class Offset>
SPBFS_CLONES static std::int64_t count_entries(const Offset* indptr, const Word* rows, int words,
                                               std::int64_t begin, std::int64_t end) {
    std::int64_t sum = 0;
    for (std::int64_t first = begin; first < end; first += kWordBits) {
        const std::int64_t last = std::min(first + kWordBits, end);
        if (indptr[first] == indptr[last]) continue;
        for (std::int64_t v = first; v < last; ++v) {
            const std::int64_t bits =
                words == 1 ? std::popcount(rows[v]) : count_bits(rows + v * words, words);
            sum += bits * (indptr[v + 1] - indptr[v]);
        }
    }
    return sum;
}

}  // namespace spbfs::many
