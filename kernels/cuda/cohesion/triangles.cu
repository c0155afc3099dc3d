// How many triangles every vertex is a corner of.
//
// Every row keeps the neighbours behind its vertex, in the order of triangles_order.cuh.  The two
// first corners of a triangle are neighbours that both keep its third: for every edge, the shorter
// one of the kept rows of its ends is looked through for members of the longer one, x's, and what
// is found is told to all three corners.  Members of x are put into shared memory once for all
// neighbours of x, and counted there first, so that the third corners take an atomic of global
// memory an edge at most, and not one a triangle; second corners and x are counted by warps.
//
// Vertices of few neighbours are looked at by a lane, with members in registers; those of some by a
// warp; the rows of all others by a CTA, in pieces, of which each is looked up in all members.
//
// The caller guarantees a symmetric pattern with rising columns; loops are passed over.
//
// Chiba, Nishizeki: Arboricity and subgraph listing algorithms (1985), for the order; Hu, Guan,
// Zou: Triangle counting on GPU using fine-grained task distribution (2019), for entries that are
// shared out evenly.
#include "cuda/cohesion/triangles_lookup.cuh"
#include "cuda/grid/grid_barrier.cuh"

using namespace spbfs;

// CTAs that registers are left for on a multiprocessor.
constexpr int kResident = 4;
// Vertices that a warp takes at once.
constexpr unsigned kTaken = 16;
// The members of a CTA, and of those of its warps, which share its memory.
using CtaMembers = Members<CtaGroup, 11, 15>;
using WarpMembers = Members<WarpGroup, 8, 12>;
static_assert(WarpMembers::kSlots * kWarps == CtaMembers::kSlots);
static_assert(WarpMembers::kWords * kWarps == CtaMembers::kWords);
static_assert(WarpMembers::kMost >= kWarpEntries);

struct TriangleState {
    u32 barrier;
    unsigned some, pieces;  // vertices listed for warps, and pieces of rows for CTAs
    unsigned some_taken, pieces_taken;
    unsigned padding[3];
};
// STATE_BYTES of cuda/algorithms/triangles.py.
SHARED_STRUCT(TriangleState, 32, FIELD(barrier, 0));

// By a lane: x, of no more than kAloneEntries neighbours.
template <typename Offset>
__device__ void count_alone(const OrderedRows<Offset>& rows, int x, u64* triangles) {
    const KeptRow kept = rows.kept[x];
    const int size = kept.size(), degree = rows.degree(x);
    if (size == 0) return;
    const i64 begin = kept.begin();
    int members[kAloneEntries];
#pragma unroll
    for (int i = 0; i < kAloneEntries; ++i) members[i] = i < size ? rows.columns[begin + i] : -1;
    unsigned of_x = 0;
    for (int k = 0; k < degree; k += kAtOnce) {
        int y[kAtOnce];
        KeptRow row[kAtOnce];
#pragma unroll
        for (int i = 0; i < kAtOnce; ++i) y[i] = k + i < degree ? rows.indices[begin + k + i] : x;
#pragma unroll
        for (int i = 0; i < kAtOnce; ++i) row[i] = rows.kept[y[i]];
#pragma unroll
        for (int i = 0; i < kAtOnce; ++i) {
            const int its = row[i].size();
            if (its > size || (its == size && y[i] >= x)) continue;
            unsigned of_y = 0;
            for (int j = 0; j < its; ++j) {
                const int w = rows.columns[row[i].begin() + j];
                bool is_member = false;
#pragma unroll
                for (int m = 0; m < kAloneEntries; ++m) is_member |= members[m] == w;
                if (!is_member) continue;
                atomicAdd(triangles + w, 1ull);
                ++of_y;
            }
            if (of_y != 0) atomicAdd(triangles + y[i], static_cast<u64>(of_y));
            of_x += of_y;
        }
    }
    if (of_x != 0) atomicAdd(triangles + x, static_cast<u64>(of_x));
}

