// Numbers of shortest paths: doubles, and where a double does not count them, numbers of any size,
// those of kernels/cpu/numbers/wide.h.
#pragma once
#include "cuda/grid/counts.cuh"

namespace spbfs {

// part * 2^(512 * power), part within [2^-256, 2^256), or zero.  The precision is a double's.
struct __align__(16) Wide {
    double part;
    long long power;
};

// The same number with its part in range; it is off by one power at most.  Chosen, not branched
// for: this is in every loop many times over, and branches took the compiler nine seconds.
__device__ __forceinline__ Wide wide_of(double part, long long power) {
    const bool large = part >= 0x1p256, small = part < 0x1p-256 && part > 0.0;
    const double by = large ? 0x1p-512 : small ? 0x1p512 : 1.0;
    return {part * by, power + large - small};
}

__device__ inline void add(double& to, double number) { to += number; }
// Two powers apart the lesser one is below the precision of the greater one.
__device__ __forceinline__ double scale_down(long long powers) {
    return powers == 0 ? 1.0 : powers == 1 ? 0x1p-512 : 0.0;
}
__device__ __forceinline__ void add(Wide& to, const Wide& number) {
    // Zero has any power.
    const long long mine = to.part > 0.0 ? to.power : number.power;
    const long long other = number.part > 0.0 ? number.power : mine;
    const long long power = max(mine, other);
    to = wide_of(to.part * scale_down(power - mine) + number.part * scale_down(power - other),
                 power);
}

__device__ inline void set_one(double& to) { to = 1.0; }
__device__ inline void set_one(Wide& to) { to = {1.0, 0}; }

__device__ inline bool positive(double number) { return number > 0.0; }
__device__ inline bool positive(const Wide& number) { return number.part > 0.0; }

// Of a sum of positive numbers.
__device__ inline bool is_counted(double number) { return number <= 0x1.fffffffffffffp1023; }
__device__ inline bool is_counted(const Wide&) { return true; }

__device__ inline double quotient(double a, double b) { return a / b; }
__device__ inline Wide quotient(double a, const Wide& b) { return wide_of(a / b.part, -b.power); }

// A number that a double holds.
__device__ inline double product(double a, double b) { return a * b; }
__device__ inline double product(const Wide& a, const Wide& b) {
    double scaled = a.part * b.part;
    long long power = a.power + b.power;
    for (; power > 0 && scaled != 0.0; --power) scaled *= 0x1p512;
    for (; power < 0 && scaled != 0.0; ++power) scaled *= 0x1p-512;
    return scaled;
}

__device__ inline double from_lane(double number, int by) {
    return __shfl_xor_sync(kAll, number, by);
}
__device__ inline Wide from_lane(const Wide& number, int by) {
    return {__shfl_xor_sync(kAll, number.part, by), __shfl_xor_sync(kAll, number.power, by)};
}

// What another CTA has written since the last barrier.
__device__ inline double written(const double* at) { return __ldcg(at); }
__device__ inline Wide written(const Wide* at) { return {__ldcg(&at->part), __ldcg(&at->power)}; }

// Adds the numbers of four sources, those of `mask`.
__device__ __forceinline__ void add_four(double (&to)[4], const double* at, unsigned mask) {
    const double2 low = *reinterpret_cast<const double2*>(at);
    const double2 high = *reinterpret_cast<const double2*>(at + 2);
    to[0] += mask & 1 ? low.x : 0.0;
    to[1] += mask & 2 ? low.y : 0.0;
    to[2] += mask & 4 ? high.x : 0.0;
    to[3] += mask & 8 ? high.y : 0.0;
}
__device__ __forceinline__ void add_four(Wide (&to)[4], const Wide* at, unsigned mask) {
#pragma unroll
    for (int i = 0; i < 4; ++i)
        if (mask >> i & 1) add(to[i], at[i]);
}

// The sums of a group of `lanes` lanes, each of which gets that of source_of<lanes>().
template <int lanes>
__device__ __forceinline__ int source_of() {
    return lane_of() % lanes / (lanes / 4);
}
template <int lanes, class Count>
__device__ __forceinline__ Count group_sum(const Count (&sums)[4]) {
    const bool upper = (lane_of() & lanes / 2) != 0, second = (lane_of() & lanes / 4) != 0;
    Count one = upper ? sums[2] : sums[0], other = upper ? sums[3] : sums[1];
    add(one, from_lane(upper ? sums[0] : sums[2], lanes / 2));
    add(other, from_lane(upper ? sums[1] : sums[3], lanes / 2));
    Count mine = second ? other : one;
    add(mine, from_lane(second ? one : other, lanes / 4));
    for (int by = lanes / 8; by > 0; by /= 2) add(mine, from_lane(mine, by));
    return mine;
}

}  // namespace spbfs
