// Structs that Python fills or reads, checked on both sides.
//
// A kernel's struct is the definition.  Behind it stand its size and the offset of every field that
// the host knows, which the compiler checks here; tests/unit/kernels/test_shared_structs.py checks
// that the launcher's dtype, or its count of bytes, is the same.
#pragma once

#define SHARED_STRUCT(Type, bytes, ...)                                      \
    struct Type##Layout {                                                    \
        using Struct = Type;                                                 \
        static_assert(sizeof(Struct) == (bytes), #Type " has another size"); \
        __VA_ARGS__                                                          \
    }
// NVRTC of CUDA 13.0 has no other name for the offset of a member.
#ifdef __CUDACC_RTC__
#define OFFSET_OF(Type, name) __INTADDR__(&(((Type*)0)->name))
#else
#define OFFSET_OF(Type, name) __builtin_offsetof(Type, name)
#endif
#define FIELD(name, offset) \
    static_assert(OFFSET_OF(Struct, name) == (offset), #name " lies elsewhere");
