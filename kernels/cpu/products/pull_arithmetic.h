// Pulls over arithmetic on numbers of one type: a file for each type, so that none takes minutes to
// compile.
#pragma once

#include <cstdint>

#include "cpu/operators/product.h"
#include "cpu/products/pull_rows.h"

namespace spbfs::pull {

// Of the type that is summed; false where no loop is compiled for the product.
template <class T, class O, class I>
bool pull_over(const ProductName& name, const Operands& operands, const Csr<O, I>& M,
               const Task& task, Outcome& outcome) {
    return detail::specialised_arithmetic<Specialise::Most, T>(
        name, operands, [&](const auto& s) { outcome = pull_rows(s, M, task); });
}

// Pulls over T, of every width of offsets and indices: `extern` here, compiled in the file of T.
#define SPBFS_PULL_OVER(kind, T)                                                         \
    kind template bool pull_over<T>(const ProductName&, const Operands&,                 \
                                    const Csr<std::int32_t, std::int32_t>&, const Task&, \
                                    Outcome&);                                           \
    kind template bool pull_over<T>(const ProductName&, const Operands&,                 \
                                    const Csr<std::int64_t, std::int32_t>&, const Task&, \
                                    Outcome&);                                           \
    kind template bool pull_over<T>(const ProductName&, const Operands&,                 \
                                    const Csr<std::int64_t, std::int64_t>&, const Task&, Outcome&)

SPBFS_PULL_OVER(extern, std::int32_t);
SPBFS_PULL_OVER(extern, std::int64_t);
SPBFS_PULL_OVER(extern, float);
SPBFS_PULL_OVER(extern, double);

template <class O, class I>
bool pull_arithmetic(const ProductName& name, const Operands& operands, const Csr<O, I>& M,
                     const Task& task, Outcome& outcome) {
    if (!detail::keeps_type(name)) return false;
    switch (name.out) {
        case Type::Int32:
            return pull_over<std::int32_t>(name, operands, M, task, outcome);
        case Type::Int64:
            return pull_over<std::int64_t>(name, operands, M, task, outcome);
        case Type::Fp32:
            return pull_over<float>(name, operands, M, task, outcome);
        case Type::Fp64:
            return pull_over<double>(name, operands, M, task, outcome);
        default:
            return false;
    }
}

}  // namespace spbfs::pull
