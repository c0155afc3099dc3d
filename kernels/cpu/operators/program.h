// An operator of two numbers as steps over blocks of values: a built-in one is a single step, a
// user's function one a node of its tree, casts between.
//
// Python makes a Program and keeps it (engines/cpu/operators/programs.py); a worker runs it with an
// Evaluator of its own.
#pragma once

#include <cstring>
#include <memory>
#include <vector>

#include "cpu/operators/block_operators.h"

namespace spbfs {

class Program {
  public:
    static constexpr int kMostOperands = 3;
    struct Step {
        BlockOperator op;
        int operands[kMostOperands];
    };

    // Of the two operands.
    explicit Program(int in_type) : in_(Type{in_type}), types_{in_, in_} {}

    // Each gives the number of a register; 0 and 1 are the operands.
    int constant(int type, std::uint64_t bits);
    int step(std::string_view name, const std::vector<int>& operands);
    int cast(int from, int to_type);

    Type in() const { return in_; }
    Type out() const { return types_.back(); }
    Type type_of(int at) const { return types_.at(static_cast<std::size_t>(at)); }
    int in_size() const { return size_of(in_); }
    int out_size() const { return size_of(out()); }

  private:
    friend class Evaluator;
    struct Constant {
        int at;
        std::uint64_t bits;
    };

    int added(Type type) {
        types_.push_back(type);
        return static_cast<int>(types_.size()) - 1;
    }

    Type in_;
    // Of every register; the last one holds the result, and each but operands and constants is made
    // by a step, in their order.
    std::vector<Type> types_;
    std::vector<Constant> constants_;
    std::vector<Step> steps_;
};

class Evaluator {
  public:
    explicit Evaluator(const Program& program);

    // At most kBlock results; neither operand may lie where the results are.
    void operator()(const void* x, const void* y, void* results, std::int64_t count) {
        registers_[0] = x;
        registers_[1] = y;
        for (std::size_t s = 0; s < steps_.size(); ++s) {
            const Bound& step = steps_[s];
            const void* operands[Program::kMostOperands];
            for (int k = 0; k < step.count; ++k) operands[k] = registers_[step.operands[k]];
            void* to = s + 1 == steps_.size() ? results : step.results;
            step.function(operands, to, count);
        }
    }

  private:
    struct Bound {
        BlockFunction function;
        int count;
        int operands[Program::kMostOperands];
        void* results;
    };
    // A register takes so many words.
    static constexpr std::size_t kWords = kBlock;

    std::unique_ptr<std::uint64_t[]> memory_;
    std::vector<const void*> registers_;
    std::vector<Bound> steps_;
};

}  // namespace spbfs
