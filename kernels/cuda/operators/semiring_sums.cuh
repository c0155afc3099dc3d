// What the product kernels share: the semiring they are compiled for, and how sums are put
// together.
//
// SPBFS_SEMIRING defines `struct Semiring` (spbfs/engines/cuda/operators/semirings.py):
//
//     X, Y, Out                       types of the matrix's values, the other operand's, the sums
//     any, pattern                    first product wins; there are no values
//     ends_early                      a sum is often decided by one of its first products
//     reads_first, reads_second       which values a product depends on
//     reads_row, reads_inner          which positions
//     product(x, y, row, inner, column), sum(a, b), done(a), identity(), combine(at, value)
#pragma once

#include "cuda/grid/counts.cuh"
#include "cuda/operators/operators.cuh"

namespace spbfs {

// Entries of a row beyond which the whole grid shares it, how many a warp takes at a time, and how
// many pieces a row has at most, since one warp puts them together.  A CTA for 4,096 entries waited
// for its own warps: docs/performance-notes-cuda-algebra.md has what products take.
constexpr int kLongRow = 1024;
constexpr int kPiece = 1024;
constexpr int kMostPieces = 4096;

// `value` summed into *at by compare and swap of the words that hold it.
template <class Semiring, class T>
__device__ void combine_by_swap(T* at, T value) {
    using Bits = unsigned long long;
    if constexpr (sizeof(T) == 8) {
        auto* word = reinterpret_cast<unsigned long long*>(at);
        unsigned long long current = *word, assumed;
        do {
            assumed = current;
            T old;
            memcpy(&old, &assumed, sizeof old);
            const T sum = Semiring::sum(old, value);
            unsigned long long wanted;
            memcpy(&wanted, &sum, sizeof sum);
            if (wanted == assumed) return;
            current = atomicCAS(word, assumed, wanted);
        } while (current != assumed);
    } else {
        const auto address = reinterpret_cast<Bits>(at);
        auto* word = reinterpret_cast<unsigned*>(address & ~Bits{3});
        const int shift = 8 * static_cast<int>(address & 3);
        const unsigned mask = (sizeof(T) == 4 ? ~0u : (1u << (8 * sizeof(T) % 32)) - 1) << shift;
        unsigned current = *word, assumed;
        do {
            assumed = current;
            const unsigned bits = (assumed & mask) >> shift;
            T old;
            memcpy(&old, &bits, sizeof old);
            const T sum = Semiring::sum(old, value);
            unsigned wanted = 0;
            memcpy(&wanted, &sum, sizeof sum);
            wanted = (assumed & ~mask) | (wanted << shift);
            if (wanted == assumed) return;
            current = atomicCAS(word, assumed, wanted);
        } while (current != assumed);
    }
}

// atomicAdd takes subnormal floats in global memory for zero, however it is compiled.  With a value
// from 2^-100 on that shows nowhere: the sum is none, and one that stands there is less than half
// of the sum's last place.
template <class Semiring>
__device__ void add_float(float* at, float value) {
    if (fabsf(value) >= 0x1p-100f)
        atomicAdd(at, value);
    else
        combine_by_swap<Semiring>(at, value);
}

// A piece of a long row: entries [begin, end) for element `at` of the result.  The first of a row's
// `count` pieces says how many of them are `open`, and whether one of them has decided the sum.
struct Piece {
    i64 at, begin, end, first;
    int count, open, decided, some;
};
SHARED_STRUCT(Piece, 48);

// Cuts entries [begin, end) into pieces; there is room for all that a matrix can have.
__device__ inline void list_pieces(Piece* pieces, Totals* totals, i64 at, i64 begin, i64 end) {
    const i64 even = (end - begin + kMostPieces - 1) / kMostPieces;
    const i64 size = even > kPiece ? even : kPiece;
    const int count = static_cast<int>((end - begin + size - 1) / size);
    const i64 first = static_cast<i64>(atomicAdd(&totals->pieces, static_cast<unsigned>(count)));
    for (int k = 0; k < count; ++k) {
        const i64 from = begin + k * size;
        const i64 to = from + size < end ? from + size : end;
        pieces[first + k] = Piece{at, from, to, first, count, count, 0, 0};
    }
}

SPBFS_SEMIRING

}  // namespace spbfs
