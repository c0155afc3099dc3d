// Unions and intersections of matrices, row by row: both rows are walked at once, without a branch
// that depends on who is ahead.
#include "bindings.h"
#include "interrupt.h"
#include "pairs.h"
#include "parallel.h"

namespace spbfs {
namespace {

constexpr std::int64_t kChunksPerWorker = 16;
// A row this many times longer than the other is searched, not walked.
constexpr std::int64_t kMuchLonger = 16;

template <class I>
struct Line {
    const I* columns;
    std::int64_t begin, end;

    std::int64_t size() const { return end - begin; }
};

// found(i, j, whether) for entries of both rows, and for some that are not of both.
template <class I, class Found>
void walk(Line<I> a, Line<I> b, Found&& found) {
    while (a.begin < a.end && b.begin < b.end) {
        const I p = a.columns[a.begin], q = b.columns[b.begin];
        found(a.begin, b.begin, p == q);
        a.begin += p <= q;
        b.begin += q <= p;
    }
}

template <class I, class Found>
void search(Line<I> few, Line<I> many, Found&& found) {
    for (; few.begin < few.end; ++few.begin) {
        const I* at = std::lower_bound(many.columns + many.begin, many.columns + many.end,
                                       few.columns[few.begin]);
        many.begin = at - many.columns;
        if (many.begin == many.end) return;
        if (*at == few.columns[few.begin]) found(few.begin, many.begin, true);
    }
}

template <class I, class Found>
void shared(Line<I> a, Line<I> b, Found&& found) {
    if (a.size() * kMuchLonger < b.size())
        search(a, b, found);
    else if (b.size() * kMuchLonger < a.size())
        search(b, a, [&](std::int64_t j, std::int64_t i, bool is) { found(i, j, is); });
    else
        walk(a, b, found);
}

template <class I>
struct Pattern {
    const I *indptr, *columns;

    Line<I> row(std::int64_t i) const { return {columns, indptr[i], indptr[i + 1]}; }
};

template <class I>
Pattern<I> pattern(const Input& indptr, const Input& indices, std::int64_t rows) {
    const I* offsets = data<I>(indptr, rows + 1);
    return {offsets, data<I>(indices, offsets[rows])};
}

// body(worker, begin, end) over chunks of rows, for indices of the arrays' type.
template <class F>
void over_rows(const Input& indptr, int threads, F&& body) {
    const std::int64_t rows = length(indptr) - 1;
    const std::int64_t grain = std::max<std::int64_t>(1, rows / (threads * kChunksPerWorker));
    Unlocked unlocked;
    parallel_for(threads, rows, grain, body);
}

// Offsets of the rows of an intersection, or of a union; returns how many entries it has.
std::int64_t ewise_offsets(Input x_indptr, Input x_indices, Input y_indptr, Input y_indices,
                           bool both, Output out, int threads) {
    Interrupt interrupt;
    auto run = [&]<class I>(I) -> std::int64_t {
        const std::int64_t rows = length(x_indptr) - 1;
        const auto x = pattern<I>(x_indptr, x_indices, rows);
        const auto y = pattern<I>(y_indptr, y_indices, rows);
        I* to = writable<I>(out, rows + 1);
        over_rows(x_indptr, threads, [&](std::int64_t begin, std::int64_t end, int worker) {
            for (std::int64_t i = begin; i < end; ++i) {
                const auto a = x.row(i), b = y.row(i);
                if (interrupt.poll(worker, a.size() + b.size())) return;
                std::int64_t common = 0;
                shared(a, b, [&](std::int64_t, std::int64_t, bool is) { common += is; });
                to[i + 1] = static_cast<I>(both ? common : a.size() + b.size() - common);
            }
        });
        to[0] = 0;
        for (std::int64_t i = 0; i < rows; ++i) to[i + 1] += to[i];
        return to[rows];
    };
    const auto total = x_indptr.itemsize() == 4 ? run(std::int32_t{}) : run(std::int64_t{});
    interrupt.check();
    return total;
}

Operands operands_of(const Maybe<Input>& x, const Maybe<Input>& y, int size) {
    if (!x || !y) return {};
    if (static_cast<int>(x->itemsize()) != size || static_cast<int>(y->itemsize()) != size)
        throw std::invalid_argument("kernel: values do not fit the program");
    return {x->data(), stride(*x), y->data(), stride(*y)};
}

// The entries of an intersection, whose columns wait for their values in blocks.
void intersection(Input x_indptr, Input x_indices, Input y_indptr, Input y_indices,
                  Input out_indptr, Output out_indices, const Program* program,
                  Maybe<Input> x_values, Maybe<Input> y_values, Maybe<Output> results,
                  int threads) {
    Interrupt interrupt;
    auto run = [&]<class I>(I) {
        const std::int64_t rows = length(x_indptr) - 1;
        const auto x = pattern<I>(x_indptr, x_indices, rows);
        const auto y = pattern<I>(y_indptr, y_indices, rows);
        const I* offsets = data<I>(out_indptr, rows + 1);
        I* columns = writable<I>(out_indices, offsets[rows]);
        const int in = program == nullptr ? 0 : program->in_size();
        const int size = program == nullptr ? 0 : program->out_size();
        const Operands o = operands_of(x_values, y_values, in);
        char* out =
            results
                ? static_cast<char*>(const_cast<void*>(static_cast<const void*>(results->data())))
                : nullptr;
        over_rows(x_indptr, threads, [&](std::int64_t begin, std::int64_t end, int worker) {
            std::unique_ptr<Evaluator> evaluate;
            if (program != nullptr) evaluate = std::make_unique<Evaluator>(*program);
            std::int64_t i_at[kBlock], j_at[kBlock], count = 0, to = offsets[begin];
            std::uint64_t x_block[kBlock], y_block[kBlock];
            I column[kBlock];
            auto flush = [&] {
                std::copy_n(column, count, columns + to);
                if (evaluate) {
                    gather(o.x, o.x_stride, i_at, count, x_block, in);
                    gather(o.y, o.y_stride, j_at, count, y_block, in);
                    (*evaluate)(x_block, y_block, out + to * size, count);
                }
                to += count;
                count = 0;
            };
            for (std::int64_t i = begin; i < end; ++i) {
                const auto a = x.row(i), b = y.row(i);
                if (interrupt.poll(worker, a.size() + b.size())) return;
                shared(a, b, [&](std::int64_t p, std::int64_t q, bool is) {
                    i_at[count] = p;
                    j_at[count] = q;
                    column[count] = x.columns[p];
                    if ((count += is) == kBlock) flush();
                });
            }
            flush();
        });
    };
    x_indptr.itemsize() == 4 ? run(std::int32_t{}) : run(std::int64_t{});
    interrupt.check();
}

// What one row of a union is made with; V is as large as a value of the result.
template <class I, class V>
struct UnionRow {
    const V *x, *y;
    std::int64_t x_step, y_step;
    I* columns;
    V* values;
    ScatteredPairs<V>* common;

