// One level against the edges: every row that some search has not reached gathers the frontier rows
// of its in-neighbours and stops when all searches have reached it.
//
// Lanes: kLanes of them hold a row of bits, 16 bytes each.  A team of T lanes takes a row and
// T / kLanes neighbours at a time, four deep: kLanes for short rows, four times as many for others.
// A warp takes a unit of 32 short rows or eight others.  Rows longer still are cut into pieces, a
// warp each, merged by atomics and finished behind a grid barrier.  A CTA lists the pieces and units
// that are not done (most are, in the late levels); its warps take them one by one, heavy ones first.
#pragma once
#include "bfs_many_state.cuh"

constexpr int kRound = 2048;  // pieces and units that a CTA lists at a time
constexpr int kWholeBlock = 1;  // added to a unit's first row: 32 rows instead of eight

struct PullList {
    int count;
    int taken;
    unsigned short item[2 * kRound];
};

// The frontier with what shared memory holds of it: rows and `any` bits of the first vertices, which
// have the highest degrees, and a bit for every 2^shift of the others.
template <int kLanes, bool kSparse>
struct FrontierCache {
    const uint4* rows;
    const u32* any;
    const uint4* cached_rows;
    const u32* cached_any;
    int row_count;
    int bit_count;
    int shift;

    __device__ __forceinline__ bool active(int v) const {
        if constexpr (!kSparse) return true;
        const bool exact = v < bit_count;
        const int i = exact ? v : (v >> shift) + bit_count;
        const bool on = cached_any[i >> 5] >> (i & 31) & 1;
        return exact || !on ? on : any[v >> 5] >> (v & 31) & 1;
    }
    __device__ __forceinline__ uint4 row(int v, int part) const {
        return v < row_count ? cached_rows[v * kLanes + part]
                             : rows[static_cast<i64>(v) * kLanes + part];
    }
};

template <typename Offset, int kWords, bool kSparse>
struct Pull {
    static constexpr int kLanes = kWords / 2;
    static constexpr int kMid = kLanes * 4 > 32 ? 32 : kLanes * 4;

    const ManySearch& s;
    FrontierCache<kLanes, kSparse> frontier;
    uint4* next;
    u32* next_any;
    LevelPlanes planes;
    bool tidy;  // rows of `next` that nobody reaches are cleared
    Found& found;

    __device__ const Offset* in_indptr() const { return static_cast<const Offset*>(s.in_indptr); }
    __device__ u64 out_length(int v, Offset in_length) const {
        if (s.out_indptr == s.in_indptr) return in_length;
        const Offset* const indptr = static_cast<const Offset*>(s.out_indptr);
        return __ldg(indptr + v + 1) - __ldg(indptr + v);
    }

    // Bits of the T lanes' row that `seen` or a neighbour has, until all are there.
    template <int T>
    __device__ __forceinline__ uint4 gather(Offset at, Offset end, uint4 seen, bool live) const {
        constexpr int kAbreast = T / kLanes, kDeep = 4;
        const int lane = threadIdx.x & 31, part = lane % kLanes;
        const u32 row_lanes = (kLanes == 32 ? kFull : (1u << kLanes) - 1) << (lane / T * T);
        uint4 bits = seen;
        if (!live) end = at;
        at += lane % T / kLanes;
        int ahead[kDeep];
#pragma unroll
        for (int u = 0; u < kDeep; ++u)
            ahead[u] = at + u * kAbreast < end ? __ldg(s.in_indices + at + u * kAbreast) : -1;
        while (__any_sync(kFull, ahead[0] >= 0)) {
            int v[kDeep];
            bool hit = false;
#pragma unroll
            for (int u = 0; u < kDeep; ++u) {
                v[u] = ahead[u] >= 0 && frontier.active(ahead[u]) ? ahead[u] : -1;
                hit |= v[u] >= 0;
            }
            at += kAbreast * kDeep;
#pragma unroll
            for (int u = 0; u < kDeep; ++u)
                ahead[u] = at + u * kAbreast < end ? __ldg(s.in_indices + at + u * kAbreast) : -1;
            if (kSparse && !__any_sync(kFull, hit)) continue;
            uint4 row[kDeep];
#pragma unroll
            for (int u = 0; u < kDeep; ++u)
                row[u] = v[u] >= 0 ? frontier.row(v[u], part) : splat(0);
#pragma unroll
            for (int u = 0; u < kDeep; ++u) bits = bits | row[u];
#pragma unroll
            for (int d = kLanes; d < T; d <<= 1) bits = bits | shuffle_xor(bits, d);
            if ((__ballot_sync(kFull, is_full(bits)) & row_lanes) == row_lanes) {
                end = 0;
#pragma unroll
                for (int u = 0; u < kDeep; ++u) ahead[u] = -1;
            }
        }
        return bits;
    }

