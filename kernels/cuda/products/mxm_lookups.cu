// How many look-ups the entries of a mask take where each is the dot of two rows.
//
// The longer of its two rows owns an entry, and is looked up in for every entry of the shorter
// one.  A's row owns where both are as long as each other.
#include "cuda/products/mxm_numbers.cuh"

using namespace spbfs;

// The two rows of an entry of the mask: A's, and the transpose of B's.
template <class I>
struct Dots {
    const i64* a_indptr;
    const i64* bt_indptr;
    const i64* mask_indptr;
    const I* mask_indices;
    i64 nrows, nvals;

    // use(entry, row, column, whether A's row owns it, look-ups) for every entry.
    template <class Use>
    __device__ void each(Use&& use) const {
        const i64 threads = static_cast<i64>(gridDim.x) * kThreads;
        for (i64 entry = thread_of(); entry < nvals; entry += threads) {
            const i64 row = above(mask_indptr, nrows + 1, entry) - 1;
            const i64 column = mask_indices[entry];
            const i64 of_a = a_indptr[row + 1] - a_indptr[row];
            const i64 of_b = bt_indptr[column + 1] - bt_indptr[column];
            use(entry, row, column, of_a >= of_b, min(of_a, of_b));
        }
    }
};

// Look-ups in every row of A, and in every row of the transpose of B, added to what is there.
template <class I>
__global__ void __launch_bounds__(kThreads)
    owned_lookups(const i64* a_indptr, const i64* bt_indptr, const i64* mask_indptr,
                  const I* mask_indices, i64 nrows, i64 nvals, unsigned long long* in_rows,
                  unsigned long long* in_columns) {
    const Dots<I> dots{a_indptr, bt_indptr, mask_indptr, mask_indices, nrows, nvals};
    dots.each([&](i64, i64 row, i64 column, bool by_row, i64 lookups) {
        if (lookups == 0) return;
        atomicAdd(by_row ? in_rows + row : in_columns + column,
                  static_cast<unsigned long long>(lookups));
    });
}

// Look-ups of every entry but those whose owners are taken care of.
template <class I>
__global__ void __launch_bounds__(kThreads)
    lookups_left(const i64* a_indptr, const i64* bt_indptr, const i64* mask_indptr,
                 const I* mask_indices, i64 nrows, i64 nvals, const unsigned char* rows_done,
                 const unsigned char* columns_done, i64* left) {
    const Dots<I> dots{a_indptr, bt_indptr, mask_indptr, mask_indices, nrows, nvals};
    dots.each([&](i64 entry, i64 row, i64 column, bool by_row, i64 lookups) {
        left[entry] = (by_row ? rows_done[row] : columns_done[column]) ? 0 : lookups;
    });
}
