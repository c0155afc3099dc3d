// C<M> = A B over operators that are programs, one row of C at a time (see mxm_rows.h).
//
// Products of a row are gathered until a block of them is full and made at once.  So are sums: a
// product that meets a sum waits, and only a second one for the same column ends the wait.  Those
// of a short row are made in the order of their columns, and those of each column summed.
#pragma once

#include <memory>
#include <vector>

#include "cpu/operators/pairs.h"
#include "cpu/operators/segment_sums.h"
#include "cpu/products/mxm_rows.h"

namespace spbfs {

// V is as large as a sum.
template <class V>
struct ProgramSemiring {
    using Value = V;
    static constexpr bool any = false, pattern = false;

    const Program* multiply;
    const Program* add;    // null where the first product is the sum
    SegmentFunction sums;  // of a monoid that is built in
    Operands operands;

    void store(void* w, std::int64_t i, V a) const { static_cast<V*>(w)[i] = a; }
};

template <class S, class I, class Accumulator>
class ProgramRows {
  public:
    using V = typename S::Value;

    ProgramRows(const S& s, const MxmTask<I>& task)
        : s_(s), task_(task), sums_(task.columns), multiply_(*s.multiply) {
        if (s.add == nullptr) return;
        add_ = std::make_unique<Evaluator>(*s.add);
        of_columns_ = std::make_unique<SegmentSums>(s.sums, s.add);
    }

    std::int64_t most(std::int64_t begin, std::int64_t end) const {
        return most_entries(task_, begin, end);
    }

    template <class Emit>
    std::int64_t row(std::int64_t i, Emit&& emit) {
        std::int64_t products = -1;
        if (is_merged(task_, i, kNearRows, products)) {
            merge_row(i, emit);
            return products;
        }
        return masked_row(
            task_, i, sums_,
            [&](std::span<const I> a, bool only_mask) { return gather_row(i, a, only_mask); },
            emit);
    }

  private:
    template <class Emit>
    void merge_row(std::int64_t i, Emit&& emit) {
        merge_products(task_, i, merged_, [&](std::int64_t number, std::int64_t p, std::int64_t r) {
            p_[number] = p;
            r_[number] = r;
        });
        const auto keys = merged_.merged();
        const auto count = static_cast<std::int64_t>(keys.size());
        if (count == 0) return;
        std::int64_t last = 0;  // of the columns
        column_[0] = static_cast<I>(SortedRow::column(keys[0]));
        for (std::int64_t at = 0; at < count; ++at) {
            const auto j = static_cast<I>(SortedRow::column(keys[at]));
            last += j != column_[last];
            column_[last] = j;
            ends_[last] = static_cast<std::int32_t>(at + 1);
            const std::int64_t number = SortedRow::number(keys[at]);
            merged_p_[at] = p_[number];
            merged_r_[at] = r_[number];
        }
        multiply(merged_p_, merged_r_, count);
        if (of_columns_)
            (*of_columns_)(product_, ends_, last + 1, nullptr, sum_);
        else
            for (std::int64_t s = 0; s <= last; ++s) sum_[s] = product_[s == 0 ? 0 : ends_[s - 1]];
        emit.expect(static_cast<std::size_t>(last + 1));
        RefusedColumns<I> refused(task_, i);
        for (std::int64_t s = 0; s <= last; ++s)
            if (!refused.has(column_[s])) emit(column_[s], sum_[s]);
    }

    std::int64_t gather_row(std::int64_t i, std::span<const I> a, bool only_mask) {
        const Matrix<I>& B = task_.B;
        std::int64_t products = 0;
        for (std::size_t t = 0; t < a.size(); ++t) {
            const std::int64_t k = a[t], p = task_.A.indptr[i] + static_cast<std::int64_t>(t);
            task_.fetch_ahead(p);
            for (std::int64_t r = B.indptr[k]; r < B.indptr[k + 1]; ++r) {
                const I j = B.indices[r];
                const std::int64_t slot = only_mask ? sums_.find(j) : sums_.add(j);
                if (slot < 0) continue;
                if (only_mask ? !sums_.is_set(slot) : sums_.is(slot, Slot::Refused)) continue;
                p_[count_] = p;
                r_[count_] = r;
                slot_[count_] = slot;
                column_[count_] = j;
                if (++count_ == kBlock) make(only_mask);
            }
            products += B.indptr[k + 1] - B.indptr[k];
        }
        make(only_mask);
        return products;
    }

    // The products of entries of A and B.
    void multiply(const std::int64_t* p, const std::int64_t* r, std::int64_t count) {
        const Operands& o = s_.operands;
        const int size = s_.multiply->in_size();
        gather(o.x, o.x_stride, p, count, x_, size);
        gather(o.y, o.y_stride, r, count, y_, size);
        multiply_(x_, y_, product_, count);
    }

    // The products gathered, and their sums.
    void make(bool only_mask) {
        if (count_ == 0) return;
        multiply(p_, r_, count_);
        for (std::int64_t q = 0; q < count_; ++q) {
            const std::int64_t slot = slot_[q];
            if (sums_.is(slot, Slot::Waiting)) sum();
            if (sums_.is(slot, Slot::Summed)) {
                if (!add_) continue;
                sums_.set(slot, Slot::Waiting);
                waiting_[waits_] = slot;
                left_[waits_] = sums_.sum(slot);
                right_[waits_++] = product_[q];
            } else {
                sums_.set(slot, Slot::Summed);
                sums_.sum(slot) = product_[q];
                if (!only_mask) sums_.note(column_[q]);
            }
        }
        sum();
        count_ = 0;
    }

    void sum() {
        if (waits_ == 0) return;
        (*add_)(left_, right_, sum_, waits_);
        for (std::int64_t t = 0; t < waits_; ++t) {
            sums_.sum(waiting_[t]) = sum_[t];
            sums_.set(waiting_[t], Slot::Summed);
        }
        waits_ = 0;
    }

    static constexpr std::size_t kNearRows = 4;

    const S& s_;
    const MxmTask<I>& task_;
    Accumulator sums_;
    Evaluator multiply_;
    std::unique_ptr<Evaluator> add_;
    std::unique_ptr<SegmentSums> of_columns_;
    static_assert(MergedRow::kMost <= kBlock);
    MergedRow merged_;
    std::int64_t merged_p_[kBlock], merged_r_[kBlock];
    std::int32_t ends_[kBlock];
    std::int64_t count_ = 0, waits_ = 0;
    std::int64_t p_[kBlock], r_[kBlock], slot_[kBlock], waiting_[kBlock];
    I column_[kBlock];
    std::uint64_t x_[kBlock], y_[kBlock];
    V product_[kBlock], left_[kBlock], right_[kBlock], sum_[kBlock];
};

}  // namespace spbfs
