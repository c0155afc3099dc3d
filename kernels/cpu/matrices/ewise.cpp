// Unions and intersections of matrices, row by row, each made in one walk.
#include "cpu/matrices/made_rows.h"
#include "cpu/matrices/shared_columns.h"
#include "cpu/operators/pairs.h"
#include "cpu/python/bindings.h"
#include "cpu/threads/interrupt.h"

namespace spbfs {
namespace {

template <class I>
struct Pattern {
    const I *indptr, *columns;
    std::int64_t rows, entries;

    Pattern(const Input& offsets, const Input& indices)
        : rows(length(offsets) - 1), entries(length(indices)) {
        indptr = data<I>(offsets, rows + 1);
        columns = data<I>(indices, indptr[rows]);
    }
    Line<I> row(std::int64_t i) const { return {columns, indptr[i], indptr[i + 1]}; }
};

// Both patterns of indices of one type, and what is made of them.
template <class I>
struct Task {
    Pattern<I> x, y;
    I* offsets;

    Task(const Input& x_indptr, const Input& x_indices, const Input& y_indptr,
         const Input& y_indices, const Output& out)
        : x(x_indptr, x_indices), y(y_indptr, y_indices), offsets(writable<I>(out, x.rows + 1)) {
        if (y.rows != x.rows) throw std::invalid_argument("kernel: matrices of different shapes");
    }
};

template <class I>
nb::tuple taken(MadeRows<I>& made, Interrupt& interrupt) {
    interrupt.check();
    return nb::make_tuple(made.take_columns(), made.take_values());
}

Operands operands_of(const Maybe<Input>& x, const Maybe<Input>& y, int size) {
    if (!x || !y) return {};
    if (static_cast<int>(x->itemsize()) != size || static_cast<int>(y->itemsize()) != size)
        throw std::invalid_argument("kernel: values do not fit the program");
    return {x->data(), stride(*x), y->data(), stride(*y)};
}

// The entries of both operands that have met.
struct Met {
    std::int64_t x, y;
};

// The offsets of an intersection, its columns and, by the program, its values, or which entries
// have `met` there: the columns wait for these in blocks.
nb::tuple intersection(Input x_indptr, Input x_indices, Input y_indptr, Input y_indices, Output out,
                       const Program* program, Maybe<Input> x_values, Maybe<Input> y_values,
                       bool met, int threads) {
    Interrupt interrupt;
    auto run = [&]<class I>(I) {
        const Task<I> task(x_indptr, x_indices, y_indptr, y_indices, out);
        const auto &x = task.x, &y = task.y;
        const int in = program == nullptr ? 0 : program->in_size();
        const int size = program == nullptr ? (met ? sizeof(Met) : 0) : program->out_size();
        const Operands o = operands_of(x_values, y_values, in);
        const Pattern<I>& fewer = x.entries < y.entries ? x : y;
        MadeRows<I> made(x.rows, [&](std::int64_t i) { return fewer.indptr[i]; }, size, threads);
        made.make(task.offsets,
                  [&](std::int64_t begin, std::int64_t end, int worker, std::int64_t to) {
                      std::unique_ptr<Evaluator> evaluate;
                      if (program != nullptr) evaluate = std::make_unique<Evaluator>(*program);
                      std::int64_t i_at[kBlock], j_at[kBlock], count = 0;
                      std::uint64_t x_block[kBlock], y_block[kBlock];
                      I column[kBlock];
                      auto flush = [&] {
                          std::copy_n(column, count, made.columns() + to);
                          if (evaluate) {
                              gather(o.x, o.x_stride, i_at, count, x_block, in);
                              gather(o.y, o.y_stride, j_at, count, y_block, in);
                              (*evaluate)(x_block, y_block, made.values() + to * size, count);
                          } else if (met) {
                              auto* pairs = reinterpret_cast<Met*>(made.values()) + to;
                              for (std::int64_t t = 0; t < count; ++t)
                                  pairs[t] = {i_at[t], j_at[t]};
                          }
                          to += count;
                          count = 0;
                      };
                      for (std::int64_t i = begin; i < end; ++i) {
                          const auto a = x.row(i), b = y.row(i);
                          if (interrupt.poll(worker, a.size() + b.size())) break;
                          shared(a, b, y.entries, [&](std::int64_t p, std::int64_t q, bool is) {
                              i_at[count] = p;
                              j_at[count] = q;
                              column[count] = x.columns[p];
                              if ((count += is) == kBlock) flush();
                          });
                          task.offsets[i + 1] = static_cast<I>(to + count);
                      }
                      flush();
                      return to;
                  });
        return taken(made, interrupt);
    };
    return x_indptr.itemsize() == 4 ? run(std::int32_t{}) : run(std::int64_t{});
}

// What one row of a union is made with; V is as large as a value of the result.
template <class I, class V>
struct UnionRow {
    const V *x, *y;
    std::int64_t x_step, y_step;
    I* columns;
    V* values;
    ScatteredPairs<V>* common;

