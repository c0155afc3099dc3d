// Several GPUs between two levels of one search: how they meet, and what each takes from the
// others.
//
// A GPU is at most one meeting ahead: it writes what it tells of the next one while others may
// still read of the last, hence two places for each, by turns.  What others take, lists of finds
// and visited bits as a level left them, stays as it is until all have met again: a level writes
// into the other list, and into the other buffer of bits where it pulls; where it pushes nobody
// reads bits.
#pragma once
#include "cuda/bfs/bfs_owners.cuh"
#include "cuda/bfs/bfs_steps.cuh"
#include "cuda/grid/grid_barrier.cuh"

// What the warp that meets needs: asked for before it has to be there.
struct Seat {
    Meeting* meeting;
    Told* to;
    const Told* from;
    u32 number;
    bool speaks;  // a lane for each GPU

    __device__ __forceinline__ explicit Seat(const Search& s) {
        const Peers& p = *s.peers;
        const int lane = threadIdx.x & 31;
        speaks = lane < s.gpus;
        meeting = p.meeting;
        number = __ldcg(&meeting->number) + 1;
        const u32 turn = (number & 1) * kMostPeers;
        to = (speaks ? p.told[lane] : nullptr) + turn + s.place;
        from = p.told[s.place] + turn + lane;
    }
};

// By one warp of a GPU when all of its CTAs have arrived, a lane for each GPU: tells it, and hears
// it.
__device__ __noinline__ void meet(const Search& s, const FrontierSize& size, const Seat seat) {
    const Peers& p = *s.peers;
    Meeting& meeting = *seat.meeting;
    const int lane = threadIdx.x & 31;
    const bool speaks = seat.speaks;
    const u32 number = seat.number;
    const ulonglong2 counts = __ldcg(reinterpret_cast<const ulonglong2*>(&size));
    const u32 overflow = __ldcg(&size.overflow), target = __ldcg(&s.control->target_level);
    const Told* const from = seat.from;
    u32 there = number, abandoned = 0;
    if (speaks) {
        Told* const to = seat.to;
        *reinterpret_cast<ulonglong2*>(to) = counts;
        *reinterpret_cast<uint2*>(&to->overflow) = make_uint2(overflow, target);
        // Behind what all CTAs of this GPU have written: they have arrived by its barrier.
        asm volatile("fence.acq_rel.sys;" ::: "memory");
        asm volatile("st.relaxed.sys.global.u32 [%0], %1;" ::"l"(&to->meeting), "r"(number)
                     : "memory");
        there = number - 1;
    }
    for (u32 looks = 1; there != number && !abandoned; ++looks) {
        asm volatile("ld.acquire.sys.global.u32 %0, [%1];"
                     : "=r"(there)
                     : "l"(&from->meeting)
                     : "memory");
        if (looks % 4096 == 0)
            asm volatile("ld.relaxed.sys.global.u32 %0, [%1];"
                         : "=r"(abandoned)
                         : "l"(p.abandoned)
                         : "memory");
    }
    // Where one never comes nothing is heard of any, and the search ends: the host knows why.
    abandoned = __any_sync(kFull, abandoned != 0);
    ulonglong2 its{0, 0};
    uint2 states = make_uint2(0, 0);
    if (speaks && !abandoned) {
        its = __ldcg(reinterpret_cast<const ulonglong2*>(from));
        states = __ldcg(reinterpret_cast<const uint2*>(&from->overflow));
    }
    const u64 rows = sum_of_warp(static_cast<u64>(rows_of(its.x)));
    const u64 edges = sum_of_warp(edges_of(its.x)), found = sum_of_warp(vertices_of(its.y));
    const bool misses = __any_sync(kFull, states.x != 0) || rows > static_cast<u64>(p.capacity);
    u32 reached = states.y;
#pragma unroll
    for (int by = 16; by > 0; by /= 2) reached = max(reached, __shfl_xor_sync(kFull, reached, by));
    if (speaks) meeting.rows[lane] = rows_of(its.x);
    if (lane == 0) {
        meeting.queued = (misses ? 0 : rows << kEdgeBits) | edges;
        meeting.reports = found;
        meeting.overflow = misses;
        meeting.target_level = reached;
        meeting.number = number;
    }
    __syncwarp();
}

