// What L1 and L2 should have, and how long they should keep it.
#pragma once

// The upper half of a policy as `createpolicy.fractional` makes it for all of the accesses.
constexpr unsigned kEvictFirst = 0x12f00000u;
constexpr unsigned kEvictLast = 0x14f00000u;

__device__ __forceinline__ uint2 load_hinted(const uint2* at, unsigned policy) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
    return *at;
#else
    uint2 x;
    asm volatile("ld.global.L2::cache_hint.v2.u32 {%0, %1}, [%2], %3;"
                 : "=r"(x.x), "=r"(x.y)
                 : "l"(at), "l"(static_cast<unsigned long long>(policy) << 32));
    return x;
#endif
}
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

// Entries of rows: the first to leave L1 again, which is to keep the visited bits that they are
// looked up in.
__device__ __forceinline__ int4 load_entries(const int4* at) {
    int4 x;
    asm volatile("ld.global.nc.L1::evict_first.v4.s32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(x.x), "=r"(x.y), "=r"(x.z), "=r"(x.w)
                 : "l"(at));
    return x;
}

// Asks for an array, the share of one of `ctas`, but for what is left behind the last whole piece:
// a store to a part of a sector that L2 has not got waits for memory.
__device__ __forceinline__ void bring_near(const void* array, long long bytes, int cta, int ctas) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    constexpr int kPiece =
        2048;  // bytes a prefetch; what all of them gain: sixth round of the notes
    const char* const begin = static_cast<const char*>(array);
    const long long stride = static_cast<long long>(blockDim.x) * ctas;
    for (long long i = static_cast<long long>(threadIdx.x) * ctas + cta; (i + 1) * kPiece <= bytes;
         i += stride)
        asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(begin + i * kPiece),
                     "r"(kPiece));
#endif
}

// What is read soon, while its reader waits for something else.
__device__ __forceinline__ void bring_near(const void* at) {
    asm volatile("prefetch.global.L2 [%0];" ::"l"(at));
}

// What is read once: the first to leave every cache again.
template <class T>
__device__ __forceinline__ T load_once(const T* at) {
    return __ldcs(at);
}
__device__ __forceinline__ bool load_once(const bool* at) {
    return __ldcs(reinterpret_cast<const unsigned char*>(at)) != 0;
}

// Asks L2 for `count` values, by sectors.
template <class T>
__device__ __forceinline__ void bring_near(const T* at, int count) {
    for (int i = 0; i < count * static_cast<int>(sizeof(T)); i += 32)
        asm volatile("prefetch.global.L2 [%0];" ::"l"(reinterpret_cast<const char*>(at) + i));
}
