// Pull over any operators: the entries of many rows are multiplied a block at a time, and each
// row's part of the block is summed.
//
// An operator is called once a block rather than once an entry, by loops that the compiler has
// made vectors of; what remains to be waited for is what every pull waits for, the elements of the
// vector.  pull.cpp has the semirings whose loop over a row is compiled, and those that stop early.
#include <nanobind/stl/pair.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <utility>

#include "cpu/operators/pairs.h"
#include "cpu/operators/segment_sums.h"
#include "cpu/products/pull_launch.h"

namespace spbfs::pull {
namespace {

struct Product {
    const Program& multiply;
    // Whose values nobody reads is nullptr.
    Operands operands;
    bool vector_first;
    // Without a sum the first product of a row is the result.
    bool first_wins;
    SegmentFunction monoid;
    const Program* add;
    // Both at once, or nullptr.
    ProductFunction at_once;
};

// What a worker makes of its rows.  V is as large as the operands.
template <class V, class O, class I>
class BlockRows {
  public:
    BlockRows(const Csr<O, I>& M, const Product& product, const Task& task)
        : M_(M),
          task_(task),
          multiply_(product.multiply),
          size_(product.multiply.out_size()),
          sums_(product.monoid, product.add),
          x_(spread(product.operands.x, product.operands.x_stride, x_block_)),
          y_(spread(product.operands.y, product.operands.y_stride, y_block_)),
          vector_first_(product.vector_first),
          first_wins_(product.first_wins),
          at_once_(product.at_once) {}

    // All rows of [first, last), with the rows' numbers for their places.
    void all(std::int64_t first, std::int64_t last, int worker) {
        std::int64_t row = first;
        for (std::int64_t p = M_.indptr[first], end = M_.indptr[last]; p < end; p += kBlock) {
            const std::int64_t count = std::min(kBlock, end - p);
            if (task_.interrupt->poll(worker, count)) return;
            for (; row < last && M_.indptr[row + 1] - p <= count; ++row)
                close(row, M_.indptr[row + 1] - p);
            if (row < last) close(row, count);
            make([p](std::int64_t t) { return p + t; }, x_ == nullptr ? x_block_ : x_ + p, count);
        }
    }

    // One row more, the sum of which goes to a place.
    void row(std::int64_t row, std::int64_t place) {
        std::int64_t p = M_.indptr[row], end = M_.indptr[row + 1];
        if (first_wins_) {
            while (p < end && !holds(M_.indices[p])) ++p;
            end = std::min(p + 1, end);
        }
        while (p < end) {
            const std::int64_t now = std::min(end - p, kBlock - count_);
            for (std::int64_t t = 0; t < now; ++t) entry_[count_ + t] = p + t;
            p += now;
            close(place, count_ += now);
            if (count_ == kBlock) flush();
        }
    }
    void flush() {
        const auto entry = [this](std::int64_t t) { return entry_[t]; };
        const bool whole = task_.frontier == nullptr || first_wins_;
        if (x_ != nullptr && whole)
            for (std::int64_t t = 0; t < count_; ++t) x_block_[t] = x_[entry_[t]];
        make(entry, x_block_, std::exchange(count_, 0));
    }

    std::int64_t found() const { return found_; }

  private:
    // Values that are one, in all of a block; returns those that are not.
    static const V* spread(const void* values, std::int64_t stride, V* block) {
        const V* const given = static_cast<const V*>(values);
        if (stride != 0) return given;
        std::fill_n(block, kBlock + 1, given == nullptr ? V{} : *given);
        return nullptr;
    }

    bool holds(std::int64_t k) const { return task_.frontier == nullptr || (*task_.frontier)[k]; }

    // A segment ends here; it is none if it is empty.
    void close(std::int64_t place, std::int64_t end) {
        place_[segments_] = place;
        ends_[segments_] = static_cast<std::int32_t>(end);
        segments_ += end > std::exchange(closed_, end);
    }

