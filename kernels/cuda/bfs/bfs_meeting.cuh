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

// Bits of a word that is told, below the number of the meeting; the highest of kToldRows says that
// its list misses some.
constexpr int kToldBits = 48;
constexpr u64 kToldMask = (u64{1} << kToldBits) - 1, kToldOverflow = u64{1} << (kToldBits - 1);

// Where a lane of the warp that meets has its word, of the four of a GPU.
struct Seat {
    u64* to;
    const u64* from;
    u32 number;
    bool speaks;

    __device__ __forceinline__ Seat(const Search& s, const Met& met) : number(met.number + 1) {
        const Peers& p = *s.peers;
        const int lane = threadIdx.x & 31, gpu = lane / kToldWords, word = lane % kToldWords;
        const u32 turn = (number & 1) * kMostPeers;
        speaks = gpu < s.gpus;
        to = p.told[speaks ? gpu : s.place][turn + s.place].words + word;
        from = p.told[s.place][turn + gpu].words + word;
    }
};

// By one warp of a GPU when all of its CTAs have arrived: tells all of them, and its own.
__device__ __noinline__ void tell(const Search& s, const FrontierSize& size, const Seat seat) {
    const ulonglong2 counts = __ldcg(reinterpret_cast<const ulonglong2*>(&size));
    const u32 overflow = __ldcg(&size.overflow), target = __ldcg(&s.control->target_level);
    const int word = threadIdx.x % kToldWords;
    u64 value = target;
    if (word == kToldEdges) value = edges_of(counts.x);
    if (word == kToldRows)
        value = static_cast<u64>(rows_of(counts.x)) | (overflow ? kToldOverflow : 0);
    if (word == kToldFound) value = vertices_of(counts.y);
    value |= u64{seat.number} << kToldBits;
    // Behind what all CTAs of this GPU have written.
    asm volatile("fence.acq_rel.sys;" ::: "memory");
    if (seat.speaks)
        asm volatile("st.relaxed.sys.global.u64 [%0], %1;" ::"l"(seat.to), "l"(value) : "memory");
}

// By one warp of every CTA: hears all of them.
__device__ __noinline__ void hear(const Search& s, Met& met, const Seat seat) {
    const Peers& p = *s.peers;
    const int lane = threadIdx.x & 31, word = lane % kToldWords;
    u64 told = 0;
    u32 abandoned = 0;
    for (u32 looks = 1; !abandoned; ++looks) {
        if (seat.speaks)
            asm volatile("ld.relaxed.sys.global.u64 %0, [%1];"
                         : "=l"(told)
                         : "l"(seat.from)
                         : "memory");
        const bool there = !seat.speaks || ((told >> kToldBits ^ seat.number) & 0xffff) == 0;
        if (__all_sync(kFull, there)) break;
        if (looks % 4096 == 0)
            asm volatile("ld.relaxed.sys.global.u32 %0, [%1];"
                         : "=r"(abandoned)
                         : "l"(p.abandoned)
                         : "memory");
        abandoned = __any_sync(kFull, abandoned != 0);
    }
    // What the others wrote before they told is read from here on.
    asm volatile("fence.acq_rel.sys;" ::: "memory");
    // Where one never comes nothing is heard of any, and the search ends: the host knows why.
    u64 value = abandoned ? 0 : told & kToldMask;
    bool misses = false;
    if (word == kToldRows) {
        misses = value & kToldOverflow;
        value &= ~kToldOverflow;
        met.rows[lane / kToldWords] = static_cast<int>(value);
    }
#pragma unroll
    for (int by = kToldWords; by < 32; by *= 2) {
        const u64 its = __shfl_xor_sync(kFull, value, by);
        value = word == kToldTarget ? max(value, its) : value + its;
    }
    const u64 rows = __shfl_sync(kFull, value, kToldRows);
    const u64 found = __shfl_sync(kFull, value, kToldFound);
    const u64 target = __shfl_sync(kFull, value, kToldTarget);
    misses = __any_sync(kFull, misses) || rows > static_cast<u64>(p.capacity);
    if (lane == 0) {
        met.queued = (misses ? 0 : rows << kEdgeBits) | value;
        met.found = found;
        met.overflow = misses;
        met.target_level = static_cast<u32>(target);
        met.number = seat.number;
    }
    __syncwarp();
}

// By one warp of a CTA: it has arrived, as `ctas` of its GPU do; whichever comes last tells all
// GPUs.
__device__ __forceinline__ void arrive(const Search& s, const FrontierSize& size, const Seat& seat,
                                       u32 ctas) {
    u32 arrived = 0;
    if (threadIdx.x == 0)
        asm volatile("atom.acq_rel.gpu.global.inc.u32 %0, [%1], %2;"
                     : "=r"(arrived)
                     : "l"(&s.peers->meeting->arrived), "r"(ctas - 1)
                     : "memory");
    const bool last = __shfl_sync(kFull, arrived, 0) == ctas - 1;
    __syncwarp();  // what thread 0 has acquired all of them may read
    if (last) tell(s, size, seat);
}

