// Rows of a matrix product that have few products: sorted in registers by teams of lanes, and
// summed where columns are alike.
#include "cuda/operators/monoid_sums.cuh"
#include "cuda/products/mxm_classes.cuh"
#include "cuda/products/mxm_runs.cuh"
#include "cuda/products/mxm_work.cuh"
#include "cuda/rows/team_sort.cuh"

using namespace spbfs;

// The rows that teams of so many items a lane sort: of classes from kFirst on, each with teams
// twice as long as the one before.
template <int items>
struct Classes {
    static constexpr int kFirst = items == 4 ? 1 : 6;
    static constexpr int kLanes = items == 4 ? 2 : 16;
    i64 at;     // of the list of all rows
    i64 count;  // rows from there on that are left of the class
    int lanes;

    // The part of a CTA of kThreads: its class, and where its rows begin.
    __device__ Classes(const i64* counts, i64 cta)
        : at(class_begin(counts, kFirst)), count(0), lanes(kLanes) {
        for (int k = kFirst;; ++k, lanes *= 2) {
            const i64 rows = counts[k], each = kThreads / lanes, ctas = (rows + each - 1) / each;
            if (cta < ctas) {
                at += cta * each;
                count = rows - cta * each;
                return;
            }
            at += rows;
            cta -= ctas;
        }
    }
};

