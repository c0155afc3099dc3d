// The columns of some short rows put in order side by side: a network of comparisons is the same
// for every row, so that one instruction takes a step of all of them and none is a guess.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "cpu/memory/clones.h"

namespace spbfs {

// Leaves the lesser of two keys at the first place, the other at the second.
struct Comparison {
    std::uint8_t lesser, greater;
};

// K. E. Batcher, Sorting networks and their applications (1968): odd-even merges of longer and
// longer runs.  f(a, b) for each comparison.
template <class F>
constexpr void each_comparison(int size, F&& f) {
    for (int run = 1; run < size; run *= 2)
        for (int apart = run; apart >= 1; apart /= 2)
            for (int first = apart % run; first + apart < size; first += 2 * apart)
                for (int a = first; a < std::min(first + apart, size - apart); ++a)
                    if (a / (2 * run) == (a + apart) / (2 * run)) f(a, a + apart);
}

constexpr std::size_t comparisons(int size) {
    std::size_t count = 0;
    each_comparison(size, [&](int, int) { ++count; });
    return count;
}

template <int Size>
inline constexpr auto kNetwork = [] {
    std::array<Comparison, comparisons(Size)> made{};
    std::size_t count = 0;
    each_comparison(Size, [&](int a, int b) {
        made[count++] = {static_cast<std::uint8_t>(a), static_cast<std::uint8_t>(b)};
    });
    return made;
}();

class SortedColumns {
  public:
    static constexpr std::int64_t kRows = 8, kMost = 64;  // entries of a row
    static constexpr std::int64_t kOver = 4;
    // A key of 32 bits is a column and, in these, the number of its entry.
    static constexpr int kNumberBits = 6;
    static constexpr std::int64_t kMostColumns = std::int64_t{1} << (32 - kNumberBits);

    // For rows of up to so many entries.
    void begin(std::int64_t most) {
        for (size_ = 0; kSizes[size_] < most;) ++size_;
        std::fill_n(keys_, kSizes[size_], Keys{} - 1);
    }
    void add(std::int64_t row, std::int64_t number, std::int64_t column) {
        keys_[number][row] = static_cast<std::uint32_t>(column << kNumberBits | number);
    }
    // A row has so many; behind them up to kOver were added for nothing.
    void end(std::int64_t row, std::int64_t count) {
        for (std::int64_t at = 0; at < kOver; ++at) keys_[count + at][row] = ~std::uint32_t{0};
    }
    // Of equal columns numbers rise.
    void sort() {
        switch (size_) {
            case 0:
                return apply(keys_, kNetwork<8>.data(), kNetwork<8>.size());
            case 1:
                return apply(keys_, kNetwork<16>.data(), kNetwork<16>.size());
            case 2:
                return apply(keys_, kNetwork<32>.data(), kNetwork<32>.size());
            default:
                return apply(keys_, kNetwork<64>.data(), kNetwork<64>.size());
        }
    }
    std::int64_t column(std::int64_t row, std::int64_t at) const {
        return keys_[at][row] >> kNumberBits;
    }
    std::int64_t number(std::int64_t row, std::int64_t at) const {
        return keys_[at][row] & ((1 << kNumberBits) - 1);
    }

  private:
    // One of each row; of an entry that is not there the greatest.  Compilers that are given loops
    // over rows make branches of them.
    using Keys = std::uint32_t __attribute__((vector_size(4 * kRows)));
    static constexpr std::int64_t kSizes[] = {8, 16, 32, kMost};

    SPBFS_CLONES static void apply(Keys* keys, const Comparison* network, std::size_t count) {
        for (std::size_t k = 0; k < count; ++k) {
            Keys& a = keys[network[k].lesser];
            Keys& b = keys[network[k].greater];
            const Keys x = a, y = b;
            a = x < y ? x : y;
            b = x < y ? y : x;
        }
    }

    Keys keys_[kMost + kOver];
    int size_ = 0;
};

}  // namespace spbfs
