// One level against the edges: every row that some search has not reached gathers the frontier rows
// of its in-neighbours and stops when all searches have reached it.
//
// A warp takes a unit of 32 short rows, each by a team of kLanes lanes (bfs_many_gather.cuh), or of
// eight others, by teams of kGroups times as many.  Rows longer still are cut into pieces, a warp
// each, merged by atomics and finished behind a grid barrier.  A CTA lists the pieces and units
// that are not done (most are, in the late levels); its warps take them one by one, heavy
// ones first.
#pragma once
#include "cuda/bfs_many/bfs_many_ended.cuh"
#include "cuda/bfs_many/bfs_many_gather.cuh"

// Pieces and units that a CTA lists at a time: 8 KiB of shared memory, which L1 wants as well (no
// other number has been measured).
constexpr int kRound = 2048;
// Entries of a row that are asked for ahead: as many as a warp looks at first.
constexpr int kFirstEntries = 16;
constexpr int kWholeBlock = 1;  // added to a unit's first row: 32 rows instead of eight

// Lanes that hold a row of bits, in the team of a row that is not short.  Over the bus twice as
// many ask for 128 bytes at a time, or 16 lanes for 256, as few rows are longer: what is left of a
// row is one more request.
constexpr int kGroups = kPinned ? 8 : 4;
constexpr int kLeastTeam = kPinned ? 16 : 1;

struct PullShared {
    int count;
    int taken;
    unsigned short item[2 * kRound];
    int4 picked[kWarps][32];  // neighbours in the frontier; or rows of which a sector is read
    Found found[kWarps];
};

template <typename Offset, int kWords, bool kSparse>
struct Pull {
    using Chunk = RowChunk<kWords>;
    static constexpr int kLanes = Row<kWords>::kLanes;
    static constexpr int kTeam = kLanes * kGroups < kLeastTeam ? kLeastTeam : kLanes * kGroups;
    static constexpr int kMid = kTeam > 32 ? 32 : kTeam;

    const ManySearch& s;
    PullShared& shared;
    const PullLevel<kWords>& level;  // in shared memory
    Liveness& live;                  // likewise
    Gather<Offset, kWords, kSparse> neighbours;
    // Kept by every lane, which asks once a row: whether all searches that go on have been noted in
    // its chunk.
    bool& all_noted;

    __device__ Chunk* visited_rows() const { return chunks_of<kWords>(s.visited); }
    __device__ const Offset* in_indptr() const { return static_cast<const Offset*>(s.in_indptr); }
    __device__ u64 out_length(int v, int in_length) const {
        if (s.out_indptr == s.in_indptr) return in_length;
        const Offset* const indptr = static_cast<const Offset*>(s.out_indptr);
        return __ldg(indptr + v + 1) - __ldg(indptr + v);
    }

    __device__ __forceinline__ void piece(const Piece& p) const {
        const int lane = threadIdx.x & 31;
        const i64 at = static_cast<i64>(p.row) * kLanes + lane % kLanes;
        const Chunk had =
            live.with_excused(lane % kLanes, __ldcg(visited_rows() + at)) | __ldcg(level.next + at);
        if (__all_sync(kFull, is_full(had))) return;
        const Chunk fresh = without(
            neighbours.template gather<32, true>(static_cast<Offset>(p.begin), p.length, had), had);
        if (lane < kLanes) add_bits(level.next + at, fresh);
    }

    // Bits of a unit's rows in a bit array.
    __device__ static u32 bits_of(const u32* bits, int unit) {
        const u32 word = __ldcg(bits + (unit >> 5));
        return unit & kWholeBlock ? word : word >> (unit & 24) & 255;
    }
    __device__ static void store_bits(u32* bits, int unit, u32 value) {
        if (unit & kWholeBlock)
            bits[unit >> 5] = value;
        else
            reinterpret_cast<unsigned char*>(bits)[unit >> 3] = value;
    }

    // Has a unit rows to reach, or old bits to clear?  If not, it is done here.
    __device__ bool needed(int unit) const {
        const u32 in_pieces = bits_of(s.long_mask, unit),
                  old = bits_of(level.next_any, unit) & ~in_pieces;
        const u32 rows = unit & kWholeBlock ? kFull : 255;
        if ((bits_of(s.full, unit) | in_pieces) != rows) return true;
        if (level.zeroed && old) return true;
        if (old) store_bits(level.next_any, unit, bits_of(level.next_any, unit) & in_pieces);
        return false;
    }

    __device__ __forceinline__ void unit(int unit) const {
        const int lane = threadIdx.x & 31, first = unit & ~7, count = unit & kWholeBlock ? 32 : 8;
        const u32 in_pieces = bits_of(s.long_mask, unit), full = bits_of(s.full, unit);
        const u32 before = bits_of(level.next_any, unit);
        // Rows behind the last one count as full.
        const u32 skipped = full | in_pieces | ~(kFull >> (32 - count)),
                  old = level.zeroed ? before & ~in_pieces : 0;
        const bool pulls = lane < count && !(skipped >> lane & 1);
        const Offset begin = pulls ? __ldg(in_indptr() + first + lane) : 0;
        const int length =
            pulls ? static_cast<int>(__ldg(in_indptr() + first + lane + 1) - begin) : 0;
        if (pulls) bring_near_row(first + lane, begin, length);
        u32 reached = 0, filled = 0;
        if (neighbours.kBySector && level.mostly_full)
            rows<kLanes, true>(first, begin, length, skipped, old, reached, filled);
        else if (count == 32)
            rows<kLanes, false>(first, begin, length, skipped, old, reached, filled);
        else
            rows<kMid, true>(first, begin, length, skipped, old, reached, filled);
        reached = warp_or(kFull, reached), filled = warp_or(kFull, filled);
        if (reached && level.planes.level >> lane & 1) {
            u32* const words = level.planes.words_of(first) + lane;
            const int word_unit = unit & (24 | kWholeBlock);
            store_bits(words, word_unit, bits_of(words, word_unit) | reached);
        }
        const bool is_reached = reached >> lane & 1;
        if (reached | filled)
            Found{is_reached ? out_length(first + lane, length) : 0,
                  static_cast<u64>(filled >> lane & 1 ? length : 0), is_reached}
                .add_to(shared.found[threadIdx.x >> 5]);
        if (lane == 0) {
            store_bits(level.next_any, unit, reached | (before & in_pieces));
            if (filled) store_bits(s.full, unit, full | filled);
        }
    }

