// What one CTA of the cluster tier does with vertices: it sends their neighbours to the owners of
// these, claims what has been sent to it, and writes down what it has claimed.
#pragma once
#include "cuda/bfs/bfs_cluster_state.cuh"
#include "cuda/bfs/bfs_push.cuh"
#include "cuda/bfs/cluster_mailbox.cuh"
#include "cuda/grid/warp_reduce.cuh"

struct ClusterTier {
    const Search& s;
    ClusterShared& m;
    u32* const visited;  // of all vertices, in global memory
    int rank;
    int lane, warp;
    int2* const claimed;  // the warp's
    int phase = 0;        // parity of the level being sent

    __device__ ClusterTier(const Search& s, ClusterShared& m, u32* visited)
        : s(s),
          m(m),
          visited(visited),
          rank(cluster_rank()),
          lane(threadIdx.x & 31),
          warp(threadIdx.x >> 5),
          claimed(m.claimed[warp]) {}

    // False when the receiver's box is full.
    __device__ __forceinline__ bool send(int v, int parent) {
        asm volatile("prefetch.global.L2 [%0];" ::"l"(record_of(s, v)));
        const int owner = owner_of(word_of(v));
        const int slot = atomicAdd(&m.sent[phase][owner], 1);
        if (slot >= kBox) return false;
        send_async(address_in(shared_address(&m.box[phase][rank][slot]), owner),
                   make_int2(v, parent), address_in(shared_address(&m.mbarrier[phase]), owner));
        return true;
    }

    // Sends what `count` vertices that the warp holds lead to, a neighbour a lane.  Calls
    // `keep(v, mine)` with those whose messages did not all fit.
    template <typename Keep>
    __device__ __forceinline__ void expand(int count, Keep&& keep) {
        const int shift = 1 + s.record_length, width = 1 << shift;  // lanes a row
        const int slot = lane & (width - 1);
        int2 next_from = make_int2(0, 0);
        int next_to = -1;
        const auto ask = [&](int i) {
            next_to = -1;
            if (i >= count) return;
            next_from = claimed[i];
            next_to = __ldg(reinterpret_cast<const int*>(record_of(s, next_from.x)) + slot);
        };
        ask(lane >> shift);
        for (int base = 0; base < count; base += 32 >> shift) {
            const int2 from = next_from;
            const int to = next_to;
            ask(base + (32 >> shift) + (lane >> shift));
            bool sent = true;
            if (__shfl_sync(kFull, to, lane & -width) != kNoNeighbour) {
                if (to >= 0 && to != from.y) sent = send(to, from.x);
            } else {
                const int* const record = reinterpret_cast<const int*>(record_of(s, from.x));
                const u32 low = static_cast<u32>(__ldg(record + 1));
                const i64 begin = static_cast<i64>(__ldg(record + 2)) << 32 | low;
                const int length = __ldg(record + 3);
                for (int e = slot; e < length && sent; e += width)
                    sent = send(__ldg(s.out_indices + begin + e), from.x);
            }
            if (const u32 lost = __ballot_sync(kFull, !sent))
                keep(from.x, slot == 0 && (lost >> lane & ((1u << width) - 1)));
        }
        __syncwarp();
    }

    // Claims the warp's share of the messages in boxes of `counts` (a box a lane) from `first` on
    // and holds what is new; how many.  Nobody but their owner claims these vertices.
    __device__ __forceinline__ int claim_messages(int box_phase, int counts, int first, int longest,
                                                  bool& stop) {
        const int count = __shfl_sync(kFull, counts, lane / 2);
        int v[kTaken], parent[kTaken];
        bool won[kTaken];
#pragma unroll
        for (int k = 0; k < kTaken; ++k) {
            won[k] = false, v[k] = parent[k] = 0;
            if (k > 0 && first + 2 * k * kWarps >= longest) continue;
            // Every box begins with another warp, as they may differ in length.
            const int pair = k * kWarps + (warp + kWarps - lane / 2) % kWarps;
            const int i = first + 2 * pair + lane % 2;
            won[k] = i < count;
            const int2 message = won[k] ? m.box[box_phase][lane / 2][i] : make_int2(0, 0);
            v[k] = message.x, parent[k] = message.y;
        }
        if (s.cluster_words) {
            u32 before[kTaken];
#pragma unroll
            for (int k = 0; k < kTaken; ++k) {
                before[k] = kFull;
                or_shared_if(won[k], shared_address(word_here(v[k])), bit_of(v[k]), before[k]);
            }
#pragma unroll
            for (int k = 0; k < kTaken; ++k) won[k] = !(before[k] & bit_of(v[k]));
        } else {
            claim(visited, v, won);
        }
        int won_count = 0;
#pragma unroll
        for (int k = 0; k < kTaken; ++k) {
            const u32 mask = __ballot_sync(kFull, won[k]);
            const int at = won_count + __popc(mask & lanes_below());
            if (won[k]) claimed[at] = make_int2(v[k], parent[k]);
            stop |= won[k] && v[k] == s.target;
            won_count += __popc(mask);
        }
        __syncwarp();
        return won_count;
    }

    __device__ __forceinline__ u32* word_here(int v) {
        return &m.visited[word_of(v) / kClusterCtas];
    }

    // What the warp holds is written down.
    template <typename Labels>
    __device__ __forceinline__ void write(int count, int level) {
        for (int i = lane; i < count; i += 32) {
            const int2 found = claimed[i];
            if (s.parents) s.parents[found.x] = found.y;
            visit<Labels>(s, found.x, level);
        }
        __syncwarp();
    }

    // Ends the level's sending: every box's count goes to its owner, with what the arrival must
    // wait for.
    __device__ __forceinline__ void post(bool stop) {
        const int stops = __syncthreads_or(stop) ? kStopFlag : 0;
        if (warp == 0) {
            const int sent = lane < kClusterCtas ? m.sent[phase][lane] : 0;
            const int flags = stops | (__any_sync(kFull, sent > s.cluster_leave) ? kLeaveFlag : 0);
            // How many they are only a trace asks.
            const int all = s.trace ? warp_add(kFull, sent) : __any_sync(kFull, sent);
            if (lane < kClusterCtas) {
                m.sent[phase][lane] = 0;
                const int count = min(sent, kBox);
                const u32 barrier = address_in(shared_address(&m.mbarrier[phase]), lane);
                send_async(address_in(shared_address(&m.header[phase][rank]), lane),
                           make_int2(count, all | flags), barrier);
                __syncwarp(0xffffu);
                arrive_expecting(barrier, 8u * count + 8u);
            }
        }
    }
};
