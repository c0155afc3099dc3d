// The entries of a matrix that lie in a range of diagonals, rows or columns.
#include "cpu/matrices/made_rows.h"
#include "cpu/operators/pairs.h"
#include "cpu/python/bindings.h"
#include "cpu/threads/interrupt.h"

namespace spbfs {
namespace {

// Entry (i, j) is kept if by_column * j + by_row * i is in [low, high], or if it is not.
struct Range {
    std::int64_t by_column, by_row, low, high;
    bool inside;

    bool keeps(std::int64_t i, std::int64_t j) const {
        const std::int64_t at = by_column * j + by_row * i;
        return ((at >= low) & (at <= high)) == inside;
    }
};

// Offsets of the rows that are left to `offsets`; (bytes of indices, bytes of values).
nb::tuple select(Input indptr, Input indices, Maybe<Input> values, std::int64_t by_column,
                 std::int64_t by_row, std::int64_t low, std::int64_t high, bool inside,
                 Output offsets, int threads) {
    Interrupt interrupt;
    const Range range{by_column, by_row, low, high, inside};
    auto run = [&]<class V>(V) {
        return with_csr(indptr, indices, [&]<class O, class I>(const Csr<O, I>& A) {
            O* const ends = writable<O>(offsets, A.rows + 1);
            const V* const given = data<V>(values, A.indptr[A.rows]);
            MadeRows<I> made(
                A.rows, [&](std::int64_t i) { return A.indptr[i]; }, given ? sizeof(V) : 0,
                threads);
            I* const columns = made.columns();
            V* const kept = reinterpret_cast<V*>(made.values());
            made.make(ends, [&](std::int64_t begin, std::int64_t end, int worker, std::int64_t to) {
                for (std::int64_t i = begin; i < end; ++i) {
                    if (interrupt.poll(worker, 1 + A.indptr[i + 1] - A.indptr[i])) break;
                    const bool whole = by_column == 0;  // or nothing of a row
                    // Written whether or not it is kept: a branch would guess.
                    for (O p = A.indptr[i]; p < A.indptr[i + 1]; ++p) {
                        if (whole && !range.keeps(i, 0)) break;
                        columns[to] = A.indices[p];
                        if (given != nullptr) kept[to] = given[p];
                        to += range.keeps(i, A.indices[p]);
                    }
                    ends[i + 1] = static_cast<O>(to);
                }
                return to;
            });
            interrupt.check();
            return nb::make_tuple(made.take_columns(), made.take_values());
        });
    };
    return with_size(values ? static_cast<int>(values->itemsize()) : 1, run);
}

}  // namespace
}  // namespace spbfs

void bind_select(nanobind::module_& m) {
    using namespace nanobind::literals;
    m.def("select", &spbfs::select, "indptr"_a, "indices"_a, "values"_a.none(), "by_column"_a,
          "by_row"_a, "low"_a, "high"_a, "inside"_a, "offsets"_a, "threads"_a);
}
