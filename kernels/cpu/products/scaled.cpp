// Products with a matrix that has at most one entry a row, as a diagonal one has: nothing is
// summed.
#include "cpu/operators/row_values.h"

namespace spbfs {
namespace {

// What a matrix with few entries is: 0 nothing special, 1 if no row has two, 2 if their columns
// rise as well, 3 if it has the pattern of an identity.
int row_shape(Input indptr, Input indices, std::int64_t columns) {
    auto run = [&]<class I>(I) -> int {
        const std::int64_t rows = length(indptr) - 1;
        const I* offsets = data<I>(indptr, rows + 1);
        const std::int64_t entries = offsets[rows];
        const I* column = data<I>(indices, entries);
        if (entries > rows) return 0;
        for (std::int64_t i = 0; i < rows; ++i)
            if (offsets[i + 1] - offsets[i] > 1) return 0;
        bool rising = true, identity = entries == rows && rows == columns;
        for (std::int64_t p = 0; p < entries; ++p) {
            rising = rising && (p == 0 || column[p] > column[p - 1]);
            identity = identity && column[p] == static_cast<I>(p);
        }
        return identity ? 3 : rising ? 2 : 1;
    };
    return indptr.itemsize() == 4 ? run(std::int32_t{}) : run(std::int64_t{});
}

// C = D B, row i of D has at most one entry: row i of C is a row of B.  Returns the entries of C.
std::int64_t scaled_rows_offsets(Input d_indptr, Input d_indices, Input b_indptr, Output out) {
    auto run = [&]<class I>(I) -> std::int64_t {
        const std::int64_t rows = length(d_indptr) - 1;
        const I *dp = data<I>(d_indptr, rows + 1), *di = data<I>(d_indices, dp[rows]);
        const I* bp = data<I>(b_indptr, 1);
        I* to = writable<I>(out, rows + 1);
        std::int64_t total = 0;
        for (std::int64_t i = 0; i < rows; ++i) {
            to[i] = static_cast<I>(total);
            if (dp[i] < dp[i + 1]) total += bp[di[dp[i]] + 1] - bp[di[dp[i]]];
        }
        to[rows] = static_cast<I>(total);
        return total;
    };
    return d_indptr.itemsize() == 4 ? run(std::int32_t{}) : run(std::int64_t{});
}

// Its entries; without `out_indices` only values, of a C that has the pattern of B.
void scaled_rows(Input d_indptr, Input d_indices, Input b_indptr, Input b_indices, Input out_indptr,
                 Maybe<Output> out_indices, const Program* program, Maybe<Input> x, Maybe<Input> y,
                 Maybe<Output> results, int threads) {
    const Values values = values_of(program, x, y, results);
    Interrupt interrupt;
    auto run = [&]<class I>(I) {
        const std::int64_t rows = length(d_indptr) - 1;
        const I *dp = data<I>(d_indptr, rows + 1), *di = data<I>(d_indices, dp[rows]);
        const I *bp = data<I>(b_indptr, 1), *bi = data<I>(b_indices, 0);
        const I* cp = data<I>(out_indptr, rows + 1);
        I* out = out_indices ? writable<I>(*out_indices, cp[rows]) : nullptr;
        Unlocked unlocked;
        auto body = [&](std::int64_t begin, std::int64_t end, int worker) {
            values.with_block([&](auto& block) {
                block.begin(cp[begin]);
                for (std::int64_t i = begin; i < end; ++i) {
                    const std::int64_t many = cp[i + 1] - cp[i];
                    if (many == 0) continue;
                    if (interrupt.poll(worker, many)) return;
                    const std::int64_t from = bp[di[dp[i]]];
                    if (out != nullptr) std::copy_n(bi + from, many, out + cp[i]);
                    block.push_run(dp[i], from, many);
                }
                block.flush();
            });
        };
        parallel_for(threads, rows, grain_of(rows, threads), body);
    };
    d_indptr.itemsize() == 4 ? run(std::int32_t{}) : run(std::int64_t{});
    interrupt.check();
}

// C = A D, row k of D has at most one entry, in columns that rise with k: entries stay in order.
// Without `out_indices` only values, of a C that has the pattern of A; else the entries of C, of
// whose rows `out_indptr` is to hold the ends.  Its first call has no `out_indices` and counts.
std::int64_t scaled_columns_offsets(Input a_indptr, Input a_indices, Input d_indptr, Output out,
                                    int threads) {
    Interrupt interrupt;
    auto run = [&]<class I>(I) -> std::int64_t {
        const std::int64_t rows = length(a_indptr) - 1;
        const I *ap = data<I>(a_indptr, rows + 1), *ai = data<I>(a_indices, ap[rows]);
        const I* dp = data<I>(d_indptr, 1);
        I* to = writable<I>(out, rows + 1);
        Unlocked unlocked;
        parallel_for(threads, rows, grain_of(rows, threads),
                     [&](std::int64_t begin, std::int64_t end, int worker) {
                         for (std::int64_t i = begin; i < end; ++i) {
                             if (interrupt.poll(worker, ap[i + 1] - ap[i])) return;
                             I count = 0;
                             for (I p = ap[i]; p < ap[i + 1]; ++p)
                                 count += dp[ai[p] + 1] - dp[ai[p]];
                             to[i + 1] = count;
                         }
                     });
        to[0] = 0;
        for (std::int64_t i = 0; i < rows; ++i) to[i + 1] += to[i];
        return to[rows];
    };
    const auto total = a_indptr.itemsize() == 4 ? run(std::int32_t{}) : run(std::int64_t{});
    interrupt.check();
    return total;
}

void scaled_columns(Input a_indptr, Input a_indices, Input d_indptr, Input d_indices,
                    Input out_indptr, Maybe<Output> out_indices, const Program* program,
                    Maybe<Input> x, Maybe<Input> y, Maybe<Output> results, int threads) {
    const Values values = values_of(program, x, y, results);
    Interrupt interrupt;
    auto run = [&]<class I>(I) {
        const std::int64_t rows = length(a_indptr) - 1;
        const I *ap = data<I>(a_indptr, rows + 1), *ai = data<I>(a_indices, ap[rows]);
        const I *dp = data<I>(d_indptr, 1), *di = data<I>(d_indices, 0);
        const I* cp = data<I>(out_indptr, rows + 1);
        I* out = out_indices ? writable<I>(*out_indices, cp[rows]) : nullptr;
        Unlocked unlocked;
        auto body = [&](std::int64_t begin, std::int64_t end, int worker) {
            values.with_block([&](auto& block) {
                std::int64_t to = cp[begin];
                block.begin(to);
                for (std::int64_t i = begin; i < end; ++i) {
                    if (interrupt.poll(worker, ap[i + 1] - ap[i])) return;
                    for (I p = ap[i]; p < ap[i + 1]; ++p) {
                        const I d = dp[ai[p]];
                        if (d == dp[ai[p] + 1]) continue;
                        if (out != nullptr) out[to] = di[d];
                        block.push(p, d);
                        ++to;
                    }
                }
                block.flush();
            });
        };
        parallel_for(threads, rows, grain_of(rows, threads), body);
    };
    a_indptr.itemsize() == 4 ? run(std::int32_t{}) : run(std::int64_t{});
    interrupt.check();
}

}  // namespace
}  // namespace spbfs

void bind_scaled(nanobind::module_& m) {
    using namespace nanobind::literals;
    m.def("row_shape", &spbfs::row_shape, "indptr"_a, "indices"_a, "columns"_a);
    m.def("scaled_rows_offsets", &spbfs::scaled_rows_offsets, "d_indptr"_a, "d_indices"_a,
          "b_indptr"_a, "out"_a);
    m.def("scaled_rows", &spbfs::scaled_rows, "d_indptr"_a, "d_indices"_a, "b_indptr"_a,
          "b_indices"_a, "out_indptr"_a, "out_indices"_a.none(), "program"_a.none(), "x"_a.none(),
          "y"_a.none(), "results"_a.none(), "threads"_a);
    m.def("scaled_columns_offsets", &spbfs::scaled_columns_offsets, "a_indptr"_a, "a_indices"_a,
          "d_indptr"_a, "out"_a, "threads"_a);
    m.def("scaled_columns", &spbfs::scaled_columns, "a_indptr"_a, "a_indices"_a, "d_indptr"_a,
          "d_indices"_a, "out_indptr"_a, "out_indices"_a.none(), "program"_a.none(), "x"_a.none(),
          "y"_a.none(), "results"_a.none(), "threads"_a);
}
