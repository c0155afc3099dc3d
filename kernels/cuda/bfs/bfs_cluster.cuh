// The cluster tier: a search whose frontiers are a few thousand vertices for thousands of levels,
// as on roads and meshes, run by the CTAs of one cluster without touching global memory for queues.
//
// Every CTA owns a sixteenth of the words of visited bits, in its shared memory.  Who expands a
// vertex sends (neighbour, parent) to the neighbour's owner; the owner claims with a shared-memory
// atomic, so that nobody ever waits for L2 but for the record of a vertex.  Where the visited bits
// of all vertices are too many for that, they stay in L2 and the owner claims there.  A record is
// up to four neighbours in 16 bytes, or up to eight in 32: no row bounds to fetch first.  The
// sender asks for it into L2 while the message travels.
//
// The latency of a level is: wait on the mbarrier, read the boxes, claim, load the records, count,
// send.  What was claimed is written down behind that, while messages travel.
#pragma once
#include "cuda/bfs/bfs_cluster_messages.cuh"
#include "cuda/bfs/bfs_steps.cuh"
#include "cuda/bfs/frontier_listing.cuh"
#include "cuda/grid/warp_reduce.cuh"

// Runs levels from `level` on, whose frontier is given, until the frontier is empty or too large,
// or the search is told to stop.  The vertices of the level it stopped at, sink.size->level, are in
// `sink` then, and the visited bits are back in
// `visited`.  Called by all threads of the first cluster.
template <typename Offset, typename Labels>
__device__ __forceinline__ void cluster_levels(const Search& s, ClusterShared& m,
                                               const RowList<Offset>& frontier, u32* visited,
                                               int level, const Sink& sink) {
    ClusterTier tier(s, m, visited);
    const int words = (s.n + 127) / 128 * 4;
    const Offset* const indptr = static_cast<const Offset*>(s.out_indptr);
    for (int i = threadIdx.x; i < s.cluster_words; i += kThreads) {
        const int word = word_in(i, tier.rank);
        m.visited[i] = word < words ? __ldcg(visited + word) : 0;
    }
    if (threadIdx.x < 2 * kClusterCtas) (&m.sent[0][0])[threadIdx.x] = 0;
    if (threadIdx.x < 2) init_mbarrier(shared_address(&m.mbarrier[threadIdx.x]), kClusterCtas);
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    __syncthreads();
    // The first CTA of the grid sets a source's bit as well, but perhaps not yet.
    const int source = frontier.source;
    if (threadIdx.x == 0 && source >= 0 && owner_of(word_of(source)) == tier.rank) {
        if (s.cluster_words)
            atomicOr(tier.word_here(source), bit_of(source));
        else
            atomicOr(visited + word_of(source), bit_of(source));
    }
    cluster_barrier();

    // A vertex whose messages did not all fit is expanded again by the grid: claiming twice is
    // harmless.
    const Sink again{s.unfinished, &s.control->unfinished, s.unfinished_capacity, {kListAll}};
    const auto keep_unfinished = [&](int v, bool mine) {
        enqueue_warp<Offset>(again, indptr, v, mine);
    };

    for (int base = tier.warp * 32; base * kClusterCtas < frontier.count; base += kThreads) {
        const int i = (base + tier.lane) * kClusterCtas + tier.rank;
        const u32 mask = __ballot_sync(kFull, i < frontier.count);
        if (i < frontier.count) tier.claimed[tier.lane] = make_int2(frontier[i].vertex, -1);
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
        tier.template write<Labels>(unwritten, level);
        unwritten = 0;
        wait_phase(shared_address(&m.mbarrier[phase]), parity >> phase & 1);
        parity ^= 1u << phase;
        const int2 head = tier.lane < kClusterCtas ? m.header[phase][tier.lane] : make_int2(0, 0);
        const u32 flags = warp_or(kFull, head.y);
        const int longest = warp_max(kFull, head.x);
        ++level;
        if (flags == 0 || (flags & kStopFlag)) break;
        stays = !(flags & kLeaveFlag) && level < s.max_depth;
        tier.phase ^= 1;
        int found = 0;
        for (int first = 0; first < longest; first += 2 * kTaken * kWarps) {
            tier.template write<Labels>(unwritten, level);
            unwritten = tier.claim_messages(phase, head.x, first, longest, stop);
            found += unwritten;
            if (stays) {
                tier.expand(unwritten, keep_unfinished);
                continue;
            }
            for (int i = 0; i < unwritten; i += 32) {
                const bool here = i + tier.lane < unwritten;
                enqueue_warp<Offset>(sink, indptr, here ? tier.claimed[i + tier.lane].x : 0, here);
            }
        }
        if (found) deepest = level;
        if (tier.lane != 0) found = 0;
        if (s.trace && found) trace_vertices(s, level, found);
        if (s.trace && tier.rank == 0 && tier.warp == 0) {
            const int all = warp_add(kFull, head.y & (kStopFlag - 1));
            if (tier.lane == 0) trace_level(s, level, kPushCluster, all, 0);
        }
        if (stays)
            reached += found;
        else if (found)
            atomicAdd(&sink.size->reports, static_cast<u64>(found));
    }
    tier.template write<Labels>(unwritten, level);
    if (reached) atomicAdd(&sink.size->passed, reached);
    if (deepest) atomicMax(&sink.size->depth, deepest);
    if (tier.rank == 0 && threadIdx.x == 0) sink.size->level = level;
    __syncthreads();
    for (int i = threadIdx.x; i < s.cluster_words; i += kThreads) {
        const int word = word_in(i, tier.rank);
        if (word < words) visited[word] = m.visited[i];
    }
    cluster_barrier();  // nobody leaves while messages to it may be under way
    if (threadIdx.x < 2) invalidate_mbarrier(shared_address(&m.mbarrier[threadIdx.x]));
}
