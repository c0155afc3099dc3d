// Push along rows that have lines of their own, where entries lie in memory of the host.
//
// What the bus carries is a number of requests, whatever they bring: of rows in order, one in nine,
// a line of 128 bytes takes 2.5 ns, 96 bytes of one 2.2, 32 bytes 1.4 (an H200).  A row that begins
// anywhere lies on two lines, and is asked for twice by warps that cut the list into equal runs of
// edges.  So where rows are about equally long their first entries are stored once more: every row
// on a line of 16 << shift bytes, of which each 16 hold as many numbers of so many bits as fit, and
// each row is asked for once, by a lane for every 16 bytes.  What a row has beyond its line is read
// where the row lies.  Min et al. align what warps read (EMOGI, VLDB 2021); rows that begin on
// lines are the next step.
#pragma once
#include "cuda/bfs/frontier_queue.cuh"

// A number of so many bits, behind so many others, among 128.
__device__ __forceinline__ int packed_number(const uint4& x, int bits, int behind) {
    const int bit = bits * behind, word = bit >> 5;
    const u32 low = word < 2 ? (word ? x.y : x.x) : (word == 2 ? x.z : x.w);
    const u32 high = word < 2 ? (word ? x.z : x.y) : x.w;
    return static_cast<int>(__funnelshift_r(low, high, bit & 31) & ((1u << bits) - 1));
}

// Calls visit_edges(neighbours, rows) for all edges of a list, kFlight a lane, by all lanes of a
// warp together; a neighbour of -1 is no edge.  A team of lanes takes a row, a lane for 16 bytes;
// two or four rows of a team in flight gain nothing.
template <typename Offset, typename Visit>
__device__ __forceinline__ void expand_lines(const Search& s, const RowList<Offset>& list,
                                             Visit&& visit_edges) {
    const int lane = threadIdx.x & 31, team = 1 << s.line_shift, place = lane & (team - 1);
    const int each = 128 / s.line_bits, held = each << s.line_shift, own = place * each;
    // At least one, as no line has more than 32 lanes; lists are shorter than 2^28.
    const int rows = 32 >> s.line_shift, step = gridDim.x * kWarps * rows;
    const int warp = blockIdx.x * kWarps + (threadIdx.x >> 5);  // those of a CTA side by side
    for (int base = warp * rows; base < list.count; base += step) {
        const int i = base + (lane >> s.line_shift);  // past the end there are rows of no length
        const QueuedRow<Offset> row = list[i];
        const int length = static_cast<int>(list[i + 1].before - row.before);
        uint4 line{};
        if (own < length) line = __ldg(s.out_lines + (i64{row.vertex} << s.line_shift) + place);
        int neighbour[kFlight], from[kFlight];
#pragma unroll
        for (int u = 0; u < kFlight; ++u) from[u] = row.vertex;
        for (int first = 0; first < each; first += kFlight) {
#pragma unroll
            for (int u = 0; u < kFlight; ++u) {
                const bool is = first + u < each && own + first + u < length;
                neighbour[u] = is ? packed_number(line, s.line_bits, first + u) : -1;
            }
            visit_edges(neighbour, from);
        }
        for (int at = held + place; __any_sync(kFull, at < length); at += team * kFlight) {
#pragma unroll
            for (int u = 0; u < kFlight; ++u) {
                const int entry = at + u * team;
                neighbour[u] = -1;
                if (entry < length) neighbour[u] = __ldg(s.out_indices + row.begin + entry);
            }
            visit_edges(neighbour, from);
        }
    }
}
