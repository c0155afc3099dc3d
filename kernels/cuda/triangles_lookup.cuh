// A warp looks the kept rows of many vertices through for members of one.
//
// 32 vertices are asked for their rows at once, and those of the next meanwhile.  Entries of these
// rows are numbered through, and every lane takes as many as any other, however short the rows are:
// who an entry is of is counted by a bitmap of the first entries of rows among 32 in turn.
#pragma once
#include "triangles_members.cuh"
#include "triangles_order.cuh"
#include "warp_reduce.cuh"

namespace spbfs {

// What a warp has in shared memory for that.
template <typename Offset>
struct WarpDesk {
    static constexpr int kWaiting = (kAtOnce + 1) * kWarp;

    Offset shift[kWarp];     // from the number of an entry to its place
    int owner[kWarp];        // the vertices of rows that are looked through
    int2 waiting[kWaiting];  // possible members, and whose rows they are of
};

template <class Members, typename Offset>
struct Lookup {
    const OrderedRows<Offset>& rows;
    const Members& members;
    const int x, size;  // whose members these are, and how many it has
    WarpDesk<Offset>& desk;
    u64* triangles;
    unsigned found = 0;  // by the warp
    int waiting = 0;

    // Of two neighbours the row of one is looked through for members of the other: the shorter one,
    // and so that of an edge one end does.
    __device__ bool is_mine(int y, int its) const {
        return its != 0 && (its < size || (its == size && y < x));
    }

    // The kept rows of neighbours[first .. first + 32), first + stride .., below `count`.
    __device__ void look(const int* neighbours, int count, int first, int stride) {
        const auto neighbour = [&](int k) {
            return k + lane_of() < count ? neighbours[k + lane_of()] : x;
        };
        int y = neighbour(first), after = neighbour(first + stride);
        KeptRow row = rows.kept[y];
        for (int k = first; k < count; k += stride) {
            const int later = neighbour(k + 2 * stride);
            const KeptRow next = rows.kept[after];
            look_through(y, row);
            y = after, after = later, row = next;
        }
        settle(waiting);
    }

    // A row a lane.
    __device__ void look_through(int y, KeptRow row) {
        const unsigned before = (1u << lane_of()) - 1;
        const bool wanted = is_mine(y, row.size());
        const unsigned lanes = __ballot_sync(kAll, wanted);
        if (lanes == 0) return;
        int through = wanted ? row.size() : 0;
        for (int by = 1; by < kWarp; by *= 2) {
            const int others = __shfl_up_sync(kAll, through, by);
            if (lane_of() >= by) through += others;
        }
        const int all = __shfl_sync(kAll, through, kWarp - 1);
        int start = -1;
        if (wanted) {
            start = through - row.size();
            const int rank = __popc(lanes & before);
            desk.shift[rank] = static_cast<Offset>(row.begin() - start);
            desk.owner[rank] = y;
        }
        __syncwarp();
        int begun = -1;  // the last row of those before
        for (int e = 0; e < all; e += kAtOnce * kWarp) {
            int w[kAtOnce], rank[kAtOnce];
#pragma unroll
            for (int i = 0; i < kAtOnce; ++i) {
                const unsigned at = start - (e + i * kWarp);
                const unsigned firsts = warp_or(kAll, at < kWarp ? 1u << at : 0u);
                rank[i] = begun + __popc(firsts & (before * 2 + 1));
                begun += __popc(firsts);
                const int number = e + i * kWarp + lane_of();
                w[i] = number < all ? rows.columns[desk.shift[rank[i]] + number] : -1;
            }
#pragma unroll
            for (int i = 0; i < kAtOnce; ++i) {
                const bool may_be = w[i] >= 0 && members.maybe(w[i]);
                const unsigned those = __ballot_sync(kAll, may_be);
                if (may_be)
                    desk.waiting[waiting + __popc(those & before)] = {w[i], desk.owner[rank[i]]};
                waiting += __popc(those);
            }
            while (waiting >= kWarp) settle(kWarp);
        }
        __syncwarp();
    }

    // Looks up the last `count` of those that wait, no more than lanes.  Neighbouring ones are of
    // the same row, mostly, whose vertex is told by the first of them.
    __device__ void settle(int count) {
        __syncwarp();
        waiting -= count;
        const bool mine = lane_of() < count;
        const int2 asked = mine ? desk.waiting[waiting + lane_of()] : make_int2(-1, -1);
        const unsigned those = __ballot_sync(kAll, mine && members.count(asked.x));
        const int former = __shfl_up_sync(kAll, asked.y, 1);
        const unsigned first = __ballot_sync(kAll, lane_of() == 0 || former != asked.y);
        if (mine && first >> lane_of() & 1) {
            const unsigned since = kAll << lane_of(), others = first & since & (since - 1);
            const unsigned here = others != 0 ? (others & -others) - 1 : kAll;
            const int its = __popc(those & since & here);
            if (its != 0) atomicAdd(triangles + asked.y, static_cast<u64>(its));
        }
        found += __popc(those);
    }
};

}  // namespace spbfs
