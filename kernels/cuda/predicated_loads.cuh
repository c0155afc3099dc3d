// Accesses under a predicate, of which a lane can have many in flight: what a branch around a load
// gives may be moved to its place at once, which waits for it.
#pragma once

__device__ __forceinline__ void load_if(bool wanted, const int* at, int& value) {
    asm volatile("{\n.reg .pred p;\nsetp.ne.u32 p, %1, 0;\n@p ld.global.s32 %0, [%2];\n}"
                 : "+r"(value)
                 : "r"(static_cast<unsigned>(wanted)), "l"(at));
}
__device__ __forceinline__ void load_if(bool wanted, const long long* at, long long& value) {
    asm volatile("{\n.reg .pred p;\nsetp.ne.u32 p, %1, 0;\n@p ld.global.s64 %0, [%2];\n}"
                 : "+l"(value)
                 : "r"(static_cast<unsigned>(wanted)), "l"(at));
}
__device__ __forceinline__ void load_shared_if(bool wanted, unsigned address, unsigned& word) {
    asm volatile("{\n.reg .pred p;\nsetp.ne.u32 p, %1, 0;\n@p ld.shared.u32 %0, [%2];\n}"
                 : "+r"(word)
                 : "r"(static_cast<unsigned>(wanted)), "r"(address));
}
// Through L1, where a line may be older than the last barrier's writes, never than those before.
__device__ __forceinline__ void load_cached_if(bool wanted, const unsigned* at, unsigned& word) {
    asm volatile("{\n.reg .pred p;\nsetp.ne.u32 p, %1, 0;\n@p ld.global.ca.u32 %0, [%2];\n}"
                 : "+r"(word)
                 : "r"(static_cast<unsigned>(wanted)), "l"(at));
}
__device__ __forceinline__ void or_if(bool wanted, unsigned* at, unsigned bits, unsigned& before) {
    asm volatile("{\n.reg .pred p;\nsetp.ne.u32 p, %1, 0;\n@p atom.global.or.b32 %0, [%2], %3;\n}"
                 : "+r"(before)
                 : "r"(static_cast<unsigned>(wanted)), "l"(at), "r"(bits)
                 : "memory");
}
__device__ __forceinline__ void or_shared_if(bool wanted, unsigned address, unsigned bits,
                                             unsigned& before) {
    asm volatile("{\n.reg .pred p;\nsetp.ne.u32 p, %1, 0;\n@p atom.shared.or.b32 %0, [%2], %3;\n}"
                 : "+r"(before)
                 : "r"(static_cast<unsigned>(wanted)), "r"(address), "r"(bits)
                 : "memory");
}
