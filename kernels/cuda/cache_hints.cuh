// Loads that say how long L2 should keep what they bring.
#pragma once

// The upper half of a policy as `createpolicy.fractional` makes it for all of the accesses.
constexpr unsigned kEvictFirst = 0x12f00000u;
constexpr unsigned kEvictLast = 0x14f00000u;

__device__ __forceinline__ uint4 load_hinted(const uint4* at, unsigned policy) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
    return *at;
#else
    uint4 x;
    asm volatile("ld.global.L2::cache_hint.v4.u32 {%0, %1, %2, %3}, [%4], %5;"
                 : "=r"(x.x), "=r"(x.y), "=r"(x.z), "=r"(x.w)
                 : "l"(at), "l"(static_cast<unsigned long long>(policy) << 32));
    return x;
#endif
}
