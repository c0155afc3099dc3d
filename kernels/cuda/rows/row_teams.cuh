// Rows that are looked at whole: every entry of every row that is wanted, by the whole grid.
//
// A warp takes 32 rows.  Lanes take the shortest alone, teams of lanes side by side the others, and
// a lane has several entries on their way at once, since waiting for memory is what takes time.
// Rows of hundreds of entries are listed in pieces for all warps, behind a barrier.
//
// What is done with entries is a visitor's:
//
//     Row, Item               what a lane knows of a row while it looks at it, and of an entry
//     wants(v)                whether row v is looked at
//     begin(v)                a Row
//     look(column)            the Item of an entry; changes nothing
//     take(row, item)
#pragma once
#include "cuda/rows/row_pieces.cuh"

namespace spbfs {

// Lanes that share a row, and entries that a lane loads at once.
constexpr int kTeamLanes = 8;
constexpr int kAtOnce = 4;

// Entries of row v, of which there are at most kPieceEntries.
template <int lanes, class Visitor>
__device__ __forceinline__ void visit_entries(const Visitor& visitor, const int* entries, int count,
                                              int v) {
    auto row = visitor.begin(v);
    for (int first = lane_of() % lanes; first < count; first += lanes * kAtOnce) {
        int columns[kAtOnce];
        typename Visitor::Item items[kAtOnce];
#pragma unroll
        for (int j = 0; j < kAtOnce; ++j)
            columns[j] = first + j * lanes < count ? entries[first + j * lanes] : -1;
#pragma unroll
        for (int j = 0; j < kAtOnce; ++j)
            if (columns[j] >= 0) items[j] = visitor.look(columns[j]);
#pragma unroll
        for (int j = 0; j < kAtOnce; ++j)
            if (columns[j] >= 0) visitor.take(row, items[j]);
    }
}

// Looks at all rows that are wanted but long ones, whose pieces are listed.
template <typename Offset, class Visitor>
__device__ __forceinline__ void visit_rows_by_teams(const Offset* indptr, const int* indices, i64 n,
                                                    const RowPieces& pieces,
                                                    const Visitor& visitor) {
    const i64 all = static_cast<i64>(gridDim.x) * kThreads;
    for (i64 i = thread_of(); i - lane_of() < n; i += all) {
        const int v = static_cast<int>(i);
        const bool wanted = i < n && visitor.wants(v);
        const Offset begin = wanted ? indptr[v] : 0;
        const int size = wanted ? static_cast<int>(indptr[v + 1] - begin) : 0;
        const bool alone = size <= kAtOnce, in_pieces = size > kPieceEntries;
        if (alone && size > 0) visit_entries<1>(visitor, indices + begin, size, v);
        if (in_pieces) pieces.add(v, begin, begin + static_cast<i64>(size));
        __syncwarp();
        for (unsigned left = __ballot_sync(kAll, !alone && !in_pieces); left != 0;) {
            int owner = -1;
            for (int k = 0; k < kWarp / kTeamLanes; ++k, left &= left - 1)
                if (k == lane_of() / kTeamLanes) owner = __ffs(left) - 1;
            const int from = max(owner, 0), its = __shfl_sync(kAll, v, from);
            const Offset first = __shfl_sync(kAll, begin, from);
            const int count = __shfl_sync(kAll, size, from);
            if (owner >= 0) visit_entries<kTeamLanes>(visitor, indices + first, count, its);
            __syncwarp();
        }
    }
}

// The pieces that were listed, behind a barrier.
template <class Visitor>
__device__ __forceinline__ void visit_pieces_by_warps(const int* indices, const RowPieces& pieces,
                                                      unsigned listed, const Visitor& visitor) {
    const unsigned warps = gridDim.x * (kThreads / kWarp);
    for (unsigned i = static_cast<unsigned>(thread_of()) / kWarp; i < listed; i += warps) {
        const RowPiece piece = pieces.list[i];
        visit_entries<kWarp>(visitor, indices + piece.begin, piece.count, piece.row);
    }
}

}  // namespace spbfs
