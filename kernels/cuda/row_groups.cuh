// Rows of a list, each taken whole by a group of lanes that ends it together: eight lanes for a
// short row, a warp for a longer one.  Of rows of thousands of entries parts are listed, which all
// warps take behind a barrier.
//
// A list of few rows is dealt out four to a warp, so that a level of a road network keeps the
// whole GPU busy.
#pragma once
#include "counts.cuh"

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
// which are listed; all lanes of a warp call it together, each for the row of its group.
template <typename Offset, class ItemOf, class Visitor>
__device__ __forceinline__ void walk_rows(const Offset* indptr, unsigned count,
                                          const RowParts& parts, ItemOf&& item, Visitor& visitor) {
    const unsigned warps = gridDim.x * (kThreads / kWarp);
    const unsigned share = (count + warps - 1) / warps;
    const unsigned each = min(max(share, unsigned{kWarp / kGroup}), unsigned{kWarp});
    const unsigned lane = lane_of();
    for (unsigned first = static_cast<unsigned>(thread_of()) / kWarp * each; first < count;
         first += warps * each) {
        Wanted mine{0, 0};
        Offset begin = 0, end = 0;
        if (lane < each && first + lane < count) mine = item(first + lane);
        if (mine.mask != 0) {
            begin = indptr[mine.row];
            end = indptr[mine.row + 1];
        }
        const Offset size = end - begin;
        if (size > kPartEntries) parts.add(mine, begin, end);
        unsigned few = __ballot_sync(kAll, mine.mask != 0 && size <= kGroupEntries);
        unsigned many = __ballot_sync(kAll, size > kGroupEntries && size <= kPartEntries);
        while (few != 0) {
            unsigned left = few;
            for (int i = 1; i < kWarp / kGroup; ++i) {
                if (lane / kGroup >= i) left &= left - 1;
                few &= few - 1;
            }
            few &= few - 1;
            const int owner = left != 0 ? __ffs(left) - 1 : lane;
            const Wanted its{__shfl_sync(kAll, mine.row, owner),
                             __shfl_sync(kAll, mine.mask, owner)};
            const Offset from = __shfl_sync(kAll, begin, owner);
            const int its_size = __shfl_sync(kAll, static_cast<int>(size), owner);
            const bool none = left == 0;
            visitor.template take<kGroup>({its.row, none ? 0 : its.mask}, from,
                                          none ? 0 : its_size);
        }
        for (; many != 0; many &= many - 1) {
            const int owner = __ffs(many) - 1;
            const Wanted its{__shfl_sync(kAll, mine.row, owner),
                             __shfl_sync(kAll, mine.mask, owner)};
            const Offset from = __shfl_sync(kAll, begin, owner);
            const int its_size = __shfl_sync(kAll, static_cast<int>(size), owner);
            visitor.template take<kWarp>(its, from, its_size);
        }
    }
}

// visitor.take_part(part, i) for the parts that were listed, behind a barrier.
template <class Visitor>
__device__ __forceinline__ void walk_parts(const RowParts& parts, unsigned count,
                                           Visitor& visitor) {
    const unsigned warps = gridDim.x * (kThreads / kWarp);
    for (unsigned i = static_cast<unsigned>(thread_of()) / kWarp; i < count; i += warps)
        visitor.take_part(parts.list[i], i);
}

}  // namespace spbfs