    // The segments of a block, whose entries are entry(t) and their values x[t].
    template <class Entry>
    void make(const Entry& entry, const V* x, std::int64_t count) {
        if (task_.frontier != nullptr && !first_wins_) {
            count = keep(entry, count);
            x = x_block_;
        } else if (y_ != nullptr) {
            for (std::int64_t t = 0; t < count; ++t) y_block_[t] = y_[M_.indices[entry(t)]];
        }
        const void* const begun = so_far();
        if (at_once_ != nullptr) {
            at_once_(x, y_block_, ends_, segments_, begun, sum_);
        } else {
            if (vector_first_)
                multiply_(y_block_, x, product_, count);
            else
                multiply_(x, y_block_, product_, count);
            if (!first_wins_) sums_(product_, ends_, segments_, begun, sum_);
        }
        with_size(size_, [&]<class W>(W) { store<W>(); });
        segments_ = closed_ = 0;
    }

    // Values of the entries whose elements there are, and segments of these.  All are written and
    // the next is written over those that are not: a branch would guess.
    template <class Entry>
    std::int64_t keep(const Entry& entry, std::int64_t count) {
        std::int32_t kept = 0;
        for (std::int64_t t = 0; t < count; ++t) {
            before_[t] = kept;
            kept += (*task_.frontier)[M_.indices[entry(t)]];
        }
        before_[count] = kept;
        if (y_ != nullptr)
            for (std::int64_t t = 0; t < count; ++t)
                y_block_[before_[t]] = y_[M_.indices[entry(t)]];
        if (x_ != nullptr)
            for (std::int64_t t = 0; t < count; ++t) x_block_[before_[t]] = x_[entry(t)];
        closed_ = 0;
        for (std::int64_t s = 0, all = std::exchange(segments_, 0); s < all; ++s)
            close(place_[s], before_[ends_[s]]);
        return kept;
    }

    // The sum of a row that began in an earlier block.
    const void* so_far() const {
        if (segments_ == 0 || task_.present[place_[0]] == 0) return nullptr;
        return static_cast<const char*>(task_.values) + place_[0] * size_;
    }

    template <class W>
    void store() {
        W* const w = static_cast<W*>(task_.values);
        const W* const sum = reinterpret_cast<const W*>(first_wins_ ? product_ : sum_);
        for (std::int64_t s = 0; s < segments_; ++s) {
            w[place_[s]] = sum[s];
            found_ += task_.present[place_[s]] == 0;
            task_.present[place_[s]] = 1;
        }
    }

