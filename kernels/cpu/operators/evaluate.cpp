// Values two by two, where the patterns of both operands are one.
#include "cpu/operators/row_values.h"

namespace spbfs {
namespace {

// Values two by two, of operands of one pattern.
void evaluate(const Program* program, Maybe<Input> x, Maybe<Input> y, Maybe<Output> results,
              std::int64_t count, int threads) {
    constexpr std::int64_t kStrip = 1 << 14;
    const Values values = values_of(program, x, y, results);
    if (length(*results) < count) throw std::invalid_argument("kernel: too few results");
    Interrupt interrupt;
    const auto in = static_cast<std::int64_t>(program->in_size()),
               out = std::int64_t{program->out_size()};
    {
        Unlocked unlocked;
        parallel_for(threads, count, kStrip, [&](std::int64_t begin, std::int64_t end, int worker) {
            if (interrupt.poll(worker, end - begin)) return;
            Evaluator run(*program);
            const Operands& o = values.operands;
            // One value for all is repeated over a block once.
            std::uint64_t repeated[2][kBlock];
            const void* held[2] = {o.x, o.y};
            const std::int64_t strides[2] = {o.x_stride, o.y_stride};
            const std::int64_t zeros[kBlock] = {};
            for (int k = 0; k < 2; ++k)
                if (strides[k] == 0) {
                    gather(held[k], 0, zeros, kBlock, repeated[k], program->in_size());
                    held[k] = repeated[k];
                }
            for (std::int64_t at = begin; at < end; at += kBlock)
                run(static_cast<const char*>(held[0]) + at * in * strides[0],
                    static_cast<const char*>(held[1]) + at * in * strides[1],
                    static_cast<char*>(values.results) + at * out, std::min(kBlock, end - at));
        });
    }
    interrupt.check();
}

}  // namespace
}  // namespace spbfs

void bind_evaluate(nanobind::module_& m) {
    using namespace nanobind::literals;
    m.def("evaluate", &spbfs::evaluate, "program"_a, "x"_a, "y"_a, "results"_a, "count"_a,
          "threads"_a);
}
