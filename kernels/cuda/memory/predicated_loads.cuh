// Accesses under a predicate, of which a lane can have many in flight: what a branch around a load
// gives may be moved to its place at once, which waits for it.  `wanted`: anything but 0, so that
// some bits of a mask will do as they are.
#pragma once

__device__ __forceinline__ void load_if(unsigned wanted, const int* at, int& value) {
    asm volatile("{\n.reg .pred p;\nsetp.ne.u32 p, %1, 0;\n@p ld.global.s32 %0, [%2];\n}"
                 : "+r"(value)
                 : "r"(wanted), "l"(at));
}
__device__ __forceinline__ void load_if(unsigned wanted, const long long* at, long long& value) {
    asm volatile("{\n.reg .pred p;\nsetp.ne.u32 p, %1, 0;\n@p ld.global.s64 %0, [%2];\n}"
                 : "+l"(value)
                 : "r"(wanted), "l"(at));
}
__device__ __forceinline__ void load_if(unsigned wanted, const int4* at, int4& value) {
    asm volatile(
        "{\n.reg .pred p;\nsetp.ne.u32 p, %4, 0;\n@p ld.global.v4.s32 {%0, %1, %2, %3}, [%5];\n}"
        : "+r"(value.x), "+r"(value.y), "+r"(value.z), "+r"(value.w)
        : "r"(wanted), "l"(at));
}
__device__ __forceinline__ void load_shared_if(unsigned wanted, unsigned address, unsigned& word) {
    asm volatile("{\n.reg .pred p;\nsetp.ne.u32 p, %1, 0;\n@p ld.shared.u32 %0, [%2];\n}"
                 : "+r"(word)
                 : "r"(wanted), "r"(address));
}
// Through L1, which may lack what others have written since the last grid barrier, and has all
// that was written before it.
__device__ __forceinline__ void load_cached_if(unsigned wanted, const unsigned* at,
                                               unsigned& word) {
    asm volatile("{\n.reg .pred p;\nsetp.ne.u32 p, %1, 0;\n@p ld.global.ca.u32 %0, [%2];\n}"
                 : "+r"(word)
                 : "r"(wanted), "l"(at));
}
__device__ __forceinline__ void or_if(unsigned wanted, unsigned* at, unsigned bits,
                                      unsigned& before) {
    asm volatile("{\n.reg .pred p;\nsetp.ne.u32 p, %1, 0;\n@p atom.global.or.b32 %0, [%2], %3;\n}"
                 : "+r"(before)
                 : "r"(wanted), "l"(at), "r"(bits)
                 : "memory");
}
__device__ __forceinline__ void or_shared_if(unsigned wanted, unsigned address, unsigned bits,
                                             unsigned& before) {
    asm volatile("{\n.reg .pred p;\nsetp.ne.u32 p, %1, 0;\n@p atom.shared.or.b32 %0, [%2], %3;\n}"
                 : "+r"(before)
                 : "r"(wanted), "r"(address), "r"(bits)
                 : "memory");
}
