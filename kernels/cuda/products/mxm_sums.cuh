// What is found for an entry of the mask of a matrix product.
#pragma once
#include "cuda/operators/semiring_sums.cuh"

namespace spbfs {

// A product, or a sum of some, summed at an entry of the mask.
template <class Product>
__device__ void sum_at(i64 at, unsigned char* present, Semiring::Out* values, Product&& product) {
    if constexpr (Semiring::any) {
        if (claim(present, at))
            if constexpr (!Semiring::pattern) values[at] = product();
    } else {
        Semiring::combine(values + at, product());
        claim(present, at);
    }
}

}  // namespace spbfs
