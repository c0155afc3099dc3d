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
    explicit ColumnOrder(std::int64_t columns)
        : words_(static_cast<std::size_t>(columns + 63) / 64), blocks_((words_.size() + 63) / 64) {}

    // Whether so many columns are found sooner than sorted.
    bool pays(std::size_t columns) const { return blocks_.size() <= columns * kBlocksPerColumn; }

    // Different columns in rising order.
    template <class I>
    void order(std::span<I> columns) {
        for (I j : columns) {
            words_[at(j, 6)] |= bit(j, 0);
            blocks_[at(j, 12)] |= bit(j, 6);
        }
        std::size_t count = 0;
        for (std::size_t b = 0; count < columns.size(); ++b)
            each(blocks_[b], [&](int w) {
                const std::size_t word = 64 * b + static_cast<std::size_t>(w);
                each(words_[word], [&](int c) {
                    columns[count++] = static_cast<I>(64 * word + static_cast<std::size_t>(c));
                });
            });
    }

  private:
    // Blocks that are looked through in the time that sorting takes for one column.
    static constexpr std::size_t kBlocksPerColumn = 16;

    template <class I>
    static std::size_t at(I j, int shift) {
        return static_cast<std::size_t>(j) >> shift;
    }
    template <class I>
    static std::uint64_t bit(I j, int shift) {
        return std::uint64_t{1} << (at(j, shift) & 63);
    }
    // found(i) for every bit that is set, which is cleared.
    template <class Found>
    static void each(std::uint64_t& word, Found&& found) {
        for (std::uint64_t rest = std::exchange(word, 0); rest != 0; rest &= rest - 1)
            found(std::countr_zero(rest));
    }

    std::vector<std::uint64_t> words_, blocks_;
};

}  // namespace spbfs
