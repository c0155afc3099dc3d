// The neighbours that a row keeps, those behind its vertex: vertices are ordered by their number of
// neighbours, then by themselves, so that no row keeps more than about the root of twice the edges.
#pragma once
#include "cuda/rows/row_pieces.cuh"

namespace spbfs {

using u64 = unsigned long long;

// Entries of a row up to which a lane takes it alone, or a warp does; not measured.
constexpr int kAloneEntries = 8, kWarpEntries = 128;
// Entries of a piece of those above, for a CTA: many, since members of the whole kept row are put
// into shared memory for each.
constexpr int kSharedEntries = 2048;
// Rows asked for before the first of them is waited for.
constexpr int kAtOnce = 4;
constexpr int kWarps = kThreads / kWarp;
static_assert(kWarpEntries <= kAtOnce * kWarp && kSharedEntries / kWarps % (kAtOnce * kWarp) == 0);

// Where the kept row of a vertex lies and how many members it has: in one word, since what finding
// triangles costs on a large graph is the sectors that it asks for.
struct KeptRow {
    static constexpr int kSizeBits = 24;
    u64 word;

    __device__ i64 begin() const { return static_cast<i64>(word >> kSizeBits); }
    __device__ int size() const { return static_cast<int>(word & ((1u << kSizeBits) - 1)); }
};

// A graph's rows, and what they keep: the kept row of a vertex begins in `columns` where all of it
// does in `indices`.  Members of those that pieces were made of are in no order.
template <typename Offset>
struct OrderedRows {
    const Offset* indptr;
    const int* indices;
    int n;
    int* columns;
    KeptRow* kept;

    __device__ int degree(int v) const { return static_cast<int>(indptr[v + 1] - indptr[v]); }

    // Whether u keeps each of kAtOnce vertices; u itself it does not.
    __device__ void behind(const int (&v)[kAtOnce], int u, int degree_of_u,
                           bool (&keeps)[kAtOnce]) const {
        int its[kAtOnce];
        for (int i = 0; i < kAtOnce; ++i) its[i] = degree(v[i]);
        for (int i = 0; i < kAtOnce; ++i)
            keeps[i] = its[i] > degree_of_u || (its[i] == degree_of_u && v[i] > u);
    }

    __device__ void keep_alone(int u, i64 begin, int degree) const {
        int size = 0;
        for (int k = 0; k < degree; k += kAtOnce) {
            int v[kAtOnce];
            bool keeps[kAtOnce];
            for (int i = 0; i < kAtOnce; ++i) v[i] = k + i < degree ? indices[begin + k + i] : u;
            behind(v, u, degree, keeps);
            for (int i = 0; i < kAtOnce; ++i)
                if (keeps[i]) columns[begin + size++] = v[i];
        }
        kept[u] = {static_cast<u64>(begin) << KeptRow::kSizeBits | size};
    }

    // The first kAtOnce * kWarp of `count` entries of u's row from `begin` on, u behind the last.
    __device__ void ask(int u, i64 begin, int count, int (&v)[kAtOnce]) const {
        for (int i = 0; i < kAtOnce; ++i) {
            const int k = i * kWarp + lane_of();
            v[i] = k < count ? indices[begin + k] : u;
        }
    }
    // A warp's: keeps those of what it has asked for.  place(c) is where c members go.
    template <class Place>
    __device__ void keep_together(int u, int degree_of_u, const int (&v)[kAtOnce],
                                  Place&& place) const {
        bool keeps[kAtOnce];
        behind(v, u, degree_of_u, keeps);
        unsigned lanes[kAtOnce];
        int members = 0;
        for (int i = 0; i < kAtOnce; ++i) {
            lanes[i] = __ballot_sync(kAll, keeps[i]);
            members += __popc(lanes[i]);
        }
        i64 at = place(members);
        for (int i = 0; i < kAtOnce; ++i) {
            if (keeps[i]) columns[at + __popc(lanes[i] & ((1u << lane_of()) - 1))] = v[i];
            at += __popc(lanes[i]);
        }
    }

    // The kept rows of all but the longest; these are begun, and listed in pieces.  Vertices of
    // rows for a warp are listed, too.
    __device__ void keep(int* some, unsigned* some_count, const RowPieces& pieces) const {
        const i64 all = static_cast<i64>(gridDim.x) * kThreads;
        for (i64 i = thread_of(); i - lane_of() < n; i += all) {
            const int u = static_cast<int>(i);
            i64 begin = 0;
            int its = 0;
            if (i < n) {
                begin = indptr[u];
                its = degree(u);
                if (its <= kAloneEntries) {
                    keep_alone(u, begin, its);
                } else if (its <= kWarpEntries) {
                    some[append(some_count)] = u;
                } else {
                    kept[u] = {static_cast<u64>(begin) << KeptRow::kSizeBits};
                    for (int k = 0; k < its; k += kSharedEntries)
                        pieces.list[append(pieces.count)] = {begin + k, u,
                                                             min(its - k, kSharedEntries)};
                }
            }
            // Entries of the next row are asked for before those of this one are looked at.
            const bool middling = its > kAloneEntries && its <= kWarpEntries;
            const auto ask_of = [&](unsigned lanes, int (&v)[kAtOnce]) {
                const int owner = lanes == 0 ? 0 : __ffs(lanes) - 1;
                ask(__shfl_sync(kAll, u, owner), __shfl_sync(kAll, begin, owner),
                    lanes == 0 ? 0 : __shfl_sync(kAll, its, owner), v);
            };
            unsigned left = __ballot_sync(kAll, middling);
            int v[kAtOnce];
            ask_of(left, v);
            while (left != 0) {
                const int owner = __ffs(left) - 1, w = __shfl_sync(kAll, u, owner);
                const i64 first = __shfl_sync(kAll, begin, owner);
                left &= left - 1;
                int next[kAtOnce], size = 0;
                ask_of(left, next);
                keep_together(w, __shfl_sync(kAll, its, owner), v, [&](int members) {
                    size = members;
                    return first;
                });
                if (lane_of() == 0)
                    kept[w] = {static_cast<u64>(first) << KeptRow::kSizeBits | size};
                for (int k = 0; k < kAtOnce; ++k) v[k] = next[k];
            }
        }
    }

    // Behind a barrier: what was listed, a CTA a piece.
    __device__ void keep_pieces(const RowPieces& pieces, unsigned count) const {
        constexpr int share = kSharedEntries / kWarps;
        const int begin = threadIdx.x / kWarp * share;
        for (unsigned i = blockIdx.x; i < count; i += gridDim.x) {
            const RowPiece piece = pieces.list[i];
            const int u = piece.row, degree_of_u = degree(u);
            const auto place = [&](int members) {
                u64 before = 0;
                if (lane_of() == 0 && members != 0)
                    before = atomicAdd(&kept[u].word, static_cast<u64>(members));
                const KeptRow row{__shfl_sync(kAll, before, 0)};
                return row.begin() + row.size();
            };
            for (int k = begin; k < min(piece.count, begin + share); k += kAtOnce * kWarp) {
                int v[kAtOnce];
                ask(u, piece.begin + k, piece.count - k, v);
                keep_together(u, degree_of_u, v, place);
            }
        }
    }
};

}  // namespace spbfs
