// C<M> = A B, one row of C at a time.
//
// By rows (Gustavson): the rows of B that row i of A names are added up in an accumulator.  A mask
// that is not complemented opens the slots of its row beforehand, so products elsewhere are dropped
// at their first touch and the result comes out in the mask's order without a sort.  The products
// of a short row without such a mask are merged instead (merged_row.h).
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "accumulator.h"
#include "bindings.h"
#include "fetch.h"
#include "merged_row.h"
#include "product_semiring.h"

namespace spbfs {

template <class I>
using Matrix = Csr<std::int64_t, I>;

template <class I>
std::span<const I> row_of(const Matrix<I>& A, std::int64_t i) {
    return {A.indices + A.indptr[i], static_cast<std::size_t>(A.indptr[i + 1] - A.indptr[i])};
}

template <class I>
struct MxmTask {
    Matrix<I> A, B;  // for dots, B is the transpose of the right operand
    std::optional<Matrix<I>> mask;
    bool complement;
    std::int64_t columns, inner;
    const char* b_values;
    std::int64_t b_stride;  // in bytes; 0 where all values are one

    // Entry p of A has its turn: begins to fetch the rows of B that later entries will read, each
    // of which lies somewhere else.
    SPBFS_FETCHES void fetch_ahead(std::int64_t p) const {
        constexpr std::int64_t kRow = 16, kOffset = 32;  // entries ahead
        const std::int64_t entries = A.indptr[A.rows];
        if (p + kOffset < entries) __builtin_prefetch(B.indptr + A.indices[p + kOffset]);
        if (p + kRow < entries) {
            const std::int64_t k = A.indices[p + kRow];
            for (const std::int64_t r : {B.indptr[k], B.indptr[k + 1] - 1}) {
                __builtin_prefetch(B.indices + r);
                __builtin_prefetch(b_values + r * b_stride);
            }
        }
    }
};

// Products of pairs of entries that row i of C is the sum of, whatever the mask.
template <class I>
std::int64_t products_of(const MxmTask<I>& task, std::int64_t i) {
    std::int64_t products = 0;
    for (I k : row_of(task.A, i)) products += static_cast<std::int64_t>(row_of(task.B, k).size());
    return products;
}

// Entries that row i of C has at most.
template <class I>
std::int64_t most_entries(const MxmTask<I>& task, std::int64_t i) {
    if (task.mask && !task.complement)
        return static_cast<std::int64_t>(row_of(*task.mask, i).size());
    return std::min(products_of(task, i), task.columns);
}

// Whether the products of row i of C are merged; `products` becomes how many there are.
template <class I>
bool is_merged(const MxmTask<I>& task, std::int64_t i, std::int64_t& products) {
    const std::size_t rows = row_of(task.A, i).size();
    if ((task.mask && !task.complement) || rows > MergedRow::kMostRows) return false;
    products = products_of(task, i);
    return MergedRow::pays(rows, products, task.columns);
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

// What a complemented mask says of the columns of row i, asked in rising order.
template <class I>
class RefusedColumns {
  public:
    RefusedColumns(const MxmTask<I>& task, std::int64_t i)
        : left_(task.mask ? row_of(*task.mask, i) : std::span<const I>{}) {}
    bool has(I j) {
        while (!left_.empty() && left_.front() < j) left_ = left_.subspan(1);
        return !left_.empty() && left_.front() == j;
    }

  private:
    std::span<const I> left_;
};

// The columns that a row has products in, each once.  There is room for all before it begins: to
// ask for each would be a call a product, around which nothing stays in a register.
template <class I>
class FoundColumns {
  public:
    void begin(std::int64_t most) {
        const std::size_t room = static_cast<std::size_t>(most) + ColumnOrder::kSlack;
        if (room > columns_.size()) columns_.resize(room);
        count_ = 0;
    }
    void add(I j) { columns_[count_++] = j; }
    std::span<I> all() { return {columns_.data(), count_}; }

  private:
    std::vector<I> columns_;
    std::size_t count_ = 0;
};

// Row i of C to emit(column, sum), columns rising, once it is known how many to expect at most;
// returns how much work it was.  multiply(row of A, only_mask) adds its products to `sums`, where
// what the mask says of columns stands, and lists in `found` those that have any, unless the mask
// lists them all.
template <class I, class Accumulator, class Multiply, class Emit>
std::int64_t masked_row(const MxmTask<I>& task, std::int64_t i, Accumulator& sums,
                        FoundColumns<I>& found, Multiply&& multiply, Emit&& emit) {
    const std::span<const I> a = row_of(task.A, i);
    const std::span<const I> mask = task.mask ? row_of(*task.mask, i) : std::span<const I>{};
    const bool only_mask = task.mask && !task.complement;
    if (a.empty() || (only_mask && mask.empty())) return 0;

    const std::int64_t products = products_of(task, i);
    const auto most =
        only_mask ? static_cast<std::int64_t>(mask.size()) : std::min(products, task.columns);
    sums.reserve(most + static_cast<std::int64_t>(only_mask ? 0 : mask.size()));
    const Slot marked = only_mask ? Slot::Admitted : Slot::Refused;
    for (I j : mask) sums.state(sums.add(j)) = marked;
    found.begin(most);
    multiply(a, only_mask);

    if (only_mask) {
        emit.expect(mask.size());
        for (I j : mask) {
            const std::int64_t slot = sums.find(j);
            if (sums.state(slot) == Slot::Summed) emit(j, sums.sum(slot));
        }
    } else {
        const std::span<I> columns = found.all();
        sums.order(columns);
        emit.expect(columns.size());
        for (I j : columns) emit(j, sums.sum(sums.find(j)));
    }
    sums.clear(mask, found.all());
    return products;
}

// Gives the entries of row i to emit(column, sum), columns rising, once it is known how many to
// expect at most.
template <class S, class I, class Accumulator>
class RowsMethod {
  public:
    RowsMethod(const S& s, const MxmTask<I>& task) : s_(s), task_(task), sums_(task.columns) {}

    std::int64_t most(std::int64_t i) const { return most_entries(task_, i); }

    template <class Emit>
    std::int64_t row(std::int64_t i, Emit&& emit) {
        std::int64_t products = 0;
        if (is_merged(task_, i, products)) {
            merge_row(i, products, emit);
            return products;
        }
        return masked_row(
            task_, i, sums_, found_,
            [&](std::span<const I> a, bool only_mask) { multiply_row(i, a, only_mask); }, emit);
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

    void multiply_row(std::int64_t i, std::span<const I> a, bool only_mask) {
        const Matrix<I>& B = task_.B;
        for (std::size_t t = 0; t < a.size(); ++t) {
            const std::int64_t k = a[t], p = task_.A.indptr[i] + static_cast<std::int64_t>(t);
            task_.fetch_ahead(p);
            for (std::int64_t r = B.indptr[k]; r < B.indptr[k + 1]; ++r) {
                const I j = B.indices[r];
                const std::int64_t slot = only_mask ? sums_.find(j) : sums_.add(j);
                if (slot < 0) continue;
                Slot& state = sums_.state(slot);
                if (state == Slot::Summed) {
                    if constexpr (!S::any)
                        sums_.sum(slot) = s_.sum(sums_.sum(slot), s_.product(p, r, i, k, j));
                } else if (state == (only_mask ? Slot::Admitted : Slot::Empty)) {
                    state = Slot::Summed;
                    sums_.sum(slot) = s_.product(p, r, i, k, j);
                    if (!only_mask) found_.add(j);
                }
            }
        }
    }

    const S& s_;
    const MxmTask<I>& task_;
    Accumulator sums_;
    FoundColumns<I> found_;
    struct Box {
        typename S::Value value;
    };
    MergedRow merged_;
    Box product_[MergedRow::kMost];
};

}  // namespace spbfs
