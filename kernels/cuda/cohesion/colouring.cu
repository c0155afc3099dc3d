// colouring(): every vertex gets the least colour that no neighbour before it in the order has.
//
// A word a vertex holds its place in the order, and the complement of its colour as soon as it has
// one: places tell which neighbours to wait for.  Warps take vertices in their order, so that those
// that wait for each other are few, and stay with them until they have colours.  Long rows are
// taken one after the other, all warps side by side in the order; of those neighbours that it waits
// for a row keeps a list, and looks at all of them again only when one of the middle is decided,
// since it is the last one that it waits for.  Of the longest rows all warps have found the earlier
// neighbours before.  Short rows are taken by a lane each, whose colours fit into a word.
//
// A vertex whose least free colour is taken for all neighbours that it would wait for has it at
// once: of the 10,000 first hubs of a Kronecker graph of 2^21 vertices 1,676 steps of waiting
// become 374.  Who finds a later neighbour with a colour finds one that others have taken anyway.
//
// The caller guarantees a square CSR with a symmetric pattern and rising columns, loops allowed.
//
// Jones, Plassmann: A parallel graph coloring heuristic (1993); Alabandi, Powers, Burtscher:
// Increasing the parallelism of graph coloring via shortcutting (2020), for one launch without
// rounds and for rows by warps and by lanes.
#include "cuda/cohesion/in_order.cuh"
#include "cuda/rows/degree_order.cuh"
#include "cuda/rows/row_pieces.cuh"

using namespace spbfs;

// Entries of a row that a lane takes, those from which a row's earlier neighbours are found before,
// and entries that a lane asks for together.  Not measured yet.
constexpr int kLaneRow = 31;
constexpr int kHubRow = 1024;
constexpr int kTogether = 4;
// Colours that a warp tells apart at a time: a word a lane.
constexpr int kPalette = 32 * kWarp;

struct ColouringState {
    u32 barrier;
    int most;         // entries of a row
    unsigned pieces;  // of the longest rows
    unsigned longer;  // rows that a lane does not take
    unsigned digits[kDigits];
};
// STATE_BYTES of cuda/algorithms/colouring.py.
SHARED_STRUCT(ColouringState, 1040, FIELD(barrier, 0) FIELD(digits, 16));

// What neighbours have, of the colours from `first` on; the words are shared memory.
struct Palette {
    unsigned* words;
    int first;

    __device__ void take(int state) const {
        const int colour = ~state - first;
        if (state < 0 && colour >= 0 && colour < kPalette)
            atomicOr(words + colour / 32, 1u << colour % 32);
    }
};

template <typename Offset>
struct Colouring {
    const Offset* indptr;
    const int* indices;
    int* state;
    int* room;     // for neighbours that are waited for, where their row is
    int* earlier;  // how many of them a hub has there to begin with
    int* least;    // a bound of the colours of those whose rows warps take

    __device__ int entries(int v) const { return static_cast<int>(indptr[v + 1] - indptr[v]); }

    // A loop adds two to a degree; columns rise, so that it is found by halves.
    __device__ int degree_of(int v) const {
        Offset first = indptr[v], last = indptr[v + 1];
        int degree = static_cast<int>(last - first);
        while (last - first > kTogether) {
            const Offset middle = first + (last - first) / 2;
            if (indices[middle] > v)
                last = middle;
            else
                first = middle;
        }
#pragma unroll
        for (int k = 0; k < kTogether; ++k)
            if (first + k < last && indices[first + k] == v) ++degree;
        return degree;
    }

    // Vertices of at most kLaneRow entries, one a lane, or -1; they are neighbours in the order, so
    // that places tell which lane has a neighbour that is waited for, if one has.
    __device__ void by_lanes(int v, Offset begin, int size, int place) const {
        const int first = place - lane_of();
        // Entries, and lanes, that are waited for; colours.
        unsigned waits = 0, inside = 0, taken = 0;
        const auto take = [&](int its) {
            if (~its < 32) taken |= 1u << ~its;
        };
#pragma unroll 1
        for (int at = 0; at < size; at += kTogether) {
            int u[kTogether], its[kTogether];
#pragma unroll
            for (int k = 0; k < kTogether; ++k) u[k] = at + k < size ? indices[begin + at + k] : v;
#pragma unroll
            for (int k = 0; k < kTogether; ++k) its[k] = peek(state + u[k]);
#pragma unroll
            for (int k = 0; k < kTogether; ++k) {
                if (its[k] < 0)
                    take(its[k]);
                else if (its[k] < first)
                    waits |= 1u << (at + k);
                else if (its[k] < place)
                    inside |= 1u << (its[k] - first);
            }
        }
        bool open = v >= 0;
        for (int colour = 0;;) {
            for (;;) {
                if (open && (waits | inside) == 0) {
                    colour = __ffs(~taken) - 1;
                    post(state + v, ~colour);
                    open = false;
                }
                const unsigned ready = inside & __ballot_sync(kAll, !open);
                if (!__any_sync(kAll, ready != 0)) break;
                const int its = __shfl_sync(kAll, colour, ready != 0 ? __ffs(ready) - 1 : 0);
                if (ready != 0) taken |= 1u << its;
                inside &= ~(ready & -ready);
            }
            if (!__any_sync(kAll, open)) break;
            pause();
            if (waits == 0) continue;
            // Two of those that are waited for.
            const int one = __ffs(waits) - 1, other = 31 - __clz(waits);
            const int u = indices[begin + one], w = indices[begin + other];
            const int its = peek(state + u), others = peek(state + w);
            if (its < 0) {
                take(its);
                waits &= ~(1u << one);
            }
            if (others < 0) {
                take(others);
                waits &= ~(1u << other);
            }
        }
    }

