// In which order a layout has the vertices, and in which a row has its neighbours: the hubs and all
// others, classes of degree.
#pragma once
#include "cuda/layout/bfs_layout_common.cuh"

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
