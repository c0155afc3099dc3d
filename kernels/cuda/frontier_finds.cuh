// Found vertices on their way into the next frontier's list, staged per warp until there are enough
// of them for one atomic and for their row bounds to be asked for together.
#pragma once
#include "frontier_listing.cuh"

constexpr int kStaged = 32 * kFlight;

struct Stage {
    int vertex[kWarps][2 * kStaged];
    u32 found;
    u32 overflow;
    u64 total[kWarps];
    u64 base;
};

// A warp's view of the stage during one level.
template <typename Offset>
struct Finds {
    Stage& stage;
    const Sink& sink;  // in shared memory, as the stage: read when needed, not held in registers
    const Offset* indptr;
    int staged = 0;
    u32 found = 0;
    bool recording;

    __device__ Finds(Stage& stage, const Sink& sink, const Offset* indptr)
        : stage(stage), sink(sink), indptr(indptr), recording(sink.limit > 0) {}

    // The last `count` vertices staged, as rows.
    __device__ __forceinline__ Listing<Offset, kFlight> rows_of_last(int count) const {
        const int* const mine = stage.vertex[threadIdx.x >> 5] + staged - count;
        Listing<Offset, kFlight> listing;
        bool active[kFlight];
#pragma unroll
        for (int k = 0; k < kFlight; ++k) {
            const int i = 32 * k + (threadIdx.x & 31);
            active[k] = i < count;
            listing.vertex[k] = active[k] ? mine[i] : 0;
        }
        listing.look_up(indptr, active);
        return listing;
    }

    template <int K>
    __device__ __forceinline__ void add(const int (&v)[K], const bool (&active)[K]) {
        static_assert(K <= kFlight);
        int* const mine = stage.vertex[threadIdx.x >> 5];
        int last = staged;
#pragma unroll
        for (int k = 0; k < K; ++k) {
            const u32 mask = __ballot_sync(kFull, active[k]);
            if (recording && active[k]) mine[last + __popc(mask & lanes_below())] = v[k];
            last += __popc(mask);
        }
        found += last - staged;
        if (!recording) return;
        staged = last;
        __syncwarp();
        if (staged < kStaged) return;
        recording = rows_of_last(kStaged).append(sink, &sink.size->queued);
        staged -= kStaged;
        __syncwarp();
    }

    // All warps of the CTA: what is left is listed with one atomic a CTA.  Ends with the stage
    // free.
    __device__ void finish() {
        const int warp = threadIdx.x >> 5, lane = threadIdx.x & 31;
        const Listing<Offset, kFlight> rows = rows_of_last(recording ? staged : 0);
        if (lane == 31) stage.total[warp] = rows.upto;
        if (lane == 0 && found) atomicAdd(&stage.found, found);
        if (lane == 0 && !recording) stage.overflow = 1;
        if (__syncthreads_or(rows.own != 0)) {
            if (warp == 0) {
                const u64 own = lane < kWarps ? stage.total[lane] : 0;
                const u64 all = scan_warp(own);
                if (lane < kWarps) stage.total[lane] = all - own;
                if (lane == 31) {
                    stage.base = atomicAdd(&sink.size->queued, all);
                    if (!sink.fits(stage.base + all)) stage.overflow = 1;
                }
            }
            __syncthreads();
            if (!stage.overflow)
                rows.store(sink.rows, stage.base + stage.total[warp] + rows.upto - rows.own);
        }
        if (threadIdx.x == 0 && stage.found)
            atomicAdd(reinterpret_cast<u64*>(&sink.size->vertices), u64{stage.found});
        if (threadIdx.x == 0 && stage.overflow) sink.size->overflow = 1;
        __syncthreads();
        if (threadIdx.x == 0) stage.found = stage.overflow = 0;
    }
};
