// Single entries of a CSR set and deleted, many at once: where each of them is, and the arrays that
// come of it.
//
// The caller guarantees canonical CSR, places within it that rise row by row, none twice, and room.
#include <algorithm>
#include <cstdint>

#include "cpu/matrices/made_rows.h"
#include "cpu/operators/pairs.h"
#include "cpu/python/bindings.h"
#include "cpu/threads/parallel.h"

namespace spbfs {
namespace {

// The first of rising columns that is not below one, as std::lower_bound finds it; whether to go on
// in the upper half is arithmetic, since rows are short and no predictor knows.
template <class I>
const I* not_below(const I* first, const I* last, std::int64_t column) {
    std::int64_t left = last - first;
    while (left > 1) {
        const std::int64_t half = left / 2;
        first += static_cast<std::int64_t>(first[half - 1] < column) * half;
        left -= half;
    }
    return first + (left == 1 && *first < column);
}

// at[k]: the entry of row rows[k] and column columns[k]; where there is none ~(the entry that would
// follow it).  Returns how many there are.
std::int64_t locate(Input indptr, Input indices, Input rows, Input columns, Output at,
                    int threads) {
    constexpr std::int64_t kGrain = 1 << 10;
    const std::int64_t count = length(rows);
    const auto* row = data<std::int64_t>(rows, count);
    const auto* column = data<std::int64_t>(columns, count);
    auto* found = writable<std::int64_t>(at, count);
    with_csr(indptr, indices, [&](auto csr) {
        Unlocked unlocked;
        parallel_for(threads, count, kGrain, [&](std::int64_t k, std::int64_t end, int) {
            for (; k < end; ++k) {
                const auto* last = csr.indices + csr.indptr[row[k] + 1];
                const auto* p = not_below(csr.indices + csr.indptr[row[k]], last, column[k]);
                const std::int64_t place = p - csr.indices;
                found[k] = p < last && *p == column[k] ? place : ~place;
            }
        });
    });
    return std::count_if(found, found + count, [](std::int64_t entry) { return entry >= 0; });
}

// What changes, in the order of places.
struct Edits {
    std::int64_t count;
    const std::int64_t *at, *rows, *columns, *before;  // entries more than before, up to each
    const std::uint8_t* gone;

    std::int64_t place(std::int64_t k) const { return at[k] < 0 ? ~at[k] : at[k]; }

    // The first edit for which f does not hold.
    template <class F>
    std::int64_t first(F&& f) const {
        std::int64_t low = 0, high = count;
        while (low < high) {
            const std::int64_t middle = low + (high - low) / 2;
            if (f(middle))
                low = middle + 1;
            else
                high = middle;
        }
        return low;
    }
};

template <class O, class I, class V>
struct Copies {
    Csr<O, I> from;
    std::int64_t entries;
    Edits edits;
    const V *old_values, *new_values;  // none where all values are one
    std::int64_t old_step, new_step;
    O* indptr;
    I* indices;
    V* values;

    // Offsets [i, end).
    void offsets(std::int64_t i, std::int64_t end) const {
        std::int64_t k = edits.first([&](std::int64_t e) { return edits.rows[e] < i; });
        for (; i < end; ++i) {
            while (k < edits.count && edits.rows[k] < i) ++k;
            indptr[i] = from.indptr[i] + static_cast<O>(edits.before[k]);
        }
    }
    // What becomes of entries [begin, end), with what is set in front of each.
    void copy(std::int64_t begin, std::int64_t end) const {
        std::int64_t k = edits.first([&](std::int64_t e) { return edits.place(e) < begin; });
        std::int64_t to = begin + edits.before[k];
        for (; k < edits.count && edits.place(k) < end; ++k) {
            const std::int64_t place = edits.place(k);
            to = run(begin, place, to);
            begin = place + (edits.at[k] >= 0);
            if (edits.gone[k]) continue;
            indices[to] = static_cast<I>(edits.columns[k]);
            if (values != nullptr) values[to] = new_values[k * new_step];
            ++to;
        }
        run(begin, std::min(end, entries), to);
    }

  private:
    std::int64_t run(std::int64_t begin, std::int64_t end, std::int64_t to) const {
        if (begin >= end) return to;
        std::copy(from.indices + begin, from.indices + end, indices + to);
        if (values != nullptr && old_step != 0)
            std::copy(old_values + begin, old_values + end, values + to);
        else if (values != nullptr)
            std::fill_n(values + to, end - begin, *old_values);
        return to + (end - begin);
    }
};

void edited(Input indptr, Input indices, Maybe<Input> values, Input at, Input rows, Input columns,
            Maybe<Input> new_values, Input gone, Input before, Output out_indptr,
            Output out_indices, Maybe<Output> out_values, int threads) {
    const std::int64_t count = length(at);
    const Edits edits{count,
                      data<std::int64_t>(at, count),
                      data<std::int64_t>(rows, count),
                      data<std::int64_t>(columns, count),
                      data<std::int64_t>(before, count + 1),
                      data<std::uint8_t>(gone, count)};
    const int size = values ? static_cast<int>(values->itemsize()) : 1;
    if (values.has_value() != out_values.has_value() ||
        values.has_value() != new_values.has_value() ||
        (values && static_cast<int>(new_values->itemsize()) != size))
        throw std::invalid_argument("kernel: what is set does not fit");
    with_csr(indptr, indices, [&]<class O, class I>(Csr<O, I> csr) {
        with_size(size, [&]<class V>(V) {
            const std::int64_t entries = length(indices);
            const std::int64_t made = entries + edits.before[count];
            Copies<O, I, V> copies{};
            copies.from = csr, copies.entries = entries, copies.edits = edits;
            if (values) {
                copies.old_values = static_cast<const V*>(values->data());
                copies.new_values = static_cast<const V*>(new_values->data());
                copies.old_step = stride(*values), copies.new_step = stride(*new_values);
                copies.values = writable<V>(*out_values, made);
            }
            copies.indptr = writable<O>(out_indptr, csr.rows + 1);
            copies.indices = writable<I>(out_indices, made);
            Unlocked unlocked;
            Team team(static_cast<int>(
                std::clamp<std::int64_t>((made + csr.rows) / kEntriesPerThread, 1, threads)));
            team.for_chunks(csr.rows + 1, kEntriesPerThread,
                            [&](std::int64_t i, std::int64_t end, int) { copies.offsets(i, end); });
            // One place more than entries: what is set behind the last of them.
            team.for_chunks(entries + 1, kEntriesPerThread,
                            [&](std::int64_t i, std::int64_t end, int) { copies.copy(i, end); });
        });
    });
}

}  // namespace
}  // namespace spbfs

void bind_edits(nanobind::module_& m) {
    using namespace nanobind::literals;
    m.def("locate", &spbfs::locate, "indptr"_a, "indices"_a, "rows"_a, "columns"_a, "at"_a,
          "threads"_a);
    m.def("edited", &spbfs::edited, "indptr"_a, "indices"_a, "values"_a.none(), "at"_a, "rows"_a,
          "columns"_a, "new_values"_a.none(), "gone"_a, "before"_a, "out_indptr"_a, "out_indices"_a,
          "out_values"_a.none(), "threads"_a);
}
