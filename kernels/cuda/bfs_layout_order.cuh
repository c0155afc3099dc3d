// In which order a layout has the vertices, and in which a row has its neighbours: keys by degree,
// the hubs and all others, classes of degree.
#pragma once
#include "bfs_layout_common.cuh"
#include "shared_struct.cuh"

// Keys that sort vertices by falling degree, both directions together (`in` is null where they are
// the same), and equals by label.
template <typename Offset>
__global__ void layout_keys(const Offset* out, const Offset* in, int n, u64* keys) {
    for (i64 v = thread_number(); v < n; v += thread_count()) {
        const u64 degree = length_of(out, v) + (in ? length_of(in, v) : 0);
        keys[v] = (kFull - min(degree, u64{kFull})) << 32 | static_cast<u64>(v);
    }
}

struct LayoutCounts {
    u64 rows;     // vertices with an entry in either direction
    u64 to_hubs;  // entries that lead to the first `hubs` by degree
    u64 longest;  // entries of the longest row, out
    u64 broad;    // rows, out, of more than four neighbours
};
// clang-format off
SHARED_STRUCT(LayoutCounts, 32,
    FIELD(rows, 0) FIELD(to_hubs, 8) FIELD(longest, 16) FIELD(broad, 24));
// clang-format on

template <typename Offset>
__global__ void layout_counts(const u64* keys, const Offset* out, const int* indices,
                              const Offset* in, int n, int hubs, LayoutCounts* counts) {
    u64 rows = 0, to_hubs = 0, longest = 0, broad = 0;
    for (i64 i = thread_number(); i < n; i += thread_count()) {
        const int v = static_cast<int>(keys[i] & kFull);
        rows += (keys[i] >> 32) != kFull;
        const u64 length = length_of(out, v);
        longest = max(longest, length);
        // A row has one entry of its own at most: only those of five need a look.
        broad += length > 5 || (length == 5 && neighbours_of(out, indices, v) > 4);
        if (i < hubs) to_hubs += length_of(in ? in : out, v);
    }
    if (rows) atomicAdd(&counts->rows, rows);
    if (to_hubs) atomicAdd(&counts->to_hubs, to_hubs);
    if (longest) atomicMax(&counts->longest, longest);
    if (broad) atomicAdd(&counts->broad, broad);
}

// Labels of the first `hubs` by degree ...
__global__ void layout_hubs(const u64* keys, int hubs, int* label) {
    for (i64 i = thread_number(); i < hubs; i += thread_count())
        label[i] = static_cast<int>(keys[i] & kFull);
}

// ... and their ids, in whatever order they lie by now; `rank` is -1 elsewhere.
__global__ void layout_rank(const int* label, int hubs, int* rank) {
    for (i64 i = thread_number(); i < hubs; i += thread_count())
        rank[label[i]] = static_cast<int>(i);
}

// 1 for the others that have entries, which keep their order ...
template <typename Offset>
__global__ void layout_flags(const Offset* out, const Offset* in, const int* rank, int n,
                             int* flags) {
    for (i64 v = thread_number(); v < n; v += thread_count())
        flags[v] = rank[v] < 0 && length_of(out, v) + (in ? length_of(in, v) : 0) > 0;
}

// ... by how many of them there are up to each.
__global__ void layout_tail(const int* upto, int n, int hubs, int* rank, int* label) {
    for (i64 v = thread_number(); v < n; v += thread_count()) {
        if (upto[v] == (v ? upto[v - 1] : 0)) continue;
        rank[v] = hubs + upto[v] - 1;
        label[rank[v]] = static_cast<int>(v);
    }
}

// Keys that sort internal ids by falling class of degree, and equals by id.
__global__ void layout_classes(const u64* keys, int rows, const int* rank, u64* classes) {
    for (i64 i = thread_number(); i < rows; i += thread_count()) {
        const int v = static_cast<int>(keys[i] & kFull), id = rank ? rank[v] : v;
        const u32 degree = kFull - static_cast<u32>(keys[i] >> 32);
        classes[i] = static_cast<u64>(__clz(degree) / 2) << 32 | static_cast<u32>(id);
    }
}

// Internal ids in that order, and where each stands.
__global__ void layout_order(const u64* classes, int rows, int* order, int* place) {
    for (i64 i = thread_number(); i < rows; i += thread_count()) {
        const int id = static_cast<int>(classes[i] & kFull);
        order[i] = id;
        place[id] = static_cast<int>(i);
    }
}
