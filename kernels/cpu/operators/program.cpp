// Programs as Python puts them together.
#include "cpu/operators/program.h"

#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <stdexcept>

#include "cpu/python/bindings.h"

namespace spbfs {

int Program::constant(int type, std::uint64_t bits) {
    const int at = added(Type{type});
    constants_.push_back({at, bits});
    return at;
}

int Program::step(std::string_view name, const std::vector<int>& operands) {
    // The type is that of what is chosen from, not of the condition.
    const BlockOperator op = block_operator(name, type_of(operands.back()));
    if (op.function == nullptr) return -1;
    if (op.operands != static_cast<int>(operands.size()))
        throw std::invalid_argument("kernel: an operator with too many operands or too few");
    Step made{op, {}};
    for (std::size_t k = 0; k < operands.size(); ++k) made.operands[k] = operands[k];
    steps_.push_back(made);
    return added(op.type);
}

int Program::cast(int from, int to_type) {
    steps_.push_back({block_cast(type_of(from), Type{to_type}), {from}});
    return added(Type{to_type});
}

Evaluator::Evaluator(const Program& program)
    : memory_(new std::uint64_t[kWords * program.types_.size()]),
      registers_(program.types_.size()) {
    if (program.steps_.empty()) throw std::invalid_argument("kernel: a program without steps");
    for (std::size_t at = 0; at < registers_.size(); ++at)
        registers_[at] = memory_.get() + kWords * at;
    for (const Program::Constant& constant : program.constants_) {
        const auto at = static_cast<std::size_t>(constant.at);
        const int size = size_of(program.types_[at]);
        auto* to = reinterpret_cast<char*>(memory_.get() + kWords * at);
        for (std::int64_t i = 0; i < kBlock; ++i)
            std::memcpy(to + i * size, &constant.bits, static_cast<std::size_t>(size));
    }
    // Every register but operands and constants is that of the next step.
    std::vector<bool> given(registers_.size());
    given[0] = given[1] = true;
    for (const Program::Constant& c : program.constants_)
        given[static_cast<std::size_t>(c.at)] = true;
    std::size_t at = 0;
    for (const Program::Step& step : program.steps_) {
        while (given[at]) ++at;
        Bound bound{step.op.function, step.op.operands, {}, memory_.get() + kWords * at};
        std::copy_n(step.operands, Program::kMostOperands, bound.operands);
        steps_.push_back(bound);
        ++at;
    }
}

}  // namespace spbfs

void bind_program(nanobind::module_& m) {
    using namespace nanobind::literals;
    using spbfs::Program;
    nanobind::class_<Program>(m, "Program", "An operator of two numbers over blocks of values.")
        .def(nanobind::init<int>(), "in_type"_a)
        .def("constant", &Program::constant, "type"_a, "bits"_a)
        .def("step", &Program::step, "name"_a, "operands"_a)
        .def("cast", &Program::cast, "at"_a, "type"_a)
        .def("type_of", [](const Program& p, int at) { return static_cast<int>(p.type_of(at)); });
}
