// C<M> = A B, one row of C at a time.
//
// By rows (Gustavson): the rows of B that row i of A names are added up in an accumulator.  A mask
// that is not complemented opens the slots of its row beforehand, so products elsewhere are dropped
// at their first touch and the result comes out in the mask's order without a sort.  Where there is
// none, or one that is complemented, short rows are sorted side by side instead (short_rows.h), and
// those that are not quite as short merged (merged_row.h).
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "cpu/products/accumulator.h"
#include "cpu/products/merged_row.h"
#include "cpu/products/mxm_gather.h"
#include "cpu/products/mxm_task.h"
#include "cpu/products/short_rows.h"

namespace spbfs {

// Whether the products of row i of C are merged; `products` becomes how many there are, if it is
// negative.  Of a result that stays in the nearest cache so are those of up to `near_rows` rows of
// B.
template <class I>
bool is_merged(const MxmTask<I>& task, std::int64_t i, std::size_t near_rows,
               std::int64_t& products) {
    if (task.mask && !task.complement) return false;
    const std::size_t rows = row_of(task.A, i).size();
    if (rows > MergedRow::most_rows(task.columns, near_rows)) return false;
    if (products < 0) products = products_of(task, i);
    return products <= MergedRow::kMost;
}

// Gives the products of row i of C to take(number, p, r), numbers rising from 0, which entries p of
// A and r of B are multiplied for; then `merged` has their columns.
template <class I, class Take>
void merge_products(const MxmTask<I>& task, std::int64_t i, MergedRow& merged, Take&& take) {
    const std::span<const I> a = row_of(task.A, i);
    merged.begin();
    std::int64_t number = 0;
    for (std::size_t t = 0; t < a.size(); ++t) {
        const std::int64_t k = a[t], p = task.A.indptr[i] + static_cast<std::int64_t>(t);
        task.fetch_ahead(p);
        for (std::int64_t r = task.B.indptr[k]; r < task.B.indptr[k + 1]; ++r, ++number) {
            merged.add(task.B.indices[r], number);
            take(number, p, r);
        }
        merged.end_row();
    }
}

// Row i of C to emit(column, sum), columns rising, once it is known how many to expect at most;
// returns how much work it was.  multiply(row of A, only_mask) adds its products to `sums`, where
// what the mask says of columns stands, and notes there which have any, unless the mask lists them
// all; it returns how many there were.
template <class I, class Accumulator, class Multiply, class Emit>
std::int64_t masked_row(const MxmTask<I>& task, std::int64_t i, Accumulator& sums,
                        Multiply&& multiply, Emit&& emit) {
    const std::span<const I> a = row_of(task.A, i);
    const std::span<const I> mask = task.mask ? row_of(*task.mask, i) : std::span<const I>{};
    const bool only_mask = task.mask && !task.complement;
    if (a.empty() || (only_mask && mask.empty())) return 0;

    const auto listed = static_cast<std::int64_t>(mask.size());
    sums.begin(only_mask ? Slot::Admitted : Slot::Empty, [&] {
        return listed + (only_mask ? 0 : std::min(products_of(task, i), task.columns));
    });
    for (I j : mask) sums.set(sums.add(j), only_mask ? Slot::Admitted : Slot::Refused);
    const std::int64_t products = multiply(a, only_mask);

    if (only_mask) {
        emit.expect(mask.size());
        for (I j : mask) {
            const std::int64_t slot = sums.find(j);
            if (sums.is(slot, Slot::Summed)) emit(j, sums.sum(slot));
        }
    } else {
        const std::span<const I> columns = sums.noted();
        emit.expect(columns.size());
        for (I j : columns) emit(j, sums.sum(sums.find(j)));
    }
    return products + listed;
}

// Gives the entries of row i to emit(column, sum), columns rising, once it is known how many to
// expect at most.
template <class S, class I, class Accumulator>
class RowsMethod {
  public:
    RowsMethod(const S& s, const MxmTask<I>& task, RowMarks row = RowMarks{})
        : s_(s), task_(task), sums_(task.columns, row), gathered_(s, task), short_(s, task) {}

    std::int64_t most(std::int64_t begin, std::int64_t end) const {
        return most_entries(task_, begin, end);
    }

    template <class Emit>
    std::int64_t row(std::int64_t i, Emit&& emit) {
        std::int64_t products = -1;
        if (short_.has(i, products)) return short_.emit(i, emit);
        if (is_merged(task_, i, kNearRows, products)) {
            merge_row(i, products, emit);
            return products;
        }
        return masked_row(
            task_, i, sums_,
            [&](std::span<const I> a, bool only_mask) { return multiply_row(i, a, only_mask); },
            emit);
    }

  private:
    template <class Emit>
    void merge_row(std::int64_t i, std::int64_t products, Emit&& emit) {
        merge_products(task_, i, merged_, [&](std::int64_t number, std::int64_t p, std::int64_t r) {
            product_[number].value = s_.product(p, r, i, task_.A.indices[p], task_.B.indices[r]);
        });
        emit.expect(static_cast<std::size_t>(products));
        RefusedColumns<I> refused(task_, i);
        const auto keys = merged_.merged();
        for (std::size_t at = 0; at < keys.size();) {
            const auto j = static_cast<I>(SortedRow::column(keys[at]));
            typename S::Value sum = product_[SortedRow::number(keys[at])].value;
            while (++at < keys.size() && static_cast<I>(SortedRow::column(keys[at])) == j)
                if constexpr (!S::any)
                    sum = s_.sum(sum, product_[SortedRow::number(keys[at])].value);
            if (!refused.has(j)) emit(j, sum);
        }
    }

    std::int64_t multiply_row(std::int64_t i, std::span<const I> a, bool only_mask) {
        const Matrix<I>& B = task_.B;
        std::int64_t products = 0;
        for (std::size_t t = 0; t < a.size(); ++t) {
            const std::int64_t k = a[t], p = task_.A.indptr[i] + static_cast<std::int64_t>(t);
            task_.fetch_ahead(p);
            const std::int64_t begin = B.indptr[k], end = B.indptr[k + 1];
            for (std::int64_t r = begin; r < end;) {
                if (gathered_.is_full()) add_up(only_mask);
                r += gathered_.take(i, p, r, end);
            }
            products += end - begin;
        }
        add_up(only_mask);
        return products;
    }

    void add_up(bool only_mask) {
        gathered_.empty([&](I j, auto&& product) {
            const std::int64_t slot = only_mask ? sums_.find(j) : sums_.add(j);
            if (slot < 0) return;
            if (sums_.is(slot, Slot::Summed)) {
                if constexpr (!S::any) sums_.sum(slot) = s_.sum(sums_.sum(slot), product());
            } else if (sums_.is_open(slot)) {
                sums_.set(slot, Slot::Summed);
                sums_.sum(slot) = product();
                if (!only_mask) sums_.note(j);
            }
        });
    }

    // An accumulator in the nearest cache is never behind.
    static constexpr std::size_t kNearRows = 0;

    const S& s_;
    const MxmTask<I>& task_;
    Accumulator sums_;
    GatheredProducts<S, I> gathered_;
    ShortRows<S, I> short_;
    struct Box {
        typename S::Value value;
    };
    MergedRow merged_;
    Box product_[MergedRow::kMost];
};

}  // namespace spbfs
