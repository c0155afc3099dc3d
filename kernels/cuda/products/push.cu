// Push: w<m> = u' M by the rows of M that the frontier lists.  Every entry of such a row sends its
// product to one element of w, if the mask admits that element.
#include "cuda/products/push.cuh"

using namespace spbfs;

// An entry a lane.
template <class I>
struct OneByOne {
    const I* indices;

    __device__ int shares(const DealtRow& row) const { return row.length; }
    template <class Each>
    __device__ void each(const DealtRow& row, int owner, i64, int share, bool is, Each&& f) const {
        const i64 p = __shfl_sync(kAll, row.begin - row.before, owner) + share;
        f(is, p, is ? indices[p] : I{0});
    }
};

template <class O, class I, class F>
__global__ void __launch_bounds__(kThreads, 4)
    push(const O* indptr, const I* indices, const Semiring::X* x, i64 x_stride, const F* frontier,
         i64 count, const Totals* listed, const Semiring::Y* y, i64 y_stride, i64 by_place,
         const unsigned char* mask, i64 complement, unsigned char* present, Semiring::Out* values,
         I* queue, const O* degrees, Totals* totals, Piece* pieces) {
    push_rows(Push<I>{x, x_stride, mask, complement != 0, present, values, queue},
              OneByOne<I>{indices}, indptr,
              Frontier<F>{frontier, count, listed, y, y_stride, by_place != 0}, degrees, totals,
              pieces);
}

// The pieces of long rows of the frontier, each a CTA's, begun at a multiple of `unit` entries:
// over the bus warps had better ask for whole lines, elsewhere that would be one more round of a
// CTA.
template <class O, class I, class F>
__global__ void __launch_bounds__(kThreads, 4)
    push_pieces(const I* indices, const Semiring::X* x, i64 x_stride, const F* frontier,
                const Semiring::Y* y, i64 y_stride, i64 by_place, const unsigned char* mask,
                i64 complement, unsigned char* present, Semiring::Out* values, I* queue,
                const O* degrees, Totals* totals, const Piece* pieces, i64 unit) {
    const Push<I> M{x, x_stride, mask, complement != 0, present, values, queue};
    const Frontier<F> from{frontier, 0, nullptr, y, y_stride, by_place != 0};
    const i64 count = static_cast<i64>(totals->pieces);
    i64 edges = 0;
    for (i64 i = blockIdx.x; i < count; i += gridDim.x) {
        const Piece piece = pieces[i];
        const i64 inner = frontier[piece.at];
        const Semiring::Y b = from.value(piece.at, inner);
        for (i64 p = piece.begin & -unit; p < piece.end; p += kThreads) {
            const i64 q = p + threadIdx.x;
            const bool is = piece.begin <= q && q < piece.end;
            const I to = is ? indices[q] : I{0};
            const bool is_new = is && M.send(q, to, b, inner);
            M.append(is_new, to, degrees, totals, edges);
        }
    }
    add_to(totals, 0, edges);
}
