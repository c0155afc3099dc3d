// Lists of rows whose entries a round looks at, in items of few entries each: nobody walks a long
// row alone, and a round takes one barrier.
//
// Whoever lists a row lists all of its items.  A warp takes some of them, as many as there are for
// each warp, and goes through their entries side by side, several a lane at once.  What it finds it
// lists for the next round, by one atomic; or, short rows, for its own CTA, which looks at them in
// rounds of its own, a barrier of its threads each, before the round of all ends.  So a long chain
// of short rows takes few rounds of the grid.
#pragma once
#include "cuda/grid/rounds.cuh"
#include "cuda/memory/predicated_loads.cuh"

namespace spbfs {

constexpr int kItemEntries = 128;
// The most entries of a lane that are asked for at once.
constexpr int kMostFlight = 4;
// Rows that stay with their CTA at once.
constexpr int kOwnRows = kThreads;

struct __align__(16) WorkItem {
    long long begin;
    int row, count;
};
// ITEM_BYTES of cuda/algorithms/rows.py.
SHARED_STRUCT(WorkItem, 16, FIELD(begin, 0) FIELD(row, 8) FIELD(count, 12));

template <typename T>
__device__ __forceinline__ T sums_up_to(T x) {
#pragma unroll
    for (int by = 1; by < kWarp; by *= 2) {
        const T before = __shfl_up_sync(kAll, x, by);
        if (lane_of() >= by) x += before;
    }
    return x;
}

// Places for `mine` elements of every lane in a list of which `count` is the length so far: where
// the caller's begin.
template <typename Count>
__device__ __forceinline__ Count reserve(Count* count, Count mine) {
    const Count ends = sums_up_to(mine);
    Count begin = 0;
    if (lane_of() == kWarp - 1 && ends != 0) begin = atomicAdd(count, ends);
    return __shfl_sync(kAll, begin, kWarp - 1) + ends - mine;
}

// A warp's part of so many elements: `each` from `first` on, then from `step` further on.  Few
// elements are spread over all CTAs.
struct Share {
    unsigned each, first, step;

    __device__ Share(unsigned count, unsigned most) {
        const unsigned warps = gridDim.x * (kThreads / kWarp);
        each = min((count + warps - 1) / warps, most);
        first = (threadIdx.x / kWarp * gridDim.x + blockIdx.x) * each;
        step = warps * each;
    }
};

// visit(vertices, mine) for vertex(i), i < count, kFlight a lane, by whole warps; where bit u of
// `mine` is not set, vertices[u] is somebody else's.
template <int kFlight, class VertexOf, class Visit>
__device__ __forceinline__ void visit_vertices(unsigned count, VertexOf&& vertex, Visit&& visit) {
    const Share share(count, kFlight * kWarp);
    for (unsigned first = share.first; first < count; first += share.step) {
        const unsigned end = min(first + share.each, count);
        int vertices[kFlight];
        unsigned mine = 0;
#pragma unroll
        for (int u = 0; u < kFlight; ++u) {
            const unsigned i = first + u * kWarp + lane_of();
            vertices[u] = vertex(min(i, end - 1));
            mine |= static_cast<unsigned>(i < end) << u;
        }
        visit(vertices, mine);
    }
}

// visit(owners, places, mine) for the entries from `begin` on, `count` of them, of every lane:
// owners[u] is whose an entry is, and places[u] where it is; where bit u of `mine` is not set, it
// is somebody else's, and may be read.
template <int kFlight, typename Offset, class Visit>
__device__ __forceinline__ void visit_entries(Offset begin, int count, Visit&& visit) {
    const int ends = sums_up_to(count), before = ends - count;
    const int all = __shfl_sync(kAll, ends, kWarp - 1);
    const Offset shift = begin - before;
    for (int first = 0; first < all; first += kFlight * kWarp) {
        int owners[kFlight];
        Offset places[kFlight];
        unsigned mine = 0;
#pragma unroll
        for (int u = 0; u < kFlight; ++u) {
            const int i = first + u * kWarp + lane_of(), entry = min(i, all - 1);
            mine |= static_cast<unsigned>(i < all) << u;
            int owner = 0;
#pragma unroll
            for (int step = kWarp / 2; step > 0; step /= 2)
                if (__shfl_sync(kAll, before, owner + step) <= entry) owner += step;
            owners[u] = owner;
            places[u] = __shfl_sync(kAll, shift, owner) + entry;
        }
        visit(owners, places, mine);
    }
}

// Short rows that a CTA keeps for itself, in turns: a list is read while the other one is filled,
// and of three counts one is read, one is added to, one is cleared.
struct OwnRows {
    WorkItem items[2][kOwnRows];
    unsigned count[3];
};

class OwnTurns {
  public:
    // Called by all threads, behind which a barrier is to come.
    __device__ explicit OwnTurns(OwnRows& rows) : rows_(rows) {
        if (threadIdx.x < 3) rows_.count[threadIdx.x] = 0;
    }

    __device__ unsigned* count() const { return rows_.count + (turn_ + 1) % 3; }
    __device__ WorkItem* items() const { return rows_.items[(turn_ + 1) & 1]; }

