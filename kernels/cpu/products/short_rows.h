// Consecutive short rows of C = A B, made side by side (sorted_columns.h).
//
// What a short row costs is branches that no predictor knows, where rows end and which columns
// are alike, and steps that wait for one another.  Here neither depends on the columns.
#pragma once

#include <algorithm>
#include <cstdint>

#include "cpu/operators/product_semiring.h"
#include "cpu/products/mxm_task.h"
#include "cpu/products/sorted_columns.h"

namespace spbfs {

template <class S, class I>
class ShortRows {
  public:
    ShortRows(const S& s, const MxmTask<I>& task)
        : s_(s),
          task_(task),
          entries_(task.B.indptr[task.B.rows]),
          sorts_((!task.mask || task.complement) && task.columns <= SortedColumns::kMostColumns) {}

    // Whether row i is one of those that are made, which it may be the first of; else `products`
    // is how many it has, where they were counted.
    bool has(std::int64_t i, std::int64_t& products) {
        if (i < end_ && i >= first_) return true;
        return sorts_ && made_from(i, products);
    }

    // Gives the entries of row i to emit, as columns rise; returns how many products there were.
    template <class Emit>
    std::int64_t emit(std::int64_t i, Emit&& emit) const {
        const bool is_refused = task_.mask && !row_of(*task_.mask, i).empty();
        return is_refused ? emit_admitted(i, emit) : emit_all(i, emit);
    }

  private:
    // To emit.set(number, column, product), whose columns rise, and what else is of the same column
    // to emit.add(number, product).
    template <class Emit>
    std::int64_t emit_all(std::int64_t i, Emit&& emit) const {
        const std::int64_t row = i - first_, count = count_[row];
        const auto* const product = product_[row];
        emit.expect(static_cast<std::size_t>(count));
        std::int64_t column = -1, made = 0, again = 0;
        std::int8_t of[SortedColumns::kMost], with[SortedColumns::kMost];
        for (std::int64_t at = 0; at < count; ++at) {
            const std::int64_t j = columns_.column(row, at), number = columns_.number(row, at);
            const bool is_same = j == column;
            // Of a column that is there already it is set behind, where the next one will be.
            emit.set(made, static_cast<I>(j), product[number]);
            of[again] = static_cast<std::int8_t>(made - 1);
            with[again] = static_cast<std::int8_t>(number);
            again += is_same;
            made += !is_same;
            column = j;
        }
        if constexpr (!S::any)
            for (std::int64_t at = 0; at < again; ++at) emit.add(of[at], product[with[at]]);
        emit.take(made);
        return count;
    }

    // To emit(column, sum) what the mask does not have.
    template <class Emit>
    std::int64_t emit_admitted(std::int64_t i, Emit&& emit) const {
        const std::int64_t row = i - first_, count = count_[row];
        const auto* const product = product_[row];
        emit.expect(static_cast<std::size_t>(count));
        RefusedColumns<I> refused(task_, i);
        for (std::int64_t at = 0; at < count;) {
            const std::int64_t j = columns_.column(row, at);
            typename S::Value sum = product[columns_.number(row, at)];
            while (++at < count && columns_.column(row, at) == j)
                if constexpr (!S::any) sum = s_.sum(sum, product[columns_.number(row, at)]);
            if (!refused.has(static_cast<I>(j))) emit(static_cast<I>(j), sum);
        }
        return count;
    }

    // Fewer are not worth steps that are as many for eight.
    static constexpr std::int64_t kFewest = 3;
    static constexpr std::int64_t kStrip = SortedColumns::kOver;

    bool made_from(std::int64_t i, std::int64_t& products) {
        first_ = i;
        end_ = i;
        std::int64_t most = 0;
        for (; end_ < task_.A.rows && end_ - i < SortedColumns::kRows; ++end_) {
            const std::int64_t count = counted(end_);
            if (end_ == i) products = count;
            if (count > SortedColumns::kMost) break;
            count_[end_ - i] = count;
            most = std::max(most, count);
        }
        if (end_ - i < kFewest) {
            end_ = i;
            return false;
        }
        columns_.begin(most);
        for (std::int64_t row = i; row < end_; ++row) gather(row);
        columns_.sort();
        return true;
    }

    std::int64_t counted(std::int64_t i) const {
        std::int64_t products = 0;
        for (std::int64_t p = task_.A.indptr[i]; p < task_.A.indptr[i + 1]; ++p) {
            task_.fetch_ahead(p);
            products += static_cast<std::int64_t>(row_of(task_.B, task_.A.indices[p]).size());
        }
        return products;
    }

    // Rows of B are taken in strips of one length, of which what follows a row's end is
    // overwritten.
    void gather(std::int64_t i) {
        const std::int64_t row = i - first_;
        std::int64_t number = 0;
        for (std::int64_t p = task_.A.indptr[i]; p < task_.A.indptr[i + 1]; ++p) {
            const std::int64_t k = task_.A.indices[p], end = task_.B.indptr[k + 1];
            std::int64_t r = task_.B.indptr[k];
            do {
                const std::int64_t taken = std::min(kStrip, end - r);
                // A product of no row is made in vain, which is dear where operators are called.
                if (!S::interpreted && r + kStrip <= entries_)
                    put(row, number, i, p, r, kStrip);
                else
                    put(row, number, i, p, r, taken);
                number += taken;
                r += taken;
            } while (r < end);
        }
        columns_.end(row, number);
    }

    [[gnu::always_inline]] void put(std::int64_t row, std::int64_t number, std::int64_t i,
                                    std::int64_t p, std::int64_t r, std::int64_t count) {
        for (std::int64_t q = 0; q < count; ++q) {
            const I j = task_.B.indices[r + q];
            columns_.add(row, number + q, j);
            product_[row][number + q] = s_.product(p, r + q, i, task_.A.indices[p], j);
        }
    }

    const S& s_;
    const MxmTask<I>& task_;
    const std::int64_t entries_;  // of B
    const bool sorts_;
    std::int64_t first_ = 0, end_ = 0, count_[SortedColumns::kRows];
    SortedColumns columns_;
    typename S::Value product_[SortedColumns::kRows][SortedColumns::kMost + kStrip];
};

}  // namespace spbfs
