// What a matrix product is given and gives, as arrays of NumPy's.
#pragma once

#include <cstdint>
#include <utility>

#include "mxm_product.h"
#include "mxm_rows.h"
#include "owned.h"

namespace spbfs {

template <class I>
Matrix<I> matrix(const Input& indptr, const Input& indices) {
    const std::int64_t rows = length(indptr) - 1;
    return {rows, data<std::int64_t>(indptr, 1), data<I>(indices, length(indices))};
}

// (offsets, bytes of indices, bytes of values); without the latter where only rows were counted.
inline nb::tuple arrays_of(Result& result, std::int64_t offsets, std::size_t value_size,
                           std::size_t index_size) {
    const auto entries = static_cast<std::size_t>(result.entries);
    nb::object values = nb::none(), indices = nb::none();
    if (result.values) values = owned(std::move(result.values), entries * value_size);
    if (result.indices) indices = owned(std::move(result.indices), entries * index_size);
    return nb::make_tuple(owned(std::move(result.indptr), static_cast<std::size_t>(offsets)),
                          indices, values);
}

}  // namespace spbfs