    // Returns where it ends.
    std::int64_t make(Line<I> a, Line<I> b, std::int64_t to) const {
        while (a.begin < a.end && b.begin < b.end) {
            const std::int64_t i = a.begin, j = b.begin;
            const I p = a.columns[i], q = b.columns[j];
            const bool left = p <= q, right = q <= p;
            columns[to] = left ? p : q;
            if (values != nullptr) {
                const V one = x[i * x_step], other = y[j * y_step];
                values[to] = left ? one : other;
                common->push(i, j, to, left && right);
            }
            a.begin += left;
            b.begin += right;
            ++to;
        }
        rest(a, x, x_step, to);
        rest(b, y, y_step, to + a.size());
        return to + a.size() + b.size();
    }

  private:
    void rest(Line<I> a, const V* from, std::int64_t step, std::int64_t to) const {
        std::copy_n(a.columns + a.begin, a.size(), columns + to);
        if (values == nullptr) return;
        for (std::int64_t t = 0; t < a.size(); ++t) values[to + t] = from[(a.begin + t) * step];
    }
};

// The offsets of a union and its entries: those of one operand as they are, those of both by the
// program, from operands of its type.
nb::tuple unite(Input x_indptr, Input x_indices, Input y_indptr, Input y_indices, Output out,
                const Program* program, Maybe<Input> x_values, Maybe<Input> y_values,
                Maybe<Input> x_alone, Maybe<Input> y_alone, int threads) {
    Interrupt interrupt;
    auto run = [&]<class I, class V>(I, V) {
        const Task<I> task(x_indptr, x_indices, y_indptr, y_indices, out);
        const auto &x = task.x, &y = task.y;
        MadeRows<I> made(
            x.rows, [&](std::int64_t i) { return std::int64_t{x.indptr[i]} + y.indptr[i]; },
            program == nullptr ? 0 : sizeof(V), threads);
        UnionRow<I, V> row{};
        row.columns = made.columns();
        row.values = reinterpret_cast<V*>(made.values());
        Operands o;
        if (program != nullptr) {
            o = operands_of(x_values, y_values, program->in_size());
            const Operands alone = operands_of(x_alone, y_alone, program->out_size());
            row.x = static_cast<const V*>(alone.x);
            row.y = static_cast<const V*>(alone.y);
            row.x_step = alone.x_stride;
            row.y_step = alone.y_stride;
        }
        made.make(task.offsets,
                  [&](std::int64_t begin, std::int64_t end, int worker, std::int64_t to) {
                      std::unique_ptr<ScatteredPairs<V>> common;
                      UnionRow<I, V> mine = row;
                      if (program != nullptr) {
                          common = std::make_unique<ScatteredPairs<V>>(*program, o, row.values);
                          mine.common = common.get();
                      }
                      for (std::int64_t i = begin; i < end; ++i) {
                          const auto a = x.row(i), b = y.row(i);
                          if (interrupt.poll(worker, a.size() + b.size())) break;
                          to = mine.make(a, b, to);
                          task.offsets[i + 1] = static_cast<I>(to);
                      }
                      if (common) common->flush();
                      return to;
                  });
        return taken(made, interrupt);
    };
    return with_size(program == nullptr ? 1 : program->out_size(), [&](auto v) {
        return x_indptr.itemsize() == 4 ? run(std::int32_t{}, v) : run(std::int64_t{}, v);
    });
}

// Whether arrays hold the same bytes.
bool same_bytes(Input a, Input b) {
    const std::int64_t count = length(a);
    if (length(b) != count || a.itemsize() != b.itemsize()) return false;
    Unlocked unlocked;
    return count == 0 || a.data() == b.data() ||
           std::memcmp(a.data(), b.data(), static_cast<std::size_t>(count) * a.itemsize()) == 0;
}

}  // namespace
}  // namespace spbfs

void bind_ewise(nanobind::module_& m) {
    using namespace nanobind::literals;
    m.def("intersection", &spbfs::intersection, "x_indptr"_a, "x_indices"_a, "y_indptr"_a,
          "y_indices"_a, "out_indptr"_a, "program"_a.none(), "x_values"_a.none(),
          "y_values"_a.none(), "met"_a, "threads"_a, "(bytes of indices, bytes of values).");
    m.def("unite", &spbfs::unite, "x_indptr"_a, "x_indices"_a, "y_indptr"_a, "y_indices"_a,
          "out_indptr"_a, "program"_a.none(), "x_values"_a.none(), "y_values"_a.none(),
          "x_alone"_a.none(), "y_alone"_a.none(), "threads"_a, "As intersection.");
    m.def("same_bytes", &spbfs::same_bytes, "a"_a, "b"_a);
}
