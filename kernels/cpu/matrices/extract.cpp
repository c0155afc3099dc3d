// A submatrix: rows in any order and number; columns that follow one another, or any distinct ones
// by a table of their places.
#include <bit>

#include "cpu/matrices/made_rows.h"
#include "cpu/matrices/sorted_row.h"
#include "cpu/operators/pairs.h"
#include "cpu/python/bindings.h"
#include "cpu/threads/interrupt.h"

namespace spbfs {
namespace {

// Entries of a row that are looked at one by one; longer rows are searched.
constexpr std::int64_t kShortRow = 32;
// Entries that are looked up at a time.
constexpr std::int64_t kWord = 64;
// Rows that a worker counts at a time.
constexpr std::int64_t kCounted = 1024;

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

// The places of columns that are asked for more than once, sorted by column, and where in these
// each one's begin: `starts` comes cleared.
void sorted_places(Input columns, Output starts, Output order) {
    const std::int64_t count = length(columns), all = length(starts) - 1;
    const auto* wanted = data<std::int64_t>(columns, count);
    auto* first = writable<std::int64_t>(starts, all + 1);
    auto* places = writable<std::int64_t>(order, count);
    Unlocked unlocked;
    for (std::int64_t k = 0; k < count; ++k) ++first[wanted[k] + 1];
    for (std::int64_t c = 0; c < all; ++c) first[c + 1] += first[c];
    for (std::int64_t k = count; k-- > 0;) places[--first[wanted[k] + 1]] = k;
    // Each start has become the one before it.
    std::copy(first + 1, first + all + 1, first);
    first[all] = count;
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
};

// Offsets of the rows of the result; returns how many entries it has.
std::int64_t extract_offsets(Input indptr, Input indices, Maybe<Input> rows, std::int64_t begin,
                             std::int64_t end, Maybe<Input> places, Maybe<Input> starts,
                             Maybe<Input> order, Output out, int threads) {
    Interrupt interrupt;
    auto run = [&]<class I>(I) -> std::int64_t {
        const Task<I> task(indptr, indices, rows, begin, end, places, starts, order);
        auto* to = writable<std::int64_t>(out, task.count + 1);
        Unlocked unlocked;
        parallel_for(
            threads, task.count, kCounted, [&](std::int64_t first, std::int64_t last, int worker) {
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

// Where entries of the result go.
template <class I, class V>
struct Taken {
    const V* values;
    I* columns;
    V* out;

    void put(std::int64_t to, I column, std::int64_t from) const {
        columns[to] = column;
        if (out != nullptr) out[to] = values[from];
    }
    // Entries whose columns stay what they are.
    std::int64_t copy(const I* indices, I first, I last, std::int64_t to) const {
        std::copy(indices + first, indices + last, columns + to);
        if (out != nullptr) std::copy(values + first, values + last, out + to);
        return to + (last - first);
    }
    std::int64_t sorted(SortedRow& row, std::int64_t to, std::int64_t from) const {
        for (const std::uint64_t key : row.sorted())
            put(to++, static_cast<I>(SortedRow::column(key)), from + SortedRow::number(key));
        return to;
    }
};

// Rows of the result, one after the other.
template <class I, class V>
class Extraction {
  public:
    // `tight`: there is room for what is wanted and no more.
    Extraction(const Task<I>& task, const Taken<I, V>& taken, bool rising, bool tight)
        : task_(task), columns_(task.columns), taken_(taken), rising_(rising), tight_(tight) {}

    // Whether rows [begin, end) of the result are best made as one: of columns that are looked up,
    // in rows as they stand.
    bool is_flat() const { return task_.rows == nullptr && columns_.places != nullptr && rising_; }

    // Rows [begin, end) of the result from entry `to` on, and where each ends; returns where the
    // last one does.  Where a row of few entries ends no predictor knows, so that entries are
    // looked at 64 at a time, whatever rows they are of, and a row ends behind as many as bits
    // before its end say.
    std::int64_t flat(std::int64_t begin, std::int64_t end, std::int64_t to, std::int64_t* ends,
                      Interrupt& interrupt, int worker) const {
        std::int64_t row = begin, p = task_.indptr[begin];
        const std::int64_t last = task_.indptr[end];
        while (p < last && !interrupt.poll(worker, kWord)) {
            const int count = static_cast<int>(std::min<std::int64_t>(kWord, last - p));
            std::uint64_t wanted = 0;
            for (int k = 0; k < count; ++k)
                wanted |= std::uint64_t{columns_.places[task_.indices[p + k]] != 0} << k;
            for (; row < end && task_.indptr[row + 1] < p + kWord; ++row) {
                const auto before = std::uint64_t{1} << (task_.indptr[row + 1] - p);
                ends[row + 1] = to + std::popcount(wanted & (before - 1));
            }
            for (; wanted != 0; wanted &= wanted - 1) {
                const std::int64_t from = p + std::countr_zero(wanted);
                taken_.put(to++, columns_.places[task_.indices[from]] - 1, from);
            }
            p += kWord;
        }
        for (; row < end; ++row) ends[row + 1] = to;
        return to;
    }

    // Row i of the result from entry `to` on; returns where it ends.
    std::int64_t row(std::int64_t i, std::int64_t to) {
        const std::int64_t r = task_.row(i);
        const I from = task_.indptr[r], until = task_.indptr[r + 1];
        if (columns_.starts != nullptr) return several(from, until, to);
        if (columns_.places == nullptr) return following(from, until, to);
        return rising_ ? in_order(from, until, to) : placed(from, until, to);
    }

  private:
    // Columns that follow one another.
    std::int64_t following(I from, I until, std::int64_t to) const {
        const auto begin = static_cast<I>(columns_.begin);
        if (until - from <= kShortRow && !tight_) {
            // Each is put where it would go, whether or not it is wanted: a branch would guess.
            for (I p = from; p < until; ++p) {
                const I column = task_.indices[p];
                taken_.put(to, column - begin, p);
                to += (column >= begin) & (column < columns_.end);
            }
            return to;
        }
        const auto [first, last] = columns_.range(task_.indices, from, until);
        if (begin == 0) return taken_.copy(task_.indices, first, last, to);
        for (I p = first; p < last; ++p) taken_.put(to++, task_.indices[p] - begin, p);
        return to;
    }
    // Distinct ones that rise.
    std::int64_t in_order(I from, I until, std::int64_t to) const {
        for (I p = from; p < until; ++p) {
            const I place = columns_.places[task_.indices[p]];
            if (place != 0) taken_.put(to++, place - 1, p);
        }
        return to;
    }
    // Distinct ones in any order: the row is sorted.
    std::int64_t placed(I from, I until, std::int64_t to) {
        sorted_.clear();
        for (I p = from; p < until; ++p) {
            const I place = columns_.places[task_.indices[p]];
            if (place != 0) sorted_.add(place - 1, p - from);
        }
        return taken_.sorted(sorted_, to, from);
    }
    // Some of them more than once.
    std::int64_t several(I from, I until, std::int64_t to) {
        sorted_.clear();
        for (I p = from; p < until; ++p) {
            const I c = task_.indices[p];
            for (auto q = columns_.starts[c]; q < columns_.starts[c + 1]; ++q)
                sorted_.add(columns_.order[q], p - from);
        }
        return taken_.sorted(sorted_, to, from);
    }

    const Task<I>& task_;
    const Columns<I>& columns_;
    const Taken<I, V> taken_;
    const bool rising_, tight_;
    SortedRow sorted_;
};

// Entries that the rows asked for have in the matrix.
std::int64_t entries_of_rows(Input indptr, Input rows) {
    auto sum = [&]<class I>(I) {
        const I* offsets = data<I>(indptr, 1);
        const auto* asked = data<std::int64_t>(rows, 0);
        std::int64_t entries = 0;
        for (std::int64_t i = 0; i < length(rows); ++i)
            entries += offsets[asked[i] + 1] - offsets[asked[i]];
        return entries;
    };
    return indptr.itemsize() == 4 ? sum(std::int32_t{}) : sum(std::int64_t{});
}

// Behind how many entries each row of the result begins, if all of every row are wanted.
template <class I>
std::vector<std::int64_t> all_wanted(const Task<I>& task) {
    std::vector<std::int64_t> first(static_cast<std::size_t>(task.count) + 1);
    for (std::int64_t i = 0; i < task.count; ++i) {
        const std::int64_t r = task.row(i);
        first[i + 1] = first[i] + task.indptr[r + 1] - task.indptr[r];
    }
    return first;
}

// The entries, in one walk, whose offsets are `counted` or else come with them.
nb::tuple extract(Input indptr, Input indices, Maybe<Input> values, Maybe<Input> rows,
                  std::int64_t begin, std::int64_t end, Maybe<Input> places, Maybe<Input> starts,
                  Maybe<Input> order, bool rising, bool counted, Output offsets, int threads) {
    Interrupt interrupt;
    auto run = [&]<class I, class V>(I, V) {
        const Task<I> task(indptr, indices, rows, begin, end, places, starts, order);
        auto* ends = writable<std::int64_t>(offsets, task.count + 1);
        const V* given = values ? data<V>(*values, 0) : nullptr;
        std::vector<std::int64_t> most;
        if (!counted && task.rows != nullptr) most = all_wanted(task);
        auto first = [&](std::int64_t i) -> std::int64_t {
            return counted ? ends[i] : task.rows == nullptr ? task.indptr[i] : most[i];
        };
        MadeRows<I> made(task.count, first, given == nullptr ? 0 : sizeof(V), threads);
        const Taken<I, V> taken{given, made.columns(), reinterpret_cast<V*>(made.values())};
        made.make(ends, [&](std::int64_t from, std::int64_t until, int worker, std::int64_t to) {
            Extraction<I, V> extraction(task, taken, rising, counted);
            if (extraction.is_flat())
                return extraction.flat(from, until, to, ends, interrupt, worker);
            for (std::int64_t i = from; i < until; ++i) {
                const std::int64_t r = task.row(i);
                if (interrupt.poll(worker, task.indptr[r + 1] - task.indptr[r])) break;
                to = extraction.row(i, to);
                ends[i + 1] = to;
            }
            return to;
        });
        interrupt.check();
        return nb::make_tuple(made.take_columns(), made.take_values());
    };
    const int size = values ? static_cast<int>(values->itemsize()) : 1;
    return with_size(size, [&](auto v) {
        return indptr.itemsize() == 4 ? run(std::int32_t{}, v) : run(std::int64_t{}, v);
    });
}

}  // namespace
}  // namespace spbfs

void bind_extract(nanobind::module_& m) {
    using namespace nanobind::literals;
    m.def("column_places", &spbfs::column_places, "columns"_a, "places"_a);
    m.def("sorted_places", &spbfs::sorted_places, "columns"_a, "starts"_a, "order"_a);
    m.def("extract_offsets", &spbfs::extract_offsets, "indptr"_a, "indices"_a, "rows"_a.none(),
          "begin"_a, "end"_a, "places"_a.none(), "starts"_a.none(), "order"_a.none(), "out"_a,
          "threads"_a);
    m.def("entries_of_rows", &spbfs::entries_of_rows, "indptr"_a, "rows"_a);
    m.def("extract", &spbfs::extract, "indptr"_a, "indices"_a, "values"_a.none(), "rows"_a.none(),
          "begin"_a, "end"_a, "places"_a.none(), "starts"_a.none(), "order"_a.none(), "rising"_a,
          "counted"_a, "offsets"_a, "threads"_a, "(bytes of indices, bytes of values).");
}
