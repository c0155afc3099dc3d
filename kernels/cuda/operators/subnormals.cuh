// FP32 with its subnormal numbers, as every other engine computes.  CuPy has all code compiled to
// take them for zero (-ftz=true); instructions that are written out are not changed by that.
#pragma once

#include "common/semiring.h"

namespace spbfs {

__device__ inline double widened(float x) {
    double wide;
    asm("cvt.f64.f32 %0, %1;" : "=d"(wide) : "f"(x));
    return wide;
}
__device__ inline float narrowed(double x) {
    float narrow;
    asm("cvt.rn.f32.f64 %0, %1;" : "=f"(narrow) : "d"(x));
    return narrow;
}
__device__ inline float sum_of(float x, float y) {
    float sum;
    asm("add.rn.f32 %0, %1, %2;" : "=f"(sum) : "f"(x), "f"(y));
    return sum;
}
__device__ inline float difference_of(float x, float y) {
    float difference;
    asm("sub.rn.f32 %0, %1, %2;" : "=f"(difference) : "f"(x), "f"(y));
    return difference;
}
__device__ inline float product_of(float x, float y) {
    float product;
    asm("mul.rn.f32 %0, %1, %2;" : "=f"(product) : "f"(x), "f"(y));
    return product;
}
__device__ inline bool is_less(float x, float y) {
    int less;
    asm("{.reg .pred p; setp.lt.f32 p, %1, %2; selp.s32 %0, 1, 0, p;}"
        : "=r"(less)
        : "f"(x), "f"(y));
    return less != 0;
}
__device__ inline bool is_equal(float x, float y) {
    int equal;
    asm("{.reg .pred p; setp.eq.f32 p, %1, %2; selp.s32 %0, 1, 0, p;}"
        : "=r"(equal)
        : "f"(x), "f"(y));
    return equal != 0;
}
__device__ inline bool is_true(float x) { return !is_equal(x, 0.0f); }

#define SPBFS_FP32(Name, Result, expression)                                        \
    template <>                                                                     \
    struct Name<float> {                                                            \
        __device__ Result operator()(float x, float y) const { return expression; } \
    }

// clang-format off
SPBFS_FP32(Plus,   float, sum_of(x, y));
SPBFS_FP32(Times,  float, product_of(x, y));
SPBFS_FP32(Minus,  float, difference_of(x, y));
SPBFS_FP32(RMinus, float, difference_of(y, x));
SPBFS_FP32(Min,    float, (is_less(y, x) || x != x) ? y : x);
SPBFS_FP32(Max,    float, (is_less(x, y) || x != x) ? y : x);
// FP64 has digits enough for its quotient, rounded again, to be FP32's own.
SPBFS_FP32(CDiv,   float, narrowed(widened(x) / widened(y)));
SPBFS_FP32(RDiv,   float, narrowed(widened(y) / widened(x)));
SPBFS_FP32(Eq,     bool,  is_equal(x, y));
SPBFS_FP32(Ne,     bool,  !is_equal(x, y));
SPBFS_FP32(Lt,     bool,  is_less(x, y));
SPBFS_FP32(Gt,     bool,  is_less(y, x));
SPBFS_FP32(Le,     bool,  is_less(x, y) || is_equal(x, y));
SPBFS_FP32(Ge,     bool,  is_less(y, x) || is_equal(x, y));
SPBFS_FP32(IsEq,   float, Eq<float>{}(x, y));
SPBFS_FP32(IsNe,   float, Ne<float>{}(x, y));
SPBFS_FP32(IsLt,   float, Lt<float>{}(x, y));
SPBFS_FP32(IsGt,   float, Gt<float>{}(x, y));
SPBFS_FP32(IsLe,   float, Le<float>{}(x, y));
SPBFS_FP32(IsGe,   float, Ge<float>{}(x, y));
SPBFS_FP32(Land,   float, is_true(x) && is_true(y));
SPBFS_FP32(Lor,    float, is_true(x) || is_true(y));
SPBFS_FP32(Lxor,   float, is_true(x) != is_true(y));
SPBFS_FP32(Lxnor,  float, is_true(x) == is_true(y));
// clang-format on
#undef SPBFS_FP32

}  // namespace spbfs