    const Csr<O, I> M_;
    const Task& task_;
    Evaluator multiply_;
    int size_;
    SegmentSums sums_;
    // One more than is kept.
    V x_block_[kBlock + 1], y_block_[kBlock + 1];
    const V *x_, *y_;
    bool vector_first_, first_wins_;
    ProductFunction at_once_;
    std::int64_t segments_ = 0, closed_ = 0, count_ = 0, found_ = 0;
    std::int64_t place_[kBlock + 1], entry_[kBlock];
    std::int32_t ends_[kBlock + 1], before_[kBlock + 1];
    std::uint64_t product_[kBlock], sum_[kBlock];
};

template <class V, class O, class I>
Outcome pull_blocks(const Csr<O, I>& M, const Product& product, const Task& task) {
    std::atomic<std::int64_t> total{0}, total_touched{0};
    const bool all = task.rows == nullptr && task.mask == nullptr && !product.first_wins;
    auto body = [&](std::int64_t begin, std::int64_t end, int worker) {
        if (task.interrupt->poll(worker, end - begin)) return;
        std::memset(task.present + begin, 0, static_cast<std::size_t>(end - begin));
        const auto made = std::make_unique<BlockRows<V, O, I>>(M, product, task);
        std::int64_t touched = 0;
        if (all) {
            touched = M.indptr[end] - M.indptr[begin];
            made->all(begin, end, worker);
        } else {
            std::int64_t chosen[kRowsPerChunk];
            const std::int64_t* const rows = task.rows == nullptr ? chosen : task.rows + begin;
            const std::int64_t count =
                task.rows == nullptr ? choose_rows(task, begin, end, chosen) : end - begin;
            task.interrupt->strips(
                0, count, kRowsPerStrip, worker, [&](std::int64_t from, std::int64_t to) {
                    const std::int64_t before = touched;
                    for (std::int64_t t = from; t < to; ++t) {
                        made->row(rows[t], task.rows == nullptr ? rows[t] : begin + t);
                        touched += M.indptr[rows[t] + 1] - M.indptr[rows[t]];
                    }
                    return touched - before;
                });
            made->flush();
        }
        total.fetch_add(made->found(), std::memory_order_relaxed);
        total_touched.fetch_add(touched, std::memory_order_relaxed);
    };
    Team(task.threads).for_chunks(task.count, kRowsPerChunk, body);
    return {total.load(), total_touched.load()};
}

// Values of an operand as large as the program takes them; nullptr of none.
Operands operands_of(const Program& multiply, const Maybe<Input>& x, const Maybe<Input>& y) {
    Operands o;
    const auto take = [&](const Maybe<Input>& values, const void*& to, std::int64_t& step) {
        if (!values) return;
        if (static_cast<int>(values->itemsize()) != multiply.in_size())
            throw std::invalid_argument("kernel: values do not fit the program");
        to = values->data();
        step = stride(*values);
    };
    take(x, o.x, o.x_stride);
    take(y, o.y, o.y_stride);
    return o;
}

std::pair<std::int64_t, std::int64_t> launch(
    Input indptr, Input indices, Input filled, Maybe<Input> matrix_values, std::int64_t size,
    Maybe<Input> frontier_list, Maybe<Input> frontier_bytes, Maybe<Input> vector_values,
    const Program& multiply, bool vector_first, const std::string& monoid, const Program* add,
    const std::string& name, Maybe<Input> mask, bool complement, Maybe<Input> rows, Output present,
    Maybe<Output> values, int threads) {
    const bool first_wins = monoid == "any";
    const SegmentFunction function = segment_function(monoid, multiply.out());
    if (!values || (!first_wins && add == nullptr && function == nullptr))
        throw std::invalid_argument("kernel: no such product");
    if (add != nullptr && (add->in() != multiply.out() || add->out() != multiply.out()))
        throw std::invalid_argument("kernel: a product of programs that do not fit");
    const Product product{multiply,
                          operands_of(multiply, matrix_values, vector_values),
                          vector_first,
                          first_wins,
                          function,
                          add,
                          product_function(monoid, name, multiply.in(), multiply.out())};
    const Arguments given{indptr, indices,    filled, size,    frontier_list, frontier_bytes,
                          mask,   complement, rows,   present, values,        multiply.out_size(),
                          threads};
    return with_task(given, std::nullopt, [&](const auto& M, const Task& task) {
        return with_size(multiply.in_size(),
                         [&]<class V>(V) { return pull_blocks<V>(M, product, task); });
    });
}

}  // namespace
}  // namespace spbfs::pull

void bind_pull_blocks(nanobind::module_& m) {
    using namespace nanobind::literals;
    m.def("pull_blocks", &spbfs::pull::launch, "indptr"_a, "indices"_a, "filled"_a,
          "matrix_values"_a.none(), "size"_a, "frontier_list"_a.none(), "frontier_bytes"_a.none(),
          "vector_values"_a.none(), "multiply"_a, "vector_first"_a, "monoid"_a, "add"_a.none(),
          "name"_a, "mask"_a.none(), "complement"_a, "rows"_a.none(), "present"_a,
          "values"_a.none(), "threads"_a,
          "As pull, over programs or a built-in monoid; None for values not read.");
}
