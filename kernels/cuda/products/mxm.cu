// The matrix product under a mask: every product of an entry of A with an entry of the row of B
// that it meets, summed where the mask has an entry.
//
// A warp takes as many products as any other, whatever the rows are like.  Where the transpose of B
// is known and less is looked up that way, entries of a mask are dots: of two rows the entries of
// the shorter one are numbered, and looked up in the longer one.
#include "cuda/products/mxm_sums.cuh"
#include "cuda/products/mxm_work.cuh"

using namespace spbfs;

// Look-ups that a lane has under way, each a chain of loads: as many as there are registers for.
template <class I>
constexpr int kLookups = sizeof(I) == 4 ? 4 : 2;

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
    work.each(part.begin, part.end, [&](const Meeting& meeting) {
        const i64 at = mask.find(meeting.row, meeting.column);
        if (at >= 0) sum_at(at, present, values, [&] { return work.product(meeting); });
    });
}

// CTAs of dots on a multiprocessor: with four least and greatest doubles are spilled on 12.0.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 1200
constexpr int kDots = sizeof(Semiring::Out) == 8 ? 3 : 4;
#else
constexpr int kDots = 4;
#endif

// The same by dots: `bt_*` are of the transpose of B, and `through` numbers the entries of the
// shorter rows, for each of the `entries` of the mask.
template <class I>
__global__ void __launch_bounds__(kThreads, kDots)
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
