// What the CUDA kernels use of CUDA, for g++: see emulator.cpp for how a grid is run.
//
// Lanes of a warp run one after another between its collectives, in an order that CUDA allows but
// no GPU has: what depends on lanes being in step breaks here.  Shared memory is thread-local,
// since a CTA is a thread.
#pragma once
#include <math.h>
#include <sched.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#define __device__
#define __host__
#define __global__
#define __forceinline__ inline
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)
#define __grid_constant__
#define __cluster_dims__(...)
#define __align__(n) alignas(n)
#define __shared__ static thread_local

#define EMULATOR_VECTORS(T, name)                              \
    struct alignas(2 * sizeof(T)) name##2 { T x, y; };         \
    struct alignas(4 * sizeof(T)) name##4 { T x, y, z, w; };   \
    inline name##2 make_##name##2(T x, T y) { return {x, y}; } \
    inline name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }
EMULATOR_VECTORS(int, int)
EMULATOR_VECTORS(unsigned, uint)
EMULATOR_VECTORS(unsigned char, uchar)
struct alignas(16) double2 {
    double x, y;
};
struct alignas(16) longlong2 {
    long long x, y;
};
struct alignas(16) ulonglong2 {
    unsigned long long x, y;
};

namespace emulator {

constexpr int kWarp = 32;

// Lanes that have arrived at a collective.
struct Meeting {
    unsigned mask, arrived;
    int line;
};

struct Warp {
    unsigned live, ready;  // lanes that have not returned; those that can go on
    std::uint64_t given[kWarp], taken[kWarp];
    int from[kWarp];
    int line;  // of the collective that is under way
    Meeting meeting[kWarp];
};

// What a thread of the host knows of the CTA that it runs.
struct Lane {
    unsigned thread, block, threads, blocks;
    Warp* warp;
};
extern thread_local Lane current;

[[noreturn]] void fail(const char* what, int line);
// `p` of all threads: how many are not zero.
int barrier(int p, int line);

using Combine = void (*)(Warp&, unsigned mask);
std::uint64_t meet(Combine combine, unsigned mask, std::uint64_t value, int from, int line);

template <class F>
void for_lanes(unsigned mask, F&& visit) {
    for (; mask; mask &= mask - 1) visit(std::countr_zero(mask));
}

inline void ballot(Warp& w, unsigned mask) {
    unsigned all = 0;
    for_lanes(mask, [&](int i) { all |= unsigned{w.given[i] != 0} << i; });
    for_lanes(mask, [&](int i) { w.taken[i] = all; });
}
inline void shuffle(Warp& w, unsigned mask) {
    for_lanes(mask, [&](int i) {
        if (!(mask >> w.from[i] & 1)) fail("a shuffle reads a lane outside of its mask", w.line);
        w.taken[i] = w.given[w.from[i]];
    });
}
inline void match(Warp& w, unsigned mask) {
    for_lanes(mask, [&](int i) {
        unsigned same = 0;
        for_lanes(mask, [&](int j) { same |= unsigned{w.given[i] == w.given[j]} << j; });
        w.taken[i] = same;
    });
}
inline void sum(Warp& w, unsigned mask) {
    std::uint64_t all = 0;
    for_lanes(mask, [&](int i) { all += w.given[i]; });
    for_lanes(mask, [&](int i) { w.taken[i] = all; });
}
inline void unite(Warp& w, unsigned mask) {
    std::uint64_t all = 0;
    for_lanes(mask, [&](int i) { all |= w.given[i]; });
    for_lanes(mask, [&](int i) { w.taken[i] = all; });
}
inline void largest(Warp& w, unsigned mask) {
    int most = std::numeric_limits<int>::min();
    for_lanes(mask, [&](int i) { most = std::max(most, static_cast<int>(w.given[i])); });
    for_lanes(mask, [&](int i) { w.taken[i] = static_cast<std::uint64_t>(most); });
}

inline int lane() { return static_cast<int>(current.thread % kWarp); }

template <class T>
T shuffle_from(unsigned mask, T value, int from, int line) {
    static_assert(sizeof(T) <= 8);
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof(T));
    bits = meet(shuffle, mask, bits, from, line);
    std::memcpy(&value, &bits, sizeof(T));
    return value;
}
// Segments of `width` lanes; outside of them a lane reads itself.
inline int up(int by, int width = kWarp) { return lane() % width < by ? lane() : lane() - by; }
inline int down(int by, int width = kWarp) {
    return lane() % width + by >= width ? lane() : lane() + by;
}
inline int across(int by, int width = kWarp) {
    const int to = lane() ^ by;
    return to / width > lane() / width ? lane() : to;
}
inline int at(int index, int width = kWarp) {
    return lane() / width * width + (index & (width - 1));
}

