// A frontier's edges along rows that have lines of their own (row_lines.cuh).
#pragma once
#include "cuda/bfs/frontier_queue.cuh"
#include "cuda/rows/row_lines.cuh"

// Calls visit_edges(neighbours, rows) for all edges of a list, kFlight a lane, by all lanes of a
// warp together; a neighbour of -1 is no edge.  A team of lanes takes a row, a lane for 16 bytes;
// two or four rows of a team in flight gain nothing.
template <typename Offset, typename Visit>
__device__ __forceinline__ void expand_lines(const RowLines& lines, const int* indices,
                                             const RowList<Offset>& list, Visit&& visit_edges) {
    const int lane = threadIdx.x & 31, team = 1 << lines.shift, place = lane & (team - 1);
    const int each = lines.each(), held = lines.held(), own = place * each;
    // At least one, as no line has more than 32 lanes; lists are shorter than 2^28.
    const int rows = 32 >> lines.shift, step = gridDim.x * kWarps * rows;
    const int warp = blockIdx.x * kWarps + (threadIdx.x >> 5);  // those of a CTA side by side
    for (int base = warp * rows; base < list.count; base += step) {
        const int i = base + (lane >> lines.shift);  // past the end there are rows of no length
        const QueuedRow<Offset> row = list[i];
        const int length = static_cast<int>(list[i + 1].before - row.before);
        uint4 line{};
        if (own < length) line = __ldg(lines.of_row(row.vertex) + place);
        int neighbour[kFlight], from[kFlight];
#pragma unroll
        for (int u = 0; u < kFlight; ++u) from[u] = row.vertex;
        for (int first = 0; first < each; first += kFlight) {
#pragma unroll
            for (int u = 0; u < kFlight; ++u) {
                const bool is = first + u < each && own + first + u < length;
                neighbour[u] = is ? packed_number(line, lines.bits, first + u) : -1;
            }
            visit_edges(neighbour, from);
        }
        for (int at = held + place; __any_sync(kFull, at < length); at += team * kFlight) {
#pragma unroll
            for (int u = 0; u < kFlight; ++u) {
                const int entry = at + u * team;
                neighbour[u] = -1;
                if (entry < length) neighbour[u] = __ldg(indices + row.begin + entry);
            }
            visit_edges(neighbour, from);
        }
    }
}
