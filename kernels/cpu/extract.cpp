// A submatrix: rows in any order and number; columns that follow one another, or any distinct ones
// by a table of their places.
#include "bindings.h"
#include "interrupt.h"
#include "pairs.h"
#include "parallel.h"
#include "sorted_row.h"

namespace spbfs {
namespace {

constexpr std::int64_t kChunksPerWorker = 16;

// Which entries of a row are taken, and what their columns become.
template <class I>
struct Columns {
    std::int64_t begin, end;  // those that follow one another
    const I* places;          // else the place of each column, from 1; 0 where it is not wanted
    // Where columns are wanted more than once: the places of column c are those from starts[c] on.
    const std::int64_t *starts, *order;

    // The entries of a row that can be wanted.
    std::pair<I, I> range(const I* indices, I from, I to) const {
        if (places != nullptr || starts != nullptr || from == to) return {from, to};
        if (indices[from] >= begin && indices[to - 1] < end) return {from, to};
        const I* first = std::lower_bound(indices + from, indices + to, static_cast<I>(begin));
        const I* last = std::lower_bound(first, indices + to, static_cast<I>(end));
        return {static_cast<I>(first - indices), static_cast<I>(last - indices)};
    }
};

// What columns are asked for: 0 for distinct ones that rise, 1 for distinct ones, 2 where one is
// asked for twice.  `places`, which comes cleared, has their places then, from 1.
int column_places(Input columns, Output places) {
    const std::int64_t count = length(columns);
    const auto* wanted = data<std::int64_t>(columns, count);
    auto fill = [&]<class I>(I) {
        I* table = writable<I>(places, 0);
        Unlocked unlocked;
        int kind = 0;
        for (std::int64_t k = 0; k < count; ++k) {
            I& place = table[wanted[k]];
            if (place != 0) return 2;
            place = static_cast<I>(k + 1);
            if (k > 0 && wanted[k] < wanted[k - 1]) kind = 1;
        }
        return kind;
    };
    return places.itemsize() == 4 ? fill(std::int32_t{}) : fill(std::int64_t{});
}

template <class I>
struct Task {
    const I *indptr, *indices;
    const std::int64_t* rows;
    std::int64_t count;
    Columns<I> columns;

    Task(const Input& indptr_array, const Input& indices_array, const Maybe<Input>& rows_array,
         std::int64_t begin, std::int64_t end, const Maybe<Input>& places,
         const Maybe<Input>& starts, const Maybe<Input>& order)
        : indptr(data<I>(indptr_array, 1)),
          indices(data<I>(indices_array, 0)),
          rows(data<std::int64_t>(rows_array, 0)),
          count(rows_array ? length(*rows_array) : length(indptr_array) - 1),
          columns{begin, end, data<I>(places, 0), data<std::int64_t>(starts, 0),
                  data<std::int64_t>(order, 0)} {}

    std::int64_t row(std::int64_t i) const { return rows == nullptr ? i : rows[i]; }

    // body(begin, end, worker) over chunks of the result's rows.
    template <class F>
    void over_rows(int threads, F&& body) const {
        const std::int64_t grain = std::max<std::int64_t>(1, count / (threads * kChunksPerWorker));
        Unlocked unlocked;
        parallel_for(threads, count, grain, body);
    }
};

// Offsets of the rows of the result; returns how many entries it has.
std::int64_t extract_offsets(Input indptr, Input indices, Maybe<Input> rows, std::int64_t begin,
                             std::int64_t end, Maybe<Input> places, Maybe<Input> starts,
                             Maybe<Input> order, Output out, int threads) {
    Interrupt interrupt;
    auto run = [&]<class I>(I) -> std::int64_t {
        const Task<I> task(indptr, indices, rows, begin, end, places, starts, order);
        auto* to = writable<std::int64_t>(out, task.count + 1);
        task.over_rows(threads, [&](std::int64_t first, std::int64_t last, int worker) {
            for (std::int64_t i = first; i < last; ++i) {
                const std::int64_t r = task.row(i);
                const auto [from, until] =
                    task.columns.range(task.indices, task.indptr[r], task.indptr[r + 1]);
                if (interrupt.poll(worker, until - from)) return;
                std::int64_t taken = until - from;
                const auto* starts_of = task.columns.starts;
                if (task.columns.places != nullptr) {
                    taken = 0;
                    for (I p = from; p < until; ++p)
                        taken += task.columns.places[task.indices[p]] != 0;
                } else if (starts_of != nullptr) {
                    taken = 0;
                    for (I p = from; p < until; ++p)
                        taken += starts_of[task.indices[p] + 1] - starts_of[task.indices[p]];
                }
                to[i + 1] = taken;
            }
        });
        to[0] = 0;
        for (std::int64_t i = 0; i < task.count; ++i) to[i + 1] += to[i];
        return to[task.count];
    };
    const auto total = indptr.itemsize() == 4 ? run(std::int32_t{}) : run(std::int64_t{});
    interrupt.check();
    return total;
}

template <class I, class V>
struct Taken {
    const V* values;
    I* columns;
    V* out;

