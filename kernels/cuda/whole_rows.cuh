// Rows that are looked at whole: every entry of every row that is wanted, by the whole grid.
//
// A warp takes 32 rows.  A lane begins its row alone, since most rows are short; what is left the
// warp takes together, row after row; of rows of thousands of entries the rest is listed in pieces
// for all warps, behind a barrier, so that a hub is nobody's burden alone.
#pragma once
#include "counts.cuh"

namespace spbfs {

// Entries that a lane takes alone, and those of a piece.  Not measured yet.
constexpr int kAloneEntries = 8;
constexpr int kPieceEntries = 256;

struct RowPiece {
    long long begin;
    int row, count;
};
// PIECE_BYTES of cuda/algorithms/rows.py.
SHARED_STRUCT(RowPiece, 16, FIELD(begin, 0) FIELD(row, 8) FIELD(count, 12));

// Where the pieces of one pass are listed; room for two a kPieceEntries entries.
struct RowPieces {
    RowPiece* list;
    unsigned* count;

    __device__ void add(int row, i64 begin, i64 end) const {
        const i64 pieces = (end - begin + kPieceEntries - 1) / kPieceEntries;
        const unsigned at = atomicAdd(count, static_cast<unsigned>(pieces));
        for (i64 i = 0; i < pieces; ++i, begin += kPieceEntries) {
            const i64 size = min(end - begin, static_cast<i64>(kPieceEntries));
            list[at + i] = {begin, row, static_cast<int>(size)};
        }
    }
};

// visit(row, p) for the entries p of row(i), i < count, where it is not below zero; what is left of
// long ones is listed.  `row` is called once for every i, by one lane.
template <typename Offset, class RowOf, class Visit>
__device__ __forceinline__ void visit_rows(const Offset* indptr, i64 count, const RowPieces& pieces,
                                           RowOf&& row, Visit&& visit) {
    const i64 all = static_cast<i64>(gridDim.x) * kThreads;
    for (i64 i = thread_of(); i - lane_of() < count; i += all) {
        const int mine = i < count ? row(i) : -1;
        i64 p = mine < 0 ? 0 : indptr[mine];
        const i64 end = mine < 0 ? 0 : indptr[mine + 1];
        for (const i64 alone = min(end, p + kAloneEntries); p < alone; ++p) visit(mine, p);
        if (end - p > kPieceEntries) {
            pieces.add(mine, p, end);
            p = end;
        }
        for (unsigned left = __ballot_sync(kAll, p < end); left != 0; left &= left - 1) {
            const int owner = __ffs(left) - 1;
            const int its = __shfl_sync(kAll, mine, owner);
            const i64 last = __shfl_sync(kAll, end, owner);
            for (i64 q = __shfl_sync(kAll, p, owner) + lane_of(); q < last; q += kWarp)
                visit(its, q);
        }
    }
}

// visit(row, p) for what was listed, behind a barrier, `count` being read by then.
template <class Visit>
__device__ __forceinline__ void visit_pieces(const RowPieces& pieces, unsigned count,
                                             Visit&& visit) {
    const unsigned warps = gridDim.x * (kThreads / kWarp);
    for (unsigned i = static_cast<unsigned>(thread_of()) / kWarp; i < count; i += warps) {
        const RowPiece piece = pieces.list[i];
        for (int k = lane_of(); k < piece.count; k += kWarp) visit(piece.row, piece.begin + k);
    }
}

}  // namespace spbfs
