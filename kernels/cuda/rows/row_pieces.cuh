// Long rows in pieces, which warps or CTAs take in turn, so that a hub is nobody's burden alone.
#pragma once
#include "cuda/grid/counts.cuh"

namespace spbfs {

// A warp that walks thousands of entries alone is what all others wait for.
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

}  // namespace spbfs
