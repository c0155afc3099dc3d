// Operators over blocks of values: what is looked up once a block is not looked up once an entry.
#pragma once

#include <cstdint>
#include <string_view>

#include "cpu/operators/operators.h"

namespace spbfs {

// Values that are combined at a time: a few such blocks stay in the first cache.
constexpr std::int64_t kBlock = 256;

// `count` results of operands that lie side by side; the results may not lie where an operand is.
using BlockFunction = void (*)(const void* const* operands, void* results, std::int64_t count);

struct BlockOperator {
    BlockFunction function = nullptr;
    int operands = 0;
    // Of the results.
    Type type = Type::Bool;
};

// The operator `name` on operands of `type`; without a function where there is none.
BlockOperator block_operator(std::string_view name, Type type);

// Values of one type as another.
BlockOperator block_cast(Type from, Type to);

}  // namespace spbfs