    void put(std::int64_t to, I column, std::int64_t from) const {
        columns[to] = column;
        if (out != nullptr) out[to] = values[from];
    }
};

template <class I, class V>
void put_sorted(SortedRow& row, const Taken<I, V>& taken, std::int64_t to, std::int64_t from) {
    for (const std::uint64_t key : row.sorted())
        taken.put(to++, static_cast<I>(SortedRow::column(key)), from + SortedRow::number(key));
}

// The entries: where places do not rise with the columns, each row is sorted.
void extract(Input indptr, Input indices, Maybe<Input> values, Maybe<Input> rows,
             std::int64_t begin, std::int64_t end, Maybe<Input> places, Maybe<Input> starts,
             Maybe<Input> order, bool rising, Input out_indptr, Output out_indices,
             Maybe<Output> out_values, int threads) {
    Interrupt interrupt;
    auto run = [&]<class I, class V>(I, V) {
        const Task<I> task(indptr, indices, rows, begin, end, places, starts, order);
        const auto* offsets = data<std::int64_t>(out_indptr, task.count + 1);
        const std::int64_t total = offsets[task.count];
        const Taken<I, V> taken{values ? data<V>(*values, 0) : nullptr,
                                writable<I>(out_indices, total),
                                out_values ? writable<V>(*out_values, total) : nullptr};
        task.over_rows(threads, [&](std::int64_t first, std::int64_t last, int worker) {
            SortedRow row;
            const I* table = task.columns.places;
            for (std::int64_t i = first; i < last; ++i) {
                std::int64_t to = offsets[i];
                if (to == offsets[i + 1]) continue;
                const std::int64_t r = task.row(i);
                const auto [from, until] =
                    task.columns.range(task.indices, task.indptr[r], task.indptr[r + 1]);
                if (interrupt.poll(worker, until - from)) return;
                if (const auto* starts_of = task.columns.starts; starts_of != nullptr) {
                    row.clear();
                    for (I p = from; p < until; ++p)
                        for (auto q = starts_of[task.indices[p]];
                             q < starts_of[task.indices[p] + 1]; ++q)
                            row.add(task.columns.order[q], p - from);
                    put_sorted(row, taken, to, from);
                } else if (table == nullptr) {
                    for (I p = from; p < until; ++p)
                        taken.put(to++, static_cast<I>(task.indices[p] - task.columns.begin), p);
                } else if (rising) {
                    for (I p = from; p < until; ++p) {
                        const I place = table[task.indices[p]];
                        if (place != 0) taken.put(to++, place - 1, p);
                    }
                } else {
                    row.clear();
                    for (I p = from; p < until; ++p) {
                        const I place = table[task.indices[p]];
                        if (place != 0) row.add(place - 1, p - from);
                    }
                    put_sorted(row, taken, to, from);
                }
            }
        });
    };
    const int size = values ? static_cast<int>(values->itemsize()) : 1;
    with_size(size, [&](auto v) {
        indptr.itemsize() == 4 ? run(std::int32_t{}, v) : run(std::int64_t{}, v);
    });
    interrupt.check();
}

}  // namespace
}  // namespace spbfs

void bind_extract(nanobind::module_& m) {
    using namespace nanobind::literals;
    m.def("column_places", &spbfs::column_places, "columns"_a, "places"_a);
    m.def("extract_offsets", &spbfs::extract_offsets, "indptr"_a, "indices"_a, "rows"_a.none(),
          "begin"_a, "end"_a, "places"_a.none(), "starts"_a.none(), "order"_a.none(), "out"_a,
          "threads"_a);
    m.def("extract", &spbfs::extract, "indptr"_a, "indices"_a, "values"_a.none(), "rows"_a.none(),
          "begin"_a, "end"_a, "places"_a.none(), "starts"_a.none(), "order"_a.none(), "rising"_a,
          "out_indptr"_a, "out_indices"_a, "out_values"_a.none(), "threads"_a);
}
