// Sums and the like over lanes of a warp by one instruction, which GPUs before compute
// capability 8.0 lack. All lanes of `mask`, and only they, call with the same mask and get the
// result.
#pragma once

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
template <class T, class Combine>
__device__ __forceinline__ T warp_reduce(unsigned mask, T x, Combine&& combine) {
    if (mask == 0xffffffffu) {
        for (int by = 16; by > 0; by /= 2) x = combine(x, __shfl_xor_sync(mask, x, by));
        return x;
    }
    T all = __shfl_sync(mask, x, __ffs(mask) - 1);
    for (unsigned left = mask & (mask - 1); left; left &= left - 1)
        all = combine(all, __shfl_sync(mask, x, __ffs(left) - 1));
    return all;
}
#endif

__device__ __forceinline__ unsigned warp_add(unsigned mask, unsigned x) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
    return warp_reduce(mask, x, [](unsigned a, unsigned b) { return a + b; });
#else
    return __reduce_add_sync(mask, x);
#endif
}

__device__ __forceinline__ unsigned warp_or(unsigned mask, unsigned x) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
    return warp_reduce(mask, x, [](unsigned a, unsigned b) { return a | b; });
#else
    return __reduce_or_sync(mask, x);
#endif
}

__device__ __forceinline__ int warp_max(unsigned mask, int x) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
    return warp_reduce(mask, x, [](int a, int b) { return a > b ? a : b; });
#else
    return __reduce_max_sync(mask, x);
#endif
}
