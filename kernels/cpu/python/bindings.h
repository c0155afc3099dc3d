// From NumPy arrays to the raw pointers that kernels take.  The Python launchers guarantee shapes
// and dtypes; what is checked here would be a bug of theirs, and must not become a stray pointer.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

namespace spbfs {

namespace nb = nanobind;

using Input = nb::ndarray<nb::ro, nb::device::cpu>;
using Output = nb::ndarray<nb::device::cpu>;
template <class A>
using Maybe = std::optional<A>;

template <class A>
std::int64_t length(const A& array) {
    if (array.ndim() != 1) throw std::invalid_argument("kernel: arrays must be one-dimensional");
    return static_cast<std::int64_t>(array.shape(0));
}

// Elements apart: 1, or 0 for a repeated (iso) value.
template <class A>
std::int64_t stride(const A& array) {
    if (length(array) > 1 && array.stride(0) != 0 && array.stride(0) != 1)
        throw std::invalid_argument("kernel: arrays must be contiguous or repeat one element");
    return length(array) > 1 ? array.stride(0) : 0;
}

template <class A>
void check_dense(const A& array, std::int64_t least, std::size_t itemsize) {
    if (length(array) < least || array.itemsize() != itemsize ||
        (length(array) > 1 && array.stride(0) != 1))
        throw std::invalid_argument("kernel: array is too short, of another type, or not dense");
}

// `least` elements of type T, contiguous.
template <class T>
const T* data(const Input& array, std::int64_t least) {
    check_dense(array, least, sizeof(T));
    return static_cast<const T*>(array.data());
}
template <class T>
const T* data(const Maybe<Input>& array, std::int64_t least) {
    return array ? data<T>(*array, least) : nullptr;
}
template <class T>
T* writable(const Output& array, std::int64_t least) {
    check_dense(array, least, sizeof(T));
    return static_cast<T*>(const_cast<void*>(static_cast<const void*>(array.data())));
}

template <class O, class I>
struct Csr {
    std::int64_t rows;
    const O* indptr;
    const I* indices;
};

// f(Csr) of the matrix's own widths of offsets and indices.
template <class F>
auto with_csr(const Input& indptr, const Input& indices, F&& f) {
    using std::int32_t, std::int64_t;
    const int64_t rows = length(indptr) - 1, entries = length(indices);
    if (indptr.itemsize() == 4 && indices.itemsize() == 4)
        return f(
            Csr<int32_t, int32_t>{rows, data<int32_t>(indptr, 1), data<int32_t>(indices, entries)});
    if (indices.itemsize() == 4)
        return f(
            Csr<int64_t, int32_t>{rows, data<int64_t>(indptr, 1), data<int32_t>(indices, entries)});
    return f(
        Csr<int64_t, int64_t>{rows, data<int64_t>(indptr, 1), data<int64_t>(indices, entries)});
}

}  // namespace spbfs
