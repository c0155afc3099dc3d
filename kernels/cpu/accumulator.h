// Where the products of one row of C = A B meet: at most one slot a column, with a state and a sum.
//
// Two kinds with the same face.  Dense has a slot for every column and finds it for free; Hash has
// as many as the row can need and is right when columns are many and rows short.
//
//     reserve(most)    before a row: no more than `most` columns will be added
//     add(j), find(j)  the slot of column j; find gives -1 where a hash has none
//     order(columns)   puts the columns that were summed in rising order; may write a few behind
//     clear(a, b)      after a row: every column added is in one of the two lists
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "column_order.h"

namespace spbfs {

// Waiting: summed so far, with another product on its way (mxm_program.h).
enum class Slot : std::uint8_t { Empty, Admitted, Refused, Summed, Waiting };

template <class Value>
class DenseAccumulator {
  public:
    explicit DenseAccumulator(std::int64_t columns)
        : state_(columns), sums_(columns), order_(columns) {}

    void reserve(std::int64_t) {}
    std::int64_t add(std::int64_t j) { return j; }
    std::int64_t find(std::int64_t j) const { return j; }
    Slot& state(std::int64_t slot) { return state_[slot]; }
    Value& sum(std::int64_t slot) { return sums_[slot].value; }

    template <class I>
    void order(std::span<I> columns) {
        if (order_.pays(columns.size()))
            order_.order(columns);
        else
            std::sort(columns.begin(), columns.end());
    }

    template <class Marked, class Found>
    void clear(const Marked& marked, const Found& found) {
        for (auto j : marked) state_[j] = Slot::Empty;
        for (auto j : found) state_[j] = Slot::Empty;
    }

  private:
    // vector<bool> gives no references, a vector of these does.
    struct Box {
        Value value;
    };
    std::vector<Slot> state_;
    std::vector<Box> sums_;
    ColumnOrder order_;
};

template <class Value>
class HashAccumulator {
  public:
    explicit HashAccumulator(std::int64_t) {}

    void reserve(std::int64_t most) {
        const auto room = std::bit_ceil(static_cast<std::uint64_t>(2 * most + 2));
        if (room > cells_.size()) cells_.assign(room, Cell{});
        mask_ = room - 1;
        shift_ = 64 - std::countr_zero(room);
    }
    std::int64_t add(std::int64_t j) {
        const std::uint64_t at = probe(j);
        cells_[at].column = j;
        return static_cast<std::int64_t>(at);
    }
    std::int64_t find(std::int64_t j) const {
        const std::uint64_t at = probe(j);
        return cells_[at].column == j ? static_cast<std::int64_t>(at) : -1;
    }
    Slot& state(std::int64_t slot) { return cells_[slot].state; }
    Value& sum(std::int64_t slot) { return cells_[slot].sum; }

    template <class I>
    void order(std::span<I> columns) const {
        std::sort(columns.begin(), columns.end());
    }

    // All cells at once: emptied one by one, a probe could end at a gap made a moment ago.
    template <class Marked, class Found>
    void clear(const Marked&, const Found&) {
        for (std::uint64_t at = 0; at <= mask_; ++at) cells_[at] = Cell{};
    }

  private:
    struct Cell {
        std::int64_t column = -1;
        Value sum{};
        Slot state = Slot::Empty;
    };

    std::uint64_t probe(std::int64_t j) const {
        // Fibonacci hashing; at most half of the cells are in use, so a gap always comes.
        std::uint64_t at = (static_cast<std::uint64_t>(j) * 0x9e3779b97f4a7c15u) >> shift_;
        while (cells_[at].column != j && cells_[at].column != -1) at = (at + 1) & mask_;
        return at;
    }

    std::vector<Cell> cells_;
    std::uint64_t mask_ = 0;
    int shift_ = 63;
};

}  // namespace spbfs