// Shared memory has addresses of 32 bits, from here on: all of it is one thread-local block.
alignas(128) inline thread_local unsigned char dynamic_shared[232'448];
inline unsigned shared_address(const void* p) {
    return static_cast<unsigned>(static_cast<const unsigned char*>(p) - dynamic_shared);
}
inline unsigned shared_word(unsigned address) {
    unsigned word;
    std::memcpy(&word, dynamic_shared + static_cast<int>(address), sizeof(word));
    return word;
}

inline unsigned shared_or(unsigned address, unsigned bits) {
    unsigned char* const p = dynamic_shared + static_cast<int>(address);
    return __atomic_fetch_or(reinterpret_cast<unsigned*>(p), bits, __ATOMIC_RELAXED);
}

// Returns once this bit of a word that other CTAs write is not that any more.
void wait_for_change(const std::uint64_t* word, unsigned bit);
// Somebody else's turn: a warp's that may be what this one waits for.
void yield();

// Loads that a loop waits with let another CTA run.
inline unsigned acquire(const unsigned* p) {
    sched_yield();
    return __atomic_load_n(p, __ATOMIC_ACQUIRE);
}
inline unsigned long long waited_for(const unsigned long long* p) {
    sched_yield();
    return __atomic_load_n(p, __ATOMIC_RELAXED);
}
// Adds one, or begins anew behind `most`.
inline unsigned inc(unsigned* p, unsigned most) {
    unsigned before = __atomic_load_n(p, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(p, &before, before >= most ? 0 : before + 1, false,
                                        __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
    }
    return before;
}
long long nanoseconds();
void fence();

// Of which no race is the compiler's business.
template <class T>
T load(const T* p) {
    T value;
    if constexpr (std::is_arithmetic_v<T>)
        __atomic_load(p, &value, __ATOMIC_RELAXED);
    else
        value = *p;
    return value;
}

// The atomics of CUDA on four and eight bytes, floats included; as weak as CUDA's where somebody
// looks for races.
#ifdef __SANITIZE_THREAD__
#define EMULATOR_ORDER __ATOMIC_RELAXED
#else
#define EMULATOR_ORDER __ATOMIC_SEQ_CST
#endif
// What the hardware's addition of floats in global memory makes of subnormal ones.
template <class T>
T flushed(T x) {
    if constexpr (std::is_same_v<T, float>)
        return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0f, x) : x;
    return x;
}
template <class T, class F>
T exchange(T* p, F&& next) {
    T before;
    __atomic_load(p, &before, EMULATOR_ORDER);
    for (;;) {
        T after = next(before);
        if (__atomic_compare_exchange(p, &before, &after, false, EMULATOR_ORDER, EMULATOR_ORDER))
            return before;
    }
}

template <class... P, std::size_t... I>
void call(void (*kernel)(P...), void** arguments, std::index_sequence<I...>) {
    kernel(*static_cast<std::remove_cvref_t<P>*>(arguments[I])...);
}
// Bytes of every parameter, and how many there are.
template <class... P>
int sizes(void (*)(P...), int* found) {
    ((*found++ = static_cast<int>(sizeof(P))), ...);
    return sizeof...(P);
}

template <class... P>
void call(void (*kernel)(P...), void** arguments) {
    call(kernel, arguments, std::index_sequence_for<P...>{});
}

struct Extent {
    unsigned x, y = 1, z = 1;
};

}  // namespace emulator

#define threadIdx (emulator::Extent{emulator::current.thread, 0, 0})
#define blockIdx (emulator::Extent{emulator::current.block, 0, 0})
#define blockDim (emulator::Extent{emulator::current.threads})
#define gridDim (emulator::Extent{emulator::current.blocks})
constexpr int warpSize = emulator::kWarp;

#define EMULATOR_BALLOT(mask, p) \
    static_cast<unsigned>(       \
        emulator::meet(emulator::ballot, (mask), static_cast<bool>(p), 0, __LINE__))
// Lanes run one after another: each is alone.
#define __activemask() (1u << (threadIdx.x % warpSize))
#define __ballot_sync(mask, p) EMULATOR_BALLOT(mask, static_cast<int>(p))
#define __any_sync(mask, p) (EMULATOR_BALLOT(mask, static_cast<int>(p)) != 0)
#define __all_sync(mask, p) (EMULATOR_BALLOT(mask, !(p)) == 0)
#define EMULATOR_SYNCWARP(mask, ...) static_cast<void>(EMULATOR_BALLOT(mask, true))
#define __syncwarp(...) EMULATOR_SYNCWARP(__VA_ARGS__ __VA_OPT__(, ) 0xffffffffu)
#define __shfl_sync(mask, value, ...) \
    emulator::shuffle_from((mask), (value), emulator::at(__VA_ARGS__), __LINE__)
#define __shfl_up_sync(mask, value, ...) \
    emulator::shuffle_from((mask), (value), emulator::up(__VA_ARGS__), __LINE__)
#define __shfl_down_sync(mask, value, ...) \
    emulator::shuffle_from((mask), (value), emulator::down(__VA_ARGS__), __LINE__)
#define __shfl_xor_sync(mask, value, ...) \
    emulator::shuffle_from((mask), (value), emulator::across(__VA_ARGS__), __LINE__)
