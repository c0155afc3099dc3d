// A warp looks the kept rows of many vertices through for members of one.
//
// 32 vertices are asked for their rows at once, and those of the next meanwhile.  Entries of these
// rows are numbered through by fours, as they lie aligned, and every lane takes a four, however
// short the rows are: whose it is is counted by a bitmap of the first fours of rows among 32 in
// turn.
#pragma once
#include "cuda/cohesion/triangles_members.cuh"
#include "cuda/cohesion/triangles_order.cuh"
#include "cuda/grid/warp_reduce.cuh"

namespace spbfs {

constexpr int kFour = 4;

// What a warp has in shared memory for that.
struct WarpDesk {
    static constexpr int kWaiting = (kFour + 1) * kWarp;

    // A row that is looked through.
    struct __align__(16) Row {
        i64 shift;         // from the number of a four to its place
        int shift_within;  // from that number, times four, to that of its first entry in the row
        int size;
    };
    Row rows[kWarp];
    int owner[kWarp];        // their vertices
    int2 waiting[kWaiting];  // possible members, and whose rows they are of
};

// A vertex, its kept row, and those of its neighbours that a group has before it.
struct Share {
    int x;
    KeptRow kept;
    const int* neighbours;
    int count;

    // x itself behind the last.
    __device__ int neighbour(int k) const { return k < count ? neighbours[k] : x; }
};

// The two first neighbours of a thread, which are asked for as soon as the share is known.
template <class Group>
struct Ahead {
    int y, after;

    __device__ explicit Ahead(const Share& share)
        : y(share.neighbour(Group::rank())), after(share.neighbour(Group::rank() + Group::kSize)) {}
};

template <class Members, typename Offset>
struct Lookup {
    using Group = typename Members::Group;

    const OrderedRows<Offset>& rows;
    const Members& members;
    const Share& share;
    WarpDesk& desk;
    u64* triangles;
    unsigned found = 0;  // by the warp
    int waiting = 0;

    // Of two neighbours the row of one is looked through for members of the other: the shorter one,
    // and so that of an edge one end does.
    __device__ bool is_mine(int y, int its) const {
        const int size = share.kept.size();
        return its != 0 && (its < size || (its == size && y < share.x));
    }

    // The kept rows of the share's neighbours.
    __device__ void look(const Ahead<Group>& ahead) {
        int y = ahead.y, after = ahead.after;
        KeptRow row = rows.kept[y];
        for (int k = Group::rank(); k - lane_of() < share.count; k += Group::kSize) {
            const int later = share.neighbour(k + 2 * Group::kSize);
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
        const i64 place = row.begin() / kFour;
        const int within = static_cast<int>(row.begin() % kFour);
        const int fours = wanted ? (within + row.size() + kFour - 1) / kFour : 0;
        int through = fours;
        for (int by = 1; by < kWarp; by *= 2) {
            const int others = __shfl_up_sync(kAll, through, by);
            if (lane_of() >= by) through += others;
        }
        const int all = __shfl_sync(kAll, through, kWarp - 1);
        int start = -1;
        if (wanted) {
            start = through - fours;
            const int rank = __popc(lanes & before);
            desk.rows[rank] = {place - start, -(kFour * start + within), row.size()};
            desk.owner[rank] = y;
        }
        __syncwarp();
        // The entries of a four, those outside of the row among them: what is loaded is not looked
        // at before the four ahead of it has been.
        struct Entries {
            int4 w;
            unsigned in_row;  // a bit an entry
            int owner;
        };
        int begun = -1;  // the last row of those before
        const auto ask = [&](int e) {
            const unsigned at = start - e;
            const unsigned firsts = warp_or(kAll, at < kWarp ? 1u << at : 0u);
            const int rank = begun + __popc(firsts & (before * 2 + 1)), number = e + lane_of();
            begun += __popc(firsts);
            Entries four{make_int4(0, 0, 0, 0), 0, 0};
            if (number < all) {
                const WarpDesk::Row its = desk.rows[rank];
                four.w = reinterpret_cast<const int4*>(rows.columns)[its.shift + number];
                const int first = its.shift_within + kFour * number;
                const unsigned not_behind = (1u << min(its.size - first, kFour)) - 1;
                four.in_row = not_behind & ~0u << max(-first, 0);
                four.owner = desk.owner[rank];
            }
            return four;
        };
        Entries next = ask(0);
        for (int e = 0; e < all; e += kWarp) {
            const Entries four = next;
            if (e + kWarp < all) next = ask(e + kWarp);
            const int w[kFour] = {four.w.x, four.w.y, four.w.z, four.w.w};
#pragma unroll
            for (int i = 0; i < kFour; ++i) {
                const bool may_be = four.in_row >> i & 1 && members.maybe(w[i]);
                const unsigned those = __ballot_sync(kAll, may_be);
                if (may_be) desk.waiting[waiting + __popc(those & before)] = {w[i], four.owner};
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
        __syncwarp();
    }
};

}  // namespace spbfs
