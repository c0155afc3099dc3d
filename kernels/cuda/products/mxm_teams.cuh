// Teams of lanes that sort rows of a matrix product: which rows, the entries of A that their
// products are of, and the places that what they find goes to.
#pragma once
#include "cuda/operators/semiring_sums.cuh"
#include "cuda/products/mxm_classes.cuh"

namespace spbfs {

// The rows that teams of so many items a lane sort: of classes from kFirst on, each with teams
// twice as long as the one before.
template <int items>
struct Classes {
    static constexpr int kFirst = items == 4 ? 1 : 6;
    i64 at;     // of the list of all rows
    i64 count;  // rows from there on that are left of the class
    i64 room;   // products for which there is room before those rows
    int log;    // of the lanes of a team
    int bits;   // log of the products that it sorts

    // The part of a CTA of kThreads: its class, and where its rows begin.
    __device__ Classes(const i64* counts, i64 cta)
        : at(class_begin(counts, kFirst)),
          count(0),
          room(0),
          log(items == 4 ? 1 : 4),
          bits(items == 4 ? 3 : 8) {
        for (int k = kFirst;; ++k, ++log, ++bits) {
            const i64 rows = counts[k], teams = kThreads >> log;
            const i64 ctas = (rows + teams - 1) >> (kLog - log), before = cta << (kLog - log);
            if (cta < ctas) {
                at += before;
                room += before << bits;
                count = rows - before;
                return;
            }
            at += rows;
            room += rows << bits;
            cta -= ctas;
        }
    }
    __device__ int lanes() const { return 1 << log; }
    __device__ int team() const { return static_cast<int>(threadIdx.x) >> log; }
    __device__ int lane() const { return static_cast<int>(threadIdx.x) & (lanes() - 1); }

  private:
    static constexpr int kLog = 8;
    static_assert(1 << kLog == kThreads);
};

// Entries of A of which a CTA's teams have the products, as many a lane.
template <class I, bool has_values>
struct Entries {
    static constexpr int kOfLane = 2, kMost = kOfLane * kThreads;
    static constexpr int kInner = has_values && Semiring::reads_inner ? kMost : 1;
    static constexpr int kValues = has_values && Semiring::reads_first ? kMost : 1;
    i64 shift[kMost];  // from a product's number in its row to its entry of B
    int begin[kMost];  // number of the first product
    I inner[kInner];
    Semiring::X x[kValues];
};

// Teams that are within a warp wait for its lanes alone.
template <bool is_warp>
__device__ __forceinline__ void sync() {
    if constexpr (is_warp)
        __syncwarp();
    else
        __syncthreads();
}
template <bool is_warp>
__device__ __forceinline__ bool sync_any(bool is) {
    if constexpr (is_warp) {
        __syncwarp();
        return __any_sync(kAll, is);
    } else {
        return __syncthreads_or(is);
    }
}

// What waits in shared memory: in places of one size, that warps stay out of each other's.
template <class I, bool has_values>
union Waiting {
    Semiring::Out value;
    I column;
};
template <class I>
union Waiting<I, false> {
    I column;
};

// Where the entries of each team's row belong, and how many they are.
template <int items>
struct Places {
    static constexpr bool is_warp = items == 4;
    static constexpr int kMost = kThreads / (is_warp ? 2 : 16);
    i64 begin[kMost];
    int count[kMost];

    // Writes item(i), those of a lane that are `kept` to `rank` and after in its row: by way of
    // `part` of what waits, so that lanes side by side write side by side.
    template <class T, class Waits, class Item>
    __device__ __forceinline__ void send(T* to, Waits* waiting, T Waits::* part,
                                         const Classes<items>& its, unsigned kept, int rank,
                                         Item&& item) const {
        const int size = 1 << its.bits;
        sync<is_warp>();
#pragma unroll
        for (int i = 0; i < items; ++i)
            if (kept >> i & 1) waiting[its.team() * size + rank++].*part = item(i);
        sync<is_warp>();
        const int thread = static_cast<int>(threadIdx.x), lane = lane_of();
#pragma unroll
        for (int i = 0; i < items; ++i) {
            const int from =
                is_warp ? (thread - lane) * items + i * kWarp + lane : i * kThreads + thread;
            const int team = from >> its.bits, place = from & (size - 1);
            if (place < count[team]) to[begin[team] + place] = waiting[from].*part;
        }
    }
};

}  // namespace spbfs
