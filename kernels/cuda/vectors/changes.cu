// What a round of a program has changed in a vector, for the host: one pass, one atomic a CTA.
#include "cuda/grid/counts.cuh"

using namespace spbfs;

struct Changes {
    unsigned long long elements;  // that are stored in one of the two only, or of another value
    double changes;               // the sum of absolute changes, what is not stored being zero
    double values;                // the sum of absolute values of the vector as it is now
};
// The host reads it, see cuda/rounds/changes.py.
SHARED_STRUCT(Changes, 24, FIELD(elements, 0) FIELD(changes, 8) FIELD(values, 16));

// A null `present` stands for every element.
template <class T>
__global__ void __launch_bounds__(kThreads)
    changes(const T* x, i64 x_stride, const unsigned char* x_present, const T* y, i64 y_stride,
            const unsigned char* y_present, i64 size, Changes* found) {
    i64 elements = 0;
    double changed = 0, values = 0;
    for (i64 i = thread_of(); i < size; i += static_cast<i64>(gridDim.x) * kThreads) {
        const bool in_x = x_present == nullptr || x_present[i];
        const bool in_y = y_present == nullptr || y_present[i];
        if (!in_x && !in_y) continue;
        const T now = in_x ? x[i * x_stride] : T{}, before = in_y ? y[i * y_stride] : T{};
        elements += in_x != in_y || !(now == before);
        changed += fabs(static_cast<double>(now) - static_cast<double>(before));
        values += fabs(static_cast<double>(now));
    }
    __shared__ unsigned long long sum;
    __shared__ double sums[2];
    if (threadIdx.x == 0) {
        sum = 0;
        sums[0] = sums[1] = 0;
    }
    __syncthreads();
    for (int by = kWarp / 2; by > 0; by /= 2) {
        elements += __shfl_down_sync(kAll, elements, by);
        changed += __shfl_down_sync(kAll, changed, by);
        values += __shfl_down_sync(kAll, values, by);
    }
    if (lane_of() == 0) {
        atomicAdd(&sum, static_cast<unsigned long long>(elements));
        atomicAdd(&sums[0], changed);
        atomicAdd(&sums[1], values);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(&found->elements, sum);
        atomicAdd(&found->changes, sums[0]);
        atomicAdd(&found->values, sums[1]);
    }
}
