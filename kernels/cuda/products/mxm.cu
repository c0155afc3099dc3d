// The matrix product: every product of an entry of A with an entry of the row of B that it meets.
//
// The products are numbered row by row, and a warp takes as many of them as any other, whatever the
// rows are like: `through` says which numbers belong to which entry of A.  Under a mask that is not
// complemented they are summed where the mask has entries; otherwise they are written out with the
// place they go to, to be sorted and summed there.  Where the transpose of B is known and less is
// looked up that way, entries of a mask are dots: of two rows the entries of the shorter one are
// numbered, and looked up in the longer one.
#include "cuda/products/mxm_numbers.cuh"
#include "cuda/products/mxm_sums.cuh"

using namespace spbfs;

// Look-ups that a lane has under way, each a chain of loads: as many as there are registers for.
template <class I>
constexpr int kLookups = sizeof(I) == 4 ? 4 : 2;

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
        // Each lane knows one entry of A, and its row of B.
        i64 inner = 0, row = 0, shift = 0;
        [[maybe_unused]] Semiring::X a{};
        const auto fetch = [&](i64 mine) {
            inner = A.indices[mine];
            row = above(A.indptr, nrows + 1, mine) - 1;
            shift = B.indptr[inner] - through[mine];
            if constexpr (Semiring::reads_first) a = x[mine * x_stride];
        };
        const auto use = [&](i64 number, const int (&owners)[1], i64, i64 stop) {
            const int owner = owners[0];
            const i64 q = __shfl_sync(kAll, shift, owner) + number;
            const i64 its_inner = __shfl_sync(kAll, inner, owner);
            const i64 its_row = __shfl_sync(kAll, row, owner);
            Semiring::X its_a{};
            if constexpr (Semiring::reads_first)
                its_a = static_cast<Semiring::X>(__shfl_sync(kAll, a, owner));
            if (number >= stop) return;
            Semiring::Y b{};
            if constexpr (Semiring::reads_second) b = y[q * y_stride];
            send(number, its_row, its_inner, static_cast<i64>(B.indices[q]), its_a, b);
        };
        each_number<1>(through, entries, begin, end, fetch, use);
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
    const Part part(products);
    work.each(part.begin, part.end,
              [&](i64, i64 row, i64 inner, i64 column, Semiring::X a, Semiring::Y b) {
                  const i64 at = mask.find(row, column);
                  if (at >= 0)
                      sum_at(at, present, values,
                             [&] { return Semiring::product(a, b, row, inner, column); });
              });
}

// The same by dots: `bt_*` are of the transpose of B, and `through` numbers the entries of the
// shorter rows, for each of the `entries` of the mask.
template <class I>
__global__ void __launch_bounds__(kThreads, 4)
    mxm_dots(const i64* a_indptr, i64 nrows, const I* a_indices, const Semiring::X* x, i64 x_stride,
             const i64* bt_indptr, const I* bt_indices, const Semiring::Y* y, i64 y_stride,
             const i64* through, i64 entries, i64 lookups, const i64* mask_indptr,
             const I* mask_indices, unsigned char* present, Semiring::Out* values) {
    const Part part(lookups);
    // Each lane knows one entry of the mask: its row, from a number to a place in the shorter of
    // two rows, where the longer one begins, how many it has, and which of the two is A's.
    i64 row = 0, shift = 0, longer = 0;
    I count = 0;
    bool walks_a = false;
    const auto fetch = [&](i64 entry) {
        row = above(mask_indptr, nrows + 1, entry) - 1;
        const i64 column = mask_indices[entry];
        const i64 in_a = a_indptr[row], of_a = a_indptr[row + 1] - in_a;
        const i64 in_b = bt_indptr[column], of_b = bt_indptr[column + 1] - in_b;
        walks_a = of_a <= of_b;
        shift = (walks_a ? in_a : in_b) - through[entry];
        longer = walks_a ? in_b : in_a;
        count = static_cast<I>(walks_a ? of_b : of_a);
    };
    const auto use = [&](i64 number, const int (&owner)[kLookups<I>], i64 entry, i64 stop) {
        const I* found[kLookups<I>];  // the last that is not above the key, or the first
        I key[kLookups<I>], left[kLookups<I>];
        bool in_a[kLookups<I>], more = false;
        for (int k = 0; k < kLookups<I>; ++k) {
            const i64 q = __shfl_sync(kAll, shift, owner[k]) + number + k * kWarp;
            const i64 first = __shfl_sync(kAll, longer, owner[k]);
            in_a[k] = __shfl_sync(kAll, walks_a, owner[k]);
            left[k] = __shfl_sync(kAll, count, owner[k]);
            found[k] = (in_a[k] ? bt_indices : a_indices) + first;
            if (number + k * kWarp >= stop) left[k] = 0;
            key[k] = left[k] == 0 ? 0 : (in_a[k] ? a_indices : bt_indices)[q];
            more |= left[k] > 1;
        }
        while (more) {
            more = false;
            for (int k = 0; k < kLookups<I>; ++k) {
                const I half = left[k] / 2;
                if (half == 0) continue;
                if (found[k][half] <= key[k]) found[k] += half;
                left[k] -= half;
                more |= left[k] > 1;
            }
        }
        for (int k = 0; k < kLookups<I>; ++k) {
            const i64 q = __shfl_sync(kAll, shift, owner[k]) + number + k * kWarp;
            const i64 its_row = __shfl_sync(kAll, row, owner[k]);
            if (left[k] == 0 || *found[k] != key[k]) continue;
            const i64 at = entry + owner[k], column = mask_indices[at];
            sum_at(at, present, values, [&] {
                const i64 place = found[k] - (in_a[k] ? bt_indices : a_indices);
                Semiring::X a{};
                Semiring::Y b{};
                if constexpr (Semiring::reads_first) a = x[(in_a[k] ? q : place) * x_stride];
                if constexpr (Semiring::reads_second) b = y[(in_a[k] ? place : q) * y_stride];
                return Semiring::product(a, b, its_row, static_cast<i64>(key[k]), column);
            });
        }
    };
    each_number<kLookups<I>>(through, entries, part.begin, part.end, fetch, use);
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
