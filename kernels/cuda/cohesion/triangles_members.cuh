// Members of a kept row in shared memory, with a count each, for a warp or a CTA.
//
// Most of those that are looked up are no members.  A bitmap says so by one load, where a table
// would keep the whole warp until its slowest lane has come to an empty slot; whom the bitmap has
// is looked up in the table, by open addressing, when there are as many of those as lanes.
#pragma once
#include "cuda/grid/counts.cuh"

namespace spbfs {

// The threads that work on a vertex together.
struct WarpGroup {
    static constexpr int kSize = kWarp;
    __device__ static int rank() { return lane_of(); }
    __device__ static void sync() { __syncwarp(); }
    __device__ static bool any(bool p) { return __any_sync(kAll, p); }
};
struct CtaGroup {
    static constexpr int kSize = kThreads;
    __device__ static int rank() { return threadIdx.x; }
    __device__ static void sync() { __syncthreads(); }
    __device__ static bool any(bool p) { return __syncthreads_or(p); }
};

// Half of the slots are empty, at least.
template <class G, int slot_bits, int bitmap_bits>
struct Members {
    using Group = G;
    static constexpr int kSlots = 1 << slot_bits, kMost = kSlots / 2;
    static constexpr int kWords = (1 << bitmap_bits) / 32;
    static constexpr int kEmpty = -1;

    int* keys;
    unsigned* counts;
    unsigned* bitmap;

    __device__ static unsigned hash(int w) { return static_cast<unsigned>(w) * 2654435761u; }
    __device__ static unsigned bit(unsigned hash) { return hash >> (32 - bitmap_bits); }
    __device__ static unsigned slot(unsigned hash) { return hash >> (32 - slot_bits); }

    template <class T>
    __device__ static void clear(T* array, int count, int word) {
        for (int i = Group::rank(); i < count / 4; i += Group::kSize)
            reinterpret_cast<int4*>(array)[i] = make_int4(word, word, word, word);
    }
    // Between two calls of which the group meets.
    __device__ void fill(const int* members, int count) const {
        clear(keys, kSlots, kEmpty);
        clear(counts, kSlots, 0);
        clear(bitmap, kWords, 0);
        Group::sync();
        for (int i = Group::rank(); i < count; i += Group::kSize) {
            const int w = members[i];
            const unsigned h = hash(w);
            atomicOr(bitmap + bit(h) / 32, 1u << bit(h) % 32);
            unsigned at = slot(h);
            while (atomicCAS(keys + at, kEmpty, w) != kEmpty) at = (at + 1) % kSlots;
        }
        Group::sync();
    }
    __device__ bool maybe(int w) const {
        const unsigned b = bit(hash(w));
        return bitmap[b / 32] >> b % 32 & 1;
    }
    // Counts w where it is a member; returns whether it is.
    __device__ bool count(int w) const {
        unsigned at = slot(hash(w));
        for (int key; (key = keys[at]) != w; at = (at + 1) % kSlots)
            if (key == kEmpty) return false;
        atomicAdd(counts + at, 1u);
        return true;
    }
    __device__ void pour(unsigned long long* triangles) const {
        for (int i = Group::rank(); i < kSlots; i += Group::kSize)
            if (const unsigned long long its = counts[i]; its != 0)
                atomicAdd(triangles + keys[i], its);
        Group::sync();
    }
};

}  // namespace spbfs