// A barrier over all CTAs of all GPUs: that of the grid, whose first CTA comes last and meets the
// other GPUs before it does.
template <typename Then>
__device__ __forceinline__ void peers_barrier(const Search& s, const FrontierSize& size,
                                              Then&& then) {
    u32* const word = &s.control->barrier;
    if (blockIdx.x == 0) {
        __syncthreads();
        if (threadIdx.x < 32) {
            const Seat seat(s);
            u32 arrived;
            do {
                asm volatile("ld.acquire.gpu.global.u32 %0, [%1];"
                             : "=r"(arrived)
                             : "l"(word)
                             : "memory");
            } while ((arrived & 0x7fffffffu) != gridDim.x - 1);
            __syncwarp();
            meet(s, size, seat);
        }
    }
    grid_barrier(word, static_cast<Then&&>(then));
}

// What all GPUs have found, their lists behind one another.
struct Lists {
    const Search& s;
    const int flip;
    int of[kMostPeers];

    __device__ __forceinline__ Lists(const Search& s, int flip) : s(s), flip(flip) {
        const int4* const counts = reinterpret_cast<const int4*>(s.peers->meeting->rows);
        const int4 low = __ldcg(counts), high = __ldcg(counts + 1);
        of[0] = low.x, of[1] = low.y, of[2] = low.z, of[3] = low.w;
        of[4] = high.x, of[5] = high.y, of[6] = high.z, of[7] = high.w;
    }
    __device__ __forceinline__ int rows() const {
        return rows_of(__ldcg(&s.peers->meeting->queued));
    }
    // The i-th vertex, and the place of the GPU that found it.
    __device__ __forceinline__ int at(int i, int& from) const {
        from = 0;
#pragma unroll
        for (int place = 0; place + 1 < kMostPeers; ++place)
            if (from == place && place + 1 < s.gpus && i >= of[place]) i -= of[place], ++from;
        return __ldcg(&s.peers->queue[from][flip][i].x);
    }
    // Sets its visited bit here, where its owner has it already: for pulls of its level.  Those
    // that pushes set nobody reads, but without them the kernel is compiled to one that takes 33 us
    // more for Kronecker 27 (docs/performance-notes-distributed.md).
    __device__ __forceinline__ void show(int v, int from, u32* visited) const {
        if (v >= 0 && from != s.place) atomicOr(visited + word_of(v), bit_of(v));
    }
};

// The rows of the frontier, from the lists of all GPUs, that have edges here, and the visited bits
// of all.
template <typename Offset>
__device__ __forceinline__ void list_frontier(const Search& s, int flip, const Offset* indptr,
                                              u32* visited, const Sink& sink) {
    constexpr int kAsked = 32 * kFlight;
    const Lists lists(s, flip);
    const int lane = threadIdx.x & 31;
    const int warp = (threadIdx.x >> 5) * gridDim.x + blockIdx.x, warps = gridDim.x * kWarps;
    const int rows = lists.rows();
    for (int base = warp * kAsked; base < rows; base += warps * kAsked) {
        Listing<Offset, kFlight> listing;
        int from[kFlight];
#pragma unroll
        for (int k = 0; k < kFlight; ++k) {
            const int i = base + 32 * k + lane;
            listing.vertex[k] = i < rows ? lists.at(i, from[k]) : -1;
        }
#pragma unroll
        for (int k = 0; k < kFlight; ++k) {
            const int v = listing.vertex[k];
            listing.begin[k] = listing.length[k] = 0;
            load_if(v >= 0, indptr + v, listing.begin[k]);
            load_if(v >= 0, indptr + v + 1, listing.length[k]);
            lists.show(v, from[k], visited);
        }
#pragma unroll
        for (int k = 0; k < kFlight; ++k) listing.length[k] -= listing.begin[k];
        listing.count();
        listing.append(sink, &sink.size->long_rows);
    }
}

// A frontier whose edges are hardly more than its rows is pushed as its lists are read: what a warp
// may have to do alone is bounded by how many there are beside one a row, these and one in so many.
constexpr i64 kLightEdges = 512, kLightRows = 64;
// Edges of a row that its lane looks at by itself.
constexpr int kLaneEdges = 8;
__device__ __forceinline__ bool is_light(i64 rows, i64 edges) {
    return edges - rows <= kLightEdges + rows / kLightRows;
}