    void make(Line<I> a, Line<I> b, std::int64_t to) const {
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
    }

  private:
    void rest(Line<I> a, const V* from, std::int64_t step, std::int64_t to) const {
        std::copy_n(a.columns + a.begin, a.size(), columns + to);
        if (values == nullptr) return;
        for (std::int64_t t = 0; t < a.size(); ++t) values[to + t] = from[(a.begin + t) * step];
    }
};

// The entries of a union: those of one operand as they are, those of both by the program, from
// operands of its type.
void unite(Input x_indptr, Input x_indices, Input y_indptr, Input y_indices, Input out_indptr,
           Output out_indices, const Program* program, Maybe<Input> x_values, Maybe<Input> y_values,
           Maybe<Input> x_alone, Maybe<Input> y_alone, Maybe<Output> results, int threads) {
    Interrupt interrupt;
    auto run = [&]<class I, class V>(I, V) {
        const std::int64_t rows = length(x_indptr) - 1;
        const auto x = pattern<I>(x_indptr, x_indices, rows);
        const auto y = pattern<I>(y_indptr, y_indices, rows);
        const I* offsets = data<I>(out_indptr, rows + 1);
        UnionRow<I, V> row{};
        row.columns = writable<I>(out_indices, offsets[rows]);
        Operands o;
        if (program != nullptr) {
            o = operands_of(x_values, y_values, program->in_size());
            const Operands alone = operands_of(x_alone, y_alone, program->out_size());
            row.x = static_cast<const V*>(alone.x);
            row.y = static_cast<const V*>(alone.y);
            row.x_step = alone.x_stride;
            row.y_step = alone.y_stride;
            row.values = writable<V>(*results, offsets[rows]);
        }
        over_rows(x_indptr, threads, [&](std::int64_t begin, std::int64_t end, int worker) {
            std::unique_ptr<ScatteredPairs<V>> common;
            UnionRow<I, V> mine = row;
            if (program != nullptr) {
                common = std::make_unique<ScatteredPairs<V>>(*program, o, row.values);
                mine.common = common.get();
            }
            for (std::int64_t i = begin; i < end; ++i) {
                if (interrupt.poll(worker, offsets[i + 1] - offsets[i])) return;
                mine.make(x.row(i), y.row(i), offsets[i]);
            }
            if (common) common->flush();
        });
    };
    with_size(program == nullptr ? 1 : program->out_size(), [&](auto v) {
        x_indptr.itemsize() == 4 ? run(std::int32_t{}, v) : run(std::int64_t{}, v);
    });
    interrupt.check();
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
    m.def("ewise_offsets", &spbfs::ewise_offsets, "x_indptr"_a, "x_indices"_a, "y_indptr"_a,
          "y_indices"_a, "both"_a, "out"_a, "threads"_a);
    m.def("intersection", &spbfs::intersection, "x_indptr"_a, "x_indices"_a, "y_indptr"_a,
          "y_indices"_a, "out_indptr"_a, "out_indices"_a, "program"_a.none(), "x_values"_a.none(),
          "y_values"_a.none(), "results"_a.none(), "threads"_a);
    m.def("unite", &spbfs::unite, "x_indptr"_a, "x_indices"_a, "y_indptr"_a, "y_indices"_a,
          "out_indptr"_a, "out_indices"_a, "program"_a.none(), "x_values"_a.none(),
          "y_values"_a.none(), "x_alone"_a.none(), "y_alone"_a.none(), "results"_a.none(),
          "threads"_a);
    m.def("same_bytes", &spbfs::same_bytes, "a"_a, "b"_a);
}