    // Takes the colours of those of `count` neighbours that have one; keeps the others that are
    // earlier, which may be where they came from.
    __device__ int sift(int place, const int* from, int count, int* to, Palette palette) const {
        const int lane = lane_of();
        int kept = 0;
#pragma unroll 1
        for (int at = 0; at < count; at += kTogether * kWarp) {
            int u[kTogether], its[kTogether];
#pragma unroll
            for (int k = 0; k < kTogether; ++k) {
                const int mine = at + k * kWarp + lane;
                u[k] = mine < count ? from[mine] : -1;
            }
#pragma unroll
            for (int k = 0; k < kTogether; ++k) its[k] = u[k] < 0 ? place : peek(state + u[k]);
#pragma unroll
            for (int k = 0; k < kTogether; ++k) {
                palette.take(its[k]);
                const bool waits = its[k] >= 0 && its[k] < place;
                const unsigned who = __ballot_sync(kAll, waits);
                if (waits) to[kept + __popc(who & ((1u << lane) - 1))] = u[k];
                kept += __popc(who);
            }
        }
        __syncwarp();
        return kept;
    }

    // One vertex by a warp.
    __device__ void by_warp(int v, Offset begin, int size, int place, unsigned* words) const {
        const int lane = lane_of();
        Palette palette{words, 0};
        words[lane] = 0;
        __syncwarp();
        int* const list = room + begin;
        const bool found = size >= kHubRow;
        const int* from = found ? list : indices + begin;
        int left = found ? earlier[v] : size;
        for (;;) {
            left = sift(place, from, left, list, palette);
            if (left <= kWarp) break;
            from = list;
            while (__any_sync(kAll, peek(state + list[left / 2]) >= 0)) pause();
        }
        // The last ones stay in registers.  Who gets a greater colour than the least that is free
        // here is not waited for: what is free for a vertex only grows, and is told.
        int u = lane < left ? list[lane] : -1, word, free, told = 0;
        for (;;) {
            const int its = u < 0 ? 0 : peek(state + u);
            const int bound = u < 0 ? 0 : peek(least + u);
            palette.take(its);
            if (its < 0) u = -1;
            __syncwarp();
            word = __ffs(__ballot_sync(kAll, words[lane] != ~0u)) - 1;
            free = word < 0 ? kPalette : 32 * word + __ffs(~words[word]) - 1;
            if (!__any_sync(kAll, u >= 0 && bound <= free)) break;
            if (lane == 0 && free > told) post(least + v, free);
            told = free;
            pause();
        }
        while (word < 0) {
            // Everybody who counts has a colour by now.
            palette.first += kPalette;
            words[lane] = 0;
            __syncwarp();
#pragma unroll 1
            for (int k = lane; k < entries(v); k += kWarp)
                palette.take(peek(state + indices[indptr[v] + k]));
            __syncwarp();
            word = __ffs(__ballot_sync(kAll, words[lane] != ~0u)) - 1;
            if (word >= 0) free = palette.first + 32 * word + __ffs(~words[word]) - 1;
        }
        if (lane == 0) post(state + v, ~free);
        __syncwarp();
    }

    // visit(v, where its row begins, its size, its place) for the places from `first` on, by steps
    // and the caller's own offset; -1 where there is none.  Vertices and their rows are asked for
    // while those before are visited.
    template <class Visit>
    __device__ void in_turn(const int* list, unsigned first, unsigned offset, unsigned end,
                            unsigned step, Visit&& visit) const {
        const auto vertex = [&](unsigned i) { return i < end ? list[i] : -1; };
        int v = vertex(first + offset), next = vertex(first + step + offset);
        Offset begin = v < 0 ? 0 : indptr[v], behind = v < 0 ? 0 : indptr[v + 1];
        for (; first < end; first += step) {
            const int after = vertex(first + 2 * step + offset);
            const Offset next_begin = next < 0 ? 0 : indptr[next];
            const Offset next_behind = next < 0 ? 0 : indptr[next + 1];
            visit(v, begin, static_cast<int>(behind - begin), static_cast<int>(first + offset));
            v = next;
            next = after;
            begin = next_begin;
            behind = next_behind;
        }
    }

