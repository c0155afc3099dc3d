// Messages between the CTAs of one cluster, without a fence or a remote atomic.
//
// Every CTA has a box for every sender, in its own shared memory.  A message is one st.async: eight
// bytes that announce their arrival to the receiver's mbarrier by themselves.  A sender ends its
// level by telling the receiver how many bytes to expect; the mbarrier opens when all senders have
// told and all bytes are in. Two boxes and two mbarriers alternate: a sender can run at most one
// level ahead of a receiver.
#pragma once
#include "cuda/bfs/bfs_state.cuh"

__device__ __forceinline__ u32 address_in(u32 address, int cta) {
    u32 remote;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(remote) : "r"(address), "r"(cta));
    return remote;
}

__device__ __forceinline__ void send_async(u32 to, int2 value, u32 mbarrier) {
    asm volatile(
        "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.s32 [%0], {%1, %2}, [%3];" ::
            "r"(to),
        "r"(value.x), "r"(value.y), "r"(mbarrier)
        : "memory");
}

// Orders what this CTA has read and written in shared memory, no more: at the scope of the cluster
// it would wait for every store to global memory, and the wait below would empty L1, every level.
__device__ __forceinline__ void arrive_expecting(u32 mbarrier, u32 bytes) {
    asm volatile(
        "mbarrier.arrive.expect_tx.release.cta.shared::cluster.b64 _, [%0], %1;" ::"r"(mbarrier),
        "r"(bytes)
        : "memory");
}

__device__ __forceinline__ void init_mbarrier(u32 mbarrier, u32 arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(mbarrier), "r"(arrivals)
                 : "memory");
}

// Before its memory is initialised anew.
__device__ __forceinline__ void invalidate_mbarrier(u32 mbarrier) {
    asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(mbarrier) : "memory");
}

__device__ __forceinline__ void wait_phase(u32 mbarrier, u32 parity) {
    asm volatile(
        "{\n.reg .pred open;\n"
        "again: mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 open, [%0], %1;\n"
        "@!open bra again;\n}" ::"r"(mbarrier),
        "r"(parity)
        : "memory");
}

__device__ __forceinline__ void cluster_barrier() {
    asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::
                     : "memory");
}

__device__ __forceinline__ int cluster_rank() {
    u32 rank;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return static_cast<int>(rank);
}