// Pushes the frontier from the lists of all GPUs: the edges here of its rows, a row a lane, and of
// longer ones by their warp.
template <typename Offset, typename Visit>
__device__ __forceinline__ void expand_lists(const Search& s, int flip, const Offset* indptr,
                                             u32* visited, const Visit& visit_edges) {
    constexpr int kAsked = 32 * kFlight;
    const int lane = threadIdx.x & 31;
    const int warp = (threadIdx.x >> 5) * gridDim.x + blockIdx.x, warps = gridDim.x * kWarps;
    const int rows = rows_of(__ldcg(&s.peers->meeting->queued));
    for (int base = warp * kAsked; base < rows; base += warps * kAsked) {
        const Lists lists(s, flip);  // again at every turn, which are few: it takes registers
        int row[kFlight], from[kFlight];
        Offset at[kFlight], end[kFlight];
#pragma unroll
        for (int k = 0; k < kFlight; ++k) {
            const int i = base + 32 * k + lane;
            row[k] = i < rows ? lists.at(i, from[k]) : -1;
        }
#pragma unroll
        for (int k = 0; k < kFlight; ++k) {
            at[k] = end[k] = 0;
            load_if(row[k] >= 0, indptr + row[k], at[k]);
            load_if(row[k] >= 0, indptr + row[k] + 1, end[k]);
            lists.show(row[k], from[k], visited);
        }
        bool more = false;
#pragma unroll
        for (int k = 0; k < kFlight; ++k) more |= at[k] < end[k];
        for (int turn = 0; __any_sync(kFull, more); ++turn) {
            int neighbour[kFlight], parent[kFlight];
            more = false;
            if (turn < kLaneEdges) {
#pragma unroll
                for (int k = 0; k < kFlight; ++k) {
                    parent[k] = row[k];
                    neighbour[k] = at[k] < end[k] ? __ldg(s.out_indices + at[k]) : -1;
                    more |= ++at[k] < end[k];
                }
            } else {
                // One of the rows that are left, by all lanes.
                Offset first = 0, stop = 0;
                int of = -1;
#pragma unroll
                for (int k = 0; k < kFlight; ++k) {
                    const u32 left = __ballot_sync(kFull, at[k] < end[k]);
                    if (of < 0 && left) {
                        of = __ffs(left) - 1;
                        first = __shfl_sync(kFull, at[k], of) + lane;
                        stop = __shfl_sync(kFull, end[k], of);
                        parent[0] = __shfl_sync(kFull, row[k], of);
                        if (lane == of) at[k] += kAsked;
                    }
                    more |= at[k] < end[k];
                }
#pragma unroll
                for (int u = 0; u < kFlight; ++u) {
                    parent[u] = parent[0];
                    neighbour[u] =
                        first + 32 * u < stop ? __ldg(s.out_indices + first + 32 * u) : -1;
                }
            }
            visit_edges(neighbour, parent);
        }
    }
}

// The visited bits of the frontier, where its lists hold all of it: what a pull asks for that
// leads to other vertices.
__device__ __forceinline__ void show_frontier(const Search& s, int flip, u32* visited) {
    const Lists lists(s, flip);
    const int rows = lists.rows();
    for (int i = blockIdx.x * kThreads + threadIdx.x; i < rows; i += gridDim.x * kThreads) {
        int from;
        const int v = lists.at(i, from);
        lists.show(v, from, visited);
    }
}

// All visited bits of what others own, a block of 128 a thread.
__device__ __forceinline__ void take_visited(const Search& s, int current) {
    const Peers& p = *s.peers;
    uint4* const mine = reinterpret_cast<uint4*>(s.visited[current]);
    const int blocks = (s.n + kBlock - 1) / kBlock;
    for (int b = blockIdx.x * kThreads + threadIdx.x; b < blocks; b += gridDim.x * kThreads) {
        const int owner = owner_of(s, b * kBlock);
        if (owner != s.place)
            mine[b] = __ldcg(reinterpret_cast<const uint4*>(p.visited[owner][current]) + b);
    }
}
