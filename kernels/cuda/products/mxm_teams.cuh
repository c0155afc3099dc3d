// Teams of lanes that sort rows of a matrix product: which rows, the entries of A that their
// products are of.
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

    // The part of a CTA of kThreads: its class, and where its rows begin.
    __device__ Classes(const i64* counts, i64 cta)
        : at(class_begin(counts, kFirst)), count(0), room(0), log(items == 4 ? 1 : 4) {
        for (int k = kFirst;; ++k, ++log) {
            const i64 rows = counts[k], teams = kThreads >> log;
            const i64 ctas = (rows + teams - 1) >> (kLog - log), before = cta << (kLog - log);
            if (cta < ctas) {
                at += before;
                room += before * size();
                count = rows - before;
                return;
            }
            at += rows;
            room += rows * size();
            cta -= ctas;
        }
    }
    __device__ int lanes() const { return 1 << log; }
    // Products that a team sorts.
    __device__ int size() const { return items << log; }
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

}  // namespace spbfs
