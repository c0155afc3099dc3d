// What a layout keeps beside the rows themselves: their first entries, densely (row_prefix.cuh),
// and, for deep graphs, records of few neighbours.
#pragma once
#include "cuda/layout/bfs_layout_common.cuh"

// The first `width` entries of every row, 1 or 4, for whole blocks.
template <typename Offset>
__global__ void layout_row_prefix(const Offset* indptr, const int* indices, int n, int width,
                                  int* prefixes) {
    const i64 rows = (static_cast<i64>(n) + kBlock - 1) / kBlock * kBlock;
    for (i64 r = thread_number(); r < rows; r += thread_count()) {
        const i64 begin = r < n ? indptr[r] : 0, length = r < n ? length_of(indptr, r) : 0;
        const i64 at = width == 1 ? r : place_of_four(r) * width;
        for (int slot = 0; slot < width; ++slot) {
            const int v = slot < length ? indices[begin + slot] : kNoNeighbour;
            prefixes[at + slot] = stored_entry(v, slot == width - 1, length == width);
        }
    }
}

// The kSlabWidth entries of every row behind its first `skip`.
template <typename Offset>
__global__ void layout_ell_slab(const Offset* indptr, const int* indices, int n, int skip,
                                int* slab) {
    for (i64 i = thread_number(); i < i64{kSlabWidth} * n; i += thread_count()) {
        const i64 r = i / kSlabWidth, place = skip + i % kSlabWidth;
        const i64 begin = indptr[r], length = length_of(indptr, r);
        const int v = place < length ? indices[begin + place] : kNoNeighbour;
        slab[i] = stored_entry(v, i % kSlabWidth == kSlabWidth - 1, place + 1 == length);
    }
}

// The first entries of every row on a line of its own (row_lines.cuh).
template <typename Offset>
__global__ void layout_lines(const Offset* indptr, const int* indices, int n, int shift, int bits,
                             uint4* lines) {
    const int each = 128 / bits;
    for (i64 i = thread_number(); i < static_cast<i64>(n) << shift; i += thread_count()) {
        const i64 r = i >> shift, first = (i & ((i64{1} << shift) - 1)) * each;
        const i64 begin = indptr[r] + first, count = indptr[r + 1] - begin;
        u64 low = 0, high = 0;
        for (int k = 0; k < each && k < count; ++k) {
            const u64 v = indices[begin + k];
            const int bit = k * bits;
            if (bit < 64) low |= v << bit;
            if (bit + bits > 64) high |= bit < 64 ? v >> (64 - bit) : v << (bit - 64);
        }
        lines[i] = make_uint4(static_cast<u32>(low), static_cast<u32>(low >> 32),
                              static_cast<u32>(high), static_cast<u32>(high >> 32));
    }
}

// Labels of the first entries.
template <typename Offset>
__global__ void layout_prefix_labels(const Offset* indptr, const int* indices, const int* label,
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
