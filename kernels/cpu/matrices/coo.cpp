// A matrix from entries in any order: counted into their rows, every row sorted by column, entries
// at equal places combined in the order in which they came.
#include "cpu/matrices/sorted_row.h"
#include "cpu/operators/pairs.h"
#include "cpu/python/bindings.h"
#include "cpu/threads/interrupt.h"
#include "cpu/threads/parallel.h"

namespace spbfs {
namespace {

constexpr std::int64_t kChunksPerWorker = 16;

std::int64_t grain_of(std::int64_t rows, int threads) {
    return std::max<std::int64_t>(1, rows / (threads * kChunksPerWorker));
}

// Whether entries come row by row and column by column, none twice.
bool coo_rising(Input rows, Input columns) {
    const std::int64_t count = length(rows);
    const auto *i = data<std::int64_t>(rows, count), *j = data<std::int64_t>(columns, count);
    Unlocked unlocked;
    for (std::int64_t t = 1; t < count; ++t)
        if (i[t] < i[t - 1] || (i[t] == i[t - 1] && j[t] <= j[t - 1])) return false;
    return true;
}

// Offsets of rows that come in order, and columns in the type that a matrix has them in.
void coo_rows(Input rows, Input columns, Output indptr, Output indices, int threads) {
    const std::int64_t count = length(rows), nrows = static_cast<std::int64_t>(indptr.shape(0)) - 1;
    const auto *i = data<std::int64_t>(rows, count), *j = data<std::int64_t>(columns, count);
    auto run = [&]<class O, class I>(O, I) {
        O* offsets = writable<O>(indptr, nrows + 1);
        I* out = writable<I>(indices, count);
        Unlocked unlocked;
        // Each row's offset is written where the first entry of it or of a later row is met.
        const std::int64_t grain = std::max<std::int64_t>(1 << 14, grain_of(count, threads));
        parallel_for(threads, count, grain, [&](std::int64_t begin, std::int64_t end, int) {
            for (std::int64_t t = begin; t < end; ++t) {
                out[t] = static_cast<I>(j[t]);
                for (std::int64_t r = t == 0 ? 0 : i[t - 1] + 1; r <= i[t]; ++r)
                    offsets[r] = static_cast<O>(t);
            }
        });
        for (std::int64_t r = count == 0 ? 0 : i[count - 1] + 1; r <= nrows; ++r)
            offsets[r] = static_cast<O>(count);
    };
    if (indptr.itemsize() == 4)
        run(std::int32_t{}, std::int32_t{});
    else if (indices.itemsize() == 4)
        run(std::int64_t{}, std::int32_t{});
    else
        run(std::int64_t{}, std::int64_t{});
}

// Keys of the entries (sorted_row.h) row by row, `starts` where each begins; `indptr` has the
// offsets of rows in which no column is twice, and how many entries those have is returned.
// `place` has as many elements as rows for each block of entries that is counted by itself.
std::int64_t coo_sort(Input rows, Input columns, Output keys_array, Output starts_array,
                      Output indptr, Output place_array, int threads) {
    using std::int32_t, std::int64_t, std::uint64_t;
    const int64_t count = length(rows), nrows = static_cast<int64_t>(starts_array.shape(0)) - 1;
    const auto *i = data<int64_t>(rows, count), *j = data<int64_t>(columns, count);
    auto* keys = writable<uint64_t>(keys_array, count);
    auto *starts = writable<int32_t>(starts_array, nrows + 1),
         *offsets = writable<int32_t>(indptr, nrows + 1);
    const int64_t blocks = nrows == 0 ? 1 : static_cast<int64_t>(place_array.shape(0)) / nrows;
    auto* place = writable<int32_t>(place_array, blocks * nrows);
    Interrupt interrupt;
    {
        Unlocked unlocked;
        Team team(threads);
        team.for_chunks(blocks, 1, [&](int64_t b, int64_t, int) {
            int32_t* mine = place + b * nrows;
            std::fill_n(mine, nrows, 0);
            for (int64_t t = count * b / blocks; t < count * (b + 1) / blocks; ++t) ++mine[i[t]];
        });
        int32_t total = 0;
        for (int64_t r = 0; r < nrows; ++r) {
            starts[r] = total;
            for (int64_t b = 0; b < blocks; ++b)
                total += std::exchange(place[b * nrows + r], total);
        }
        starts[nrows] = total;
        team.for_chunks(blocks, 1, [&](int64_t b, int64_t, int) {
            int32_t* next = place + b * nrows;
            for (int64_t t = count * b / blocks; t < count * (b + 1) / blocks; ++t)
                keys[next[i[t]]++] =
                    static_cast<uint64_t>(j[t]) << kColumnShift | static_cast<uint64_t>(t);
        });
        team.for_chunks(
            nrows, grain_of(nrows, threads), [&](int64_t begin, int64_t end, int worker) {
                std::vector<uint64_t> spare;
                for (int64_t r = begin; r < end; ++r) {
                    uint64_t* row = keys + starts[r];
                    const int64_t many = starts[r + 1] - starts[r];
                    if (interrupt.poll(worker, many)) return;
                    sort_keys(row, many, spare);
                    int32_t distinct = many > 0;
                    for (int64_t t = 1; t < many; ++t)
                        distinct += row[t] >> kColumnShift != row[t - 1] >> kColumnShift;
                    offsets[r + 1] = distinct;
                }
            });
        offsets[0] = 0;
        for (int64_t r = 0; r < nrows; ++r) offsets[r + 1] += offsets[r];
    }
    interrupt.check();
    return offsets[nrows];
}

// Which of equal entries stay.
enum class Equal { Last, First, Combined };

// Values that wait to be combined, and where the results go: one behind the other.
template <class V>
class Folds {
  public:
    Folds(const Program& program, V* out) : combine_(program), out_(out) {}

