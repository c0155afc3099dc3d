// A row of a pull: the frontier rows of its in-neighbours, until every search has reached it.
//
// Lanes: kLanes of them hold a row of bits, a chunk each.  A team of T lanes takes a row and
// T / kLanes neighbours at a time, four deep.  Where few vertices are in the frontier the team
// first picks those out, all lanes looking at neighbours of their own.
#pragma once
#include "cuda/bfs_many/bfs_many_state.cuh"

// The `any` bits of a frontier with what shared memory holds of them: those of the first vertices,
// which have the highest degrees, and a common bit for every 2^shift of the others.
struct FrontierBits {
    const u32* any;
    const u32* cached;
    int cached_count;
    int shift;

    __device__ __forceinline__ bool operator[](int v) const {
        const bool exact = v < cached_count;
        const int i = exact ? v : (v >> shift) + cached_count;
        const bool on = cached[i >> 5] >> (i & 31) & 1;
        return exact || !on ? on : any[v >> 5] >> (v & 31) & 1;
    }
};

// What a level reads and writes; in shared memory rather than in the registers of a pull.
template <int kWords>
struct PullLevel {
    RowChunk<kWords>* frontier;  // row n is zero
    const u32* any;
    RowChunk<kWords>* next;
    u32* next_any;
    LevelPlanes<kWords> planes;
    bool zeroed;       // rows of `next` that nobody reaches are cleared
    bool mostly_full;  // most rows stop after a few neighbours
};

template <typename Offset, int kWords, bool kSparse>
struct Gather {
    using Chunk = RowChunk<kWords>;
    static constexpr int kLanes = Row<kWords>::kLanes;

    const ManySearch& s;
    int4 (*picked_here)[32];         // [kWarps], neighbours in the frontier
    const PullLevel<kWords>& level;  // in shared memory
    FrontierBits active;
    const Chunk* cached_rows;  // of the first vertices, and a zero row behind them

    // Of a row of 64 bits a gather takes L1 as long as one of a whole line would: a cycle
    // for each lane.  Shared memory has its words from most lanes at once.
    static constexpr bool kCachesRows = !kSparse && kWords == 1;

    // Adds the frontier rows of four neighbours to the team's bits.  True when none is missing.  Of
    // rows beyond a sector, which is two lanes', only parts with bits missing are read.
    template <int T>
    __device__ __forceinline__ bool add_four(const Chunk* frontier, const int (&v)[4],
                                             Chunk& bits) const {
        const int lane = threadIdx.x & 31;
        const u32 row_lanes = ((1u << kLanes) - 1) << (lane / T * T);
        const bool done = kLanes > 2 && is_full(bits);
        Chunk row[4];
#pragma unroll
        for (int u = 0; u < 4; ++u) {
            const bool cached = kCachesRows && v[u] < s.cached_rows;
            row[u] = load_hinted(frontier + static_cast<i64>(done || cached ? s.n : v[u]) * kLanes,
                                 v[u] < s.l2_rows ? kEvictLast : kEvictFirst);
            if (kCachesRows) bits = bits | cached_rows[cached ? v[u] : s.cached_rows];
        }
        bits = bits | (row[0] | row[1]) | (row[2] | row[3]);
#pragma unroll
        for (int d = kLanes; d < T; d <<= 1) bits = bits | shuffle_xor(bits, d);
        return (__ballot_sync(kFull, is_full(bits)) & row_lanes) == row_lanes;
    }

    // Entries at .. at + 3 of a row, as far as they are inside 0 .. length - 1; n elsewhere.
    template <bool kAligned>
    __device__ __forceinline__ void load_four(const int* row, int at, int length,
                                              int (&v)[4]) const {
        int4 ids = make_int4(s.n, s.n, s.n, s.n);
        if (kAligned && at < length) ids = __ldg(reinterpret_cast<const int4*>(row + at));
        v[0] = ids.x, v[1] = ids.y, v[2] = ids.z, v[3] = ids.w;
#pragma unroll
        for (int u = 0; u < 4; ++u) {
            const bool inside = static_cast<u32>(at + u) < static_cast<u32>(length);
            if (kAligned)
                v[u] = inside ? v[u] : s.n;
            else if (inside)
                v[u] = __ldg(row + at + u);
        }
    }

    // The bits that `visited` or a neighbour has, until none is missing.
    template <int T>
    __device__ __forceinline__ Chunk gather(Offset begin, int length, Chunk visited) const {
        // Fours of entries, or single ones for few lanes, where the gathers take longer.
        constexpr bool kAligned = T >= 8 || kLanes == 1;
        const int lane = threadIdx.x & 31;
        const int* const row = s.in_indices + begin;
        const Chunk* const frontier = level.frontier + lane % kLanes;
        const int skew = kAligned ? static_cast<int>(begin & 3) : 0;
        Chunk bits = visited;
        if constexpr (kSparse) {
            int* const picked =
                reinterpret_cast<int*>(picked_here[threadIdx.x >> 5]) + lane / T * T * 4;
            const u32 team = (T == 32 ? kFull : (1u << T % 32) - 1) << (lane / T * T);
            for (int at = lane % T * 4 - skew; __any_sync(kFull, at < length); at += 4 * T) {
                int v[4], count = 0;
                load_four<kAligned>(row, at, length, v);
#pragma unroll
                for (int u = 0; u < 4; ++u) {
                    const bool hit = v[u] < s.n && active[v[u]];
                    const u32 hits = __ballot_sync(kFull, hit) & team;
                    if (hit) picked[count + __popc(hits & lanes_below())] = v[u];
                    count += __popc(hits);
                }
                __syncwarp();
                for (int i = lane % T / kLanes * 4; __any_sync(kFull, i < count);
                     i += T / kLanes * 4) {
#pragma unroll
                    for (int u = 0; u < 4; ++u) v[u] = i + u < count ? picked[i + u] : s.n;
                    if (add_four<T>(frontier, v, bits)) count = length = 0;
                }
                __syncwarp();
            }
        } else {
            int at = lane % T / kLanes * 4 - skew, ahead[4];
            load_four<kAligned>(row, at, length, ahead);
            while (__any_sync(kFull, at < length)) {
                const int v[4] = {ahead[0], ahead[1], ahead[2], ahead[3]};
                at += T / kLanes * 4;
                load_four<kAligned>(row, at, length, ahead);
                if (add_four<T>(frontier, v, bits)) {
                    length = 0;
#pragma unroll
                    for (int u = 0; u < 4; ++u) ahead[u] = s.n;
                }
            }
        }
        return bits;
    }
};
