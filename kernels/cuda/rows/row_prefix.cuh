// Row prefixes: the first neighbours of every row, kept densely so that most rows of a pull are
// decided without asking for their bounds.
//
// A layout keeps two arrays of them.  The row prefix has the first entry of every row, or its first
// four, in the order in which the lanes of a warp read them.  The ELL slab has the eight entries
// behind those, row after row.  Both are written by bfs_layout_prefixes.cuh and read by
// bfs_pull_prefix.cuh and bfs_probes.cuh.
//
// A place holds a neighbour, or kNoNeighbour where the row has none left for it.  The last place of
// a row in either array also says whether the row goes on behind it: it holds the neighbour where
// it does, and the neighbour's complement, which is negative, where the row ends just there.  With
// four places, a row of three neighbours 7, 3, 9 is stored as 7, 3, 9, kNoNeighbour; a row of four,
// 7, 3, 9, 2, as 7, 3, 9, ~2; and a longer one as 7, 3, 9, 2.
#pragma once

constexpr int kNoNeighbour = -2147483647 - 1;
constexpr int kBlock = 128;    // rows whose prefixes, and whose visited bits, lie together
constexpr int kSlabWidth = 8;  // entries of a row in the ELL slab: a sector

// Where the prefix of a row lies among those of all rows.  Prefixes of one entry lie row after row.
// Those of four lie so that the lanes of a warp, of which lane l has rows 4 l .. 4 l + 3 of a
// block, read row 4 l + j of theirs side by side: rows 0, 4, 8, .. of the block, then 1, 5, 9, ...
template <typename Row>
__device__ __forceinline__ Row place_of_four(Row row) {
    return (row / kBlock * 4 + row % 4) * 32 + row % kBlock / 4;
}

__device__ __forceinline__ int stored_entry(int neighbour, bool is_last_place, bool row_ends) {
    return is_last_place && row_ends ? ~neighbour : neighbour;
}
__device__ __forceinline__ bool is_entry(int stored) { return stored != kNoNeighbour; }
// Of the last place of a row only.
__device__ __forceinline__ bool row_goes_on(int stored) { return stored >= 0; }
__device__ __forceinline__ int neighbour_of(int stored) { return stored < 0 ? ~stored : stored; }
