// C<mask> accum= T for dense vectors, in place, in one pass: where both have an entry the
// operator's result, where only T has one T's own.
//
// `Accum` is what the launcher writes of an operator: the types of both sides, and `both`.
#include "cuda/grid/counts.cuh"
#include "cuda/operators/operators.cuh"

using namespace spbfs;

SPBFS_ACCUM

// A null `present`, `from_present` or `mask` stands for every element.
__global__ void __launch_bounds__(kThreads)
    accumulate(Accum::Old* values, unsigned char* present, const Accum::New* from, i64 stride,
               const unsigned char* from_present, const unsigned char* mask, i64 complement,
               i64 size) {
    for (i64 i = thread_of(); i < size; i += static_cast<i64>(gridDim.x) * kThreads) {
        if (from_present != nullptr && !from_present[i]) continue;
        if (mask != nullptr && (mask[i] != 0) == (complement != 0)) continue;
        const Accum::New value = from[i * stride];
        if (present == nullptr || present[i]) {
            values[i] = Accum::both(values[i], value);
        } else {
            values[i] = cast_to<Accum::Old>(value);
            present[i] = 1;
        }
    }
}