    void begin(std::int64_t to) { to_ = to; }
    void open() { groups_.push_back({static_cast<std::int64_t>(values_.size()), 0}); }
    void add(V value) {
        values_.push_back(value);
        ++groups_.back().count;
    }
    bool full() const { return values_.size() >= kMany; }

    // ((a op b) op c) ... of all groups at once: a pass for each further value.
    void flush() {
        open_ = groups_;
        for (std::int64_t nth = 1; !open_.empty(); ++nth) {
            std::erase_if(open_, [nth](const Group& g) { return g.count <= nth; });
            for (std::size_t from = 0; from < open_.size(); from += kBlock) {
                const auto many =
                    std::min<std::int64_t>(kBlock, static_cast<std::int64_t>(open_.size() - from));
                for (std::int64_t t = 0; t < many; ++t) {
                    const Group& g = open_[from + static_cast<std::size_t>(t)];
                    x_[t] = values_[static_cast<std::size_t>(g.begin)];
                    y_[t] = values_[static_cast<std::size_t>(g.begin + nth)];
                }
                combine_(x_, y_, made_, many);
                for (std::int64_t t = 0; t < many; ++t)
                    values_[static_cast<std::size_t>(
                        open_[from + static_cast<std::size_t>(t)].begin)] = made_[t];
            }
        }
        for (const Group& g : groups_) out_[to_++] = values_[static_cast<std::size_t>(g.begin)];
        values_.clear();
        groups_.clear();
    }

