// The entries of a graph that lead to what one of several GPUs owns: the graph by which it pushes.
//
// A bit an entry says whether it stays, and counts of bits say where it goes.
#include "bfs_layout_common.cuh"

// Word by word of 32 entries: which of them stay, and how many.
__global__ void share_flags(const int* indices, i64 entries, const int* rank, int shift, int gpus,
                            int place, u32* flags, int* counts) {
    const i64 words = (entries + 31) / 32;
    for (i64 w = thread_number() / 32; w < words; w += thread_count() / 32) {
        const i64 e = w * 32 + (threadIdx.x & 31);
        bool stays = false;
        if (e < entries) {
            const int v = rank ? rank[indices[e]] : indices[e];
            stays = (v >> shift) % gpus == place;
        }
        const u32 flag = __ballot_sync(kFull, stays);
        if ((threadIdx.x & 31) == 0) {
            flags[w] = flag;
            counts[w] = __popc(flag);
        }
    }
}

// `upto`: entries that stay in a word and those before it.
__device__ __forceinline__ i64 stay_before(const u32* flags, const i64* upto, i64 e) {
    const i64 w = e / 32;
    const u32 below = flags[w] & ((1u << (e & 31)) - 1);
    return upto[w] - __popc(flags[w]) + __popc(below);
}

template <typename Offset>
__global__ void share_bounds(const Offset* indptr, int n, i64 entries, const u32* flags,
                             const i64* upto, Offset* bounds) {
    for (i64 v = thread_number(); v <= n; v += thread_count()) {
        const i64 e = static_cast<i64>(indptr[v]);
        const i64 words = (entries + 31) / 32;
        i64 before = 0;
        if (e < entries)
            before = stay_before(flags, upto, e);
        else if (words)
            before = upto[words - 1];
        bounds[v] = static_cast<Offset>(before);
    }
}

__global__ void share_entries(const int* indices, i64 entries, const u32* flags, const i64* upto,
                              int* kept) {
    for (i64 e = thread_number(); e < entries; e += thread_count())
        if (flags[e / 32] >> (e & 31) & 1) kept[stay_before(flags, upto, e)] = indices[e];
}

// Of the words of 32 labels of a layout (Search::words) those of which the GPU owns any vertex: in
// either part of a word ids follow one another, so that its first and its last one tell.
__global__ void share_words(const uint4* words, int count, int shift, int gpus, int place,
                            unsigned char* own) {
    const auto owns = [&](u32 mask, u32 first) {
        const u32 last = first + __popc(mask) - 1;
        return mask && (static_cast<int>(first >> shift) % gpus == place ||
                        static_cast<int>(last >> shift) % gpus == place);
    };
    for (i64 w = thread_number(); w < count; w += thread_count())
        own[w] = owns(words[w].x, words[w].y) || owns(words[w].z, words[w].w);
}

// The labels of the vertices that the GPU owns, in their order.
__global__ void share_labels(const int* label, int own, int shift, int gpus, int place,
                             int* labels) {
    for (i64 r = thread_number(); r < own; r += thread_count()) {
        const i64 v = ((r >> shift) * gpus + place) << shift | (r & ((i64{1} << shift) - 1));
        labels[r] = label ? label[v] : static_cast<int>(v);
    }
}

// An element of each of them, by internal ids.
__global__ void share_spread(const int* values, int own, int shift, int gpus, int place,
                             int* by_id) {
    for (i64 r = thread_number(); r < own; r += thread_count())
        by_id[((r >> shift) * gpus + place) << shift | (r & ((i64{1} << shift) - 1))] = values[r];
}
