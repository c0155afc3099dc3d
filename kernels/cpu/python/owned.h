// Arrays that a kernel makes and Python owns: for results whose length only the kernel knows.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>

namespace spbfs {

// As an array of NumPy's; bytes (char) as uint8.
template <class T>
nanobind::object owned(std::unique_ptr<T[]> array, std::size_t size) {
    namespace nb = nanobind;
    T* pointer = array.release();
    nb::capsule owner(pointer, [](void* p) noexcept { delete[] static_cast<T*>(p); });
    using Stored = std::conditional_t<std::is_same_v<T, char>, std::uint8_t, T>;
    return nb::cast(nb::ndarray<nb::numpy, Stored, nb::ndim<1>>(pointer, {size}, owner));
}

}  // namespace spbfs
