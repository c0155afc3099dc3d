// The edges of a random walk: what comes along a vertex's in-edges, and what goes out of it.
#pragma once

#include "cuda/products/hub_elements.cuh"
#include "cuda/rows/row_sums.cuh"

namespace spbfs {

template <typename Score>
struct Adding {
    using Out = Score;
    static __device__ Score sum(Score x, Score y) { return x + y; }
    static __device__ bool done(Score) { return false; }
};

// The in-edges of vertices, and what comes along them.
template <typename Offset, typename Score, bool weighted, bool short_rows, bool hubs>
struct InEdges {
    using Monoid = Adding<Score>;
    static constexpr bool every = true, reads_row = false;
    static constexpr bool alone = short_rows;

    const int* indices;
    const Score* values;
    Score* share;
    HubElements<Score, hubs> nearby;

    __device__ unsigned products(const Offset (&places)[kTogether], const int (&)[kTogether],
                                 Score (&along)[kTogether]) const {
        int from[kTogether];
        Score lengths[kTogether];
#pragma unroll
        for (int j = 0; j < kTogether; ++j) from[j] = load_once(indices + places[j]);
        if constexpr (weighted) {
#pragma unroll
            for (int j = 0; j < kTogether; ++j) lengths[j] = load_once(values + places[j]);
        }
#pragma unroll
        for (int j = 0; j < kTogether; ++j) along[j] = nearby.of(share, from[j]);
        if constexpr (weighted) {
#pragma unroll
            for (int j = 0; j < kTogether; ++j) along[j] *= lengths[j];
        }
        return (1u << kTogether) - 1;
    }
};

// By how many shares a score is divided.
template <typename Offset, typename Score>
struct OutEdges {
    const double* weights;  // of all of a vertex; nullptr: alike
    const Offset* indptr;

    __device__ bool none(i64 v) const {
        return weights != nullptr ? weights[v] <= 0.0 : indptr[v] == indptr[v + 1];
    }
    __device__ Score shares(i64 v) const {
        const auto sum =
            static_cast<Score>(weights != nullptr ? weights[v] : indptr[v + 1] - indptr[v]);
        return sum > 0 ? sum : Score{1};
    }
};

}  // namespace spbfs
