// Pull: w<m> = M u by rows.  Every row that the mask admits scans its entries for members of the
// frontier and stops where the monoid cannot change any more, at the first hit for `any`.
//
// Rows are independent, so no atomics.  The mask's bytes are read eight at a time: late in a
// traversal most rows are visited and this scan of the mask is most of the work.
#include <nanobind/stl/pair.h>

#include <atomic>
#include <bit>
#include <utility>

#include "bindings.h"
#include "frontier.h"
#include "interrupt.h"
#include "parallel.h"
#include "product.h"

namespace spbfs {
namespace {

// Large enough that a chunk outweighs taking it, small enough to balance rows of any length and to
// keep the list of its rows in the nearest cache.
constexpr std::int64_t kRowsPerChunk = 2048;
// Rows between the fetch of a row's first entries and their use: rows are short and stand anywhere.
constexpr std::int64_t kAhead = 16;

struct Task {
    const std::int64_t* rows;    // the rows wanted; nullptr for those that the mask admits
    std::int64_t count;          // of rows wanted
    const std::uint8_t* filled;  // a bit a row: whether it holds entries
    const Bits* frontier;        // nullptr: every vertex is in it
    const std::uint8_t* mask;    // nullptr: every row is admitted
    bool complement;
    const void*
        hubs;  // the likeliest member of a frontier in every row, as M's indices; or nullptr
    std::uint8_t* present;  // `count` long, as `values`
    void* values;
    int threads;
    Interrupt* interrupt;
};

template <class S, class O, class I>
bool pull_row(const S& s, const Csr<O, I>& M, const Bits* frontier, std::int64_t row,
              typename S::Value& sum, std::int64_t& touched) {
    const std::int64_t begin = M.indptr[row], end = M.indptr[row + 1];
    std::int64_t p = begin;
    if (frontier != nullptr)
        while (p < end && !(*frontier)[M.indices[p]]) ++p;
    touched += p - begin + (p < end);
    if (p == end) return false;
    sum = s.product(p, M.indices[p], row, M.indices[p], 0);
    if constexpr (!S::any) {
        for (++p; p < end && !s.done(sum); ++p) {
            const std::int64_t k = M.indices[p];
            if (frontier == nullptr || (*frontier)[k]) sum = s.sum(sum, s.product(p, k, row, k, 0));
            ++touched;
        }
    }
    return true;
}

// Bit b is row i + b, of the 64 before `end`: whether the mask admits it and it holds entries.
std::uint64_t choose_rows(const Task& task, std::int64_t i, std::int64_t end) {
    const std::uint64_t turned = task.complement ? kEveryByte : 0;
    std::uint64_t chosen = 0;
    for (int b = 0; b < 64 && i + b < end; b += 8) {
        std::uint64_t admitted = kEveryByte;
        if (task.mask != nullptr)
            admitted = nonzero_bytes(load_bytes(task.mask, i + b, end)) ^ turned;
        const unsigned rows = pack_bytes(admitted) & task.filled[(i + b) / 8];
        chosen |= static_cast<std::uint64_t>(rows) << b;
    }
    return chosen;
}

// Those rows in [begin, end), into `wanted`; returns how many.  By bits, 64 at a time: which rows
// are visited no predictor can know.
int choose_rows(const Task& task, std::int64_t begin, std::int64_t end, std::int64_t* wanted) {
    int count = 0;
    for (std::int64_t i = begin; i < end; i += 64)
        for_each_bit(choose_rows(task, i, end), i,
                     [&](std::int64_t row) { wanted[count++] = row; });
    return count;
}

struct Outcome {
    std::int64_t present, touched;
};

template <class S, class O, class I>
Outcome pull(const S& s, const Csr<O, I>& M, const Task& task) {
    std::atomic<std::int64_t> total{0}, total_touched{0};
    auto body = [&](std::int64_t begin, std::int64_t end, int worker) {
        if (task.interrupt->poll(worker, end - begin)) return;
        std::int64_t chosen[kRowsPerChunk];
        const std::int64_t* rows = chosen;
        std::int64_t count = end - begin, found = 0, touched = 0;
        if (task.rows != nullptr)
            rows = task.rows + begin;
        else
            count = choose_rows(task, begin, end, chosen);
        std::memset(task.present + begin, 0, static_cast<std::size_t>(end - begin));
        auto found_at = [&](std::int64_t at, typename S::Value sum) {
            task.present[at] = 1;
            s.store(task.values, at, sum);
            ++found;
        };
        if constexpr (S::any && !S::reads_matrix) {
            // Most rows are answered by one dense array, and theirs are never fetched.
            if (task.hubs != nullptr && task.rows == nullptr && task.frontier != nullptr) {
                const I* hubs = static_cast<const I*>(task.hubs);
                std::int64_t missed = 0;
                // Nothing depends on a hit but how far the lists grow: what is stored at a row that
                // is absent means nothing.
                for (std::int64_t t = 0; t < count; ++t) {
                    const std::int64_t row = chosen[t], k = hubs[row];
                    const bool hit = (*task.frontier)[k];
                    task.present[row] = hit;
                    s.store(task.values, row, s.product(0, k, row, k, 0));
                    found += hit;
                    chosen[missed] = row;
                    missed += !hit;
                }
                touched += count;
                count = missed;
            }
        }
        task.interrupt->strips(
            0, count, kRowsPerStrip, worker, [&](std::int64_t from, std::int64_t to) {
                const std::int64_t before = touched;
                for (std::int64_t t = from; t < to; ++t) {
                    if (t + kAhead < count)
                        __builtin_prefetch(&M.indices[M.indptr[rows[t + kAhead]]]);
                    typename S::Value sum{};
                    if (pull_row(s, M, task.frontier, rows[t], sum, touched))
                        found_at(task.rows != nullptr ? begin + t : rows[t], sum);
                }
                return touched - before;
            });
        total.fetch_add(found, std::memory_order_relaxed);
        total_touched.fetch_add(touched, std::memory_order_relaxed);
    };
    Team(task.threads).for_chunks(task.count, kRowsPerChunk, body);
    return {total.load(), total_touched.load()};
}

std::pair<std::int64_t, std::int64_t> launch(Input indptr, Input indices, Input filled,
                                             Input matrix_values, std::int64_t size,
                                             Maybe<Input> frontier_list,
                                             Maybe<Input> frontier_bytes, Input vector_values,
                                             const std::string& monoid, const std::string& multiply,
                                             int in_type, int out_type, Maybe<Input> mask,
                                             bool complement, Maybe<Input> rows, Maybe<Input> hubs,
                                             Output present, Maybe<Output> values, int threads) {
    if (!values && !(monoid == "any" && multiply == "pair"))
        throw std::invalid_argument("kernel: this product has values to store");
    const std::int64_t nrows = length(indptr) - 1;
    const std::int64_t listed = frontier_list ? length(*frontier_list) : 0;
    const std::int64_t wanted = rows ? length(*rows) : nrows;
    const ProductName name{monoid, multiply, Type{in_type}, Type{out_type}};
    const Operands operands{matrix_values.data(), stride(matrix_values), vector_values.data(),
                            stride(vector_values)};
    const auto* list = data<std::int64_t>(frontier_list, listed);
    const auto* bytes = data<std::uint8_t>(frontier_bytes, size);
    void* out = nullptr;
    if (values) {
        check_dense(*values, wanted, static_cast<std::size_t>(size_of(name.out)));
        out = values->data();
    }
    const void* hub_data = nullptr;
    if (hubs) {
        check_dense(*hubs, nrows, indices.itemsize());
        hub_data = hubs->data();
    }
    Interrupt interrupt;
    Task task{data<std::int64_t>(rows, wanted),
              wanted,
              data<std::uint8_t>(filled, (nrows + 7) / 8),
              nullptr,
              data<std::uint8_t>(mask, nrows),
              complement,
              hub_data,
              writable<std::uint8_t>(present, wanted),
              out,
              threads,
              &interrupt};
    Outcome outcome{};
    {
        nb::gil_scoped_release release;
        Bits frontier;
        if (list != nullptr || bytes != nullptr) {
            frontier =
                list != nullptr ? Bits::of_list(list, listed, size) : Bits::of_bytes(bytes, size);
            task.frontier = &frontier;
        }
        with_csr(indptr, indices, [&](const auto& M) {
            const bool known =
                with_semiring(name, operands, [&](const auto& s) { outcome = pull(s, M, task); });
            if (!known) throw std::invalid_argument("kernel: no such product");
        });
    }
    interrupt.check();
    return {outcome.present, outcome.touched};
}

bool has_product(const std::string& monoid, const std::string& multiply, int in_type,
                 int out_type) {
    return with_semiring({monoid, multiply, Type{in_type}, Type{out_type}}, {}, [](const auto&) {});
}

}  // namespace
}  // namespace spbfs

void bind_pull(nanobind::module_& m) {
    using namespace nanobind::literals;
    m.def("pull", &spbfs::launch, "indptr"_a, "indices"_a, "filled"_a, "matrix_values"_a, "size"_a,
          "frontier_list"_a.none(), "frontier_bytes"_a.none(), "vector_values"_a, "monoid"_a,
          "multiply"_a, "in_type"_a, "out_type"_a, "mask"_a.none(), "complement"_a, "rows"_a.none(),
          "hubs"_a.none(), "present"_a, "values"_a.none(), "threads"_a,
          "w<m> = M u by rows; fills present and values, returns how many are present and how many "
          "entries of M were looked at.");
    m.def("has_product", &spbfs::has_product, "monoid"_a, "multiply"_a, "in_type"_a, "out_type"_a,
          "Whether the product kernels know this semiring.");
}
