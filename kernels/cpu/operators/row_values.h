// What kernels that walk rows do with values where there are some: a program, or nothing.
#pragma once

#include "cpu/operators/pairs.h"
#include "cpu/python/bindings.h"
#include "cpu/threads/interrupt.h"
#include "cpu/threads/parallel.h"

namespace spbfs {

constexpr std::int64_t kChunksPerWorker = 16;

inline std::int64_t grain_of(std::int64_t rows, int threads) {
    return std::max<std::int64_t>(1, rows / (threads * kChunksPerWorker));
}

// What is done with values where there are some: a program, or nothing.
struct Values {
    const Program* program;
    Operands operands;
    void* results;

    // f(block) with what collects pairs; with one that does nothing where values are known.
    template <class F>
    void with_block(F&& f) const {
        struct None {
            void begin(std::int64_t) {}
            void push(std::int64_t, std::int64_t) {}
            void push_run(std::int64_t, std::int64_t, std::int64_t) {}
            void flush() {}
        };
        if (program == nullptr) {
            None none;
            f(none);
            return;
        }
        with_size(program->in_size(), [&]<class V>(V) {
            PairBlock<V> block(*program, operands, results);
            f(block);
        });
    }
};

inline Values values_of(const Program* program, const Maybe<Input>& x, const Maybe<Input>& y,
                        const Maybe<Output>& results) {
    if (program == nullptr) return {};
    if (!x || !y || !results || static_cast<int>(results->itemsize()) != program->out_size() ||
        static_cast<int>(x->itemsize()) != program->in_size() ||
        static_cast<int>(y->itemsize()) != program->in_size())
        throw std::invalid_argument("kernel: values do not fit the program");
    return {program,
            {x->data(), stride(*x), y->data(), stride(*y)},
            const_cast<void*>(static_cast<const void*>(results->data()))};
}

}  // namespace spbfs
