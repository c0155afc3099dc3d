// Rows of a list, each taken whole by a group of lanes that ends it together: eight lanes for a
// short row, a warp for a longer one.  Of rows of thousands of entries parts are listed, which all
// warps take behind a barrier.
//
// A list of few rows is dealt out four to a warp, so that a level of a road network keeps the
// whole GPU busy.
#pragma once
#include "cuda/grid/counts.cuh"

namespace spbfs {

// Lanes of a group, the longest row that one takes, and the longest that a warp takes, which is
// also the size of a part.  Not measured yet.
constexpr int kGroup = 8;
constexpr int kGroupEntries = 64;
constexpr int kPartEntries = 1024;

// A row that is looked at for the sources in `mask`; nothing where that is zero.
struct Wanted {
    int row;
    unsigned mask;
};

struct RowPart {
    long long begin;
    Wanted its;
    int count;
    unsigned first, parts;  // the first part of the row, and how many there are
    unsigned ended;         // in the first part: how many have been looked at
};
// PART_BYTES of cuda/algorithms/betweenness.py.
SHARED_STRUCT(RowPart, 32, FIELD(begin, 0) FIELD(its, 8) FIELD(count, 16));

// Where the parts of one walk are listed.
struct RowParts {
    RowPart* list;
    unsigned* count;

    __device__ void add(Wanted its, i64 begin, i64 end) const {
        const auto parts = static_cast<unsigned>((end - begin + kPartEntries - 1) / kPartEntries);
        const unsigned first = atomicAdd(count, parts);
        for (unsigned i = 0; i < parts; ++i, begin += kPartEntries) {
            const i64 size = min(end - begin, static_cast<i64>(kPartEntries));
            list[first + i] = {begin, its, static_cast<int>(size), first, parts, 0};
        }
    }
};

// visitor.take<lanes>(wanted, begin, size) for the rows item(i), i < count, but for long ones,
// which are listed; all lanes of a warp call it together, each for the row of its group.  What the
// group's first lane returns settle(wanted, outcome) gets, for up to 32 rows at once, where the
// visitor `settles`.  With `from_last` the last warp is dealt the first rows: the one walk of two
// over short lists then leaves to the other the warps that it has no use for.
template <bool from_last, typename Offset, class ItemOf, class Visitor>
__device__ __forceinline__ void walk_rows(const Offset* indptr, unsigned count,
                                          const RowParts& parts, ItemOf&& item, Visitor& visitor) {
    constexpr unsigned kGroups = kWarp / kGroup;
    const unsigned warps = gridDim.x * (kThreads / kWarp);
    const unsigned share = (count + warps - 1) / warps;
    const unsigned each = min(max(share, kGroups), unsigned{kWarp});
    const unsigned lane = lane_of(), number = static_cast<unsigned>(thread_of()) / kWarp;
    for (unsigned first = (from_last ? warps - 1 - number : number) * each; first < count;
         first += warps * each) {
        Wanted mine{0, 0};
        Offset begin = 0;
        int size = 0;
        if (lane < each && first + lane < count) mine = item(first + lane);
        if (mine.mask != 0) {
            begin = indptr[mine.row];
            const Offset end = indptr[mine.row + 1];
            size = static_cast<int>(min(end - begin, Offset{kPartEntries + 1}));
            if (size > kPartEntries) parts.add(mine, begin, end);
        }
        // What of its owner's row a lane needs.
        const auto take = [&]<int lanes>(int owner, bool none) {
            const Wanted its{__shfl_sync(kAll, mine.row, owner),
                             __shfl_sync(kAll, mine.mask, owner)};
            const Offset from = __shfl_sync(kAll, begin, owner);
            const int its_size = __shfl_sync(kAll, size, owner);
            return visitor.template take<lanes>({its.row, none ? 0 : its.mask}, from,
                                                none ? 0 : its_size);
        };
        typename Visitor::Outcome outcome{};
        const bool is_few = mine.mask != 0 && size <= kGroupEntries;
        unsigned few = __ballot_sync(kAll, is_few);
        unsigned many = __ballot_sync(kAll, size > kGroupEntries && size <= kPartEntries);
        for (unsigned turn = __popc(few & ((1u << lane) - 1)); few != 0; turn -= kGroups) {
            unsigned left = few;
            for (unsigned i = 1; i < kGroups; ++i) {
                if (lane / kGroup >= i) left &= left - 1;
                few &= few - 1;
            }
            few &= few - 1;
            const int owner = left != 0 ? __ffs(left) - 1 : static_cast<int>(lane);
            const auto its = take.template operator()<kGroup>(owner, left == 0);
            if constexpr (Visitor::settles) {
                const auto back = __shfl_sync(kAll, its, turn % kGroups * kGroup);
                if (is_few && turn < kGroups) outcome = back;
            }
        }
        for (; many != 0; many &= many - 1) {
            const int owner = __ffs(many) - 1;
            const auto its = take.template operator()<kWarp>(owner, false);
            if constexpr (Visitor::settles) {
                const auto back = __shfl_sync(kAll, its, 0);
                if (owner == static_cast<int>(lane)) outcome = back;
            }
        }
        if constexpr (Visitor::settles)
            if (mine.mask != 0 && size <= kPartEntries) visitor.settle(mine, outcome);
    }
}

// visitor.take_part(part, i) for the parts that were listed, behind a barrier.
template <class Visitor>
__device__ __forceinline__ void walk_parts(const RowParts& parts, Visitor& visitor) {
    const unsigned warps = gridDim.x * (kThreads / kWarp), count = __ldcg(parts.count);
    for (unsigned i = static_cast<unsigned>(thread_of()) / kWarp; i < count; i += warps)
        visitor.take_part(parts.list[i], i);
}

}  // namespace spbfs
