// All vertices by falling degree, of one degree the least first, by the whole grid: a counting sort
// by the digits of the degree, the lowest first.  Every warp has a run of the vertices, whose order
// it keeps: as many digits as the largest degree has are passes of three barriers each.
#pragma once
#include "cuda/grid/counts.cuh"
#include "cuda/grid/grid_barrier.cuh"

namespace spbfs {

constexpr int kWarps = kThreads / kWarp;
constexpr int kDigitBits = 8, kDigits = 1 << kDigitBits;
static_assert(kDigits == kThreads, "a thread a digit");
// Vertices of a lane whose degrees are asked for together.
constexpr int kRunTogether = 2;

// How many of its run a warp has of a digit; then, where the next of them goes.
struct DigitCounts {
    unsigned of[kWarps][kDigits];
    unsigned sums[kWarps];
};

// The sum of what the threads of a CTA before the caller have, and of all.
__device__ inline unsigned sum_before(unsigned x, unsigned* sums, unsigned& total) {
    unsigned sum = x;
    for (int by = 1; by < kWarp; by *= 2) {
        const unsigned before = __shfl_up_sync(kAll, sum, by);
        if (lane_of() >= by) sum += before;
    }
    const int warp = threadIdx.x / kWarp;
    __syncthreads();
    if (lane_of() == kWarp - 1) sums[warp] = sum;
    __syncthreads();
    unsigned before = 0;
    total = 0;
    for (int w = 0; w < kWarps; ++w) {
        if (w < warp) before += sums[w];
        total += sums[w];
    }
    return before + sum - x;
}

// The lanes that have the same digit, not below zero.  A ballot a bit: to match words of any kind
// takes a turn for each that is different.
__device__ inline unsigned same_digit(int digit) {
    unsigned same = __ballot_sync(kAll, digit >= 0);
#pragma unroll
    for (int bit = 1; bit < kDigits; bit *= 2) {
        const bool set = (digit & bit) != 0;
        const unsigned those = __ballot_sync(kAll, set);
        same &= set ? those : ~those;
    }
    return same;
}

struct DegreeSort {
    int n;
    int* state;        // the place of a vertex
    unsigned* counts;  // of every digit in every CTA, then the sum of those before
    unsigned* totals;  // of every digit
    u32* barrier;

    // visit(vertices, digits, here) for the caller's run, kRunTogether warps of vertices at a time,
    // where degree_of gives the degree of a vertex.
    template <class DegreeOf, class Visit>
    __device__ void visit_run(const int* from, int shift, DegreeOf&& degree_of,
                              Visit&& visit) const {
        const unsigned warps = gridDim.x * kWarps, all = static_cast<unsigned>(n);
        const unsigned run = ((all + warps - 1) / warps + kWarp - 1) / kWarp * kWarp;
        const unsigned begin = static_cast<unsigned>(thread_of()) / kWarp * run;
        const unsigned end = min(begin + run, all);
        for (unsigned i = begin + lane_of(); i - lane_of() < end; i += kRunTogether * kWarp) {
            int v[kRunTogether], digit[kRunTogether];
#pragma unroll
            for (int k = 0; k < kRunTogether; ++k) {
                const unsigned at = i + k * kWarp;
                v[k] = at >= end ? -1 : from == nullptr ? static_cast<int>(at) : from[at];
            }
#pragma unroll
            for (int k = 0; k < kRunTogether; ++k)
                digit[k] = v[k] < 0 ? -1 : ~degree_of(v[k]) >> shift & (kDigits - 1);
#pragma unroll
            for (int k = 0; k < kRunTogether; ++k) visit(v[k], digit[k], same_digit(digit[k]));
        }
    }

    // Where those of each digit begin that the warps of the caller's CTA have.
    __device__ void place_digits(DigitCounts& digits) const {
        const unsigned d = threadIdx.x, ctas = gridDim.x;
        __syncthreads();
        unsigned all = 0;
        for (int w = 0; w < kWarps; ++w) all += digits.of[w][d];
        counts[static_cast<i64>(d) * ctas + blockIdx.x] = all;
        grid_barrier(barrier);
        const unsigned share = (ctas + kThreads - 1) / kThreads;
        for (unsigned digit = blockIdx.x; digit < kDigits; digit += ctas) {
            unsigned* const row = counts + static_cast<i64>(digit) * ctas;
            const unsigned begin = min(d * share, ctas), end = min(begin + share, ctas);
            unsigned mine = 0, total;
            for (unsigned i = begin; i < end; ++i) mine += row[i];
            unsigned before = sum_before(mine, digits.sums, total);
            for (unsigned i = begin; i < end; ++i) {
                const unsigned its = row[i];
                row[i] = before;
                before += its;
            }
            if (d == 0) totals[digit] = total;
        }
        grid_barrier(barrier);
        unsigned total;
        unsigned at = sum_before(totals[d], digits.sums, total) +
                      counts[static_cast<i64>(d) * ctas + blockIdx.x];
        for (int w = 0; w < kWarps; ++w) {
            const unsigned its = digits.of[w][d];
            digits.of[w][d] = at;
            at += its;
        }
        __syncthreads();
    }

    // The list, which is one of the two; `meet` gives the degree of a vertex at first, `known`
    // later on, until its place is in `state`.
    template <class Meet, class Known>
    __device__ const int* run(DigitCounts& digits, int* list, int* other, int* most, Meet&& meet,
                              Known&& known) const {
        unsigned* const mine = digits.of[threadIdx.x / kWarp];
        const auto count = [&](int v, int digit, unsigned same) {
            if (v >= 0 && __ffs(same) - 1 == lane_of()) mine[digit] += __popc(same);
            __syncwarp();
        };
        const int* from = nullptr;
        for (int shift = 0;; shift += kDigitBits) {
            __syncthreads();
            for (int d = lane_of(); d < kDigits; d += kWarp) mine[d] = 0;
            __syncwarp();
            if (shift == 0) {
                int largest = 0;
                const auto first = [&](int v) {
                    const int degree = meet(v);
                    largest = max(largest, degree);
                    return degree;
                };
                visit_run(from, shift, first, count);
                if (largest > __ldcg(most)) atomicMax(most, largest);
            } else {
                visit_run(from, shift, known, count);
            }
            place_digits(digits);
            const bool last = shift + kDigitBits >= 32 || __ldcg(most) >> (shift + kDigitBits) == 0;
            const auto move = [&](int v, int digit, unsigned same) {
                const unsigned before = same & ((1u << lane_of()) - 1);
                unsigned* const next = mine + (v < 0 ? 0 : digit);
                const unsigned to = *next + __popc(before);
                __syncwarp();
                if (v >= 0) {
                    if (before == 0) *next += __popc(same);
                    list[to] = v;
                    if (last) state[v] = static_cast<int>(to);
                }
                __syncwarp();
            };
            visit_run(from, shift, known, move);
            grid_barrier(barrier);
            if (last) return list;
            from = list;
            list = other;
            other = const_cast<int*>(from);
        }
    }
};

}  // namespace spbfs
