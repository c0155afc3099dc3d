// Sums over a monoid, which may be of nothing: a thread's, a warp's, a CTA's.
//
// A monoid has a type Out and the functions sum(a, b) and done(a): nothing changes `a` any more.
#pragma once

#include "cuda/grid/counts.cuh"

namespace spbfs {

// A sum that may be of nothing yet.
template <class Monoid>
struct Sum {
    typename Monoid::Out value{};
    bool some = false;

    __device__ bool finished() const { return some && Monoid::done(value); }
    __device__ void add(typename Monoid::Out x) {
        value = some ? Monoid::sum(value, x) : x;
        some = true;
    }
    __device__ void add(const Sum& other) {
        if (other.some) add(other.value);
    }
};

template <class T>
__device__ T shuffle_down(T value, int by) {
    if constexpr (sizeof(T) < 4) {
        return static_cast<T>(__shfl_down_sync(kAll, static_cast<int>(value), by));
    } else {
        return __shfl_down_sync(kAll, value, by);
    }
}
template <class T>
__device__ T shuffle_up(T value, int by) {
    if constexpr (sizeof(T) < 4) {
        return static_cast<T>(__shfl_up_sync(kAll, static_cast<int>(value), by));
    } else {
        return __shfl_up_sync(kAll, value, by);
    }
}
template <class T>
__device__ T from_lane(T value, int lane) {
    if constexpr (sizeof(T) < 4) {
        return static_cast<T>(__shfl_sync(kAll, static_cast<int>(value), lane));
    } else {
        return __shfl_sync(kAll, value, lane);
    }
}

// The sum over a warp, complete in lane 0; in the order of the lanes.
template <class Monoid>
__device__ Sum<Monoid> warp_sum(Sum<Monoid> mine) {
    // Bit l: lane l has something.  Of lanes that nobody reads any more it means nothing.
    unsigned some = __ballot_sync(kAll, mine.some);
    for (int by = kWarp / 2; by > 0; by /= 2) {
        Sum<Monoid> other;
        other.value = shuffle_down(mine.value, by);
        other.some = (some >> lane_of() >> by & 1) != 0;
        mine.add(other);
        some |= some >> by;
    }
    return mine;
}

// The sum over a CTA, complete in thread 0.
template <class Monoid>
__device__ Sum<Monoid> block_sum(Sum<Monoid> mine) {
    __shared__ typename Monoid::Out values[kThreads / kWarp];
    __shared__ bool some[kThreads / kWarp];
    mine = warp_sum(mine);
    __syncthreads();
    if (lane_of() == 0) {
        values[threadIdx.x / kWarp] = mine.value;
        some[threadIdx.x / kWarp] = mine.some;
    }
    __syncthreads();
    Sum<Monoid> total;
    if (threadIdx.x == 0)
        for (int w = 0; w < kThreads / kWarp; ++w)
            if (some[w]) total.add(values[w]);
    return total;
}

}  // namespace spbfs
