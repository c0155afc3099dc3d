// How the rows of a graph are cut into the work of a pull (bfs_many_pull.cuh): units of eight rows
// or of 32 short ones, heavy ones first, and pieces of long rows.
//
// What is to be in order is written as keys, a number to sort by above what it stands for.
#include "cuda/grid/shared_struct.cuh"
#include "cuda/layout/bfs_layout_common.cuh"

struct CutCounts {
    u64 units;
    u64 rows;  // long ones
    u64 pieces;
    i64 covered;  // rows, from the first on, that have a share of all entries
};
SHARED_STRUCT(CutCounts, 32, FIELD(units, 0) FIELD(rows, 8) FIELD(pieces, 16) FIELD(covered, 24));

// The largest of `lanes` lanes side by side, a power of two.
__device__ inline i64 most_of(i64 value, int lanes) {
    for (int by = 1; by < lanes; by *= 2) value = max(value, __shfl_xor_sync(kFull, value, by));
    return value;
}

// `keys` and `mask`: of 32 rows up to four units, and a bit each that is set where it is cut into
// pieces.  A warp takes 32 rows.
template <typename Offset>
__global__ void cut_units(const Offset* indptr, i64 n, i64 longer, i64 piece, i64 short_row,
                          i64 share, u64* keys, u32* mask, CutCounts* counts) {
    const int lane = threadIdx.x & 31;
    if (thread_number() == 0) counts->covered = last_not_above(indptr, 0, n, share - 1);
    const i64 blocks = max(i64{1}, (n + 31) / 32);
    for (i64 block = thread_number() / 32; block < blocks; block += thread_count() / 32) {
        const i64 row = 32 * block + lane;
        const i64 length = row < n ? static_cast<i64>(length_of(indptr, row)) : -1;
        const bool is_long = length > longer;
        const u32 long_rows = __ballot_sync(kFull, is_long);
        const i64 uncut = is_long ? -1 : length;
        const i64 of_eight = most_of(uncut, 8), of_all = most_of(of_eight, 32);
        const bool is_one = of_all <= short_row;
        const bool begins = (lane & (is_one ? 31 : 7)) == 0 && (is_one ? of_all : of_eight) >= 0;
        const u32 units = __ballot_sync(kFull, begins);
        u64 slot = 0;
        if (lane == 0) {
            mask[block] = long_rows;
            slot = atomicAdd(&counts->units, static_cast<u64>(__popc(units)));
            if (long_rows) atomicAdd(&counts->rows, static_cast<u64>(__popc(long_rows)));
        }
        slot = __shfl_sync(kFull, slot, 0) + __popc(units & ((1u << lane) - 1));
        const u32 weight = static_cast<u32>(is_one ? of_all : of_eight);
        if (begins) keys[slot] = u64{~weight} << 32 | static_cast<u32>(row + (is_one ? 1 : 0));
        if (is_long) atomicAdd(&counts->pieces, static_cast<u64>((length + piece - 1) / piece));
    }
}

// The long rows and a key for each of their pieces; `taken` is zero before.
template <typename Offset>
__global__ void cut_pieces(const Offset* indptr, i64 n, i64 piece, const u32* mask, u64* keys,
                           int* rows, CutCounts* taken) {
    const int lane = threadIdx.x & 31;
    for (i64 block = thread_number() / 32; 32 * block < n; block += thread_count() / 32) {
        for (u32 left = mask[block]; left; left &= left - 1) {
            const i64 row = 32 * block + __ffs(left) - 1;
            const u64 pieces = (length_of(indptr, row) + piece - 1) / piece;
            u64 slot = 0;
            if (lane == 0) {
                slot = atomicAdd(&taken->pieces, pieces);
                rows[atomicAdd(&taken->rows, u64{1})] = static_cast<int>(row);
            }
            slot = __shfl_sync(kFull, slot, 0);
            for (u64 number = lane; number < pieces; number += 32)
                keys[slot + number] = number << 32 | static_cast<u32>(row);
        }
    }
}

// `struct Piece` of bfs_many_state.cuh.
template <typename Offset>
__global__ void cut_records(const Offset* indptr, i64 piece, const u64* keys, i64 count,
                            ulonglong2* pieces) {
    for (i64 i = thread_number(); i < count; i += thread_count()) {
        const u64 key = keys[i];
        const i64 row = static_cast<u32>(key), number = static_cast<i64>(key >> 32);
        const i64 begin = indptr[row] + number * piece;
        const i64 length = min(piece, static_cast<i64>(indptr[row + 1]) - begin);
        pieces[i] = ulonglong2{static_cast<u64>(begin), static_cast<u64>(row | length << 32)};
    }
}

// What keys stand for.
__global__ void cut_order(const u64* keys, i64 count, int* order) {
    for (i64 i = thread_number(); i < count; i += thread_count())
        order[i] = static_cast<int>(static_cast<u32>(keys[i]));
}
