// Push: w<m> = u' M by the rows of M that the frontier lists.  Every entry of such a row sends its
// product to one element of w, if the mask admits that element.
//
// A warp takes a few vertices of the frontier, fewer when there are few, and deals the entries of
// their rows to its lanes by a scan of the degrees; rows of thousands of entries are cut into
// pieces for the whole grid (`push_pieces`).  Who finds an element first sets its byte and puts it
// into the queue, which is the frontier of the next push; the result's count stays on the device.
#include "cuda/operators/semiring_sums.cuh"

using namespace spbfs;

template <class I>
struct Push {
    const I* indices;
    const Semiring::X* x;
    i64 x_stride;
    const unsigned char* mask;  // nullptr: everything is admitted
    bool complement;
    unsigned char* present;
    Semiring::Out* values;
    I* queue;

    // One entry of the row of `inner`, whose value is `b`; true if its element is new.
    __device__ bool send(i64 p, Semiring::Y b, i64 inner, I& to) const {
        to = indices[p];
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

// `frontier` lists `count` vertices, or as many as `listed` says; vertex t of it has value t of y
// where `by_place`, else the value at its own number.
template <class O, class I, class F>
__global__ void __launch_bounds__(kThreads, 4)
    push(const O* indptr, const I* indices, const Semiring::X* x, i64 x_stride, const F* frontier,
         i64 count, const Totals* listed, const Semiring::Y* y, i64 y_stride, i64 by_place,
         const unsigned char* mask, i64 complement, unsigned char* present, Semiring::Out* values,
         I* queue, const O* degrees, Totals* totals, Piece* pieces) {
    const Push<I> M{indices, x, x_stride, mask, complement != 0, present, values, queue};
    if (listed != nullptr) count = static_cast<i64>(listed->found);
    const i64 warps = static_cast<i64>(gridDim.x) * (kThreads / kWarp);
    const i64 warp = thread_of() / kWarp;
    const i64 even = (count + warps - 1) / warps;
    const int mine = even < kWarp ? static_cast<int>(even) : kWarp;
    i64 edges = 0;
    for (i64 begin = warp * mine; begin < count; begin += warps * mine) {
        const i64 t = begin + lane_of();
        i64 inner = 0, row = 0, length = 0;
        Semiring::Y b{};
        if (lane_of() < mine && t < count) {
            inner = frontier[t];
            row = indptr[inner];
            length = static_cast<i64>(indptr[inner + 1]) - row;
            if constexpr (Semiring::reads_second) b = y[(by_place ? t : inner) * y_stride];
            if (pieces != nullptr && length > kLongRow) {
                list_pieces(pieces, totals, t, row, row + length);
                length = 0;
            }
        }
        // Entries of the lanes before this one.
        int ends = static_cast<int>(length);
        for (int by = 1; by < kWarp; by *= 2) {
            const int before = __shfl_up_sync(kAll, ends, by);
            if (lane_of() >= by) ends += before;
        }
        const int total = __shfl_sync(kAll, ends, kWarp - 1);
        const i64 shift = row - (ends - length);
        for (int e = 0; e < total; e += kWarp) {
            const int mine_of_all = e + lane_of();
            int owner = 0;
            for (int step = kWarp / 2; step > 0; step /= 2)
                if (__shfl_sync(kAll, ends, owner + step - 1) <= mine_of_all) owner += step;
            const i64 p = __shfl_sync(kAll, shift, owner) + mine_of_all;
            const i64 its_inner = __shfl_sync(kAll, inner, owner);
            Semiring::Y its_b{};
            if constexpr (Semiring::reads_second) its_b = __shfl_sync(kAll, b, owner);
            I to = 0;
            const bool is_new = mine_of_all < total && M.send(p, its_b, its_inner, to);
            M.append(is_new, to, degrees, totals, edges);
        }
    }
    add_to(totals, 0, edges);
}

// The pieces of long rows of the frontier, each a CTA's.
template <class O, class I, class F>
__global__ void __launch_bounds__(kThreads, 4)
    push_pieces(const I* indices, const Semiring::X* x, i64 x_stride, const F* frontier,
                const Semiring::Y* y, i64 y_stride, i64 by_place, const unsigned char* mask,
                i64 complement, unsigned char* present, Semiring::Out* values, I* queue,
                const O* degrees, Totals* totals, const Piece* pieces) {
    const Push<I> M{indices, x, x_stride, mask, complement != 0, present, values, queue};
    const i64 count = static_cast<i64>(totals->pieces);
    i64 edges = 0;
    for (i64 i = blockIdx.x; i < count; i += gridDim.x) {
        const Piece piece = pieces[i];
        const i64 inner = frontier[piece.at];
        Semiring::Y b{};
        if constexpr (Semiring::reads_second) b = y[(by_place ? piece.at : inner) * y_stride];
        for (i64 p = piece.begin; p < piece.end; p += kThreads) {
            const i64 q = p + threadIdx.x;
            I to = 0;
            const bool is_new = q < piece.end && M.send(q, b, inner, to);
            M.append(is_new, to, degrees, totals, edges);
        }
    }
    add_to(totals, 0, edges);
}
