// Entries of a masked matrix product as dots of two rows, of which the longer one is shared.
//
// The longer of its two rows owns an entry.  A CTA puts the owner's columns into shared memory, a
// bit each, once for all entries that it owns; warps read the shorter rows of these, and what they
// find there is known by one load.  Where there are more columns than bits they are taken range
// after range.
#include "cuda/operators/monoid_sums.cuh"
#include "cuda/products/mxm_numbers.cuh"
#include "cuda/products/mxm_sums.cuh"

using namespace spbfs;

// One CTA a multiprocessor has all of its shared memory. MEMBER_THREADS of
// cuda/products/kernels.py.
template <class I>
constexpr int kMemberThreads = sizeof(I) == 4 ? 1024 : 512;
// Entries of a shorter row that a lane has under way.
constexpr int kAhead = 4;

// Entries [first, last) of a list, those of which are meant that `owner` owns.
struct OwnedEntries {
    i64 owner, first, last;
};
// TASK_BYTES of cuda/products/kernels.py.
SHARED_STRUCT(OwnedEntries, 24);

// A factor as rows along which products are summed, with where its values are.
template <class I, class V>
struct Factor : Rows<I> {
    const V* values;
    i64 stride;

    // Entries of a row with columns in [low, low + range): where they begin, and how many they are.
    __device__ i64 within(i64 row, i64 low, i64 range, I& count) const {
        const i64 begin = this->indptr[row], size = this->indptr[row + 1] - begin;
        const I* columns = this->indices + begin;
        const i64 skipped = low == 0 ? 0 : above(columns, size, low - 1);
        const bool to_end = size == 0 || columns[size - 1] < low + range;
        count = static_cast<I>((to_end ? size : above(columns, size, low + range - 1)) - skipped);
        return begin + skipped;
    }
};

// The owner's columns from `low` on, a bit each.
struct Columns {
    unsigned* bits;
    i64 low;

    __device__ bool has(i64 column) const {
        const unsigned at = static_cast<unsigned>(column - low);
        return bits[at / 32] >> at % 32 & 1;
    }
    __device__ void add(i64 column) const {
        const unsigned at = static_cast<unsigned>(column - low);
        atomicOr(bits + at / 32, 1u << at % 32);
    }
    __device__ void forget(i64 column) const { bits[static_cast<unsigned>(column - low) / 32] = 0; }
};

template <bool first, class A, class B>
__device__ __forceinline__ const auto& first_if(const A& a, const B& b) {
    if constexpr (first)
        return a;
    else
        return b;
}

// `tasks` entries of lists: of the mask where A's rows are owners, of its transpose, `partners`,
// where rows of B's transpose are.  They are taken in their order, `ranges` times each.
template <class I, bool by_rows>
__global__ void __launch_bounds__(kMemberThreads<I>, 1)
    mxm_members(const i64* a_indptr, const I* a_indices, const Semiring::X* x, i64 x_stride,
                const i64* bt_indptr, const I* bt_indices, const Semiring::Y* y, i64 y_stride,
                const OwnedEntries* tasks, i64 count, i64 ranges, i64 range, const I* partners,
                const i64* mask_indptr, const I* mask_indices, unsigned long long* taken,
                unsigned char* present, Semiring::Out* values) {
    extern __shared__ __align__(16) unsigned member_bits[];
    __shared__ unsigned long long ticket, next;
    const Factor<I, Semiring::X> A{{a_indptr, a_indices}, x, x_stride};
    const Factor<I, Semiring::Y> Bt{{bt_indptr, bt_indices}, y, y_stride};
    const Rows<I> mask{mask_indptr, mask_indices};
    const auto& own = first_if<by_rows>(A, Bt);
    const auto& other = first_if<!by_rows>(A, Bt);
    for (i64 i = threadIdx.x; i < range / 32; i += kMemberThreads<I>) member_bits[i] = 0;
    for (;;) {
        __syncthreads();
        if (threadIdx.x == 0) {
            ticket = atomicAdd(taken, 1ull);
            next = 0;
        }
        __syncthreads();
        if (static_cast<i64>(ticket) >= count * ranges) return;
        const OwnedEntries task = tasks[ticket / ranges];
        const i64 low = static_cast<i64>(ticket % ranges) * range;
        const i64 size = own.indptr[task.owner + 1] - own.indptr[task.owner];
        const Columns columns{member_bits, low};
        I members;
        const i64 begin = own.within(task.owner, low, range, members);
        for (I i = threadIdx.x; i < members; i += kMemberThreads<I>)
            columns.add(own.indices[begin + i]);
        // Of few entries every warp has some.
        const i64 even = (task.last - task.first) / (2 * kMemberThreads<I> / kWarp);
        const auto share = static_cast<unsigned long long>(min(max(even, i64{1}), i64{kWarp}));
        __syncthreads();

        for (;;) {
            // Each lane knows an entry, and what of its shorter row there is to read.
            i64 first = 0;
            if (lane_of() == 0) first = static_cast<i64>(atomicAdd(&next, share));
            first = task.first + __shfl_sync(kAll, first, 0);
            if (first >= task.last) break;
            const i64 mine = first + lane_of();
            i64 its_partner = 0, its_begin = 0;
            I its_count = 0;
            if (mine < task.last && lane_of() < share) {
                its_partner = partners[mine];
                const i64 its_size = other.indptr[its_partner + 1] - other.indptr[its_partner];
                // Of two rows as long as each other A's is the owner.
                if (by_rows ? its_size <= size : its_size < size)
                    its_begin = other.within(its_partner, low, range, its_count);
            }
            for (unsigned todo = __ballot_sync(kAll, its_count > 0); todo; todo &= todo - 1) {
                const int who = __ffs(todo) - 1;
                const i64 from = __shfl_sync(kAll, its_begin, who);
                const i64 partner = __shfl_sync(kAll, its_partner, who);
                const I all = __shfl_sync(kAll, its_count, who);
                const i64 row = by_rows ? task.owner : partner;
                const i64 column = by_rows ? partner : task.owner;
                Sum<Semiring> sum;
                for (I k = 0; k < all; k += kAhead * kWarp) {
                    I key[kAhead];
#pragma unroll
                    for (int a = 0; a < kAhead; ++a) {
                        const I at = k + a * kWarp + lane_of();
                        key[a] = at < all ? other.indices[from + at] : -1;
                    }
#pragma unroll
                    for (int a = 0; a < kAhead; ++a) {
                        if (key[a] < 0 || !columns.has(key[a])) continue;
                        const i64 theirs = from + k + a * kWarp + lane_of();
                        i64 ours = 0;
                        if constexpr (by_rows ? Semiring::reads_first : Semiring::reads_second)
                            ours = own.find(task.owner, key[a]);
                        Semiring::X of_a{};
                        Semiring::Y of_b{};
                        if constexpr (Semiring::reads_first)
                            of_a = x[(by_rows ? ours : theirs) * x_stride];
                        if constexpr (Semiring::reads_second)
                            of_b = y[(by_rows ? theirs : ours) * y_stride];
                        sum.add(Semiring::product(of_a, of_b, row, key[a], column));
                    }
                    if (Semiring::any && __any_sync(kAll, sum.some)) break;
                }
                if (!__any_sync(kAll, sum.some)) continue;
                sum = warp_sum(sum);
                if (lane_of() == 0)
                    sum_at(by_rows ? first + who : mask.find(row, column), present, values,
                           [&] { return sum.value; });
            }
        }
        __syncthreads();
        for (I i = threadIdx.x; i < members; i += kMemberThreads<I>)
            columns.forget(own.indices[begin + i]);
    }
}
