// The push of push.cu where entries are in memory of the host and their values are not read, or are
// all one.
//
// What the bus carries is a number of requests (row_lines.cuh), so a row is asked for once: by a
// lane for every 16 bytes, lanes side by side for what lies side by side, whichever rows that is
// of; from lines where rows have some.  A warp whose lanes have an entry each asks for 128 bytes at
// a time, which lie on two lines.
#include "cuda/products/push.cuh"
#include "cuda/rows/row_lines.cuh"

using namespace spbfs;

// 16 bytes a lane: of a row's line first, then of what else it has, where that lies.
struct Sixteens {
    const int* indices;  // which begin with 16 bytes, and have a few elements behind their end
    RowLines lines;
    int numbers, held;  // of 16 bytes of a line, and of a line

    __device__ Sixteens(const int* at, const RowLines& rows)
        : indices(at), lines(rows), numbers(rows.each()), held(rows.held()) {}

    __device__ int on_line(int length) const { return length < held ? length : held; }
    __device__ int shares_on_line(int length) const {
        return (on_line(length) + numbers - 1) / numbers;
    }
    __device__ int shares(const DealtRow& row) const {
        const i64 rest = row.begin + on_line(row.length), end = row.begin + row.length;
        const i64 others = rest < end ? ((end + 3) >> 2) - (rest >> 2) : 0;
        return shares_on_line(row.length) + static_cast<int>(others);
    }
    template <class Each>
    __device__ void each(const DealtRow& row, int owner, i64 inner, int share, bool is,
                         Each&& f) const {
        const i64 begin = __shfl_sync(kAll, row.begin, owner);
        const int length = __shfl_sync(kAll, row.length, owner);
        share -= __shfl_sync(kAll, row.before, owner);
        const int own = on_line(length), before = shares_on_line(length);
        const bool from_line = share < before;
        // The first number, and which of them are entries of the row.
        i64 p = begin + share * numbers;
        int from = 0, until = own - share * numbers;
        const uint4* at = lines.of_row(inner) + share;
        if (!from_line) {
            const i64 sixteen = ((begin + own) >> 2) + (share - before);
            p = 4 * sixteen;
            from = p < begin + own ? static_cast<int>(begin + own - p) : 0;
            until = static_cast<int>(begin + length - p);
            at = reinterpret_cast<const uint4*>(indices) + sixteen;
        }
        const int bits = from_line ? lines.bits : 32, all = from_line ? numbers : 4;
        if (until > all) until = all;
        uint4 x{};
        if (is) x = __ldg(at);
        const int most = held && numbers > 4 ? numbers : 4;
        for (int k = 0; k < most; ++k) {
            const bool valid = is && from <= k && k < until;
            f(valid, p + k, valid ? packed_number(x, bits, k) : 0);
        }
    }
};

template <class O, class F>
__global__ void __launch_bounds__(kThreads, 4)
    push_over_bus(const O* indptr, const int* indices, const Semiring::X* x, i64 x_stride,
                  const F* frontier, i64 count, const Totals* listed, const Semiring::Y* y,
                  i64 y_stride, i64 by_place, const unsigned char* mask, i64 complement,
                  unsigned char* present, Semiring::Out* values, int* queue, const O* degrees,
                  Totals* totals, Piece* pieces, const uint4* lines, i64 line_shift,
                  i64 line_bits) {
    push_rows(Push<int>{x, x_stride, mask, complement != 0, present, values, queue},
              Sixteens(indices, {lines, static_cast<int>(line_shift), static_cast<int>(line_bits)}),
              indptr, Frontier<F>{frontier, count, listed, y, y_stride, by_place != 0}, degrees,
              totals, pieces);
}
