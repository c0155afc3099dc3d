// Where the products of one row of C = A B meet: at most one slot a column, with a state and a sum.
//
// Two kinds with the same face.  Dense has a slot for every column and finds it for free; Hash has
// as many as the row can need and is right when columns are many and rows short.  States are
// numbers that rise from row to row, and what an earlier row has left means Empty: nothing is
// cleared.
//
//     begin(open, most)   a row, in which slots of this state wait for their first product; most()
//                         is how many columns will be added at most
//     add(j), find(j)     the slot of column j; find gives -1 where a hash has none
//     set(slot, state), is(slot, state), is_open(slot)
//     is_set(slot)        whether it is anything but Empty
//     sum(slot)           unknown before it is written
//     note(j)             column j has a sum, which it had not
//     noted()             the columns of which that was said, in rising order, once
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "cpu/memory/zeroed.h"
#include "cpu/products/column_set.h"

namespace spbfs {

// Waiting: summed so far, with another product on its way (mxm_program.h).
enum class Slot : std::uint32_t { Empty, Admitted, Refused, Summed, Waiting };

// How slots are marked with states, in the row at hand.
class RowMarks {
  public:
    using Mark = std::uint32_t;

    // As if so many states had been given: tests begin shortly before numbers begin again.
    explicit RowMarks(Mark row = 0) : row_(row) {}

    // False where numbers begin again, and all marks must be zeroed before the row.
    bool begin(Slot open) {
        constexpr Mark kStates = static_cast<Mark>(Slot::Waiting) + 1;
        const bool again = row_ > ~Mark{0} - 2 * kStates;
        row_ = again ? kStates : row_ + kStates;
        first_open_ = open == Slot::Empty ? 0 : of(open);
        open_ = of(open) - first_open_ + 1;
        return !again;
    }
    Mark of(Slot state) const { return row_ + static_cast<Mark>(state); }
    bool is_open(Mark mark) const { return mark - first_open_ < open_; }
    bool is_set(Mark mark) const { return mark > row_; }
    bool of_this_row(Mark mark) const { return mark >= row_; }

  private:
    Mark row_, first_open_ = 0, open_ = 0;
};

template <class Value, class I>
class DenseAccumulator {
  public:
    explicit DenseAccumulator(std::int64_t columns, RowMarks row = RowMarks{})
        : row_(row),
          columns_(columns),
          marks_(columns),
          sums_(std::make_unique_for_overwrite<Value[]>(static_cast<std::size_t>(columns))),
          set_(columns),
          noted_(std::make_unique_for_overwrite<I[]>(
              static_cast<std::size_t>(columns + ColumnSet::kSlack))) {}

    template <class Most>
    void begin(Slot open, Most&&) {
        if (row_.begin(open)) return;
        for (std::int64_t j = 0; j < columns_; ++j) marks_[j] = 0;
    }
    std::int64_t add(std::int64_t j) const { return j; }
    std::int64_t find(std::int64_t j) const { return j; }
    void set(std::int64_t slot, Slot state) { marks_[slot] = row_.of(state); }
    bool is(std::int64_t slot, Slot state) const { return marks_[slot] == row_.of(state); }
    bool is_open(std::int64_t slot) const { return row_.is_open(marks_[slot]); }
    bool is_set(std::int64_t slot) const { return row_.is_set(marks_[slot]); }
    Value& sum(std::int64_t slot) { return sums_[static_cast<std::size_t>(slot)]; }
    void note(std::int64_t j) { set_.add(j); }
    std::span<const I> noted() { return set_.take(noted_.get()); }

  private:
    RowMarks row_;
    std::int64_t columns_;
    Zeroed<RowMarks::Mark> marks_;
    std::unique_ptr<Value[]> sums_;
    ColumnSet set_;
    std::unique_ptr<I[]> noted_;
};

template <class Value, class I>
class HashAccumulator {
  public:
    explicit HashAccumulator(std::int64_t, RowMarks row = RowMarks{}) : row_(row) {}

    template <class Most>
    void begin(Slot open, Most&& most) {
        const auto columns = static_cast<std::uint64_t>(most());
        const std::uint64_t room = std::bit_ceil(2 * columns + 2);
        if (!row_.begin(open) || room > cells_.size())
            cells_.assign(std::max<std::size_t>(room, cells_.size()), Cell{});
        last_ = room - 1;
        shift_ = 64 - std::countr_zero(room);
        // Room for all before the row begins: to ask for each would be a call a product, around
        // which nothing stays in a register.
        if (columns > noted_.size()) noted_.resize(columns);
        count_ = 0;
    }
    std::int64_t add(std::int64_t j) {
        const std::uint64_t at = probe(j);
        Cell& cell = cells_[at];
        if (!row_.of_this_row(cell.mark)) {
            cell.column = j;
            cell.mark = row_.of(Slot::Empty);
        }
        return static_cast<std::int64_t>(at);
    }
    std::int64_t find(std::int64_t j) const {
        const std::uint64_t at = probe(j);
        return row_.of_this_row(cells_[at].mark) ? static_cast<std::int64_t>(at) : -1;
    }
    void set(std::int64_t slot, Slot state) { cells_[slot].mark = row_.of(state); }
    bool is(std::int64_t slot, Slot state) const { return cells_[slot].mark == row_.of(state); }
    bool is_open(std::int64_t slot) const { return row_.is_open(cells_[slot].mark); }
    bool is_set(std::int64_t slot) const { return row_.is_set(cells_[slot].mark); }
    Value& sum(std::int64_t slot) { return cells_[slot].sum; }
    void note(I j) { noted_[count_++] = j; }
    std::span<const I> noted() {
        const std::span<I> columns{noted_.data(), count_};
        std::sort(columns.begin(), columns.end());
        return columns;
    }

  private:
    struct Cell {
        std::int64_t column = 0;
        Value sum{};
        RowMarks::Mark mark = 0;
    };

    std::uint64_t probe(std::int64_t j) const {
        // Fibonacci hashing; at most half of the cells are in use, so a gap always comes.
        std::uint64_t at = (static_cast<std::uint64_t>(j) * 0x9e3779b97f4a7c15u) >> shift_;
        while (row_.of_this_row(cells_[at].mark) && cells_[at].column != j) at = (at + 1) & last_;
        return at;
    }

    RowMarks row_;
    std::vector<Cell> cells_;
    std::uint64_t last_ = 0;
    int shift_ = 63;
    std::vector<I> noted_;
    std::size_t count_ = 0;
};

}  // namespace spbfs
