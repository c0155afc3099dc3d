// Found vertices on their way into the next frontier's list.  The CTA collects them and probes up
// the bounds of their rows at the end of the level, all its threads together: a warp that finds
// many does not hold up the others.
#pragma once
#include "cuda/bfs/frontier_listing.cuh"

// Vertices that a CTA collects: docs/performance-notes-cuda.md, third round, first row.
constexpr int kStaged = 4096;

struct Stage {
    int vertex[kStaged];
    int count;  // more than kStaged say how many there was no room for
    u32 found;
    u32 overflow;
    u64 total[kWarps];
    u64 base;

    __device__ void clear() { count = found = overflow = 0; }
};

// One vertex a lane, probed the stage; false when the list is given up.  Seldom, so out of line.
template <typename Offset>
__device__ __noinline__ bool list_at_once(const Sink& sink, const Offset* indptr, int v,
                                          bool active) {
    Listing<Offset, 1> row;
    row.vertex[0] = v;
    const bool is[1] = {active};
    row.look_up(indptr, is, sink.shortest);
    return row.append(sink, &sink.size->queued);
}

// The end of a level, by all threads of a CTA: what is staged is listed with one atomic for kFlight
// vertices of every thread, unless so much was found that nobody will read it.  The stage is to be
// cleared behind the next barrier.
template <typename Offset>
__device__ __noinline__ void list_staged(Stage& stage, const Sink& sink, const Offset* indptr,
                                         u32 found, bool recording) {
    const int warp = threadIdx.x >> 5, lane = threadIdx.x & 31;
    if (lane == 0 && found) atomicAdd(&stage.found, found);
    if (lane == 0 && !recording) stage.overflow = 1;
    __syncthreads();
    const int staged = min(stage.count, kStaged);
    bool overflow = stage.overflow;
    if (threadIdx.x == 0 && stage.found)
        atomicAdd(&sink.size->reports, (u64{1} << kReportBits) + stage.found);
    for (int done = 0; done < staged && !overflow; done += kFlight * kThreads) {
        Listing<Offset, kFlight> rows;
        bool active[kFlight];
#pragma unroll
        for (int k = 0; k < kFlight; ++k) {
            const int i = done + k * kThreads + threadIdx.x;
            active[k] = i < staged;
            rows.vertex[k] = active[k] ? stage.vertex[i] : 0;
        }
        rows.look_up(indptr, active, sink.shortest);
        if (done) __syncthreads();  // the totals of the last round have been read
        if (lane == 31) stage.total[warp] = rows.upto;
        __syncthreads();
        if (warp == 0) {
            const u64 own = lane < kWarps ? stage.total[lane] : 0;
            const u64 all = scan_warp(own);
            if (lane < kWarps) stage.total[lane] = all - own;
            if (lane == 31) {
                const u64 base = atomicAdd(&sink.size->queued, all);
                // Comes with it; with the last vertices it would not save anything.
                const bool useless = done + kFlight * kThreads < staged && sink.is_useless();
                stage.base = base;
                if (useless || !sink.fits(base + all)) stage.overflow = 1;
            }
        }
        __syncthreads();
        overflow = stage.overflow;
        if (!overflow) rows.store(sink.rows, stage.base + stage.total[warp] + rows.upto - rows.own);
    }
    if (threadIdx.x == 0 && overflow) sink.size->overflow = 1;
}

// A warp's view of the stage during one level.
template <typename Offset>
struct Finds {
    Stage& stage;
    const Sink& sink;  // in shared memory, as the stage: read when needed, not claimed in registers
    const Offset* indptr;
    u32 found = 0;
    bool recording;

    __device__ Finds(Stage& stage, const Sink& sink, const Offset* indptr)
        : stage(stage), sink(sink), indptr(indptr), recording(sink.list.lists()) {}

    // Places in the stage for `count` vertices of a warp.
    __device__ __forceinline__ int reserve(int count) const {
        int first = 0;
        if ((threadIdx.x & 31) == 0) first = atomicAdd(&stage.count, count);
        return __shfl_sync(kFull, first, 0);
    }

    __device__ __forceinline__ bool gives_up(int staged) {
        if (staged > kStaged && !sink.list.beyond_stage) recording = false;
        return !recording;
    }

    template <int K>
    __device__ __forceinline__ void add(const int (&v)[K], const bool (&active)[K]) {
        u32 mask[K];
        int count = 0;
#pragma unroll
        for (int k = 0; k < K; ++k) {
            mask[k] = __ballot_sync(kFull, active[k]);
            count += __popc(mask[k]);
        }
        found += count;
        if (!recording || count == 0) return;
        int place = reserve(count);
        if (gives_up(place + count)) return;
#pragma unroll
        for (int k = 0; k < K; ++k) {
            const int mine = place + __popc(mask[k] & lanes_below());
            place += __popc(mask[k]);
            if (active[k] && mine < kStaged) stage.vertex[mine] = v[k];
            if (place > kStaged && recording)
                recording = list_at_once(sink, indptr, v[k], active[k] && mine >= kStaged);
        }
    }

    // Bit i of a lane's `bits`: vertex first + 4 i.
    __device__ __forceinline__ void add_bits(int first, u32 bits) {
        const int own = __popc(bits), upto = scan_warp(own), count = __shfl_sync(kFull, upto, 31);
        found += count;
        if (!recording || count == 0) return;
        int place = reserve(count);
        if (gives_up(place + count)) return;
        place += upto - own;
        for (; bits && place < kStaged; bits &= bits - 1, ++place)
            stage.vertex[place] = first + 4 * (__ffs(bits) - 1);
        for (; recording && __any_sync(kFull, bits != 0); bits &= bits - 1)
            recording = list_at_once(sink, indptr, first + 4 * (__ffs(bits) - 1), bits != 0);
    }

    __device__ __forceinline__ void finish() const {
        list_staged<Offset>(stage, sink, indptr, found, recording);
    }
};
