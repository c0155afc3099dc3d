// Columns numbered anew, those that have most entries first, and vectors in that order.
#include "cuda/grid/counts.cuh"

using namespace spbfs;

// Entries of every column, 0 before: 32 in a row of each 32 `every`, as hubs are known by a sample.
__global__ void count_columns(const int* indices, i64 entries, i64 every, unsigned* counts) {
    const i64 all = static_cast<i64>(gridDim.x) * kThreads * every;
    for (i64 e = thread_of() / kWarp * every * kWarp + lane_of(); e < entries; e += all)
        atomicAdd(counts + indices[e], 1u);
}

// Keys that sort columns by falling counts, and equals as they are numbered.
__global__ void column_keys(const unsigned* counts, i64 columns, unsigned long long* keys) {
    const i64 all = static_cast<i64>(gridDim.x) * kThreads;
    for (i64 c = thread_of(); c < columns; c += all)
        keys[c] = static_cast<unsigned long long>(~counts[c]) << 32 | static_cast<unsigned>(c);
}

// 1 for the first of these, which are numbered in this order ...
__global__ void mark_hubs(const unsigned long long* keys, i64 hubs, int* flags, int* rank) {
    const i64 all = static_cast<i64>(gridDim.x) * kThreads;
    for (i64 i = thread_of(); i < hubs; i += all) {
        const auto column = static_cast<unsigned>(keys[i]);
        flags[column] = 1;
        rank[column] = static_cast<int>(i);
    }
}

// ... and of which there are so many up to each column: the others follow as they were numbered.
__global__ void number_columns(const int* upto, i64 columns, int hubs, int* rank) {
    const i64 all = static_cast<i64>(gridDim.x) * kThreads;
    for (i64 c = thread_of(); c < columns; c += all) {
        const int before = c > 0 ? upto[c - 1] : 0;
        if (upto[c] == before) rank[c] = static_cast<int>(c) + hubs - before;
    }
}

__global__ void rename_columns(const int* rank, const int* indices, i64 entries, int* renamed) {
    const i64 all = static_cast<i64>(gridDim.x) * kThreads;
    for (i64 e = thread_of(); e < entries; e += all) renamed[e] = rank[indices[e]];
}

// The elements of a vector in the new order.
template <typename T>
__global__ void move_elements(const int* rank, const T* from, i64 columns, T* to) {
    const i64 all = static_cast<i64>(gridDim.x) * kThreads;
    for (i64 c = thread_of(); c < columns; c += all) to[rank[c]] = from[c];
}
