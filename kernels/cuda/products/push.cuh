// What a push does, however the entries of its rows are dealt to lanes.
//
// A warp takes a few vertices of the frontier, fewer when there are few, and deals the entries of
// their rows to its lanes by a scan of what each row has; rows of thousands of entries are cut into
// pieces for the whole grid.  Who finds an element first sets its byte and puts it into the queue,
// which is the frontier of the next push; the result's count stays on the device.
#pragma once
#include "cuda/operators/semiring_sums.cuh"

namespace spbfs {

template <class I>
struct Push {
    const Semiring::X* x;
    i64 x_stride;
    const unsigned char* mask;  // nullptr: everything is admitted
    bool complement;
    unsigned char* present;
    Semiring::Out* values;
    I* queue;

    // Entry p of the row of `inner`, whose value is `b`, to an element; true if that is new.
    __device__ bool send(i64 p, I to, Semiring::Y b, i64 inner) const {
        if (mask != nullptr && (mask[to] != 0) == complement) return false;
        if constexpr (Semiring::any) {
            if (!claim(present, to)) return false;
        }
        if constexpr (!Semiring::pattern) {
            Semiring::X a{};
            if constexpr (Semiring::reads_first) a = x[p * x_stride];
            const Semiring::Out product = Semiring::product(a, b, to, inner, 0);
            if constexpr (Semiring::any) {
                values[to] = product;
            } else {
                Semiring::combine(values + to, product);
            }
        }
        return Semiring::any || claim(present, to);
    }

    // New elements of a warp's lanes appended; all lanes take part.
    template <class D>
    __device__ void append(bool is_new, I to, const D* degrees, Totals* totals, i64& edges) const {
        const unsigned news = __ballot_sync(kAll, is_new);
        if (news == 0) return;
        unsigned long long slot = 0;
        if (lane_of() == 0) slot = atomicAdd(&totals->found, __popc(news));
        slot = __shfl_sync(kAll, slot, 0) + __popc(news & ((1u << lane_of()) - 1));
        if (!is_new) return;
        queue[slot] = to;
        if (degrees != nullptr) edges += degrees[to + 1] - degrees[to];
    }
};

// `count` vertices, or as many as `listed` says; vertex t of them has value t of y where
// `by_place`, else the value at its own number.
template <class F>
struct Frontier {
    const F* vertices;
    i64 count;
    const Totals* listed;
    const Semiring::Y* y;
    i64 y_stride;
    bool by_place;

    __device__ i64 size() const {
        return listed != nullptr ? static_cast<i64>(listed->found) : count;
    }
    __device__ Semiring::Y value(i64 t, i64 inner) const {
        if constexpr (Semiring::reads_second) return y[(by_place ? t : inner) * y_stride];
        return {};
    }
};

// A lane's row: its vertex, where its entries begin, and how many shares the lanes before it have.
struct DealtRow {
    i64 inner, begin;
    int length, before;
};

// `Deal` says how many shares a row has, one a lane, and gives the entries of one to a function, as
// `f(whether there is one, p, its column)`, as often in all lanes.
template <class O, class I, class F, class Deal>
__device__ void push_rows(const Push<I>& M, const Deal& deal, const O* indptr,
                          const Frontier<F>& frontier, const O* degrees, Totals* totals,
                          Piece* pieces) {
    const i64 count = frontier.size();
    const i64 warps = static_cast<i64>(gridDim.x) * (kThreads / kWarp);
    const i64 warp = thread_of() / kWarp;
    const i64 even = (count + warps - 1) / warps;
    const int mine = even < kWarp ? static_cast<int>(even) : kWarp;
    i64 edges = 0;
    for (i64 begin = warp * mine; begin < count; begin += warps * mine) {
        const i64 t = begin + lane_of();
        DealtRow row{};
        Semiring::Y b{};
        if (lane_of() < mine && t < count) {
            row.inner = frontier.vertices[t];
            row.begin = indptr[row.inner];
            const i64 length = static_cast<i64>(indptr[row.inner + 1]) - row.begin;
            b = frontier.value(t, row.inner);
            if (pieces != nullptr && length > kLongRow)
                list_pieces(pieces, totals, t, row.begin, row.begin + length);
            else
                row.length = static_cast<int>(length);
        }
        const int own = deal.shares(row);
        int ends = own;
        for (int by = 1; by < kWarp; by *= 2) {
            const int before = __shfl_up_sync(kAll, ends, by);
            if (lane_of() >= by) ends += before;
        }
        row.before = ends - own;
        const int total = __shfl_sync(kAll, ends, kWarp - 1);
        for (int first = 0; first < total; first += kWarp) {
            const int share = first + lane_of();
            int owner = 0;
            for (int step = kWarp / 2; step > 0; step /= 2)
                if (__shfl_sync(kAll, ends, owner + step - 1) <= share) owner += step;
            const i64 its_inner = __shfl_sync(kAll, row.inner, owner);
            Semiring::Y its_b{};
            if constexpr (Semiring::reads_second) its_b = __shfl_sync(kAll, b, owner);
            deal.each(row, owner, its_inner, share, share < total, [&](bool is, i64 p, I to) {
                const bool is_new = is && M.send(p, to, its_b, its_inner);
                M.append(is_new, to, degrees, totals, edges);
            });
        }
    }
    add_to(totals, 0, edges);
}

}  // namespace spbfs
