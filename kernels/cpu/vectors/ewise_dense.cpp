// Unions and intersections of vectors that have an element of memory for each of theirs, where
// flags say which of them are there.
#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>

#include "cpu/operators/row_values.h"

namespace spbfs {
namespace {

// Elements whose flags a worker looks at at a time.
constexpr std::int64_t kStrip = 1 << 14;

// One or zero: compilers do not work on several `bool` at a time.
using Flag = std::uint8_t;

// Of a vector without flags all elements are there.
struct Flags {
    const Flag* flags;

    // Of the block from element i on.
    const Flag* from(std::int64_t i) const {
        static const auto all = [] {
            std::array<Flag, kBlock> there{};
            there.fill(1);
            return there;
        }();
        return flags == nullptr ? all.data() : flags + i;
    }
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
};

// Elements of `x` where they are there, of `y` elsewhere, by bits: a choice would become a branch.
template <class V>
void blend(const Alone<V>& x, const Alone<V>& y, const Flag* in_x, std::int64_t begin,
           std::int64_t count, V* made) {
    auto chosen = [&](std::int64_t t, V one, V other) {
        const auto mask = static_cast<V>(V{0} - static_cast<V>(in_x[t]));
        return static_cast<V>((one & mask) | (other & static_cast<V>(~mask)));
    };
    if (x.step == 1 && y.step == 1) {
        const V *one = x.values + begin, *other = y.values + begin;
        for (std::int64_t t = 0; t < count; ++t) made[t] = chosen(t, one[t], other[t]);
        return;
    }
    for (std::int64_t t = 0; t < count; ++t)
        made[t] = chosen(t, x.values[(begin + t) * x.step], y.values[(begin + t) * y.step]);
}

// What the program makes of elements that both operands have, put where they are.
template <class V>
class CommonElements {
  public:
    CommonElements(const Program& program, const Operands& operands)
        : evaluate_(program), o_(operands), size_(program.in_size()) {}

    // Of a block; `made` is its first element.
    void operator()(const Flag* in_x, const Flag* in_y, std::int64_t begin, std::int64_t count,
                    V* made) {
        std::int64_t common = 0;
        for (std::int64_t t = 0; t < count; ++t) {
            at_[common] = begin + t;
            common += in_x[t] & in_y[t];
        }
        gather(o_.x, o_.x_stride, at_, common, x_, size_);
        gather(o_.y, o_.y_stride, at_, common, y_, size_);
        evaluate_(x_, y_, made_, common);
        for (std::int64_t k = 0; k < common; ++k) made[at_[k] - begin] = made_[k];
    }

  private:
    Evaluator evaluate_;
    Operands o_;
    int size_;
    std::int64_t at_[kBlock];
    std::uint64_t x_[kBlock], y_[kBlock];
    V made_[kBlock];
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
    const Flags in_x{data<Flag>(x_present, size)}, in_y{data<Flag>(y_present, size)};
    Flag* flags = present ? writable<Flag>(*present, size) : nullptr;
    Interrupt interrupt;
    std::atomic<std::int64_t> entries{0};
    with_size(program->out_size(), [&]<class V>(V) {
        const Alone<V> x_only(x_alone, size), y_only(y_alone, size);
        const bool unites = x_only.values != nullptr && y_only.values != nullptr;
        V* made = static_cast<V*>(values.results);
        Unlocked unlocked;
        parallel_for(threads, size, kStrip, [&](std::int64_t begin, std::int64_t end, int worker) {
            if (interrupt.poll(worker, end - begin)) return;
            CommonElements<V> combine(*program, values.operands);
            std::int64_t found = 0;
            for (std::int64_t i = begin; i < end; i += kBlock) {
                const std::int64_t count = std::min<std::int64_t>(kBlock, end - i);
                const Flag *left = in_x.from(i), *right = in_y.from(i);
                if (unites) blend(x_only, y_only, left, i, count, made + i);
                combine(left, right, i, count, made + i);
                Flag there[kBlock];
                for (std::int64_t t = 0; t < count; ++t)
                    there[t] = unites ? left[t] | right[t] : left[t] & right[t];
                found += std::count(there, there + count, Flag{1});
                if (flags != nullptr) std::copy_n(there, count, flags + i);
            }
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
