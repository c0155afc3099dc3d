// A set of columns that gives them in rising order without comparing them: each sets a bit, and
// one for its word of bits, and so on until there are few words; what is set is found from there.
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

class ColumnSet {
  public:
    // Columns that take() may write behind the last one: room for them is the caller's.
    static constexpr std::int64_t kSlack = 1;

    explicit ColumnSet(std::int64_t columns) {
        do {
            columns = (columns + 63) / 64;
            levels_.emplace_back(static_cast<std::size_t>(columns));
        } while (columns > kScanned);
    }

    // A column that the set has not.
    void add(std::int64_t j) {
        ++size_;
        for (std::vector<std::uint64_t>& level : levels_) {
            const auto bit = static_cast<std::uint64_t>(j) & 63;
            j >>= 6;
            level[static_cast<std::size_t>(j)] |= std::uint64_t{1} << bit;
        }
    }

    std::int64_t size() const { return size_; }

    // Writes all columns in rising order and leaves the set empty.
    template <class I>
    std::span<I> take(I* to) {
        I* end = to;
        for (std::size_t w = 0; w < levels_.back().size(); ++w)
            end = taken(levels_.size() - 1, w, end);
        return {to, static_cast<std::size_t>(std::exchange(size_, 0))};
    }

  private:
    // Words that are looked through in less time than another level takes.
    static constexpr std::int64_t kScanned = 16;

    // Writes the columns below a word, clears it, and returns where the next ones go.
    template <class I>
    I* taken(std::size_t level, std::size_t w, I* to) {
        std::uint64_t left = std::exchange(levels_[level][w], 0);
        if (level == 0) return written(w, left, to);
        for (; left != 0; left &= left - 1)
            to = taken(level - 1, 64 * w + static_cast<std::size_t>(std::countr_zero(left)), to);
        return to;
    }

    // Most words have few columns: the first of them are written whether or not they are there,
    // since a branch would guess.
    template <class I>
    static I* written(std::size_t w, std::uint64_t left, I* to) {
        constexpr std::uint64_t kLast = std::uint64_t{1} << 63;  // zero has no first bit
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

    std::vector<std::vector<std::uint64_t>> levels_;
    std::int64_t size_ = 0;
};

}  // namespace spbfs