    // On to the rows that were kept in the turn before; this thread's.
    __device__ bool next(WorkItem& mine) {
        __syncthreads();
        ++turn_;
        if (threadIdx.x == 0) rows_.count[(turn_ + 2) % 3] = 0;
        const unsigned kept = min(rows_.count[turn_ % 3], unsigned{kOwnRows});
        const unsigned each = (kept + kThreads / kWarp - 1) / (kThreads / kWarp);
        const unsigned lane = lane_of(), i = threadIdx.x / kWarp * each + lane;
        if (lane < each && i < kept) mine = rows_.items[turn_ & 1][i];
        return kept != 0;
    }

  private:
    OwnRows& rows_;
    int turn_ = 0;
};

// What a warp has found, kept in shared memory until each lane can list one.
class Finds {
  public:
    struct Room {
        unsigned staged[kThreads / kWarp][(kMostFlight + 1) * kWarp];
    };
    __device__ explicit Finds(Room& room) : room_(room) {}

    // list(find, is) for those of which bits of `mine` are set, `is` where a lane has one; for some
    // of them later.  Called by whole warps.
    template <int kFlight, class List>
    __device__ __forceinline__ void add(const unsigned (&finds)[kFlight], unsigned mine,
                                        List&& list) {
#pragma unroll
        for (int u = 0; u < kFlight; ++u) {
            const bool is = mine >> u & 1;
            const unsigned lanes = __ballot_sync(kAll, is);
            if (is) staged()[count_ + __popc(lanes & ((1u << lane_of()) - 1))] = finds[u];
            count_ += __popc(lanes);
        }
        while (count_ >= kWarp) list_some(list);
    }
    // The others.
    template <class List>
    __device__ __forceinline__ void finish(List&& list) {
        if (count_ != 0) list_some(list);
    }

  private:
    template <class List>
    __device__ __forceinline__ void list_some(List&& list) {
        const int taken = min(count_, kWarp);
        count_ -= taken;
        __syncwarp();
        const bool is = lane_of() < taken;
        const unsigned find = is ? staged()[count_ + lane_of()] : 0;
        __syncwarp();
        list(find, is);
    }

    __device__ unsigned* staged() const { return room_.staged[threadIdx.x / kWarp]; }

    Room& room_;
    int count_ = 0;
};

// A row that a lane lists; none where it has no entries.
template <typename Offset>
struct Listing {
    int row;
    int count;
    Offset begin = 0;

    __device__ Listing(const Offset* indptr, int its, bool is) : row(its) {
        Offset end = 0;
        load_if(is, indptr + row, begin);
        load_if(is, indptr + row + 1, end);
        count = static_cast<int>(end - begin);
    }

    // One of so many entries at most, and of one item, is the CTA's own as long as there is room.
    __device__ __forceinline__ void keep(const OwnTurns& own, int most) {
        const bool is_short = count > 0 && count <= most;
        if (!__any_sync(kAll, is_short)) return;
        const unsigned at = reserve(own.count(), static_cast<unsigned>(is_short));
        if (!is_short || at >= kOwnRows) return;
        own.items()[at] = {begin, row, count};
        count = 0;
    }

    __device__ unsigned items() const {
        return (static_cast<unsigned>(count) + kItemEntries - 1) / kItemEntries;
    }
    // Its items, from `at` on; a long row's by the whole warp.
    __device__ __forceinline__ void write(WorkItem* list, unsigned at) const {
        if (count > 0 && count <= kItemEntries) list[at] = {begin, row, count};
        for (unsigned left = __ballot_sync(kAll, count > kItemEntries); left != 0;
             left &= left - 1) {
            const int owner = __ffs(left) - 1, its = __shfl_sync(kAll, row, owner);
            i64 from = __shfl_sync(kAll, begin, owner);
            const i64 last = from + __shfl_sync(kAll, count, owner);
            WorkItem* to = list + __shfl_sync(kAll, at, owner) + lane_of();
            for (from += lane_of() * kItemEntries; from < last; from += kWarp * kItemEntries) {
                *to = {from, its, static_cast<int>(min(last - from, i64{kItemEntries}))};
                to += kWarp;
            }
        }
    }
};

// A round's items, `count` of the list, then those that the CTA keeps meanwhile, until none are
// left: take(item) for every item, or one without entries, by one lane; then visit as above, by all
// of its warp; and finish() by whole warps before every turn of the CTA's own.  Called by all
// threads.
template <int kFlight, typename Offset, class Take, class Visit, class Finish>
__device__ __forceinline__ void visit_items(const WorkItem* list, unsigned count, OwnTurns& own,
                                            Take&& take, Visit&& visit, Finish&& finish) {
    const Share share(count, kWarp);
    for (unsigned first = share.first;;) {
        WorkItem mine{};
        if (first < count) {
            const unsigned lane = lane_of();
            if (lane < share.each && first + lane < count) mine = list[first + lane];
            first += share.step;
        } else {
            finish();
            if (!own.next(mine)) return;
        }
        take(mine);
        visit_entries<kFlight>(static_cast<Offset>(mine.begin), mine.count, visit);
    }
}

}  // namespace spbfs
