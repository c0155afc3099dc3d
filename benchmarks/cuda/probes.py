# ruff: noqa: E501  (CUDA sources)
"""What the chip can do with scattered accesses and barriers: the ceilings of a traversal."""

from __future__ import annotations

from typing import Any

import cupy as cp

_SOURCE = r"""
using u32 = unsigned int;
__device__ u32 hashed(u32 x) { x ^= x >> 16; x *= 0x7feb352du; x ^= x >> 15; x *= 0x846ca68bu; return x ^ x >> 16; }

// kind 0: loads through L2, 1: atomicOr without a result, 2: atomicOr with one, 3: loads from shared memory
extern "C" __global__ void scattered(u32* data, u32 mask, int kind, int rounds, u32* out) {
    extern __shared__ u32 local[];
    const u32 me = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
    u32 sum = 0;
    if (kind == 3) for (u32 i = threadIdx.x; i < 32768; i += blockDim.x) local[i] = i;
    __syncthreads();
    for (int r = 0; r < rounds; r += 4) {
#pragma unroll
        for (int u = 0; u < 4; ++u) {
            const u32 at = hashed(me + (r + u) * all) & mask;
            if (kind == 0) sum += __ldcg(data + at);
            else if (kind == 1) atomicOr(data + at, 1u << (at & 31));
            else if (kind == 2) sum += atomicOr(data + at, 1u << (at & 31));
            else sum += local[at & 32767];
        }
    }
    if (sum == 0x12345) *out = sum;
}

extern "C" __global__ void grid_barriers(u32* word, int rounds, long long* ticks) {
    long long start;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
    for (int r = 0; r < rounds; ++r) {
        __syncthreads();
        if (threadIdx.x == 0) {
            const u32 amount = blockIdx.x == 0 ? 0x80000000u - (gridDim.x - 1) : 1u;
            u32 before, now;
            asm volatile("atom.add.acq_rel.gpu.global.u32 %0, [%1], %2;" : "=r"(before) : "l"(word), "r"(amount) : "memory");
            do asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(now) : "l"(word) : "memory");
            while (((before ^ now) & 0x80000000u) == 0);
        }
        __syncthreads();
    }
    long long stop;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(stop));
    if (blockIdx.x == 0 && threadIdx.x == 0) *ticks = stop - start;
}

extern "C" __global__ void __cluster_dims__(16, 1, 1) cluster_barriers(int rounds, long long* ticks) {
    const long long start = clock64();
    for (int r = 0; r < rounds; ++r)
        asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
    if (threadIdx.x == 0 && blockIdx.x == 0) *ticks = clock64() - start;
}

// One thread, a chain of dependent accesses: 0 L2/HBM load, 1 atomic with result, 2 remote shared load, 3 remote shared atomic
extern "C" __global__ void __cluster_dims__(16, 1, 1) chain(u32* data, u32 mask, int kind, int rounds, long long* ticks) {
    __shared__ u32 local[1024];
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) local[i] = 0;
    asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
    if (threadIdx.x == 0 && blockIdx.x == 0) {
        u32 at = 1;
        u32 base = static_cast<u32>(__cvta_generic_to_shared(local)), remote;
        asm("mapa.shared::cluster.u32 %0, %1, 9;" : "=r"(remote) : "r"(base));
        const long long start = clock64();
        for (int r = 0; r < rounds; ++r) {
            u32 x;
            if (kind == 0) x = __ldcg(data + at);
            else if (kind == 1) x = atomicOr(data + at, 0u);
            else if (kind == 2) asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(x) : "r"(remote + (at & 1023) * 4));
            else asm volatile("atom.shared::cluster.or.b32 %0, [%1], 0;" : "=r"(x) : "r"(remote + (at & 1023) * 4));
            at = hashed(r + x) & mask;
        }
        ticks[0] = clock64() - start;
        ticks[1] = at;
    }
    asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
}
"""


def measure() -> dict[str, float]:
    """Rates in 1e9 accesses a second, latencies in nanoseconds (at the clock of the run)."""
    from cupy_backends.cuda.api import driver

    module = cp.RawModule(code=_SOURCE, options=("-std=c++17",), enable_cooperative_groups=True)
    sms = cp.cuda.Device().attributes["MultiProcessorCount"]
    data = cp.zeros(1 << 30, dtype=cp.uint32)
    out = cp.zeros(4, dtype=cp.int64)
    result: dict[str, float] = {}

    def rate(kind: int, words: int, rounds: int = 64) -> float:
        kernel = module.get_function("scattered")
        kernel.max_dynamic_shared_size_bytes = 131072
        best = 1e9
        for _ in range(3):
            start, stop = cp.cuda.Event(), cp.cuda.Event()
            start.record()
            kernel(
                (sms,),
                (1024,),
                (data, cp.uint32(words - 1), cp.int32(kind), cp.int32(rounds), out),
                shared_mem=131072,
            )
            stop.record()
            stop.synchronize()
            best = min(best, cp.cuda.get_elapsed_time(start, stop))
        return float(sms * 1024 * rounds / best / 1e6)

    result["HBM sectors (4 GiB)"] = rate(0, 1 << 30)
    result["L2 sectors (16 MiB)"] = rate(0, 1 << 22)
    result["L2 sectors (1 MiB)"] = rate(0, 1 << 18)
    result["L2 reductions (1 MiB)"] = rate(1, 1 << 18)
    result["L2 atomics (1 MiB)"] = rate(2, 1 << 18)
    for sectors in (1, 16, 128, 1024):
        result[f"L2 atomics ({sectors} sectors)"] = rate(2, 8 * sectors)
    result["shared loads"] = rate(3, 1 << 18, 512)

    def cycles(name: str, args: tuple[Any, ...], grid: int, threads: int, rounds: int) -> float:
        kernel = module.get_function(name)
        if name != "grid_barriers":
            driver.funcSetAttribute(kernel.kernel.ptr, 14, 1)
        for _ in range(2):
            kernel((grid,), (threads,), args)
        return float(out[0]) / rounds

    word = cp.zeros(1, dtype=cp.uint32)
    result["grid barrier, ns"] = cycles(
        "grid_barriers", (word, cp.int32(1000), out), sms, 1024, 1000
    )
    for threads in (256, 512, 1024):
        result[f"cluster of 16 barrier, {threads} threads, cycles"] = cycles(
            "cluster_barriers", (cp.int32(1000), out), 16, threads, 1000
        )
    for kind, words, name in (
        (0, 1 << 30, "HBM load"), (0, 1 << 18, "L2 load"), (1, 1 << 18, "L2 atomic"),
        (2, 1 << 10, "remote shared load"), (3, 1 << 10, "remote shared atomic"),
    ):  # fmt: skip
        result[f"{name} latency, cycles"] = cycles(
            "chain", (data, cp.uint32(words - 1), cp.int32(kind), cp.int32(1000), out), 16, 32, 1000
        )
    return result


if __name__ == "__main__":
    for name, value in measure().items():
        print(f"{name:45s} {value:10.1f}")
