// What a matrix product is given and gives, as arrays of NumPy's.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <utility>

#include "cpu/products/mxm_product.h"
#include "cpu/products/mxm_rows.h"
#include "cpu/python/owned.h"

namespace spbfs {

template <class I>
Matrix<I> matrix(const Input& indptr, const Input& indices) {
    const std::int64_t rows = length(indptr) - 1;
    return {rows, data<std::int64_t>(indptr, 1), data<I>(indices, length(indices))};
}

// A mask, which may be none.
template <class I>
std::optional<Matrix<I>> matrix(const Maybe<Input>& indptr, const Maybe<Input>& indices) {
    if (indptr.has_value() != indices.has_value())
        throw std::invalid_argument("kernel: half a mask");
    if (!indptr) return {};
    return matrix<I>(*indptr, *indices);
}

template <class I>
MxmTask<I> task_of(const Input& a_indptr, const Input& a_indices, const Input& b_indptr,
                   const Input& b_indices, const Maybe<Input>& mask_indptr,
                   const Maybe<Input>& mask_indices, bool complement, std::int64_t columns,
                   std::int64_t inner, const Input& b_values) {
    return {matrix<I>(a_indptr, a_indices),
            matrix<I>(b_indptr, b_indices),
            matrix<I>(mask_indptr, mask_indices),
            complement,
            columns,
            inner,
            static_cast<const char*>(b_values.data()),
            stride(b_values) * static_cast<std::int64_t>(b_values.itemsize())};
}

// (offsets, bytes of indices, bytes of values); without the latter where only rows were counted.
inline nb::tuple arrays_of(Result& result, std::int64_t offsets, std::size_t value_size,
                           std::size_t index_size) {
    const auto entries = static_cast<std::size_t>(result.entries);
    nb::object indices = std::move(result.indices).array(entries * index_size);
    nb::object values = std::move(result.values).array(entries * value_size);
    return nb::make_tuple(owned(std::move(result.indptr), static_cast<std::size_t>(offsets)),
                          indices, values);
}

}  // namespace spbfs
