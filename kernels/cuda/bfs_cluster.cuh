// The small tier: a search whose frontiers are a few thousand vertices for thousands of levels, as
// on roads and meshes, run by the CTAs of one cluster without touching global memory for queues.
//
// Every CTA owns a sixteenth of the status words, in its shared memory.  Who expands a vertex sends
// (neighbour, parent) to the neighbour's owner; the owner claims with a shared-memory atomic, so
// that nobody ever waits for L2 but for the record of a vertex.  Where the status of all vertices
// is too large for that, it stays in L2 and the owner claims there.  A record is up to four
// neighbours in 16 bytes, or up to eight in 32: no row bounds to fetch first.  The sender asks for
// it into L2 while the message travels.
//
// The latency of a level is: wait on the mbarrier, read the boxes, claim, load the records, count,
// send.  What was claimed is written down behind that, while messages travel.
#pragma once
#include "bfs_cluster_state.cuh"
#include "bfs_push.cuh"
#include "bfs_steps.cuh"
#include "cluster_mailbox.cuh"
#include "frontier_listing.cuh"
#include "warp_reduce.cuh"

struct SmallTier {
    const Search& s;
    ClusterShared& m;
    u32* const seen;  // of all vertices, in global memory
    int rank;
    int lane, warp;
    int2* const held;  // the warp's
    int phase = 0;     // parity of the level being sent

    __device__ SmallTier(const Search& s, ClusterShared& m, u32* seen)
        : s(s),
          m(m),
          seen(seen),
          rank(cluster_rank()),
          lane(threadIdx.x & 31),
          warp(threadIdx.x >> 5),
          held(m.held[warp]) {}

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
            next_from = held[i];
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
            claim(seen, v, won);
        }
        int kept = 0;
