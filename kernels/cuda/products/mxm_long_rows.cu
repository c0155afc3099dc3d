// Rows of a matrix product that have many products: every column is a bit in shared memory, whose
// rank among those set says where its sum is.  Where there are more columns than bits they are
// taken range after range.
#include "cuda/products/mxm_work.cuh"
#include "cuda/rows/column_bits.cuh"

using namespace spbfs;

// Rows of any number of products, the last `count` of a list, each `ranges` times: of task after
// task entries are counted, in `counts`, or written to where `begins` says.  These have a place for
// each row where there is one range, one for each range of a listed row where there are more.
template <class I, bool writes>
__global__ void __launch_bounds__(1024, 1)
    mxm_long_rows(const i64* a_indptr, i64 nrows, const I* a_indices, const Semiring::X* x,
                  i64 x_stride, const i64* b_indptr, const I* b_indices, const Semiring::Y* y,
                  i64 y_stride, const i64* through, i64 entries, const i64* rows, i64 count,
                  i64 ranges, i64 groups, const i64* mask_indptr, const I* mask_indices,
                  unsigned long long* taken, i64* counts, const i64* begins, I* columns,
                  Semiring::Out* values) {
    extern __shared__ __align__(16) char column_bits[];
    __shared__ unsigned long long ticket;
    const Work<I> work{{a_indptr, a_indices},
                       nrows,
                       x,
                       x_stride,
                       {b_indptr, b_indices},
                       y,
                       y_stride,
                       through,
                       entries};
    ColumnBits set(column_bits, static_cast<int>(groups));
    const int threads = static_cast<int>(blockDim.x), me = static_cast<int>(threadIdx.x);
    for (int i = me; i < set.groups * (kGroupColumns / 32); i += threads) set.bits[i] = 0;
    for (int i = me; i < set.groups; i += threads) set.touched[i] = 0;
    for (;;) {
        __syncthreads();
        if (me == 0) ticket = atomicAdd(taken, 1ull);
        __syncthreads();
        const i64 task = static_cast<i64>(ticket), listed = count - 1 - task / ranges;
        if (listed < 0) return;
        // Classes of more products are listed behind those of fewer, and begun first.
        const i64 row = rows[listed], range = task % ranges;
        const i64 place = ranges == 1 ? row : listed * ranges + range;
        set.low = range * groups * kGroupColumns;
        // What a warp takes of the products.
        const i64 first = through[a_indptr[row]], last = through[a_indptr[row + 1]];
        const i64 warps = threads / kWarp, share = (last - first + warps - 1) / warps;
        const i64 begin = min(first + me / kWarp * share, last), end = min(begin + share, last);
        work.each_of_row(row, begin, end, [&](const Meeting& meeting) {
            if (set.covers(meeting.column)) set.add(meeting.column);
        });
        if (mask_indptr != nullptr) {
            __syncthreads();
            for (i64 i = mask_indptr[row] + me; i < mask_indptr[row + 1]; i += threads)
                if (set.covers(mask_indices[i])) set.take_out(mask_indices[i]);
        }
        __syncthreads();
        const unsigned found = set.count();
        if constexpr (!writes) {
            if (me == 0) counts[place] = found;
        } else {
            const i64 from = begins[place];
            set.each([&](i64 column, i64 rank) {
                columns[from + rank] = static_cast<I>(column);
                if constexpr (!Semiring::pattern && !Semiring::any)
                    values[from + rank] = Semiring::identity();
            });
            if constexpr (!Semiring::pattern) {
                __syncthreads();
                work.each_of_row(row, begin, end, [&](const Meeting& meeting) {
                    const i64 rank = set.covers(meeting.column) ? set.rank(meeting.column) : -1;
                    if (rank < 0) return;
                    Semiring::Out* const at = values + from + rank;
                    // Of any product whichever is written last.
                    if constexpr (Semiring::any)
                        *at = work.product(meeting);
                    else
                        Semiring::combine(at, work.product(meeting));
                });
            }
        }
        __syncthreads();
        set.clear();
    }
}
