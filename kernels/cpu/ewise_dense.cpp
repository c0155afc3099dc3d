// Unions and intersections of vectors that have an element of memory for each of theirs, where
// flags say which of them are there.
#include <atomic>

#include "row_values.h"

namespace spbfs {
namespace {

// Elements whose flags a worker looks at at a time.
constexpr std::int64_t kStrip = 1 << 14;

// Which elements of a vector are there; without flags all are.
struct Flags {
    const bool* flags;

    bool operator[](std::int64_t i) const { return flags == nullptr || flags[i]; }
};

// What elements of one operand become where the other has none; nothing of an intersection.
template <class V>
struct Alone {
    const V* values = nullptr;
    std::int64_t step = 0;

    Alone(const Maybe<Input>& given, std::int64_t size) {
        if (!given) return;
        if (given->itemsize() != sizeof(V) || length(*given) < size)
            throw std::invalid_argument("kernel: values do not fit the program");
        values = static_cast<const V*>(given->data());
        step = stride(*given);
    }
    V operator[](std::int64_t i) const { return values[i * step]; }
};

// Makes the elements of a union, or without `x_alone` and `y_alone` those of an intersection, and
// its flags where there are some; returns how many are there.
//
// Only what both have is gathered for the program: anything may lie in an element that is absent,
// and numbers with many zeros before them take a processor a hundred times as long.
std::int64_t combine_dense(const Program* program, Maybe<Input> x, Maybe<Input> x_present,
                           Maybe<Input> y, Maybe<Input> y_present, Maybe<Input> x_alone,
                           Maybe<Input> y_alone, Maybe<Output> results, Maybe<Output> present,
                           int threads) {
    const Values values = values_of(program, x, y, results);
    if (program == nullptr) throw std::invalid_argument("kernel: no program");
    const std::int64_t size = length(*results);
    const Flags in_x{data<bool>(x_present, size)}, in_y{data<bool>(y_present, size)};
    bool* flags = present ? writable<bool>(*present, size) : nullptr;
    Interrupt interrupt;
    std::atomic<std::int64_t> entries{0};
    with_size(program->out_size(), [&]<class V>(V) {
        const Alone<V> x_only(x_alone, size), y_only(y_alone, size);
        const bool unites = x_only.values != nullptr && y_only.values != nullptr;
        V* made = static_cast<V*>(values.results);
        Unlocked unlocked;
        parallel_for(threads, size, kStrip, [&](std::int64_t begin, std::int64_t end, int worker) {
            if (interrupt.poll(worker, end - begin)) return;
            ScatteredPairs<V> common(*program, values.operands, made);
            std::int64_t found = 0;
            for (std::int64_t i = begin; i < end; ++i) {
                const bool left = in_x[i], right = in_y[i];
                const bool counts = unites ? left | right : left & right;
                if (unites) {
                    const V one = x_only[i], other = y_only[i];  // both, so that none is a branch
                    made[i] = left ? one : other;
                }
                common.push(i, i, i, left & right);
                found += counts;
                if (flags != nullptr) flags[i] = counts;
            }
            common.flush();
            entries.fetch_add(found, std::memory_order_relaxed);
        });
    });
    interrupt.check();
    return entries;
}

}  // namespace
}  // namespace spbfs

void bind_ewise_dense(nanobind::module_& m) {
    using namespace nanobind::literals;
    m.def("combine_dense", &spbfs::combine_dense, "program"_a, "x"_a, "x_present"_a.none(), "y"_a,
          "y_present"_a.none(), "x_alone"_a.none(), "y_alone"_a.none(), "results"_a,
          "present"_a.none(), "threads"_a);
}