  private:
    static constexpr std::size_t kMany = 4096;
    struct Group {
        std::int64_t begin, count;
    };
    Evaluator combine_;
    V* out_;
    std::int64_t to_ = 0;
    std::vector<V> values_;
    std::vector<Group> groups_, open_;
    V x_[kBlock], y_[kBlock], made_[kBlock];
};

// Columns and values from keys; without values they are all one.
void coo_entries(Input keys_array, Input starts_array, Input indptr, Maybe<Input> values,
                 const std::string& equal_name, const Program* combine, Output out_indices,
                 Maybe<Output> out_values, int threads) {
    using std::int32_t, std::int64_t, std::uint64_t;
    const int64_t nrows = length(indptr) - 1;
    const auto *starts = data<int32_t>(starts_array, nrows + 1),
               *offsets = data<int32_t>(indptr, nrows + 1);
    const auto* keys = data<uint64_t>(keys_array, starts[nrows]);
    const Equal equal = combine != nullptr      ? Equal::Combined
                        : equal_name == "first" ? Equal::First
                                                : Equal::Last;
    auto* columns = writable<int32_t>(out_indices, offsets[nrows]);
    Interrupt interrupt;
    auto run = [&]<class V>(V) {
        const V* from = values ? data<V>(*values, starts[nrows]) : nullptr;
        V* out = out_values ? writable<V>(*out_values, offsets[nrows]) : nullptr;
        Unlocked unlocked;
        parallel_for(threads, nrows, grain_of(nrows, threads),
                     [&](int64_t begin, int64_t end, int worker) {
                         std::unique_ptr<Folds<V>> folds;
                         if (equal == Equal::Combined) {
                             folds = std::make_unique<Folds<V>>(*combine, out);
                             folds->begin(offsets[begin]);
                         }
                         int64_t to = offsets[begin];
                         for (int64_t r = begin; r < end; ++r) {
                             if (interrupt.poll(worker, starts[r + 1] - starts[r])) return;
                             int64_t before = -1;
                             for (int64_t t = starts[r]; t < starts[r + 1]; ++t) {
                                 const int64_t column = SortedRow::column(keys[t]);
                                 const bool first = column != before;
                                 before = column;
                                 if (first) columns[to++] = static_cast<int32_t>(column);
                                 if (from == nullptr) continue;
                                 const V value = from[SortedRow::number(keys[t])];
                                 if (folds) {
                                     if (first) {
                                         if (folds->full()) folds->flush();
                                         folds->open();
                                     }
                                     folds->add(value);
                                 } else if (first || equal == Equal::Last) {
                                     out[to - 1] = value;
                                 }
                             }
                         }
                         if (folds) folds->flush();
                     });
    };
    with_size(values ? static_cast<int>(values->itemsize()) : 1, run);
    interrupt.check();
}

// The row of every entry.
void entry_rows(Input indptr, Output rows, int threads) {
    const std::int64_t nrows = length(indptr) - 1;
    auto run = [&](const auto* offsets) {
        auto* out = writable<std::int64_t>(rows, offsets[nrows]);
        // So many are written of any row, and those that are another's again: how long a row is, no
        // processor can know.
        constexpr std::int64_t kOften = 8;
        Unlocked unlocked;
        parallel_for(threads, nrows, grain_of(nrows, threads),
                     [&](std::int64_t begin, std::int64_t end, int) {
                         const std::int64_t last = std::int64_t{offsets[end]} - kOften;
                         for (std::int64_t r = begin; r < end; ++r) {
                             std::int64_t p = offsets[r];
                             if (p <= last) {
                                 for (std::int64_t t = 0; t < kOften; ++t) out[p + t] = r;
                                 p += kOften;
                             }
                             for (; p < offsets[r + 1]; ++p) out[p] = r;
                         }
                     });
    };
    indptr.itemsize() == 4 ? run(data<std::int32_t>(indptr, nrows + 1))
                           : run(data<std::int64_t>(indptr, nrows + 1));
}

}  // namespace
}  // namespace spbfs

void bind_coo(nanobind::module_& m) {
    using namespace nanobind::literals;
    m.def("coo_rising", &spbfs::coo_rising, "rows"_a, "columns"_a);
    m.def("coo_rows", &spbfs::coo_rows, "rows"_a, "columns"_a, "indptr"_a, "indices"_a,
          "threads"_a);
    m.def("coo_sort", &spbfs::coo_sort, "rows"_a, "columns"_a, "keys"_a, "starts"_a, "indptr"_a,
          "place"_a, "threads"_a);
    m.def("coo_entries", &spbfs::coo_entries, "keys"_a, "starts"_a, "indptr"_a, "values"_a.none(),
          "equal"_a, "combine"_a.none(), "indices"_a, "out_values"_a.none(), "threads"_a);
    m.def("entry_rows", &spbfs::entry_rows, "indptr"_a, "rows"_a, "threads"_a);
}
