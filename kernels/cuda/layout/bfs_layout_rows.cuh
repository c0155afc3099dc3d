// The rows of a layout: their lengths, and their entries in the order of classes of degree.
#pragma once
#include "cuda/layout/bfs_layout_common.cuh"

template <typename Offset>
__global__ void layout_lengths(const Offset* indptr, const int* label, int rows, Offset* lengths) {
    for (i64 r = thread_number(); r < rows; r += thread_count())
        lengths[r] = static_cast<Offset>(length_of(indptr, label ? label[r] : r));
}

// Keys that sort the entries [begin, end) of rows from `first` on: row, then place in that order.
template <typename Offset>
__global__ void layout_entry_keys(const Offset* new_indptr, int first, int rows, i64 begin, i64 end,
                                  const int* label, const int* rank, const Offset* indptr,
                                  const int* indices, const int* place, u64* keys) {
    const int lane = threadIdx.x & 31;
    const i64 run = (thread_number() / 32) * kRun, stride = (thread_count() / 32) * kRun;
    for (i64 from = begin + run; from < end; from += stride) {
        const i64 to = min(end, from + kRun);
        const i64 top = last_not_above(new_indptr, first, rows - 1, from);
        const i64 bottom = last_not_above(new_indptr, top, rows - 1, to - 1);
        for (i64 e = from + lane; e < to; e += 32) {
            const i64 row = last_not_above(new_indptr, top, bottom, e);
            const i64 source = label ? label[row] : row;
            const int v = indices[static_cast<i64>(indptr[source]) + (e - new_indptr[row])];
            const int id = rank ? rank[v] : v;
            keys[e - begin] = static_cast<u64>(row - first) << 32 | static_cast<u32>(place[id]);
        }
    }
}

__global__ void layout_entries(const u64* keys, i64 count, const int* order, int* indices) {
    for (i64 e = thread_number(); e < count; e += thread_count())
        indices[e] = order[keys[e] & kFull];
}
