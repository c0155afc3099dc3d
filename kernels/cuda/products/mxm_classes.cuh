// Rows of a matrix product by how many products they have.
#pragma once
#include "cuda/grid/counts.cuh"

namespace spbfs {

// Rows of no products, those of up to 8, 16, .. of them, and all longer ones.  CLASSES of
// cuda/products/row_kernels.py.
constexpr int kClasses = 12;

// Where the rows of a class begin in a list of all.
__device__ inline i64 class_begin(const i64* counts, int its) {
    i64 begin = 0;
    for (int k = 0; k < its; ++k) begin += counts[k];
    return begin;
}

}  // namespace spbfs
