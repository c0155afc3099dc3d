// The Kronecker product: no two products meet, so entries go straight to their places, row by row.
#include "cpu/operators/row_values.h"

namespace spbfs {
namespace {

// Row (i, k) of the product begins behind the rows (h, any) for h < i, and the rows (i, h), h < k.
void kronecker_offsets(Input a_indptr, Input b_indptr, Output out, int threads) {
    const std::int64_t a_rows = length(a_indptr) - 1, b_rows = length(b_indptr) - 1;
    auto fill = [&]<class I, class O>(I, O) {
        const I *a = data<I>(a_indptr, a_rows + 1), *b = data<I>(b_indptr, b_rows + 1);
        O* to = writable<O>(out, a_rows * b_rows + 1);
        Unlocked unlocked;
        const std::int64_t entries = b[b_rows];
        to[a_rows * b_rows] = static_cast<O>(a[a_rows] * entries);
        parallel_for(threads, a_rows, grain_of(a_rows, threads),
                     [&](std::int64_t begin, std::int64_t end, int) {
                         for (std::int64_t i = begin; i < end; ++i) {
                             const std::int64_t first = a[i] * entries, times = a[i + 1] - a[i];
                             for (std::int64_t k = 0; k < b_rows; ++k)
                                 to[i * b_rows + k] = static_cast<O>(first + b[k] * times);
                         }
                     });
    };
    auto with_out = [&](auto i) {
        out.itemsize() == 4 ? fill(i, std::int32_t{}) : fill(i, std::int64_t{});
    };
    a_indptr.itemsize() == 4 ? with_out(std::int32_t{}) : with_out(std::int64_t{});
}

void kronecker(Input a_indptr, Input a_indices, Input b_indptr, Input b_indices,
               std::int64_t b_columns, Output out_indices, const Program* program, Maybe<Input> x,
               Maybe<Input> y, Maybe<Output> results, int threads) {
    const Values values = values_of(program, x, y, results);
    Interrupt interrupt;
    auto run = [&]<class I, class J>(I, J) {
        const std::int64_t a_rows = length(a_indptr) - 1, b_rows = length(b_indptr) - 1;
        const I *ap = data<I>(a_indptr, a_rows + 1), *bp = data<I>(b_indptr, b_rows + 1);
        const std::int64_t b_entries = bp[b_rows];
        const I *ai = data<I>(a_indices, ap[a_rows]), *bi = data<I>(b_indices, b_entries);
        J* out = writable<J>(out_indices, ap[a_rows] * b_entries);
        Unlocked unlocked;
        auto body = [&](std::int64_t begin, std::int64_t end, int worker) {
            values.with_block([&](auto& block) {
                const std::int64_t first = begin / b_rows;
                std::int64_t to = ap[first] * b_entries +
                                  bp[begin % b_rows] * std::int64_t{ap[first + 1] - ap[first]};
                block.begin(to);
                for (std::int64_t row = begin; row < end; ++row) {
                    const std::int64_t i = row / b_rows, k = row % b_rows;
                    const std::int64_t b0 = bp[k], many = bp[k + 1] - b0;
                    if (many == 0) continue;
                    if (interrupt.poll(worker, (ap[i + 1] - ap[i]) * many)) return;
                    for (std::int64_t p = ap[i]; p < ap[i + 1]; ++p) {
                        const J base = static_cast<J>(ai[p] * b_columns);
                        for (std::int64_t t = 0; t < many; ++t)
                            out[to + t] = static_cast<J>(base + static_cast<J>(bi[b0 + t]));
                        block.push_run(p, b0, many);
                        to += many;
                    }
                }
                block.flush();
            });
        };
        const std::int64_t rows = a_rows * b_rows;
        if (rows > 0) parallel_for(threads, rows, grain_of(rows, threads), body);
    };
    if (a_indptr.itemsize() == 8)
        run(std::int64_t{}, std::int64_t{});
    else if (out_indices.itemsize() == 8)
        run(std::int32_t{}, std::int64_t{});
    else
        run(std::int32_t{}, std::int32_t{});
    interrupt.check();
}

}  // namespace
}  // namespace spbfs

void bind_kronecker(nanobind::module_& m) {
    using namespace nanobind::literals;
    m.def("kronecker_offsets", &spbfs::kronecker_offsets, "a_indptr"_a, "b_indptr"_a, "out"_a,
          "threads"_a);
    m.def("kronecker", &spbfs::kronecker, "a_indptr"_a, "a_indices"_a, "b_indptr"_a, "b_indices"_a,
          "b_columns"_a, "out_indices"_a, "program"_a.none(), "x"_a.none(), "y"_a.none(),
          "results"_a.none(), "threads"_a);
}