// A barrier over `ctas` CTAs of every GPU, which hear all GPUs by themselves.
template <typename Then>
__device__ __forceinline__ void peers_barrier(const Search& s, const FrontierSize& size, Met& met,
                                              u32 ctas, Then&& then) {
    const Seat seat(s, met);  // asked for before all threads have arrived
    __syncthreads();
    if (threadIdx.x < 32) {
        arrive(s, size, seat, ctas);
        hear(s, met, seat);
        if (threadIdx.x == 0) then();
    }
    __syncthreads();
}

// What all GPUs have found, their lists behind one another.
struct Lists {
    const Search& s;
    const Met& met;
    const int flip;
    int of[kMostPeers];

    __device__ __forceinline__ Lists(const Search& s, const Met& met, int flip)
        : s(s), met(met), flip(flip) {
        const int4* const counts = reinterpret_cast<const int4*>(met.rows);
        const int4 low = counts[0], high = counts[1];
        of[0] = low.x, of[1] = low.y, of[2] = low.z, of[3] = low.w;
        of[4] = high.x, of[5] = high.y, of[6] = high.z, of[7] = high.w;
    }
    __device__ __forceinline__ int rows() const { return rows_of(met.queued); }
    // The i-th vertex, and the place of the GPU that found it.
    __device__ __forceinline__ int at(int i, int& from) const {
        from = 0;
#pragma unroll
        for (int place = 0; place + 1 < kMostPeers; ++place)
            if (from == place && place + 1 < s.gpus && i >= of[place]) i -= of[place], ++from;
        return __ldcg(&s.peers->queue[from][flip][i].x);
    }
    // Sets its visited bit here, where its owner has it already: for pulls of its level.  Its owner
    // may set others of the word meanwhile, from there; both are done where the word lies.  Those
    // that pushes set nobody reads, but without them the kernel is compiled to one that takes 33 us
    // more for Kronecker 27 (docs/performance-notes-distributed.md).
    __device__ __forceinline__ void show(int v, int from, u32* visited) const {
        if (v >= 0 && from != s.place) atomicOr(visited + word_of(v), bit_of(v));
    }
};

// The rows of the frontier, from the lists of all GPUs, that have edges here, and the visited bits
// of all.
template <typename Offset>
__device__ __forceinline__ void list_frontier(const Search& s, const Met& met, int flip,
                                              const Offset* indptr, u32* visited,
                                              const Sink& sink) {
    constexpr int kAsked = 32 * kFlight;
    const Lists lists(s, met, flip);
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

// Edges of a row that its lane looks at by itself.
constexpr int kLaneEdges = 8;

// Pushes the frontier from the lists of all GPUs, by the first `ctas` CTAs of this one: the edges
// here of its rows, a row a lane, and of longer ones by their warp.
template <typename Offset, typename Visit>
__device__ __forceinline__ void expand_lists(const Search& s, const Met& met, int flip, int ctas,
                                             const Offset* indptr, u32* visited,
                                             const Visit& visit_edges) {
    constexpr int kAsked = 32 * kFlight;
    const int lane = threadIdx.x & 31;
    const int warp = (threadIdx.x >> 5) * ctas + blockIdx.x, warps = ctas * kWarps;
    const int rows = rows_of(met.queued);
    for (int base = warp * kAsked; base < rows; base += warps * kAsked) {
        const Lists lists(s, met, flip);  // again at every turn, which are few: it takes registers
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
__device__ __forceinline__ void show_frontier(const Search& s, const Met& met, int flip,
                                              u32* visited) {
    const Lists lists(s, met, flip);
    const int rows = lists.rows();
    for (int i = blockIdx.x * kThreads + threadIdx.x; i < rows; i += gridDim.x * kThreads) {
        int from;
        const int v = lists.at(i, from);
        lists.show(v, from, visited);
    }
}

// All visited bits of what others own, blocks of 128, some of a thread's asked for together.
__device__ __forceinline__ void take_visited(const Search& s, int current) {
    constexpr int kTogetherTaken = 4;
    const Peers& p = *s.peers;
    uint4* const mine = reinterpret_cast<uint4*>(s.visited[current]);
    const int blocks = (s.n + kBlock - 1) / kBlock, threads = gridDim.x * kThreads;
    for (int first = blockIdx.x * kThreads + threadIdx.x; first < blocks;
         first += kTogetherTaken * threads) {
        uint4 bits[kTogetherTaken];
        bool theirs[kTogetherTaken];
#pragma unroll
        for (int k = 0; k < kTogetherTaken; ++k) {
            const int b = first + k * threads, owner = owner_of(s, b * kBlock);
            theirs[k] = b < blocks && owner != s.place;
            if (theirs[k])
                bits[k] = __ldcg(reinterpret_cast<const uint4*>(p.visited[owner][current]) + b);
        }
#pragma unroll
        for (int k = 0; k < kTogetherTaken; ++k)
            if (theirs[k]) mine[first + k * threads] = bits[k];
    }
}
