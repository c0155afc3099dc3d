// A row of a pull: the frontier rows of its in-neighbours, until every search has reached it.
//
// Lanes: kLanes of them hold a row of bits, a chunk each.  A team of T lanes takes a row and
// T / kLanes neighbours at a time, four deep.  Where few vertices are in the frontier the team
// first picks those out, all lanes looking at neighbours of their own.  Where bits are missing in
// one sector alone of a long row it takes T / 2 neighbours at a time, of which it reads no more.
#pragma once
#include "cuda/bfs_many/bfs_many_state.cuh"
#include "cuda/rows/row_prefix.cuh"

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
    bool joins;        // `next` has what narrow searches were pushed to, and nothing else
};

// Whether registers are left for more than plain rows: with offsets of 64 bits, or entries over the
// bus, or on compute capability 12.0, some would be spilled (.ci/compile_kernels.py).
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 1200
template <typename Offset>
constexpr bool kRoomy = false;
#else
template <typename Offset>
constexpr bool kRoomy = sizeof(Offset) == 4 && !kPinned;
#endif

template <typename Offset, int kWords, bool kSparse>
struct Gather {
    using Chunk = RowChunk<kWords>;
    static constexpr int kLanes = Row<kWords>::kLanes;
    // Entries that a row has been asked for, and has left, before it is read by sectors: most late
    // rows are full by then, and to begin anew takes as long as some neighbours.
    static constexpr int kPatience = 12;
    static constexpr int kSectorLanes = 2;

    const ManySearch& s;
    int4 (*picked_here)[32];         // [kWarps], see PullShared
    const PullLevel<kWords>& level;  // in shared memory
    FrontierBits active;
    const Chunk* cached_rows;  // of the first vertices, and a zero row behind them

    // Of a row of up to a sector a gather takes L1 and L2 as long as one of a whole line would: a
    // look at a tag.  Shared memory has the rows that are asked for most.
    static constexpr bool kCachesRows = !kSparse && kWords <= (kRoomy<Offset> ? 4 : 1);
    // Rows of fewer than four sectors gain little.
    static constexpr bool kBySector = !kSparse && kRoomy<Offset> && kLanes == 8;

