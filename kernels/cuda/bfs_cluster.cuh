// The small tier: a search whose frontiers are a few thousand vertices for thousands of levels, as
// on roads and meshes, run by the CTAs of one cluster without touching global memory for status or
// queues.
//
// Every CTA owns a sixteenth of the status words, in its shared memory.  Who expands a vertex sends
// (neighbour, parent) to the neighbour's owner; the owner claims with a shared-memory atomic, so
// that nobody ever waits for L2 but for the record of a vertex.  Where the status of all vertices
// is too large for that, it stays in L2 and the owner claims there, while the record is on its way.
// A record is up to four neighbours in 16 bytes, or up to eight in 32: no row bounds to fetch
// first.  The sender asks for it into L2 while the message travels.
//
// The latency of a level is: wait on the mbarrier, read the box, claim, load the record, count,
// send.
#pragma once
#include "cluster_mailbox.cuh"
#include "frontier_listing.cuh"
#include "warp_reduce.cuh"

constexpr int kCluster = 16;  // CTAs; more than the portable 8, so the launcher asks for it
constexpr int kBox = 256;     // messages a level from one CTA to one other
[[maybe_unused]] constexpr int kBoxWarps =
    kWarps / kCluster;  // warps on one sender's box; those left over idle

struct ClusterShared {
    u64 mbarrier[2];
    int2 header[2][kCluster];  // from each sender: its messages to me, all its messages
    int sent[2][kCluster];
    int2 box[2][kCluster][kBox];
    u32 seen[2];  // cluster_words of them, none where the status stays in global memory
};

// Flags beside the number of messages in a header: every CTA sees the same ones and acts alike.
constexpr int kLeaveFlag = 1 << 30;  // a box was full: claim what arrived, then let the grid go on
constexpr int kStopFlag = 1 << 29;   // the target is reached: claim nothing more

__device__ __forceinline__ int4 load_neighbours(const int4* p) {
    int4 r;
    asm("ld.global.nc.L2::128B.v4.s32 {%0, %1, %2, %3}, [%4];"
        : "=r"(r.x), "=r"(r.y), "=r"(r.z), "=r"(r.w)
        : "l"(p));
    return r;
}

__device__ __forceinline__ const int4* record_of(const Search& s, int v) {
    return s.records + static_cast<u64>(static_cast<u32>(v)) * static_cast<u32>(s.record_length);
}

// Neighbours other than the vertex itself, -1: none.  A row with more begins with kNoNeighbour,
// and then says where in the indices it lies: begin in y and z, length in w.
struct Record {
    int4 first = make_int4(-1, -1, -1, -1);
    int4 second = make_int4(-1, -1, -1, -1);

    __device__ __forceinline__ void load(const Search& s, int v) {
        const int4* const at = record_of(s, v);
        first = load_neighbours(at);
        if (s.record_length > 1) second = load_neighbours(at + 1);
    }
};

// Which CTA owns a status word.  Groups of 16 words are dealt out by a bijection of their own, so
// that neither neighbouring ids nor ids a row of a mesh apart keep meeting the same pair of CTAs.
__device__ __forceinline__ int owner_of(int word) {
    const u32 mixed = static_cast<u32>(word / kCluster) * 0x9e3779b1u;
    return static_cast<int>((word * (mixed >> 28 | 1) + (mixed >> 24)) % kCluster);
}
// The word of a group that a CTA owns: the inverse of the above.
__device__ __forceinline__ int word_in(int group, int owner) {
    const u32 mixed = static_cast<u32>(group) * 0x9e3779b1u;
    const u32 m = mixed >> 28 | 1;
    const u32 inverse = m * (2 - m * m);  // of an odd number, modulo 16
    return group * kCluster + static_cast<int>((owner - (mixed >> 24)) * inverse % kCluster);
}

struct SmallTier {
    const Search& s;
    ClusterShared& m;
    u32* const seen;  // of all vertices, in global memory
    int rank;
    int lane, warp;
    int phase = 0;  // parity of the level being sent
    bool overflowed = false;

    __device__ SmallTier(const Search& s, ClusterShared& m, u32* seen)
        : s(s),
          m(m),
          seen(seen),
          rank(cluster_rank()),
          lane(threadIdx.x & 31),
          warp(threadIdx.x >> 5) {}

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

    __device__ __forceinline__ void send_four(const int4& to, int v, int parent) {
        bool sent = true;
        if (to.x >= 0 && to.x != parent) sent &= send(to.x, v);
        if (to.y >= 0 && to.y != parent) sent &= send(to.y, v);
        if (to.z >= 0 && to.z != parent) sent &= send(to.z, v);
        if (to.w >= 0 && to.w != parent) sent &= send(to.w, v);
        if (!sent) overflowed = true;
    }

    __device__ __forceinline__ void expand(int v, int parent, const Record& record) {
        const int4& first = record.first;
        if (first.x != kNoNeighbour) {
            send_four(first, v, parent);
            if (s.record_length > 1) send_four(record.second, v, parent);
            return;
        }
        const int* const row =
            s.out_indices + (static_cast<i64>(first.z) << 32 | static_cast<u32>(first.y));
        for (int i = 0; i < first.w && !overflowed; i += 4) {  // the indices are padded
            const int left = first.w - i;
            const int4 four = make_int4(row[i], row[i + 1], row[i + 2], row[i + 3]);
            send_four(make_int4(four.x, left > 1 ? four.y : -1, left > 2 ? four.z : -1,
                                left > 3 ? four.w : -1),
                      v, parent);
        }
    }

