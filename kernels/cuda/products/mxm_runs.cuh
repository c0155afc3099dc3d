// Sums of runs of equal keys that a team of lanes has in order.
#pragma once
#include "cuda/operators/monoid_sums.cuh"
#include "cuda/operators/semiring_sums.cuh"

namespace spbfs {

// What warps that have a row in order tell each other.
template <class Key>
struct Warps {
    static constexpr int kMost = kThreads / kWarp;
    Key last[kMost];           // a warp's last key
    int found[kMost];          // keys that begin in it
    bool goes_on[kMost];       // whether it begins with the key that the one before ends with
    bool is_one[kMost];        // whether all of it is one key
    Semiring::Out sum[kMost];  // of the key that it begins with
};

// The sums of runs of equal keys, which are in order: every item of a run gets the sum from there
// to the run's end.  `goes_on` says whether a lane's first key is the last one of the lane before.
template <class Key, int items>
struct Runs {
    Semiring::Out sum;  // from the lane's first item on, within the warp
    bool is_one;        // whether that reaches the end of the warp

    __device__ void within_warp(const Key (&keys)[items], Semiring::Out (&values)[items],
                                bool goes_on, int lane, int lanes) {
#pragma unroll
        for (int i = items - 1; i > 0; --i)
            if (keys[i - 1] == keys[i]) values[i - 1] = Semiring::sum(values[i - 1], values[i]);
        const bool next = shuffle_down(goes_on, 1) && lane + 1 < lanes;
        sum = values[0];
        is_one = keys[0] == keys[items - 1] && (next || lane + 1 == lanes);
        for (int by = 1; by < lanes; by *= 2) {
            const auto other = shuffle_down(sum, by);
            const bool others_one = shuffle_down(is_one, by);
            if (is_one && lane + by < lanes) {
                sum = Semiring::sum(sum, other);
                is_one = others_one;
            }
        }
    }

    // Adds what lanes behind, and `outer` behind the warp, have of a lane's last key.
    __device__ void add_behind(const Key (&keys)[items], Semiring::Out (&values)[items],
                               bool goes_on, int lane, int lanes, Sum<Semiring> outer) const {
        Sum<Semiring> behind;
        behind.value = shuffle_down(sum, 1);
        behind.some = shuffle_down(goes_on, 1) && lane + 1 < lanes;
        const bool next_is_one = shuffle_down(is_one, 1);
        if (lane + 1 == lanes || (behind.some && next_is_one)) behind.add(outer);
        if (!behind.some) return;
#pragma unroll
        for (int i = 0; i < items; ++i)
            if (keys[i] == keys[items - 1]) values[i] = Semiring::sum(values[i], behind.value);
    }
};

}  // namespace spbfs