// By a group.
template <class Members, typename Offset>
__device__ void count_together(const OrderedRows<Offset>& rows, const Share& share,
                               const Ahead<typename Members::Group>& ahead, const Members& members,
                               WarpDesk& desk, u64* triangles) {
    const int size = share.kept.size();
    for (int k = 0; k < size; k += Members::kMost) {
        members.fill(rows.columns + share.kept.begin() + k, min(size - k, Members::kMost));
        Lookup<Members, Offset> lookup{rows, members, share, desk, triangles};
        lookup.look(ahead);
        if (lane_of() == 0 && lookup.found != 0)
            atomicAdd(triangles + share.x, static_cast<u64>(lookup.found));
        if (Members::Group::any(lookup.found != 0)) members.pour(triangles);
    }
}

// `triangles` are zero, `columns` as many as the matrix has and up to a whole four, `kept` and
// `some` n each, the pieces those of rows above kWarpEntries.  0 < n.
template <typename Offset>
__global__ void __launch_bounds__(kThreads, kResident)
    triangles(const Offset* __restrict__ indptr, const int* __restrict__ indices, int n,
              int* columns, KeptRow* kept, int* some, RowPiece* list, u64* triangles,
              TriangleState* state) {
    __align__(16) __shared__ int keys[CtaMembers::kSlots];
    __align__(16) __shared__ unsigned counts[CtaMembers::kSlots];
    __align__(16) __shared__ unsigned bitmap[CtaMembers::kWords];
    __shared__ WarpDesk desks[kWarps];
    __shared__ unsigned ticket;
    const OrderedRows<Offset> rows{indptr, indices, n, columns, kept};
    const RowPieces pieces{list, &state->pieces};
    rows.keep(some, &state->some, pieces);
    grid_barrier(&state->barrier);
    const unsigned long_ones = __ldcg(&state->pieces), short_ones = __ldcg(&state->some);
    if (long_ones != 0) {
        rows.keep_pieces(pieces, long_ones);
        grid_barrier(&state->barrier);
    }

    // The long ones first: who is done with these goes on with the others.
    const int warp = threadIdx.x / kWarp;
    WarpDesk& desk = desks[warp];
    unsigned taken = 0;
    if (threadIdx.x == 0 && long_ones != 0) taken = atomicAdd(&state->pieces_taken, 1u);
    while (long_ones != 0) {
        __syncthreads();
        if (threadIdx.x == 0) ticket = taken;
        __syncthreads();
        if (ticket >= long_ones) break;
        // The next one is asked for before this one is begun.
        if (threadIdx.x == 0) taken = atomicAdd(&state->pieces_taken, 1u);
        const RowPiece piece = list[ticket];
        const Share share{piece.row, kept[piece.row], indices + piece.begin, piece.count};
        count_together(rows, share, Ahead<CtaGroup>(share), CtaMembers{keys, counts, bitmap}, desk,
                       triangles);
    }
    const WarpMembers members{keys + warp * WarpMembers::kSlots,
                              counts + warp * WarpMembers::kSlots,
                              bitmap + warp * WarpMembers::kWords};
    for (;;) {
        unsigned first = 0;
        if (lane_of() == 0) first = atomicAdd(&state->some_taken, kTaken);
        first = __shfl_sync(kAll, first, 0);
        if (first >= short_ones) break;
        const int taken = min(short_ones - first, kTaken);
        int x = 0, degree = 0;
        KeptRow row{0};
        if (lane_of() < taken) {
            x = some[first + lane_of()];
            row = kept[x];
            degree = rows.degree(x);
        }
        const auto share_of = [&](int lane) {
            const KeptRow its{__shfl_sync(kAll, row.word, lane)};
            return Share{__shfl_sync(kAll, x, lane), its, indices + its.begin(),
                         __shfl_sync(kAll, degree, lane)};
        };
        Ahead<WarpGroup> ahead(share_of(0));
        for (int i = 0; i < taken; ++i) {
            const Ahead<WarpGroup> next(share_of(min(i + 1, taken - 1)));
            count_together(rows, share_of(i), ahead, members, desk, triangles);
            ahead = next;
        }
    }
    const i64 all = static_cast<i64>(gridDim.x) * kThreads;
    for (i64 i = thread_of(); i < n; i += all)
        if (const int x = static_cast<int>(i); rows.degree(x) <= kAloneEntries)
            count_alone(rows, x, triangles);
}