    // The earlier neighbours in a piece of a row, by a warp; nobody has a colour yet.
    __device__ void find_earlier(const RowPiece& piece) const {
        const int v = piece.row, place = state[v], lane = lane_of();
        int* const to = room + indptr[v];
        unsigned* const found = reinterpret_cast<unsigned*>(earlier + v);
        for (int at = lane; at - lane < piece.count; at += kTogether * kWarp) {
            int u[kTogether], its[kTogether];
#pragma unroll
            for (int k = 0; k < kTogether; ++k)
                u[k] = at + k * kWarp < piece.count ? indices[piece.begin + at + k * kWarp] : v;
#pragma unroll
            for (int k = 0; k < kTogether; ++k) its[k] = state[u[k]];
#pragma unroll
            for (int k = 0; k < kTogether; ++k)
                if (its[k] < place) to[append(found)] = u[k];
        }
    }
};

// `order` is given, or where `sorts` is not 0 of falling degree, for which `other` is n long, too,
// and `loops` is 0 where it is known that there are none; `counts` has kDigits elements a CTA;
// 0 < n.
template <typename Offset>
__global__ void __launch_bounds__(kThreads, kResident)
    colouring(const Offset* __restrict__ indptr, const int* __restrict__ indices, int n, i64 sorts,
              i64 loops, int* order, int* other, unsigned* counts, int* state, int* earlier,
              int* least, int* room, long long* colours, RowPiece* pieces, ColouringState* s) {
    __shared__ union {
        DigitCounts digits;
        unsigned palettes[kWarps][kWarp];
    } shared;
    const Colouring<Offset> c{indptr, indices, state, room, earlier, least};
    const RowPieces hubs{pieces, &s->pieces};
    unsigned longer = 0;
    const auto meet = [&](int v, int degree) {
        const bool by_lane = degree <= kLaneRow;
        longer += !by_lane;
        if (!sorts || !by_lane) least[v] = 0;
        if (c.entries(v) < kHubRow) return;
        earlier[v] = 0;
        hubs.add(v, indptr[v], indptr[v + 1]);
    };
    const int* list = order;
    if (sorts) {
        const DegreeSort sort{n, state, counts, s->digits, &s->barrier};
        const auto counted = [&](int v) {
            const int degree = loops ? c.degree_of(v) : c.entries(v);
            if (loops) state[v] = degree;
            meet(v, degree);
            return degree;
        };
        const auto known = [&](int v) { return loops ? state[v] : c.entries(v); };
        list = sort.run(shared.digits, order, other, &s->most, counted, known);
    } else {
        const i64 all = static_cast<i64>(gridDim.x) * kThreads;
        for (i64 i = thread_of(); i < n; i += all) {
            state[order[i]] = static_cast<int>(i);
            meet(static_cast<int>(i), c.entries(static_cast<int>(i)));
        }
    }
    for (int by = kWarp / 2; by > 0; by /= 2) longer += __shfl_xor_sync(kAll, longer, by);
    if (lane_of() == 0 && longer != 0) atomicAdd(&s->longer, longer);
    grid_barrier(&s->barrier);

    const unsigned warps = gridDim.x * kWarps, warp = static_cast<unsigned>(thread_of()) / kWarp;
    const unsigned listed = s->pieces;
    for (unsigned i = warp; i < listed; i += warps) c.find_earlier(pieces[i]);
    grid_barrier(&s->barrier);

    // Where degrees fall the long rows are the first ones.
    const unsigned by_warps = sorts ? s->longer : s->longer != 0 ? static_cast<unsigned>(n) : 0;
    unsigned* const palette = shared.palettes[threadIdx.x / kWarp];
    const auto by_warp = [&](int v, Offset begin, int size, int place) {
        c.by_warp(v, begin, size, place, palette);
    };
    const auto by_lanes = [&](int v, Offset begin, int size, int place) {
        c.by_lanes(v, begin, size, place);
    };
    c.in_turn(list, warp, 0, by_warps, warps, by_warp);
    c.in_turn(list, by_warps + warp * kWarp, lane_of(), n, warps * kWarp, by_lanes);
    grid_barrier(&s->barrier);
    // Side by side: in the order of degrees a sector of memory would be written once a degree.
    const unsigned threads = gridDim.x * kThreads, end = n;
    for (unsigned first = thread_of(); first < end; first += kTogether * threads) {
        int its[kTogether];
#pragma unroll
        for (int k = 0; k < kTogether; ++k)
            its[k] = first + k * threads < end ? __ldcg(state + first + k * threads) : 0;
#pragma unroll
        for (int k = 0; k < kTogether; ++k)
            if (first + k * threads < end) colours[first + k * threads] = ~its[k];
    }
}
