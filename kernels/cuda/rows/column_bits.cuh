// The columns of a row, each a bit in shared memory, and their ranks among those that are there.
#pragma once
#include "cuda/grid/counts.cuh"

namespace spbfs {

// Columns of a group, whose bits are words of a warp's lanes; columns of a part of one, four words.
constexpr int kGroupColumns = 1024;
constexpr int kPartColumns = 128;
constexpr int kGroupParts = kGroupColumns / kPartColumns;

// A range of columns, a bit each, from `low` on.  GROUP_BYTES of cuda/products/row_kernels.py are
// those of a group.
struct ColumnBits {
    unsigned* bits;
    unsigned short* parts;  // bits of a group that are before each of its parts
    unsigned* touched;      // of each group, words that may not be zero
    unsigned* ranks;        // bits that are before each group
    i64 low;
    int groups;

    __device__ ColumnBits(char* room, int groups)
        : bits(reinterpret_cast<unsigned*>(room)),
          parts(reinterpret_cast<unsigned short*>(bits + groups * (kGroupColumns / 32))),
          touched(reinterpret_cast<unsigned*>(parts + groups * kGroupParts)),
          ranks(touched + groups),
          low(0),
          groups(groups) {}

    __device__ bool covers(i64 column) const {
        return column >= low && column < low + static_cast<i64>(groups) * kGroupColumns;
    }
    __device__ void add(i64 column) const {
        const auto at = static_cast<unsigned>(column - low);
        const unsigned bit = 1u << at % 32;
        if (bits[at / 32] & bit) return;
        if (atomicOr(bits + at / 32, bit) == 0)
            atomicOr(touched + at / kGroupColumns, 1u << at / 32 % 32);
    }
    __device__ void take_out(i64 column) const {
        const auto at = static_cast<unsigned>(column - low);
        atomicAnd(bits + at / 32, ~(1u << at % 32));
    }
    // How many columns are before one that has its bit; -1 where it has none.
    __device__ i64 rank(i64 column) const {
        const auto at = static_cast<unsigned>(column - low);
        const unsigned word = bits[at / 32], below = (1u << at % 32) - 1;
        if (!(word >> at % 32 & 1)) return -1;
        unsigned rank = ranks[at / kGroupColumns] + parts[at / kPartColumns] + __popc(word & below);
        for (unsigned w = at / kPartColumns * (kPartColumns / 32); w < at / 32; ++w)
            rank += __popc(bits[w]);
        return rank;
    }
    // Ranks of all groups, by a CTA; returns how many bits there are.
    __device__ unsigned count() const {
        __shared__ unsigned sums[1024 / kWarp];
        const int threads = static_cast<int>(blockDim.x), me = static_cast<int>(threadIdx.x);
        const int warp = me / kWarp, part = me % kGroupParts;
        // Eight lanes a group, so that the words of a warp lie side by side.
        for (int from = 0; from < groups; from += threads / kGroupParts) {
            const int group = from + me / kGroupParts;
            unsigned its = 0;
            if (group < groups && (touched[group] >> part * 4 & 15)) {
                const unsigned* const of = bits + group * (kGroupColumns / 32) + part * 4;
                its = __popc(of[0]) + __popc(of[1]) + __popc(of[2]) + __popc(of[3]);
            }
            unsigned sum = its;
            for (int by = 1; by < kGroupParts; by *= 2) {
                const unsigned other = __shfl_up_sync(kAll, sum, by);
                if (part >= by) sum += other;
            }
            if (group >= groups) continue;
            parts[group * kGroupParts + part] = static_cast<unsigned short>(sum - its);
            if (part == kGroupParts - 1) ranks[group] = sum;
        }
        __syncthreads();
        unsigned before = 0;
        for (int from = 0; from < groups; from += threads) {
            const int group = from + me;
            const unsigned its = group < groups ? ranks[group] : 0;
            const unsigned sum = warp_prefix(its);
            if (lane_of() == kWarp - 1) sums[warp] = sum;
            __syncthreads();
            unsigned ahead = 0, all = 0;
            for (int w = 0; w < threads / kWarp; ++w) {
                if (w == warp) ahead = all;
                all += sums[w];
            }
            if (group < groups) ranks[group] = before + ahead + sum - its;
            before += all;
            __syncthreads();
        }
        return before;
    }
    // use(group) for all that are touched, by a CTA: a warp takes one.
    template <class Use>
    __device__ void each_touched(Use&& use) const {
        for (int from = static_cast<int>(threadIdx.x) / kWarp * kWarp; from < groups;
             from += static_cast<int>(blockDim.x)) {
            const int mine = from + lane_of();
            const bool is = mine < groups && touched[mine] != 0;
            for (unsigned left = __ballot_sync(kAll, is); left != 0; left &= left - 1)
                use(from + __ffs(static_cast<int>(left)) - 1);
        }
    }
    // use(column, rank) for all, by a CTA.
    template <class Use>
    __device__ void each(Use&& use) const {
        each_touched([&](int group) {
            unsigned word = bits[group * (kGroupColumns / 32) + lane_of()];
            const auto its = static_cast<unsigned>(__popc(word));
            i64 rank = ranks[group] + warp_prefix(its) - its;
            const i64 from = low + static_cast<i64>(group) * kGroupColumns + lane_of() * 32;
            for (; word; word &= word - 1) use(from + __ffs(static_cast<int>(word)) - 1, rank++);
        });
    }
    __device__ void clear() const {
        each_touched([&](int group) {
            bits[group * (kGroupColumns / 32) + lane_of()] = 0;
            __syncwarp();
            if (lane_of() == 0) touched[group] = 0;
        });
    }

    // The sum over lanes up to the caller's.
    static __device__ unsigned warp_prefix(unsigned sum) {
        for (int by = 1; by < kWarp; by *= 2) {
            const unsigned other = __shfl_up_sync(kAll, sum, by);
            if (lane_of() >= by) sum += other;
        }
        return sum;
    }
};

}  // namespace spbfs