#define __match_any_sync(mask, value) \
    static_cast<unsigned>(emulator::meet(emulator::match, (mask), (value), 0, __LINE__))
#define __reduce_add_sync(mask, value) \
    static_cast<unsigned>(emulator::meet(emulator::sum, (mask), (value), 0, __LINE__))
#define __reduce_or_sync(mask, value) \
    static_cast<unsigned>(emulator::meet(emulator::unite, (mask), (value), 0, __LINE__))
#define __reduce_max_sync(mask, value) \
    static_cast<int>(emulator::meet(emulator::largest, (mask), (value), 0, __LINE__))
#define __syncthreads() static_cast<void>(emulator::barrier(0, __LINE__))
#define __syncthreads_or(p) (emulator::barrier((p) != 0, __LINE__) != 0)
#define __syncthreads_count(p) emulator::barrier((p) != 0, __LINE__)
#define __threadfence() emulator::fence()
#define __nanosleep(ns) emulator::yield()
#define __cvta_generic_to_shared(p) emulator::shared_address(p)

template <class T>
T __ldg(const T* p) {
    return emulator::load(p);
}
template <class T>
T __ldcg(const T* p) {
    return emulator::load(p);
}
template <class T>
T __ldca(const T* p) {
    return emulator::load(p);
}
template <class T>
T __ldcs(const T* p) {
    return emulator::load(p);
}
template <class T>
void __stcs(T* p, T value) {
    *p = value;
}

inline float __int_as_float(int x) { return std::bit_cast<float>(x); }
inline double __longlong_as_double(long long x) { return std::bit_cast<double>(x); }
inline unsigned __float_as_uint(float x) { return std::bit_cast<unsigned>(x); }
inline unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
    return static_cast<unsigned long long>(static_cast<unsigned __int128>(x) * y >> 64);
}
inline long long __double_as_longlong(double x) { return std::bit_cast<long long>(x); }
inline int __popc(unsigned x) { return std::popcount(x); }
inline int __popcll(unsigned long long x) { return std::popcount(x); }
inline int __clz(int x) { return std::countl_zero(static_cast<unsigned>(x)); }
inline int __clzll(long long x) { return std::countl_zero(static_cast<unsigned long long>(x)); }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __ffsll(long long x) { return __builtin_ffsll(x); }
inline float __expf(float x) { return std::exp(x); }
inline float __fdividef(float x, float y) { return x / y; }
inline float rsqrtf(float x) { return 1 / sqrtf(x); }
inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned by) {
    const std::uint64_t both = std::uint64_t{high} << 32 | low;
    return static_cast<unsigned>(both << (by & 31) >> 32);
}
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned by) {
    const std::uint64_t both = std::uint64_t{high} << 32 | low;
    return static_cast<unsigned>(both >> (by & 31));
}
inline unsigned __byte_perm(unsigned a, unsigned b, unsigned selector) {
    const std::uint64_t both = std::uint64_t{b} << 32 | a;
    unsigned bytes = 0;
    for (int i = 0; i < 4; ++i)
        bytes |= static_cast<unsigned>(both >> 8 * (selector >> 4 * i & 7) & 255) << 8 * i;
    return bytes;
}

template <class A, class B>
constexpr std::common_type_t<A, B> min(A a, B b) {
    using T = std::common_type_t<A, B>;
    return T(a) < T(b) ? T(a) : T(b);
}
template <class A, class B>
constexpr std::common_type_t<A, B> max(A a, B b) {
    using T = std::common_type_t<A, B>;
    return T(a) < T(b) ? T(b) : T(a);
}

#define EMULATOR_ATOMIC(name, after)                                                   \
    template <class T>                                                                 \
    T name(T* p, std::type_identity_t<T> value) {                                      \
        return emulator::exchange(p, [&](T before) { return static_cast<T>(after); }); \
    }
EMULATOR_ATOMIC(atomicAdd, emulator::flushed(emulator::flushed(before) + emulator::flushed(value)))
EMULATOR_ATOMIC(atomicSub, before - value)
EMULATOR_ATOMIC(atomicMin, value < before ? value : before)
EMULATOR_ATOMIC(atomicMax, before < value ? value : before)
EMULATOR_ATOMIC(atomicExch, value)
template <class T>
T atomicOr(T* p, std::type_identity_t<T> value) {
    return __atomic_fetch_or(p, value, EMULATOR_ORDER);
}
template <class T>
T atomicAnd(T* p, std::type_identity_t<T> value) {
    return __atomic_fetch_and(p, value, EMULATOR_ORDER);
}
template <class T>
T atomicXor(T* p, std::type_identity_t<T> value) {
    return __atomic_fetch_xor(p, value, EMULATOR_ORDER);
}
template <class T>
T atomicCAS(T* p, std::type_identity_t<T> expected, std::type_identity_t<T> value) {
    __atomic_compare_exchange_n(p, &expected, value, false, EMULATOR_ORDER, EMULATOR_ORDER);
    return expected;
}

#include "clusters.h"