// Rows that are sorted, by teams of `items` a lane: a CTA for as many as it has teams, class by
// class.  Without `writes` their entries are counted, at their place in `counts`; with it they go
// to where `begins` says.  What a mask has (complemented, null for none) is left out.
//
// A product's column with its number among those of the row is a Key; its value waits in shared
// memory.  As no two are alike, sums are made in one order always.  Without a least number of CTAs
// ptxas spills to have room for more of them.
template <class I, class Key, int items, bool writes>
__global__ void __launch_bounds__(kThreads, 1)
    mxm_sorted_rows(const i64* a_indptr, i64 nrows, const I* a_indices, const Semiring::X* x,
                    i64 x_stride, const i64* b_indptr, const I* b_indices, const Semiring::Y* y,
                    i64 y_stride, const i64* through, i64 entries, const i64* rows,
                    const i64* classes, const i64* mask_indptr, const I* mask_indices, i64* counts,
                    const i64* begins, I* columns, Semiring::Out* values) {
    // Teams of more than a warp have 16 items a lane.
    constexpr bool is_few = items == 4;
    constexpr bool sums = writes && !Semiring::pattern;
    __shared__ unsigned long long room[is_few ? 1 : kTeamRoom / 8];
    __shared__ Semiring::Out waiting[sums ? kThreads * items : 1];
    __shared__ Warps<Key> shared;
    constexpr Key kNone = static_cast<Key>(~0ull);
    const Rows<I> A{a_indptr, a_indices}, B{b_indptr, b_indices}, mask{mask_indptr, mask_indices};
    const Classes<items> its(classes, blockIdx.x);
    const int lanes = its.lanes, mine = static_cast<int>(threadIdx.x) % lanes;
    const int team = static_cast<int>(threadIdx.x) / lanes;
    const bool is_there = team < its.count;
    const i64 row = is_there ? rows[its.at + team] : 0;
    const i64 first = A.indptr[row], last = is_there ? A.indptr[row + 1] : first;
    const i64 begin = through[first];
    const int size = static_cast<int>(through[last] - begin);
    const int bits = 31 - __clz(lanes * items);

    // Which of the row's entries each product is of, all of a lane's at once: waiting for memory is
    // what takes time.
    const i64* const its_through = through + first;
    const int all = static_cast<int>(last - first);
    int entry[items];
#pragma unroll
    for (int i = 0; i < items; ++i) entry[i] = 0;
    for (int step = all > 1 ? 1 << (31 - __clz(all - 1)) : 0; step > 0; step /= 2) {
#pragma unroll
        for (int i = 0; i < items; ++i) {
            const int next = entry[i] + step;
            if (next < all && its_through[next] - begin <= i * lanes + mine) entry[i] = next;
        }
    }
    I inner[items];
    i64 in_b[items];
    Key keys[items];
#pragma unroll
    for (int i = 0; i < items; ++i)
        inner[i] = i * lanes + mine < size ? A.indices[first + entry[i]] : -1;
#pragma unroll
    for (int i = 0; i < items; ++i) {
        in_b[i] = begin + i * lanes + mine;
        if (inner[i] >= 0) in_b[i] += B.indptr[inner[i]] - its_through[entry[i]];
    }
#pragma unroll
    for (int i = 0; i < items; ++i) {
        keys[i] = kNone;
        if (inner[i] < 0) continue;
        const I column = B.indices[in_b[i]];
        const int number = i * lanes + mine;
        keys[i] = static_cast<Key>(column) << bits | static_cast<Key>(number);
        if constexpr (sums) {
            Semiring::X a{};
            Semiring::Y b{};
            if constexpr (Semiring::reads_first) a = x[(first + entry[i]) * x_stride];
            if constexpr (Semiring::reads_second) b = y[in_b[i] * y_stride];
            waiting[(team << bits) + number] =
                Semiring::product(a, b, row, static_cast<i64>(inner[i]), static_cast<i64>(column));
        }
    }
    team_sort(keys, lanes, reinterpret_cast<char*>(room));
    [[maybe_unused]] Semiring::Out products[items];
    if constexpr (sums) {
        __syncthreads();
#pragma unroll
        for (int i = 0; i < items; ++i) {
            products[i] = Semiring::Out{};
            const auto number = static_cast<int>(keys[i] & ((Key{1} << bits) - 1));
            if (keys[i] != kNone) products[i] = waiting[(team << bits) + number];
        }
    }
#pragma unroll
    for (int i = 0; i < items; ++i)
        if (keys[i] != kNone) keys[i] >>= bits;

    // A team of several warps goes on from one to the next.
    const bool is_wide = !is_few && lanes > kWarp;
    const int warp = static_cast<int>(threadIdx.x) / kWarp, lane = mine % kWarp;
    const int width = is_wide ? kWarp : lanes;
    Key before = __shfl_up_sync(kAll, keys[items - 1], 1);
    if (is_wide) {
        if (lane == kWarp - 1) shared.last[warp] = keys[items - 1];
        __syncthreads();
        if (lane == 0 && mine > 0) before = shared.last[warp - 1];
    }
    const bool goes_on = mine > 0 && before == keys[0];
    unsigned heads = 0;
#pragma unroll
    for (int i = 0; i < items; ++i) {
        const bool is_head = i == 0 ? !goes_on : keys[i - 1] != keys[i];
        if (!is_head || keys[i] == kNone) continue;
        if (mask_indptr == nullptr || mask.find(row, static_cast<i64>(keys[i])) < 0)
            heads |= 1u << i;
    }
    int found = __popc(heads);
    for (int by = 1; by < width; by *= 2) {
        const int other = __shfl_up_sync(kAll, found, by);
        if (lane >= by) found += other;
    }
    [[maybe_unused]] Runs<Key, items> runs;
    if constexpr (sums && !Semiring::any) runs.within_warp(keys, products, goes_on, lane, width);
    int ahead = 0;
    [[maybe_unused]] Sum<Semiring> outer;
    if (is_wide) {
        if (lane == kWarp - 1) shared.found[warp] = found;
        if constexpr (sums && !Semiring::any) {
            if (lane == 0) {
                shared.goes_on[warp] = goes_on;
                shared.is_one[warp] = runs.is_one;
                shared.sum[warp] = runs.sum;
            }
        }
        __syncthreads();
        const int from = warp - mine / kWarp, to = from + lanes / kWarp;
        for (int w = from; w < warp; ++w) ahead += shared.found[w];
        if constexpr (sums && !Semiring::any) {
            for (int w = warp + 1; w < to && shared.goes_on[w]; ++w) {
                outer.add(shared.sum[w]);
                if (!shared.is_one[w]) break;
            }
        }
    }
    if constexpr (!writes) {
        if (mine == lanes - 1 && is_there) counts[row] = ahead + found;
    } else {
        if constexpr (sums && !Semiring::any)
            runs.add_behind(keys, products, goes_on, lane, width, outer);
        if (heads == 0) return;
        i64 place = begins[row] + ahead + found - __popc(heads);
#pragma unroll
        for (int i = 0; i < items; ++i) {
            if (!(heads >> i & 1)) continue;
            columns[place] = static_cast<I>(keys[i]);
            if constexpr (sums) values[place] = products[i];
            ++place;
        }
    }
}
