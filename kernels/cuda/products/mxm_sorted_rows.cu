// Rows of a matrix product that have few products: sorted in registers by teams of lanes, and
// summed where columns are alike.
#include "cuda/operators/monoid_sums.cuh"
#include "cuda/products/mxm_runs.cuh"
#include "cuda/products/mxm_teams.cuh"
#include "cuda/products/mxm_work.cuh"
#include "cuda/rows/team_sort.cuh"

using namespace spbfs;

// Rows that are sorted, by teams of `items` a lane: a CTA for as many as it has teams, class by
// class.  Their entries are counted, at their place in `counts`, and where it `writes` they go to
// where `begins` says; without begins each row has `room` for all its products, in `slots` is said
// where, and it is moved once it is known how many entries there are.  What a mask has
// (complemented, null for none) is left out.
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
                    i64 room, i64* slots, const i64* begins, I* columns, Semiring::Out* values) {
    // Teams of more than a warp have 16 items a lane.
    constexpr bool is_few = items == 4;
    constexpr bool sums = writes && !Semiring::pattern;
    using Staged = Entries<I, sums>;
    __shared__ union {
        Staged staged;
        unsigned long long exchanged[is_few ? 1 : kTeamRoom / 8];
    } of;
    using Waits = Waiting<I, sums>;
    __shared__ Waits waiting[writes ? kThreads * items : 1];
    __shared__ Warps<Key> shared;
    __shared__ Places<items> places;
    constexpr Key kNone = static_cast<Key>(~0ull);
    const Rows<I> A{a_indptr, a_indices}, B{b_indptr, b_indices}, mask{mask_indptr, mask_indices};
    const Classes<items> its(classes, blockIdx.x);
    const int lanes = its.lanes(), mine = its.lane(), team = its.team();
    const bool is_there = team < its.count;
    const i64 row = is_there ? rows[its.at + team] : 0;
    const i64 first = A.indptr[row];
    const int all = is_there ? static_cast<int>(A.indptr[row + 1] - first) : 0;
    const i64* const its_through = through + first;
    const i64 begin = its_through[0];
    const int size = static_cast<int>(its_through[all] - begin);
    const int bits = its.bits;

    Key keys[items];
#pragma unroll
    for (int i = 0; i < items; ++i) keys[i] = kNone;
    // The row's entries go to shared memory, all at once but where many have few products: what is
    // asked of global memory for each product is its column and its value in B.
    Staged& staged = of.staged;
    const int most = Staged::kOfLane * lanes, at = team * most;
    for (int from = 0; sync_any<is_few>(from < all); from += most) {
#pragma unroll
        for (int e = mine, k = 0; k < Staged::kOfLane; ++k, e += lanes) {
            if (from + e >= all) continue;
            const I inner = A.indices[first + from + e];
            staged.begin[at + e] = static_cast<int>(its_through[from + e] - begin);
            staged.shift[at + e] = B.indptr[inner] - staged.begin[at + e];
            if constexpr (Staged::kInner > 1) staged.inner[at + e] = inner;
            if constexpr (Staged::kValues > 1) staged.x[at + e] = x[(first + from + e) * x_stride];
        }
        sync<is_few>();
        const int there = min(all - from, most);
        int since = 0, until = 0;
        if (there > 0) {
            since = staged.begin[at];
            until = from + there < all ? static_cast<int>(its_through[from + there] - begin) : size;
        }
        const int half = there > 1 ? 1 << (31 - __clz(there - 1)) : 0;
        constexpr int kAtOnce = 4;
#pragma unroll
        for (int begun = 0; begun < items; begun += kAtOnce) {
            int entry[kAtOnce]{};
            for (int step = half; step > 0; step /= 2) {
#pragma unroll
                for (int k = 0; k < kAtOnce; ++k) {
                    const int next = entry[k] + step, number = (begun + k) * lanes + mine;
                    if (next < there && staged.begin[at + next] <= number) entry[k] = next;
                }
            }
            I column[kAtOnce];
            [[maybe_unused]] Semiring::Y other[kAtOnce]{};
#pragma unroll
            for (int k = 0; k < kAtOnce; ++k) {
                const int number = (begun + k) * lanes + mine;
                column[k] = -1;
                if (number < since || number >= until) continue;
                const i64 in_b = staged.shift[at + entry[k]] + number;
                column[k] = B.indices[in_b];
                if constexpr (sums && Semiring::reads_second) other[k] = y[in_b * y_stride];
            }
#pragma unroll
            for (int k = 0; k < kAtOnce; ++k) {
                const int number = (begun + k) * lanes + mine;
                if (column[k] < 0) continue;
                keys[begun + k] = static_cast<Key>(column[k]) << bits | static_cast<Key>(number);
                if constexpr (sums) {
                    Semiring::X own{};
                    i64 inner = 0;
                    if constexpr (Staged::kInner > 1)
                        inner = static_cast<i64>(staged.inner[at + entry[k]]);
                    if constexpr (Staged::kValues > 1) own = staged.x[at + entry[k]];
                    waiting[(team << bits) + number].value =
                        Semiring::product(own, other[k], row, inner, static_cast<i64>(column[k]));
                }
            }
        }
    }
    team_sort(keys, lanes, reinterpret_cast<char*>(of.exchanged));
    [[maybe_unused]] Semiring::Out products[items];
    if constexpr (sums) {
        sync<is_few>();
#pragma unroll
        for (int i = 0; i < items; ++i) {
            products[i] = Semiring::Out{};
            const auto number = static_cast<int>(keys[i] & ((Key{1} << bits) - 1));
            if (keys[i] != kNone) products[i] = waiting[(team << bits) + number].value;
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
    found += ahead;
    if (mine == lanes - 1) {
        const i64 slot = room + its.room + (team << bits);
        places.begin[team] = begins != nullptr ? begins[row] : slot;
        places.count[team] = is_there ? found : 0;
        if (is_there && begins == nullptr) {
            counts[row] = found;
            if constexpr (writes) slots[row] = slot;
        }
    }
    if constexpr (writes) {
        const int rank = found - __popc(heads);
        places.send(columns, waiting, &Waits::column, its, heads, rank,
                    [&](int i) { return static_cast<I>(keys[i]); });
        if constexpr (sums) {
            if constexpr (!Semiring::any)
                runs.add_behind(keys, products, goes_on, lane, width, outer);
            places.send(values, waiting, &Waits::value, its, heads, rank,
                        [&](int i) { return products[i]; });
        }
    }
}
