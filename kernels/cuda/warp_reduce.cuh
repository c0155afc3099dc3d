// Sums and the like over lanes of a warp by one instruction, which GPUs before compute
// capability 8.0 lack. All lanes of `mask`, and only they, call with the same mask and get the
// result.
#pragma once

__device__ __forceinline__ unsigned warp_add(unsigned mask, unsigned x) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
    unsigned sum = 0;
    for (unsigned left = mask; left; left &= left - 1) sum += __shfl_sync(mask, x, __ffs(left) - 1);
    return sum;
#else
    return __reduce_add_sync(mask, x);
#endif
}

__device__ __forceinline__ unsigned warp_or(unsigned mask, unsigned x) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
    unsigned sum = 0;
    for (unsigned left = mask; left; left &= left - 1) sum |= __shfl_sync(mask, x, __ffs(left) - 1);
    return sum;
#else
    return __reduce_or_sync(mask, x);
#endif
}

__device__ __forceinline__ int warp_max(unsigned mask, int x) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
    int most = x;
    for (unsigned left = mask; left; left &= left - 1)
        most = max(most, __shfl_sync(mask, x, __ffs(left) - 1));
    return most;
#else
    return __reduce_max_sync(mask, x);
#endif
}
