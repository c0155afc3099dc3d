// Push of long rows by destination: every CTA takes a range of vertices, a band, and of every hub's
// row in the frontier the entries that lead there.
//
// An edge then costs an access to shared memory, where the status of the band is kept, instead of a
// sector of L2 and an atomic there.  The layout has sorted hubs' rows by vertex and knows where the
// bands cut them.  Others may claim the band's vertices at the same time: who turns a bit on in
// global memory counts the vertex, and each parent written is one.
#pragma once
#include "frontier_finds.cuh"

template <typename Offset, typename Level>
struct BandPush {
    const Search& s;
    u32* const status;  // of the band, in shared memory
    const int level;

    // The hubs' entries in [cuts[b], cuts[b + 1]), up to 31 rows a warp at a time.
    __device__ __forceinline__ void expand(const RowList<Offset>& hubs, int b, int first) const {
        const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
        const int rounds = (hubs.count + 31 * kWarps - 1) / (31 * kWarps);
        const int share = (hubs.count + rounds * kWarps - 1) / (rounds * kWarps);
        for (int row0 = warp * share; row0 < hubs.count; row0 += kWarps * share) {
            QueuedRow<Offset> mine{-1, 0, 0};
            Offset length = 0;
            if (lane < share && row0 + lane < hubs.count) {
                mine = hubs[row0 + lane];
                const int* const cut = s.cuts + static_cast<i64>(mine.vertex) * (s.bands + 1) + b;
                const int from = __ldg(cut);
                mine.begin += from;
                length = __ldg(cut + 1) - from;
            }
            const Offset upto = scan_warp(length);
            const Offset stop = __shfl_sync(kFull, upto, 31);
            mine.before = upto - length;
            if (stop == 0) continue;
            EdgeBatch<Offset> ahead(mine, 0, stop, s.out_indices);
            for (Offset at = 0; at < stop;) {
                const EdgeBatch<Offset> now = ahead;
                at += 32 * kFlight;
                if (at < stop) ahead = EdgeBatch<Offset>(mine, at, stop, s.out_indices);
                look(now, first);
            }
        }
    }

    __device__ __forceinline__ void look(const EdgeBatch<Offset>& edges, int first) const {
        bool won[kFlight];
#pragma unroll
        for (int u = 0; u < kFlight; ++u) {
            won[u] = false;
            if (edges.neighbour[u] < 0) continue;
            const int word = word_of(edges.neighbour[u]) - first;
            const u32 bit = bit_of(edges.neighbour[u]);
            if (!(status[word] & bit)) won[u] = !(atomicOr(status + word, bit) & bit);
        }
        visit<Level>(s, edges.neighbour, edges.row, won, level + 1);
    }
};

template <typename Offset, typename Level>
__device__ __forceinline__ void push_bands(const Search& s, const RowList<Offset> hubs, u32* seen,
                                           u32* status, int level, Finds<Offset>& finds) {
    const BandPush<Offset, Level> band{s, status, level};
    for (int b = blockIdx.x; b < s.bands; b += gridDim.x) {
        // Whole blocks of status, of which neighbouring bands may share the outer ones.
        const int block0 = __ldg(s.bounds + b) / kBlock, first = block0 * 4;
        const int words = (__ldg(s.bounds + b + 1) + kBlock - 1) / kBlock * 4 - first;
        for (int w = threadIdx.x; w < words; w += kThreads) status[w] = __ldcg(seen + first + w);
        __syncthreads();
        band.expand(hubs, b, first);
        __syncthreads();
        // What is new of the band, to all; `words` is a multiple of four, not of a warp.
        for (int w0 = threadIdx.x & ~31; w0 < words; w0 += kThreads) {
            const int w = w0 + (threadIdx.x & 31);
            u32 fresh = 0;
            if (w < words) fresh = status[w] & ~__ldcg(seen + first + w);
            if (fresh) fresh &= ~atomicOr(seen + first + w, fresh);
            if (!finds.recording) {
                finds.found += warp_add(kFull, __popc(fresh));
                continue;
            }
            const int v0 = (block0 + (w >> 2)) * kBlock + (w & 3);
            for (; __any_sync(kFull, fresh != 0); fresh &= fresh - 1) {
                const int v[1] = {v0 + (__ffs(fresh) - 1) * 4};
                const bool found[1] = {fresh != 0};
                finds.add(v, found);
            }
        }
        __syncthreads();
    }
}