    // By the word's owner alone.
    __device__ __forceinline__ bool claim_here(int v) {
        const int word = word_of(v);
        const u32 bit = bit_of(v);
        u32 before;
        if (s.cluster_words)  // two instructions, as one address would be a generic one
            before = atomicOr(&m.seen[word / kCluster], bit);
        else
            before = atomicOr(seen + word, bit);
        return !(before & bit);
    }

    // Ends the level's sending: every box's count goes to its owner, with what the arrival must
    // wait for.
    __device__ __forceinline__ void post(bool stop) {
        int flags = 0;
        if (__syncthreads_or(overflowed || stop))  // a logical or: which of them is asked only then
            flags = (__syncthreads_or(overflowed) ? kLeaveFlag : 0) |
                    (__syncthreads_or(stop) ? kStopFlag : 0);
        if (warp == 0) {
            const int sent = lane < kCluster ? m.sent[phase][lane] : 0;
            const int all = warp_add(kFull, sent);
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
// or the search is told to stop.  The vertices of the level it stopped at, s.control->level, are in
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
    if (threadIdx.x == 0 && frontier.source >= 0 && owner_of(word_of(frontier.source)) == tier.rank)
        tier.claim_here(frontier.source);
    cluster_barrier();

    // A vertex whose messages did not all fit is expanded again by the grid: claiming twice is
    // harmless.
    const Sink again{s.unfinished, &s.control->unfinished, s.unfinished_capacity, i64{1} << 35};
    const auto keep_unfinished = [&](int v, bool mine) {
        if (__any_sync(kFull, mine)) enqueue_warp<Offset>(again, indptr, v, mine);
    };

    for (int base = 0; base < frontier.count; base += kCluster * kThreads) {
        const int i = base + threadIdx.x * kCluster + tier.rank;
        const bool mine = i < frontier.count;
        const int v = mine ? frontier[i].vertex : 0;
        Record record;
        if (mine) {
            record.load(s, v);
            tier.expand(v, -1, record);
        }
        keep_unfinished(v, mine && tier.overflowed);
    }

    bool stop = false, stays = true;
    int deepest = 0;
    u64 reached = 0;
    u32 parity = 0;  // of both mbarriers: the second lags the first by one level
    while (stays) {
        const int phase = tier.phase;
        tier.post(stop);
        wait_phase(shared_address(&m.mbarrier[phase]), parity >> phase & 1);
        parity ^= 1u << phase;
        const int2 head = tier.lane < kCluster ? m.header[phase][tier.lane] : make_int2(0, 0);
        const int sender = tier.warp % kCluster;
        const int count = __shfl_sync(kFull, head.x, sender);
        const u32 flags = warp_or(kFull, head.y) & (kLeaveFlag | kStopFlag);
        const int all = warp_add(kFull, head.y & (kStopFlag - 1));
        ++level;
        if (all == 0 || (flags & kStopFlag)) break;
        stays = !flags && level < s.max_depth && all <= s.cluster_leave;
        tier.phase ^= 1;
        int found = 0;
        for (int i0 = tier.warp / kCluster * 32; tier.warp < kBoxWarps * kCluster && i0 < count;
             i0 += kBoxWarps * 32) {
            const bool here = i0 + tier.lane < count;
            const int2 message = here ? m.box[phase][sender][i0 + tier.lane] : make_int2(0, 0);
            Record record;
            if (here && stays) record.load(s, message.x);  // before the claim is known
            const bool won = here && tier.claim_here(message.x);
            found += won;
            if (won) {
                if (s.parents) s.parents[message.x] = message.y;
                visit<Level>(s, message.x, level);
                stop |= message.x == s.target;
            }
            if (stays) {
                if (won) tier.expand(message.x, message.y, record);
                keep_unfinished(message.x, won && tier.overflowed);
            } else {
                enqueue_warp<Offset>(sink, indptr, message.x, won);
            }
        }
        if (found) deepest = level;
        if (s.trace && found) trace_vertices(s, level, found);
        if (s.trace && tier.rank == 0 && threadIdx.x == 0) trace_level(s, level, 3, all, 0);
        if (stays)
            reached += found;
        else if (found)
            atomicAdd(reinterpret_cast<u64*>(&sink.size->vertices), static_cast<u64>(found));
    }
    if (reached) atomicAdd(&s.control->tier_reached, reached);
    if (deepest) atomicMax(&s.control->tier_depth, deepest);
    if (tier.rank == 0 && threadIdx.x == 0) s.control->level = level;
    __syncthreads();
    for (int i = threadIdx.x; i < s.cluster_words; i += kThreads) {
        const int word = word_in(i, tier.rank);
        if (word < words) seen[word] = m.seen[i];
    }
    cluster_barrier();  // nobody leaves while messages to it may be under way
}
