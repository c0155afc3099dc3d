// What a layout keeps beside the rows themselves: their first entries, densely.
#pragma once
#include "bfs_layout_common.cuh"

// The first `width` entries of every row, 1 or 4, for whole blocks.
template <typename Offset>
__global__ void layout_heads(const Offset* indptr, const int* indices, int n, int width,
                             int* heads) {
    const i64 rows = (static_cast<i64>(n) + kBlock - 1) / kBlock * kBlock;
    for (i64 r = thread_number(); r < rows; r += thread_count()) {
        const i64 begin = r < n ? indptr[r] : 0, length = r < n ? length_of(indptr, r) : 0;
        const i64 lane = r % kBlock / 4;
        const i64 at = width == 1 ? r : ((r / kBlock * 4 + r % 4) * 32 + lane) * width;
        for (int slot = 0; slot < width; ++slot) {
            const int v = slot < length ? indices[begin + slot] : kNoNeighbour;
            heads[at + slot] = slot == width - 1 && length == width ? ~v : v;
        }
    }
}

// Eight entries of every row from `skip` on; the last one is a complement where the row ends there.
template <typename Offset>
__global__ void layout_following(const Offset* indptr, const int* indices, int n, int skip,
                                 int* following) {
    constexpr int kWidth = 8;
    for (i64 i = thread_number(); i < i64{kWidth} * n; i += thread_count()) {
        const i64 r = i / kWidth, place = skip + i % kWidth;
        const i64 begin = indptr[r], length = length_of(indptr, r);
        const int v = place < length ? indices[begin + place] : kNoNeighbour;
        following[i] = place + 1 == length && i % kWidth == kWidth - 1 ? ~v : v;
    }
}

// Labels of the first entries.
template <typename Offset>
__global__ void layout_head_labels(const Offset* indptr, const int* indices, const int* label,
                                   int n, int* labels) {
    for (i64 r = thread_number(); r < n; r += thread_count())
        labels[r] = length_of(indptr, r) ? label[indices[indptr[r]]] : 0;
}

// Up to `width` neighbours of every row, itself not among them; or where a longer row lies.
template <typename Offset>
__global__ void layout_records(const Offset* indptr, const int* indices, int n, int width,
                               int* records) {
    for (i64 r = thread_number(); r < n; r += thread_count()) {
        const i64 begin = indptr[r], length = length_of(indptr, r);
        int* const record = records + r * width;
        if (length <= width + 1 && neighbours_of(indptr, indices, r) <= width) {
            int count = 0;
            for (i64 e = begin; e < begin + length; ++e)
                if (indices[e] != r) record[count++] = indices[e];
            for (; count < width; ++count) record[count] = -1;
        } else {
            record[0] = kNoNeighbour;
            record[1] = static_cast<int>(begin & kFull);
            record[2] = static_cast<int>(begin >> 32);
            record[3] = static_cast<int>(length);
        }
    }
}
