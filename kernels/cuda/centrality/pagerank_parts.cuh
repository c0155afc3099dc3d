// Rows that a warp alone would take too long for, cut into parts in an order that is the same at
// every call: a warp sums a part.
#pragma once

#include "cuda/centrality/pagerank_edges.cuh"

namespace spbfs {

// Entries [begin, begin + count) of a row that a warp alone would take too long for: one of its
// `of` pieces, which stand one behind the other.
struct CutPart {
    long long begin;
    int row, count;
    unsigned first, of;
};
// PART_BYTES of cuda/algorithms/pagerank.py.
SHARED_STRUCT(CutPart, 24);

// Entries of a part at most, and those that a row has at least to be cut: half as many, so that no
// warp has much more to do than others.
constexpr int kPartEntries = 2048;
constexpr int kCutEntries = kPartEntries / 2;

__device__ __forceinline__ unsigned parts_of(i64 entries) {
    return entries <= kCutEntries ? 0 : static_cast<unsigned>((entries - 1) / kPartEntries + 1);
}

// Lists the parts of a row from `first` on.
__device__ void cut(CutPart* list, unsigned first, i64 row, i64 begin, i64 end) {
    const unsigned of = parts_of(end - begin);
    for (unsigned k = 0; k < of; ++k, begin += kPartEntries) {
        const i64 count = min(end - begin, static_cast<i64>(kPartEntries));
        list[first + k] = {begin, static_cast<int>(row), static_cast<int>(count), first, of};
    }
}

// The parts of long rows, a warp each; with the only one of a row its score is known.
template <typename Offset, class In, class Scores, typename Score>
__device__ void sum_parts(const In& in, const CutPart* list, unsigned listed, Score* sums,
                          Scores& scores) {
    const unsigned warps = gridDim.x * (kThreads / kWarp);
    for (unsigned i = static_cast<unsigned>(thread_of()) / kWarp; i < listed; i += warps) {
        const CutPart part = list[i];
        const auto begin = static_cast<Offset>(part.begin);
        const auto end = static_cast<Offset>(begin + part.count);
        const auto sum = warp_sum(strided_sum(in, begin, end, part.row, lane_of(), kWarp));
        if (lane_of() != 0) continue;
        if (part.of == 1)
            scores.put(part.row, scores.look(part.row), sum);
        else
            sums[i] = sum.value;
    }
}

// The other rows that were cut, behind a barrier: a warp finds those that begin among 32 parts.
template <class Scores, typename Score>
__device__ void join_parts(const CutPart* list, unsigned listed, const Score* sums,
                           Scores& scores) {
    const unsigned all = gridDim.x * kThreads;
    for (unsigned i = static_cast<unsigned>(thread_of()); i - lane_of() < listed; i += all) {
        CutPart part{};
        if (i < listed) part = list[i];
        const bool begins = part.of > 1 && part.first == i;
        Sum<Adding<Score>> whole;
        for (unsigned left = __ballot_sync(kAll, begins); left != 0; left &= left - 1) {
            const int owner = __ffs(left) - 1;
            const unsigned first = __shfl_sync(kAll, i, owner);
            const unsigned end = first + __shfl_sync(kAll, part.of, owner);
            Sum<Adding<Score>> sum;
            for (unsigned k = first + lane_of(); k < end; k += kWarp) sum.add(sums[k]);
            sum = warp_sum(sum);
            sum.value = from_lane(sum.value, 0);
            if (lane_of() == owner) whole = sum;
        }
        if (begins) scores.put(part.row, scores.look(part.row), whole);
    }
}

}  // namespace spbfs
