// Every built-in operator as a function of two 64-bit words that hold values of one type.
//
// The kernels are specialised for the (monoid, multiplication, type) triples that traversals live
// on.  All others run through one instance that calls these functions by pointer: a few
// nanoseconds an edge more, and a compile time that does not multiply with the tables.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace spbfs {

// The low bytes are the value, the rest zero.  A bool is thereby also the integer 0 or 1.
using Word = std::uint64_t;
using WordFunction = Word (*)(Word, Word);

enum class Type : int {
    Bool,
    Int8,
    Int16,
    Int32,
    Int64,
    UInt8,
    UInt16,
    UInt32,
    UInt64,
    Fp32,
    Fp64
};

// Their names in Python, which takes the codes from here (`_cpu.TYPES`).
constexpr std::array kTypeNames = {"BOOL",   "INT8",   "INT16",  "INT32", "INT64", "UINT8",
                                   "UINT16", "UINT32", "UINT64", "FP32",  "FP64"};
static_assert(kTypeNames.size() == static_cast<std::size_t>(Type::Fp64) + 1);

int size_of(Type type);

// f(zero) with a zero of the C++ type.
template <class F>
auto with_type(Type type, F&& f) {
    switch (type) {
        case Type::Bool:
            return f(bool{});
        case Type::Int8:
            return f(std::int8_t{});
        case Type::Int16:
            return f(std::int16_t{});
        case Type::Int32:
            return f(std::int32_t{});
        case Type::Int64:
            return f(std::int64_t{});
        case Type::UInt8:
            return f(std::uint8_t{});
        case Type::UInt16:
            return f(std::uint16_t{});
        case Type::UInt32:
            return f(std::uint32_t{});
        case Type::UInt64:
            return f(std::uint64_t{});
        case Type::Fp32:
            return f(float{});
        default:
            return f(double{});
    }
}

// The operator `name` on operands of `type`; nullptr where there is no such operator.
WordFunction word_function(std::string_view name, Type type);

}  // namespace spbfs