    __device__ __forceinline__ void piece(const Piece& p) const {
        const int lane = threadIdx.x & 31;
        const i64 at = static_cast<i64>(p.row) * kLanes + lane % kLanes;
        const uint4 had = __ldcg(s.seen + at) | __ldcg(next + at);
        if (__all_sync(kFull, is_full(had))) return;
        const Offset begin = static_cast<Offset>(p.begin);
        const uint4 fresh = without(gather<32>(begin, begin + p.length, had, true), had);
        if (lane < kLanes) {
            u64* const words = reinterpret_cast<u64*>(next + at);
            const u64 low = fresh.x | static_cast<u64>(fresh.y) << 32;
            const u64 high = fresh.z | static_cast<u64>(fresh.w) << 32;
            if (low) atomicOr(words, low);
            if (high) atomicOr(words + 1, high);
        }
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

    // Has a unit rows to reach, old bits to clear, or a plane to begin?  If not, it is done here.
    __device__ bool needed(int unit) const {
        const u32 in_pieces = bits_of(s.long_mask, unit), old = bits_of(next_any, unit) & ~in_pieces;
        const u32 rows = unit & kWholeBlock ? kFull : 255;
        if (planes.fresh() || (bits_of(s.full, unit) | in_pieces) != rows) return true;
        if (tidy && old) return true;
        if (old) store_bits(next_any, unit, bits_of(next_any, unit) & in_pieces);
        return false;
    }

    __device__ __forceinline__ void unit(int unit) const {
        const int lane = threadIdx.x & 31, first = unit & ~7, count = unit & kWholeBlock ? 32 : 8;
        const u32 in_pieces = bits_of(s.long_mask, unit), full = bits_of(s.full, unit);
        const u32 before = bits_of(next_any, unit);
        const u32 skipped = full | in_pieces, old = tidy ? before & ~in_pieces : 0;
        const u32 inside = kFull >> (32 - min(count, s.n - first));
        const u32 wanted = planes.fresh() ? ~in_pieces & inside : (~skipped & inside) | old;
        const bool pulls = lane < count && !(skipped >> lane & 1);
        const Offset begin = pulls ? __ldg(in_indptr() + first + lane) : 0;
        const Offset end = pulls ? __ldg(in_indptr() + first + lane + 1) : 0;
        u32 reached = 0, filled = 0;
        if (count == 32)
            rows<kLanes>(first, count, begin, end, skipped, old, wanted, reached, filled);
        else
            rows<kMid>(first, count, begin, end, skipped, old, wanted, reached, filled);
        if (reached >> lane & 1) found.edges += out_length(first + lane, end - begin);
        if (filled >> lane & 1) found.filled += end - begin;
        if (lane == 0) {
            found.vertices += __popc(reached);
            store_bits(next_any, unit, reached | (before & in_pieces));
            if (filled) store_bits(s.full, unit, full | filled);
        }
    }

    // The rows of a unit, 32 / T at a time.
    template <int T>
    __device__ __forceinline__ void rows(int base, int count, Offset begin, Offset end,
                                         u32 skipped, u32 old, u32 wanted, u32& reached,
                                         u32& filled) const {
        constexpr int kRows = 32 / T;
        const int lane = threadIdx.x & 31, part = lane % kLanes;
        const u32 row_lanes = ((1u << kLanes) - 1) << (lane / T * T);
        for (int first = 0; first < count; first += kRows) {
            if ((wanted >> first & (kFull >> (32 - kRows))) == 0) continue;
            const int r = first + lane / T;
            const bool live = !(skipped >> r & 1);
            const i64 at = static_cast<i64>(base + r) * kLanes + part;
            const uint4 seen = live ? __ldcg(s.seen + at) : splat(kFull);
            const uint4 bits = gather<T>(__shfl_sync(kFull, begin, r), __shfl_sync(kFull, end, r),
                                         seen, live);
            const uint4 fresh = without(bits, seen);
            const u32 some = __ballot_sync(kFull, !is_zero(fresh));
            const u32 all = __ballot_sync(kFull, is_full(bits));
            const bool hit = some & row_lanes, is_filled = live && (all & row_lanes) == row_lanes;
            reached |= __reduce_or_sync(kFull, hit ? 1u << r : 0);
            filled |= __reduce_or_sync(kFull, is_filled ? 1u << r : 0);
            if (lane % T >= kLanes || !(wanted >> r & 1)) continue;
            if (hit || (old >> r & 1)) next[at] = fresh;
            if (hit) s.seen[at] = bits;
            if (planes.fresh())
                planes.newest()[at] = fresh;
            else if (hit)
                planes.add(at, fresh);
        }
    }

    // Work of one warp: a piece, or a unit in `piece.row`.
    struct Item {
        Piece piece;
        bool is_piece;
        bool some;
    };

    __device__ __forceinline__ Item take(PullList& list, int first) const {
        int t = 0;
        if ((threadIdx.x & 31) == 0) t = atomicAdd(&list.taken, 1);
        t = __shfl_sync(kFull, t, 0);
        if (t >= list.count) return {{}, false, false};
        const int i = list.item[t];
        const int at = (first + i % kRound) * gridDim.x + blockIdx.x;
        if (i < kRound) return {s.pieces[at], true, true};
        return {{0, __ldg(s.units + at), 0}, false, true};
    }

    // All pieces and units of this CTA.
    __device__ __forceinline__ void run(PullList& list) const {
        const int lane = threadIdx.x & 31, grid = gridDim.x;
        const int most = max(s.unit_count, s.piece_count);
        for (int first = 0; first * grid + static_cast<int>(blockIdx.x) < most; first += kRound) {
            __syncthreads();
            if (threadIdx.x == 0) list.count = list.taken = 0;
            __syncthreads();
            for (int i = threadIdx.x; i < 2 * kRound; i += kThreads) {
                const int at = (first + i % kRound) * grid + blockIdx.x;
                const bool mine = i < kRound ? at < s.piece_count && !test(s.full, s.pieces[at].row)
                                             : at < s.unit_count && needed(__ldg(s.units + at));
                const u32 mask = __ballot_sync(kFull, mine);
                int base = 0;
                if (lane == 0 && mask) base = atomicAdd(&list.count, __popc(mask));
                base = __shfl_sync(kFull, base, 0);
                if (mine) list.item[base + __popc(mask & lanes_below())] = i;
            }
            __syncthreads();
            for (Item item = take(list, first); item.some;) {
                const Item ahead = take(list, first);
                if (item.is_piece)
                    piece(item.piece);
                else
                    unit(item.piece.row);
                item = ahead;
            }
        }
    }
};

// Behind a barrier: what the pieces found, and the old frontier of the long rows cleared, for the
// next pull's pieces add to it.
template <typename Offset, int kWords>
__device__ __forceinline__ void finish_long_rows(const ManySearch& s, uint4* frontier,
                                                 const u32* any, uint4* next, u32* next_any,
                                                 const LevelPlanes& planes, Found& found) {
    constexpr int kLanes = kWords / 2;
    const int lane = threadIdx.x & 31, part = lane % kLanes;
    const u32 row_lanes = ((1u << kLanes) - 1) << (lane / kLanes * kLanes);
    const Offset* const in_indptr = static_cast<const Offset*>(s.in_indptr);
    const Offset* const out_indptr = static_cast<const Offset*>(s.out_indptr);
    const int step = gridDim.x * kThreads / kLanes;
    const int mine = (blockIdx.x * kThreads + threadIdx.x) / kLanes;
    for (int base = mine - lane / kLanes; base < s.long_count; base += step) {
        const int i = base + lane / kLanes;
        const bool inside = i < s.long_count;
        const int v = inside ? s.long_rows[i] : 0;
        const i64 at = static_cast<i64>(v) * kLanes + part;
        const bool was_full = inside && test(s.full, v);
        const uint4 fresh = inside && !was_full ? __ldcg(next + at) : splat(0);
        const uint4 seen = inside && !was_full ? __ldcg(s.seen + at) : splat(kFull);
        const bool hit = __ballot_sync(kFull, !is_zero(fresh)) & row_lanes;
        const bool all = (__ballot_sync(kFull, is_full(seen | fresh)) & row_lanes) == row_lanes;
        if (!inside) continue;
        if (test(any, v)) frontier[at] = splat(0);
        if (hit) s.seen[at] = seen | fresh;
        if (planes.fresh())
            planes.newest()[at] = fresh;
        else if (hit)
            planes.add(at, fresh);
        if (part) continue;
        if (!hit && test(next_any, v)) atomicAnd(next_any + (v >> 5), ~(1u << (v & 31)));
        if (hit) {
            atomicOr(next_any + (v >> 5), 1u << (v & 31));
            found.edges += __ldg(out_indptr + v + 1) - __ldg(out_indptr + v);
            ++found.vertices;
        }
        if (all && !was_full) {
            atomicOr(s.full + (v >> 5), 1u << (v & 31));
            found.filled += __ldg(in_indptr + v + 1) - __ldg(in_indptr + v);
        }
    }
}
