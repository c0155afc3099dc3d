// The matrix of those entries of another that have a mark, a bit each.
#include "cuda/grid/counts.cuh"

using namespace spbfs;

// `before` counts the marks up to the end of every word of 32, of which there is one more than all
// entries fill.  `values` is null where they are all one.
template <typename Offset, typename Value>
__global__ void __launch_bounds__(kThreads)
    marked_entries(const unsigned* __restrict__ marked, const Offset* __restrict__ before,
                   const Offset* __restrict__ indptr, const int* __restrict__ indices,
                   const Value* __restrict__ values, i64 n, i64 entries, Offset* to_indptr,
                   int* to_indices, Value* to_values) {
    const i64 all = static_cast<i64>(gridDim.x) * kThreads;
    const auto place_of = [&](i64 e, unsigned marks) {
        return before[e / kWarp] - static_cast<Offset>(__popc(marks >> (e % kWarp)));
    };
    for (i64 v = thread_of(); v <= n; v += all)
        to_indptr[v] = place_of(indptr[v], marked[indptr[v] / kWarp]);
#pragma unroll 4
    for (i64 e = thread_of(); e < entries; e += all) {
        const unsigned marks = marked[e / kWarp];
        if (!(marks >> (e % kWarp) & 1)) continue;
        const Offset place = place_of(e, marks);
        to_indices[place] = indices[e];
        if (values != nullptr) to_values[place] = values[e];
    }
}
