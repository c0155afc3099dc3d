// Columns in rising order without comparing them: each sets a bit, and one for its word of bits;
// what is set is then found word by word.
//
// Sorting the columns of a row costs more than summing its products: short rows are sorted by
// branches that no predictor knows.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace spbfs {

class ColumnOrder {
  public:
    // Columns that may be written behind the last one: room for them is the caller's.
    static constexpr std::size_t kSlack = 1;

    explicit ColumnOrder(std::int64_t columns)
        : words_(static_cast<std::size_t>(columns + 63) / 64), blocks_((words_.size() + 63) / 64) {}

    // Whether so many columns are found sooner than sorted.
    bool pays(std::size_t columns) const { return blocks_.size() <= columns * kPerColumn; }

    // Different columns in rising order.
    template <class I>
    void order(std::span<I> columns) {
        I* to = columns.data();
        if (words_.size() <= columns.size() * kPerColumn) {
            for (I j : columns) words_[at(j, 6)] |= bit(j, 0);
            for (std::size_t w = 0; w < words_.size(); ++w) to = emptied(w, to);
            return;
        }
        for (I j : columns) {
            words_[at(j, 6)] |= bit(j, 0);
            blocks_[at(j, 12)] |= bit(j, 6);
        }
        for (std::size_t b = 0; b < blocks_.size(); ++b)
            for (std::uint64_t left = std::exchange(blocks_[b], 0); left != 0; left &= left - 1)
                to = emptied(64 * b + static_cast<std::size_t>(std::countr_zero(left)), to);
    }

  private:
    // Words that are looked through in the time that sorting takes for one column.
    static constexpr std::size_t kPerColumn = 16;

    template <class I>
    static std::size_t at(I j, int shift) {
        return static_cast<std::size_t>(j) >> shift;
    }
    template <class I>
    static std::uint64_t bit(I j, int shift) {
        return std::uint64_t{1} << (at(j, shift) & 63);
    }
    // Writes the columns of a word, clears it, and returns where the next ones go.  Most words have
    // few: the first of them are written whether or not they are there, since a branch would guess.
    template <class I>
    I* emptied(std::size_t w, I* to) {
        constexpr std::uint64_t kLast = std::uint64_t{1} << 63;  // zero has no first bit
        std::uint64_t left = std::exchange(words_[w], 0);
        for (int t = 0; t < 2; ++t, left &= left - 1) {
            *to = column<I>(w, left | kLast);
            to += left != 0;
        }
        for (; left != 0; left &= left - 1) *to++ = column<I>(w, left);
        return to;
    }
    template <class I>
    static I column(std::size_t w, std::uint64_t bits) {
        return static_cast<I>(64 * w + static_cast<std::size_t>(std::countr_zero(bits)));
    }

    std::vector<std::uint64_t> words_, blocks_;
};

}  // namespace spbfs
