// Rows that are looked at whole: every entry of every row that is wanted, by the whole grid.
//
// A warp takes 32 rows.  Lanes take the shortest alone, teams of lanes side by side the others, and
// a lane has several entries on their way at once, since waiting for memory is what takes time.
// Rows of hundreds of entries are listed in pieces for all warps, behind a barrier, so that a hub
// is nobody's burden alone.
//
// What is done with entries is a visitor's:
//
//     Row, Item               what a lane knows of a row while it looks at it, and of an entry
//     vertex(i), wants(v)     the row of place i of the list of rows, and whether it is looked at
//     begin(vertex)           a Row
//     look(p, column)         the Item of entry p; changes nothing
//     take(row, column, item)
//     end(row, place, team)   by all lanes of the team that had the row of that place, or a piece:
//                             places of pieces are behind those of rows
//     in_pieces(place)        by one lane, of a row whose pieces are listed
#pragma once
#include "whole_rows.cuh"

namespace spbfs {

// Lanes that share a row, and entries that a lane loads at once.
constexpr int kTeamLanes = 8;
constexpr int kAtOnce = 4;

template <int lanes>
struct Team {
    __device__ static int rank() { return lane_of() % lanes; }
    __device__ static int number() { return lane_of() / lanes; }
    __device__ static unsigned mask() { return kAll >> (kWarp - lanes) << (lane_of() - rank()); }
    // The best of all lanes', in all of them: x.join(y) makes x that of both.
    template <class T>
    __device__ static void join(T& x) {
        for (int by = lanes / 2; by > 0; by /= 2) x.join(x.across(mask(), by));
    }
};

template <int lanes, class Visitor>
__device__ __forceinline__ void visit_entries(const Visitor& visitor, const int* indices, int v,
                                              i64 begin, i64 end, i64 place) {
    using T = Team<lanes>;
    auto row = visitor.begin(v);
    for (i64 first = begin + T::rank(); first < end; first += lanes * kAtOnce) {
        int columns[kAtOnce];
        typename Visitor::Item items[kAtOnce];
#pragma unroll
        for (int j = 0; j < kAtOnce; ++j)
            columns[j] = first + j * lanes < end ? indices[first + j * lanes] : -1;
#pragma unroll
        for (int j = 0; j < kAtOnce; ++j)
            if (columns[j] >= 0) items[j] = visitor.look(first + j * lanes, columns[j]);
#pragma unroll
        for (int j = 0; j < kAtOnce; ++j)
            if (columns[j] >= 0) visitor.take(row, columns[j], items[j]);
    }
    visitor.end(row, place, T{});
}

// Looks at the `count` rows of the visitor's list but for long ones, whose pieces are listed.
template <typename Offset, class Visitor>
__device__ __forceinline__ void visit_rows_by_teams(const Offset* indptr, const int* indices,
                                                    i64 count, const RowPieces& pieces,
                                                    const Visitor& visitor) {
    using T = Team<kTeamLanes>;
    const i64 all = static_cast<i64>(gridDim.x) * kThreads;
    for (i64 i = thread_of(); i - lane_of() < count; i += all) {
        const int v = i < count ? visitor.vertex(i) : -1;
        const bool wanted = v >= 0 && visitor.wants(v);
        const i64 begin = wanted ? indptr[v] : 0, end = wanted ? indptr[v + 1] : 0;
        const bool alone = end - begin <= kAtOnce, in_pieces = end - begin > kPieceEntries;
        if (wanted && alone) visit_entries<1>(visitor, indices, v, begin, end, i);
        if (in_pieces) {
            pieces.add(static_cast<int>(i), begin, end);
            visitor.in_pieces(i);
        }
        __syncwarp();
        for (unsigned left = __ballot_sync(kAll, !alone && !in_pieces); left != 0;) {
            int owner = -1;
            for (int k = 0; k < kWarp / kTeamLanes; ++k, left &= left - 1)
                if (k == T::number()) owner = __ffs(left) - 1;
            const int from = max(owner, 0), its = __shfl_sync(kAll, v, from);
            const i64 first = __shfl_sync(kAll, begin, from), last = __shfl_sync(kAll, end, from);
            if (owner >= 0)
                visit_entries<kTeamLanes>(visitor, indices, its, first, last,
                                          i - lane_of() + owner);
            __syncwarp();
        }
    }
}

// The pieces that were listed, behind a barrier; those of a list behind its `count` rows.
template <class Visitor>
__device__ __forceinline__ void visit_pieces_by_warps(const int* indices, i64 count,
                                                      const RowPieces& pieces, unsigned listed,
                                                      const Visitor& visitor) {
    const unsigned warps = gridDim.x * (kThreads / kWarp);
    for (unsigned i = static_cast<unsigned>(thread_of()) / kWarp; i < listed; i += warps) {
        const RowPiece piece = pieces.list[i];
        visit_entries<kWarp>(visitor, indices, visitor.vertex(piece.row), piece.begin,
                             piece.begin + piece.count, count + i);
    }
}

}  // namespace spbfs