    // Adds what the frontier has of four neighbours to the team's bits, a row each, or a sector
    // where `by_sector`.  Of rows beyond a sector, which is two lanes', only parts with bits
    // missing are read.  Returns which lanes of the warp have all bits of theirs.
    template <int T>
    __device__ __forceinline__ u32 add_four(const Chunk* frontier, const int (&v)[4], Chunk& bits,
                                            bool by_sector = false) const {
        const int lane = threadIdx.x & 31;
        const bool done = kLanes > 2 && !by_sector && is_full(bits);
        Chunk row[4];
#pragma unroll
        for (int u = 0; u < 4; ++u) {
            const bool cached = kCachesRows && v[u] < s.cached_rows;
            row[u] = load_hinted(frontier + static_cast<i64>(done || cached ? s.n : v[u]) * kLanes,
                                 v[u] < s.l2_rows ? kEvictLast : kEvictFirst);
            if (kCachesRows)
                bits = bits | cached_rows[(cached ? v[u] : s.cached_rows) * kLanes + lane % kLanes];
        }
        bits = bits | (row[0] | row[1]) | (row[2] | row[3]);
        if (by_sector)
#pragma unroll
            for (int d = kSectorLanes; d < kLanes; d <<= 1) bits = bits | shuffle_xor(bits, d);
#pragma unroll
        for (int d = kLanes; d < T; d <<= 1) bits = bits | shuffle_xor(bits, d);
        return __ballot_sync(kFull, is_full(bits));
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

    // The bits that `bits` or one of the first four neighbours has, which the GPU keeps of rows in
    // memory of the host; `length` is none where they are all.  Of nearly full rows most are
    // decided so, without a request over the bus.
    template <int T>
    __device__ __forceinline__ Chunk with_prefix(int row, Chunk bits, int& length) const {
        const int lane = threadIdx.x & 31;
        const u32 row_lanes = ((1u << kLanes) - 1) << (lane / T * T);
        int4 first = make_int4(kNoNeighbour, kNoNeighbour, kNoNeighbour, kNoNeighbour);
        if (length) first = __ldg(reinterpret_cast<const int4*>(s.row_prefix) + place_of_four(row));
        int v[4] = {first.x, first.y, first.z, neighbour_of(first.w)};
#pragma unroll
        for (int u = 0; u < 4; ++u)
            if (static_cast<u32>(v[u]) >= static_cast<u32>(s.n)) v[u] = s.n;  // there is none
        if ((add_four<T>(level.frontier + lane % kLanes, v, bits) & row_lanes) == row_lanes)
            length = 0;
        return bits;
    }

    // The bits that `visited` or a neighbour has, until none is missing.
    template <int T, bool kMayBeLong>
    __device__ __forceinline__ Chunk gather(Offset begin, int length, Chunk visited) const {
        // Fours of entries, or single ones for few lanes, where the gathers take longer.
        constexpr bool kAligned = T >= 8 || kLanes == 1;
        const int lane = threadIdx.x & 31;
        const int* const row = s.in_indices + begin;
        const Chunk* frontier = level.frontier + lane % kLanes;
        const int skew = kAligned ? static_cast<int>(begin & 3) : 0;
        const u32 row_lanes = ((1u << kLanes) - 1) << (lane / T * T);
        int4* const mine = picked_here[threadIdx.x >> 5];
        Chunk bits = visited;
        if constexpr (kSparse) {
            int* const picked = reinterpret_cast<int*>(mine) + lane / T * T * 4;
            const u32 team = (T == 32 ? kFull : (1u << T % 32) - 1) << (lane / T * T);
            int at = lane % T * 4 - skew, ahead[4];
            load_four<kAligned>(row, at, length, ahead);
            while (__any_sync(kFull, at < length)) {
                int v[4] = {ahead[0], ahead[1], ahead[2], ahead[3]}, count = 0;
                at += 4 * T;
                load_four<kAligned>(row, at, length, ahead);
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
                    if ((add_four<T>(frontier, v, bits) & row_lanes) == row_lanes)
                        count = length = 0;
                }
                if (length == 0)
#pragma unroll
                    for (int u = 0; u < 4; ++u) ahead[u] = s.n;
                __syncwarp();
            }
        } else {
            Chunk* const row_bits = reinterpret_cast<Chunk*>(mine);
            bool by_sector = false;  // the same in all lanes of a warp
            int at = lane % T / kLanes * 4 - skew, ahead[4];
            load_four<kAligned>(row, at, length, ahead);
            while (__any_sync(kFull, at < length)) {
                const int v[4] = {ahead[0], ahead[1], ahead[2], ahead[3]};
                at += T / (by_sector ? kSectorLanes : kLanes) * 4;
                load_four<kAligned>(row, at, length, ahead);
                const u32 missing = ~add_four<T>(frontier, v, bits, by_sector) & row_lanes;
                if (missing == 0) {
                    length = 0;
#pragma unroll
                    for (int u = 0; u < 4; ++u) ahead[u] = s.n;
                }
                if (!kBySector || !kMayBeLong || by_sector) continue;
                const u32 sectors = (missing | missing >> 1) & 0x55555555;
                const bool is_one = at > kPatience && (sectors & (sectors - 1)) == 0;
                if (!__all_sync(kFull, at >= length || is_one) ||
                    !__any_sync(kFull, length - at > kPatience))
                    continue;
                by_sector = true;
                row_bits[lane] = bits;
                __syncwarp();
                const int part = (sectors ? (__ffs(sectors) - 1) % kLanes : 0) + lane % 2;
                bits = row_bits[lane / T * T + part];
                __syncwarp();
                frontier = level.frontier + part;
                at += (lane % T / kSectorLanes - lane % T / kLanes) * 4;
                load_four<kAligned>(row, at, length, ahead);
            }
            if (by_sector) {
                row_bits[lane / T * T + (frontier - level.frontier)] = bits;
                __syncwarp();
                bits = row_bits[lane / T * T + lane % kLanes];
                __syncwarp();
            }
        }
        return bits;
    }
};