    // What is read first of the rows of a unit, a lane a row: they follow one another, and each
    // would wait for memory again.  Not of entries in the host's, of which L2 keeps nothing.
    __device__ __forceinline__ void bring_near_row(int v, Offset begin, int length) const {
        bring_near(visited_rows() + static_cast<i64>(v) * kLanes, kLanes);
        if (!kPinned) bring_near(s.in_indices + begin, min(length, kFirstEntries));
    }

    // The rows of a unit, 32 / T at a time: 32 where they are short, eight otherwise.
    template <int T, bool kMayBeLong>
    __device__ __forceinline__ void rows(int base, Offset begin, int length, u32 skipped, u32 old,
                                         u32& reached, u32& filled) const {
        constexpr int kRows = 32 / T, kCount = T == kLanes ? 32 : 8;
        const int lane = threadIdx.x & 31, part = lane % kLanes;
        const u32 row_lanes = ((1u << kLanes) - 1) << (lane / T * T);
        for (int first = 0; first < kCount; first += kRows) {
            if (((~skipped | old) >> first & (kFull >> (32 - kRows))) == 0) continue;
            const int r = first + lane / T;
            const bool open = !(skipped >> r & 1), stale = old >> r & 1;
            const i64 at = static_cast<i64>(base + r) * kLanes + part;
            const Chunk visited = open ? __ldcg(visited_rows() + at) : splat<Chunk>(kFull);
            Offset its_begin = __shfl_sync(kFull, begin, r);
            int entries = __shfl_sync(kFull, length, r);
            Chunk bits = live.with_excused(part, visited);
            if (kPinned && !kSparse && level.mostly_full && s.row_prefix) {
                bits = neighbours.template with_prefix<T>(base + r, bits, entries);
                // A row of no entries asks for none only where it begins with 16 bytes.
                if (entries == 0) its_begin = 0;
            }
            bits = neighbours.template gather<T, kMayBeLong>(its_begin, entries, bits);
            Chunk fresh = without(bits, live.with_excused(part, visited));
            if (!kSparse && level.joins && open && stale) fresh = fresh | __ldcg(level.next + at);
            const u32 some = __ballot_sync(kFull, !is_zero(fresh));
            const u32 all = __ballot_sync(kFull, is_full(live.with_ended(part, visited) | fresh));
            const bool hit = some & row_lanes, is_filled = open && (all & row_lanes) == row_lanes;
            if (hit) reached |= 1u << r;
            if (is_filled) filled |= 1u << r;
            if (lane % T >= kLanes || !(open || stale)) continue;
            if (hit || stale) level.next[at] = fresh;
            if (hit) {
                if (!all_noted) all_noted = live.note(part, fresh);
                visited_rows()[at] = visited | fresh;
                level.planes.add(base + r, at, fresh);
            }
        }
    }

    // All pieces and units of this CTA.
    __device__ __forceinline__ void run() const {
        const int lane = threadIdx.x & 31, grid = gridDim.x;
        // Once rows are mostly full, units are blocks of 32 rows whatever their lengths.
        const bool mostly_full = !kSparse && level.mostly_full;
        const int unit_count = mostly_full ? (s.n + 31) / 32 : s.unit_count;
        const auto unit_at = [&](int i) {
            return mostly_full ? 32 * i + kWholeBlock : __ldg(s.units + i);
        };
        const int most = max(unit_count, s.piece_count);
        for (int first = 0; first * grid + static_cast<int>(blockIdx.x) < most; first += kRound) {
            __syncthreads();
            if (threadIdx.x == 0) shared.count = shared.taken = 0;
            __syncthreads();
            for (int i = threadIdx.x; i < 2 * kRound; i += kThreads) {
                const int at = (first + i % kRound) * grid + blockIdx.x;
                const bool mine = i < kRound ? at < s.piece_count && !test(s.full, s.pieces[at].row)
                                             : at < unit_count && needed(unit_at(at));
                const u32 mask = __ballot_sync(kFull, mine);
                int base = 0;
                if (lane == 0 && mask) base = atomicAdd(&shared.count, __popc(mask));
                base = __shfl_sync(kFull, base, 0);
                if (mine) shared.item[base + __popc(mask & lanes_below())] = i;
            }
            __syncthreads();
            for (;;) {
                int t = 0;
                if (lane == 0) t = atomicAdd(&shared.taken, 1);
                t = __shfl_sync(kFull, t, 0);
                if (t >= shared.count) break;
                const int i = shared.item[t], at = (first + i % kRound) * grid + blockIdx.x;
                if (i < kRound)
                    piece(s.pieces[at]);
                else
                    unit(unit_at(at));
            }
        }
    }
};
