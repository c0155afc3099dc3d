// The matrix product: every product of an entry of A with an entry of the row of B that it meets.
//
// The products are numbered row by row, and a warp takes as many of them as any other, whatever the
// rows are like: `through` says which numbers belong to which entry of A.  Under a mask that is not
// complemented they are summed where the mask has entries; otherwise they are written out with the
// place they go to, to be sorted and summed there.
#include "semiring_sums.cuh"

using namespace spbfs;

// Products of a warp.  No other number has been measured.
constexpr i64 kShare = 1024;

// The first of n rising numbers that is above `x`.
template <class T>
__device__ i64 above(const T* numbers, i64 n, i64 x) {
    i64 low = 0;
    while (low < n) {
        const i64 middle = (low + n) / 2;
        if (static_cast<i64>(numbers[middle]) <= x)
            low = middle + 1;
        else
            n = middle;
    }
    return low;
}

// CSR rows of an operand or mask.
template <class I>
struct Rows {
    const i64* indptr;
    const I* indices;

    // Where (row, column) is stored, -1 where it is not.
    __device__ i64 find(i64 row, i64 column) const {
        const i64 begin = indptr[row], end = indptr[row + 1];
        const i64 at = begin + above(indices + begin, end - begin, column) - 1;
        return at >= begin && indices[at] == column ? at : -1;
    }
};

template <class I>
struct Work {
    Rows<I> A;
    i64 nrows;
    const Semiring::X* x;
    i64 x_stride;
    Rows<I> B;
    const Semiring::Y* y;
    i64 y_stride;
    const i64* through;  // number of the first product of each entry of A, and of all at the end
    i64 entries;

    // send(number, row, inner, column, a, b) for the products in [begin, end).
    template <class Send>
    __device__ void each(i64 begin, i64 end, Send&& send) const {
        for (i64 entry = above(through, entries + 1, begin) - 1; begin < end; entry += kWarp) {
            // Each lane knows one entry of A, its row of B, and where its products end.
            const i64 mine = entry + lane_of();
            i64 ends = end, inner = 0, row = 0, shift = 0;
            [[maybe_unused]] Semiring::X a{};
            if (mine < entries) {
                ends = through[mine + 1];
                inner = A.indices[mine];
                row = above(A.indptr, nrows + 1, mine) - 1;
                shift = B.indptr[inner] - through[mine];
                if constexpr (Semiring::reads_first) a = x[mine * x_stride];
            }
            const i64 last = __shfl_sync(kAll, ends, kWarp - 1);
            const i64 stop = last < end ? last : end;
            for (i64 e = begin; e < stop; e += kWarp) {
                const i64 number = e + lane_of();
                int owner = 0;
                for (int step = kWarp / 2; step > 0; step /= 2)
                    if (__shfl_sync(kAll, ends, owner + step - 1) <= number) owner += step;
                const i64 q = __shfl_sync(kAll, shift, owner) + number;
                const i64 its_inner = __shfl_sync(kAll, inner, owner);
                const i64 its_row = __shfl_sync(kAll, row, owner);
                Semiring::X its_a{};
                if constexpr (Semiring::reads_first)
                    its_a = static_cast<Semiring::X>(__shfl_sync(kAll, a, owner));
                if (number >= stop) continue;
                Semiring::Y b{};
                if constexpr (Semiring::reads_second) b = y[q * y_stride];
                send(number, its_row, its_inner, static_cast<i64>(B.indices[q]), its_a, b);
            }
            begin = stop;
        }
    }
};

// Sums at the entries of a mask: `present` and, from the identity, `values` are as long as it.
template <class I>
__global__ void __launch_bounds__(kThreads, 4)
    mxm_gather(const i64* a_indptr, i64 nrows, const I* a_indices, const Semiring::X* x,
               i64 x_stride, const i64* b_indptr, const I* b_indices, const Semiring::Y* y,
               i64 y_stride, const i64* through, i64 entries, i64 products, const i64* mask_indptr,
               const I* mask_indices, unsigned char* present, Semiring::Out* values) {
    const Work<I> work{{a_indptr, a_indices},
                       nrows,
                       x,
                       x_stride,
                       {b_indptr, b_indices},
                       y,
                       y_stride,
                       through,
                       entries};
    const Rows<I> mask{mask_indptr, mask_indices};
    const i64 begin = thread_of() / kWarp * kShare;
    const i64 end = begin + kShare < products ? begin + kShare : products;
    work.each(begin, end, [&](i64, i64 row, i64 inner, i64 column, Semiring::X a, Semiring::Y b) {
        const i64 at = mask.find(row, column);
        if (at < 0) return;
        if constexpr (Semiring::any) {
            if (claim(present, at))
                if constexpr (!Semiring::pattern)
                    values[at] = Semiring::product(a, b, row, inner, column);
        } else {
            Semiring::combine(values + at, Semiring::product(a, b, row, inner, column));
            claim(present, at);
        }
    });
}

// Products [first, last) written out: their places, and themselves.  Those that a mask
// (complemented, or null for none) has are given a place behind all others.
template <class I>
__global__ void __launch_bounds__(kThreads, 4)
    mxm_expand(const i64* a_indptr, i64 nrows, const I* a_indices, const Semiring::X* x,
               i64 x_stride, const i64* b_indptr, const I* b_indices, const Semiring::Y* y,
               i64 y_stride, const i64* through, i64 entries, i64 first, i64 last,
               const i64* mask_indptr, const I* mask_indices, i64 ncols, i64* places,
               Semiring::Out* values) {
    const Work<I> work{{a_indptr, a_indices},
                       nrows,
                       x,
                       x_stride,
                       {b_indptr, b_indices},
                       y,
                       y_stride,
                       through,
                       entries};
    const Rows<I> mask{mask_indptr, mask_indices};
    const i64 begin = first + thread_of() / kWarp * kShare;
    const i64 end = begin + kShare < last ? begin + kShare : last;
    work.each(begin, end,
              [&](i64 number, i64 row, i64 inner, i64 column, Semiring::X a, Semiring::Y b) {
                  const bool refused = mask_indptr != nullptr && mask.find(row, column) >= 0;
                  places[number - first] = refused ? (~0ull >> 1) : row * ncols + column;
                  if constexpr (!Semiring::pattern)
                      values[number - first] = Semiring::product(a, b, row, inner, column);
              });
}
