// One matrix written over another, C<M> = T: row by row, in one walk, with what the mask or the
// region that is written says of each column.
#include "cpu/matrices/made_rows.h"
#include "cpu/matrices/shared_columns.h"
#include "cpu/operators/pairs.h"
#include "cpu/python/bindings.h"
#include "cpu/threads/interrupt.h"

namespace spbfs {
namespace {

template <class I>
struct Rows {
    const I *indptr, *columns;

    Rows(const Input& offsets, const Input& indices) {
        indptr = data<I>(offsets, length(offsets));
        columns = data<I>(indices, indptr[length(offsets) - 1]);
    }
    Line<I> row(std::int64_t i) const { return {columns, indptr[i], indptr[i + 1]}; }
};

// Where entries may be written: a mask by its entries, those of them that are true where it has
// values, or all else; or rows and columns by flags, all of them without.
template <class I>
struct Admitted {
    std::optional<Rows<I>> mask;
    const std::uint8_t* truths = nullptr;
    bool complement = false;
    const std::uint8_t *rows = nullptr, *columns = nullptr;

    // Of one row, asked for columns that rise.
    class Row {
      public:
        Row(const Admitted& in, std::int64_t i)
            : in_(in), all_(in.rows == nullptr || in.rows[i] != 0) {
            if (in.mask) left_ = in.mask->row(i);
        }
        bool nowhere() const { return !all_ || (in_.mask && !in_.complement && !left_.size()); }
        bool has(I j) {
            if (!in_.mask) return all_ && (in_.columns == nullptr || in_.columns[j] != 0);
            while (left_.begin < left_.end && left_.columns[left_.begin] < j) ++left_.begin;
            const bool listed = left_.begin < left_.end && left_.columns[left_.begin] == j &&
                                (in_.truths == nullptr || in_.truths[left_.begin] != 0);
            return listed != in_.complement;
        }

      private:
        const Admitted& in_;
        bool all_;
        Line<I> left_{};
    };
};

template <class V>
struct Values {
    const V* from;
    std::int64_t step;
    V operator[](std::int64_t i) const { return from[i * step]; }
};

// What rows are made of; without values, where these are all one.
template <class I, class V>
struct Overlay {
    Admitted<I> admitted;
    bool keeps;  // entries of the first, where there is none of the second
    Values<V> c, t;
    I* columns;
    V* values;

    // Row i from entry `to` on; returns where it ends.
    std::int64_t make(std::int64_t i, Line<I> a, Line<I> b, std::int64_t to) const {
        typename Admitted<I>::Row admits(admitted, i);
        if (admits.nowhere() || (keeps && !b.size())) return copy(a, to);
        while (a.begin < a.end || b.begin < b.end) {
            const bool ended = a.begin == a.end, begun = b.begin < b.end;
            const bool second = begun && (ended || b.columns[b.begin] <= a.columns[a.begin]);
            const bool first = !ended && (!begun || a.columns[a.begin] <= b.columns[b.begin]);
            const I j = second ? b.columns[b.begin] : a.columns[a.begin];
            const bool open = admits.has(j);
            if (second && open)
                put(to++, j, t, b.begin);
            else if (first && (keeps || !open))
                put(to++, j, c, a.begin);
            a.begin += first;
            b.begin += second;
        }
        return to;
    }

  private:
    void put(std::int64_t to, I j, const Values<V>& from, std::int64_t at) const {
        columns[to] = j;
        if (values != nullptr) values[to] = from[at];
    }
    std::int64_t copy(Line<I> a, std::int64_t to) const {
        std::copy_n(a.columns + a.begin, a.size(), columns + to);
        if (values != nullptr)
            for (std::int64_t k = 0; k < a.size(); ++k) values[to + k] = c[a.begin + k];
        return to + a.size();
    }
};

nb::tuple overlay(Input c_indptr, Input c_indices, Input t_indptr, Input t_indices, Output out,
                  Maybe<Input> c_values, Maybe<Input> t_values, Maybe<Input> mask_indptr,
                  Maybe<Input> mask_indices, Maybe<Input> truths, bool complement,
                  Maybe<Input> rows, Maybe<Input> columns, bool keeps, int threads) {
    Interrupt interrupt;
    const std::int64_t n = length(c_indptr) - 1;
    const int size = c_values ? static_cast<int>(c_values->itemsize()) : 0;
    if (length(t_indptr) != n + 1 || c_values.has_value() != t_values.has_value() ||
        (t_values && static_cast<int>(t_values->itemsize()) != size))
        throw std::invalid_argument("kernel: what is written does not fit");
    auto run = [&]<class I, class V>(I, V) {
        const Rows<I> c(c_indptr, c_indices), t(t_indptr, t_indices);
        I* offsets = writable<I>(out, n + 1);
        MadeRows<I> made(
            n, [&](std::int64_t i) { return std::int64_t{c.indptr[i]} + t.indptr[i]; }, size,
            threads);
        Overlay<I, V> task{};
        task.keeps = keeps;
        if (mask_indptr) task.admitted.mask.emplace(*mask_indptr, *mask_indices);
        task.admitted.complement = complement;
        task.admitted.truths = truths ? data<std::uint8_t>(truths, length(*truths)) : nullptr;
        task.admitted.rows = data<std::uint8_t>(rows, n);
        task.admitted.columns = columns ? data<std::uint8_t>(columns, length(*columns)) : nullptr;
        task.columns = made.columns();
        if (size != 0) {
            task.c = {static_cast<const V*>(c_values->data()), stride(*c_values)};
            task.t = {static_cast<const V*>(t_values->data()), stride(*t_values)};
            task.values = reinterpret_cast<V*>(made.values());
        }
        made.make(offsets, [&](std::int64_t begin, std::int64_t end, int worker, std::int64_t to) {
            for (std::int64_t i = begin; i < end; ++i) {
                const auto a = c.row(i), b = t.row(i);
                if (interrupt.poll(worker, a.size() + b.size())) break;
                to = task.make(i, a, b, to);
                offsets[i + 1] = static_cast<I>(to);
            }
            return to;
        });
        interrupt.check();
        return nb::make_tuple(made.take_columns(), made.take_values());
    };
    return with_size(size == 0 ? 1 : size, [&](auto v) {
        return c_indptr.itemsize() == 4 ? run(std::int32_t{}, v) : run(std::int64_t{}, v);
    });
}

}  // namespace
}  // namespace spbfs

void bind_overlay(nanobind::module_& m) {
    using namespace nanobind::literals;
    m.def("overlay", &spbfs::overlay, "c_indptr"_a, "c_indices"_a, "t_indptr"_a, "t_indices"_a,
          "out_indptr"_a, "c_values"_a.none(), "t_values"_a.none(), "mask_indptr"_a.none(),
          "mask_indices"_a.none(), "truths"_a.none(), "complement"_a, "rows"_a.none(),
          "columns"_a.none(), "keeps"_a, "threads"_a, "(bytes of indices, bytes of values).");
}