#pragma unroll
        for (int k = 0; k < kTaken; ++k) {
            const u32 mask = __ballot_sync(kFull, won[k]);
            const int at = kept + __popc(mask & lanes_below());
            if (won[k]) held[at] = make_int2(v[k], parent[k]);
            stop |= won[k] && v[k] == s.target;
            kept += __popc(mask);
        }
        __syncwarp();
        return kept;
    }

    __device__ __forceinline__ u32* word_here(int v) { return &m.seen[word_of(v) / kCluster]; }

    // What the warp holds is written down.
    template <typename Level>
    __device__ __forceinline__ void write(int count, int level) {
        for (int i = lane; i < count; i += 32) {
            const int2 found = held[i];
            if (s.parents) s.parents[found.x] = found.y;
            visit<Level>(s, found.x, level);
        }
        __syncwarp();
    }

    // Ends the level's sending: every box's count goes to its owner, with what the arrival must
    // wait for.
    __device__ __forceinline__ void post(bool stop) {
        const int stops = __syncthreads_or(stop) ? kStopFlag : 0;
        if (warp == 0) {
            const int sent = lane < kCluster ? m.sent[phase][lane] : 0;
            const int flags = stops | (__any_sync(kFull, sent > s.cluster_leave) ? kLeaveFlag : 0);
            // How many they are only a trace asks.
            const int all = s.trace ? warp_add(kFull, sent) : __any_sync(kFull, sent);
            if (lane < kCluster) {
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

// Runs levels from `level` on, whose frontier is given, until the frontier is empty or too large,
// or the search is told to stop.  The vertices of the level it stopped at, sink.size->level, are in
// `sink` then, and the status is back in `seen`.  Called by all threads of the first cluster.
template <typename Offset, typename Level>
__device__ __forceinline__ void small_tier(const Search& s, ClusterShared& m,
                                           const RowList<Offset>& frontier, u32* seen, int level,
                                           const Sink& sink) {
    SmallTier tier(s, m, seen);
    const int words = (s.n + 127) / 128 * 4;
    const Offset* const indptr = static_cast<const Offset*>(s.out_indptr);
    for (int i = threadIdx.x; i < s.cluster_words; i += kThreads) {
        const int word = word_in(i, tier.rank);
        m.seen[i] = word < words ? __ldcg(seen + word) : 0;
    }
    if (threadIdx.x < 2 * kCluster) (&m.sent[0][0])[threadIdx.x] = 0;
    if (threadIdx.x < 2) init_mbarrier(shared_address(&m.mbarrier[threadIdx.x]), kCluster);
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    __syncthreads();
    // The first CTA of the grid sets a source's bit as well, but perhaps not yet.
    const int source = frontier.source;
    if (threadIdx.x == 0 && source >= 0 && owner_of(word_of(source)) == tier.rank) {
        if (s.cluster_words)
            atomicOr(tier.word_here(source), bit_of(source));
        else
            atomicOr(seen + word_of(source), bit_of(source));
    }
    cluster_barrier();

    // A vertex whose messages did not all fit is expanded again by the grid: claiming twice is
    // harmless.
    const Sink again{s.unfinished, &s.control->unfinished, s.unfinished_capacity, i64{1} << 35};
    const auto keep_unfinished = [&](int v, bool mine) {
        enqueue_warp<Offset>(again, indptr, v, mine);
    };

    for (int base = tier.warp * 32; base * kCluster < frontier.count; base += kThreads) {
        const int i = (base + tier.lane) * kCluster + tier.rank;
        const u32 mask = __ballot_sync(kFull, i < frontier.count);
        if (i < frontier.count) tier.held[tier.lane] = make_int2(frontier[i].vertex, -1);
        __syncwarp();
        tier.expand(__popc(mask), keep_unfinished);
    }

    bool stop = false, stays = true;
    int deepest = 0, unwritten = 0;
    u64 reached = 0;
    u32 parity = 0;  // of both mbarriers: the second lags the first by one level
    while (stays) {
        const int phase = tier.phase;
        tier.post(stop);
        tier.template write<Level>(unwritten, level);
        unwritten = 0;
        wait_phase(shared_address(&m.mbarrier[phase]), parity >> phase & 1);
        parity ^= 1u << phase;
        const int2 head = tier.lane < kCluster ? m.header[phase][tier.lane] : make_int2(0, 0);
        const u32 told = warp_or(kFull, head.y);
        const int longest = warp_max(kFull, head.x);
        ++level;
        if (told == 0 || (told & kStopFlag)) break;
        stays = !(told & kLeaveFlag) && level < s.max_depth;
        tier.phase ^= 1;
        int found = 0;
        for (int first = 0; first < longest; first += 2 * kTaken * kWarps) {
            tier.template write<Level>(unwritten, level);
            unwritten = tier.claim_messages(phase, head.x, first, longest, stop);
            found += unwritten;
            if (stays) {
                tier.expand(unwritten, keep_unfinished);
                continue;
            }
            for (int i = 0; i < unwritten; i += 32) {
                const bool here = i + tier.lane < unwritten;
                enqueue_warp<Offset>(sink, indptr, here ? tier.held[i + tier.lane].x : 0, here);
            }
        }
        if (found) deepest = level;
        if (tier.lane != 0) found = 0;
        if (s.trace && found) trace_vertices(s, level, found);
        if (s.trace && tier.rank == 0 && tier.warp == 0) {
            const int all = warp_add(kFull, head.y & (kStopFlag - 1));
            if (tier.lane == 0) trace_level(s, level, kSmall, all, 0);
        }
        if (stays)
            reached += found;
        else if (found)
            atomicAdd(&sink.size->reports, static_cast<u64>(found));
    }
    tier.template write<Level>(unwritten, level);
    if (reached) atomicAdd(&sink.size->passed, reached);
    if (deepest) atomicMax(&sink.size->depth, deepest);
    if (tier.rank == 0 && threadIdx.x == 0) sink.size->level = level;
    __syncthreads();
    for (int i = threadIdx.x; i < s.cluster_words; i += kThreads) {
        const int word = word_in(i, tier.rank);
        if (word < words) seen[word] = m.seen[i];
    }
    cluster_barrier();  // nobody leaves while messages to it may be under way
}
