// The scores of a random walk, by rounds in which every vertex pulls what comes along its in-edges.
//
//     scores = base + sum over in-neighbours u of share[u],    share[u] = flow[u] * scores[u]
//
// where flow[u] is the damping over the out-degree (the weight of all out-edges), 0 where there is
// none.  What is stuck there is made up for at the end, when scores are scaled to sum 1: see
// spbfs/algorithms/rank/pagerank.py.
//
// All rounds are one launch: what a round changes is summed by every CTA for itself, from sums of
// the CTAs that are the same for all, so that all stop at the same round.  Rows are summed by a
// lane and then by its warp, long ones in pieces whose sums are put together behind a barrier; no
// sum depends on who was first.
#include "grid_barrier.cuh"
#include "whole_rows.cuh"

using namespace spbfs;

// What the walk is given; arrays may be absent, and are then the same everywhere, or degrees.
struct Walk {
    const double* weights;  // of all out-edges
    const double* restart;  // sum 1
    const double* start;    // sum 1
    double damping;
    double tolerance;  // below 0: none
    long long iterations;
};
// WALK of cuda/algorithms/pagerank.py.
SHARED_STRUCT(Walk, 48,
              FIELD(weights, 0) FIELD(restart, 8) FIELD(start, 16) FIELD(damping, 24)
                  FIELD(tolerance, 32) FIELD(iterations, 40));

struct WalkState {
    double change;  // of the last round, in shares of all scores
    long long rounds, converged;
    u32 barrier;
    unsigned pieces;
};
// STATE of cuda/algorithms/pagerank.py.
SHARED_STRUCT(WalkState, 32,
              FIELD(change, 0) FIELD(rounds, 8) FIELD(converged, 16) FIELD(barrier, 24)
                  FIELD(pieces, 28));

struct Pair {
    double change, total;
};

__device__ __forceinline__ Pair warp_total(Pair x) {
    for (int by = kWarp / 2; by > 0; by /= 2) {
        x.change += __shfl_down_sync(kAll, x.change, by);
        x.total += __shfl_down_sync(kAll, x.total, by);
    }
    return x;
}

// The sum over the CTA's threads, in all of them.
__device__ Pair cta_total(Pair x) {
    __shared__ Pair of_warps[kThreads / kWarp];
    __shared__ Pair sum;
    x = warp_total(x);
    if (lane_of() == 0) of_warps[threadIdx.x / kWarp] = x;
    __syncthreads();
    if (threadIdx.x == 0) {
        sum = {};
        for (const Pair& part : of_warps) {
            sum.change += part.change;
            sum.total += part.total;
        }
    }
    __syncthreads();
    return sum;
}

// The sum over all threads of the grid, in all of them; `sums` has an element a CTA, and two calls
// one after the other take two.
__device__ Pair grid_total(Pair x, Pair* sums, u32* barrier) {
    x = cta_total(x);
    if (threadIdx.x == 0) sums[blockIdx.x] = x;
    grid_barrier(barrier);
    Pair mine{};
    for (int i = threadIdx.x; i < static_cast<int>(gridDim.x); i += kThreads) {
        mine.change += __ldcg(&sums[i].change);
        mine.total += __ldcg(&sums[i].total);
    }
    return cta_total(mine);
}

// The in-edges of vertices, and what comes along them.
template <typename Offset, typename Score, bool weighted>
struct InEdges {
    const Offset* indptr;
    const int* indices;
    const Score* values;

    __device__ Score along(const Score* share, i64 p) const {
        const Score its = __ldcg(share + indices[p]);
        if constexpr (weighted) return values[p] * its;
        return its;
    }
    // By a warp, complete in its first lane.
    __device__ Score warp_sum(const Score* share, i64 p, i64 end) const {
        Score sum = 0;
        for (p += lane_of(); p < end; p += kWarp) sum += along(share, p);
        for (int by = kWarp / 2; by > 0; by /= 2) sum += __shfl_down_sync(kAll, sum, by);
        return sum;
    }
};

// One vertex's next score; what changes is added to `mine`.
template <typename Score>
struct Update {
    const Walk& walk;
    const Score* flow;
    Score* scores;
    Score* next;
    double rest, base;

    __device__ void operator()(i64 v, Score pulled, Pair& mine) const {
        const double again = walk.restart == nullptr ? base : rest * walk.restart[v];
        const Score score = pulled + static_cast<Score>(again), before = scores[v];
        mine.change += score < before ? before - score : score - before;
        mine.total += score;
        scores[v] = score;
        next[v] = flow[v] * score;
    }
};

// The rows of a round that are not in pieces.
template <class In, class Score>
__device__ void pull_rows(const In& in, i64 n, const Score* share, const Update<Score>& update,
                          Pair& mine) {
    const i64 all = static_cast<i64>(gridDim.x) * kThreads;
    for (i64 v = thread_of(); v - lane_of() < n; v += all) {
        i64 p = v < n ? in.indptr[v] : 0;
        const i64 end = v < n ? in.indptr[v + 1] : 0;
        const bool is_long = end - p > kAloneEntries + kPieceEntries;
        Score sum = 0;
        if (is_long) p = end;
        for (const i64 alone = min(end, p + kAloneEntries); p < alone; ++p)
            sum += in.along(share, p);
        for (unsigned left = __ballot_sync(kAll, p < end); left != 0; left &= left - 1) {
            const int owner = __ffs(left) - 1;
            const i64 first = __shfl_sync(kAll, p, owner), last = __shfl_sync(kAll, end, owner);
            const Score rest = __shfl_sync(kAll, in.warp_sum(share, first, last), 0);
            if (lane_of() == owner) sum += rest;
        }
        if (v < n && !is_long) update(v, sum, mine);
    }
}

// `flow`, two arrays of shares and `scores` have n elements, `sums` two a CTA, `piece_sums` one a
// piece.  `in` is by rows of in-edges, `out` the offsets of rows of out-edges.  0 < n.
template <typename Offset, typename Score, bool weighted>
__global__ void __launch_bounds__(kThreads, 4)
    pagerank(Walk walk, const Offset* __restrict__ indptr, const int* __restrict__ indices,
             const Score* __restrict__ values, const Offset* __restrict__ out, i64 n, Score* flow,
             Score* share, Score* next, Score* scores, Pair* sums, RowPiece* list,
             Score* piece_sums, WalkState* state) {
    const InEdges<Offset, Score, weighted> in{indptr, indices, values};
    const RowPieces pieces{list, &state->pieces};
    const i64 all = static_cast<i64>(gridDim.x) * kThreads;
    const double rest = 1.0 - walk.damping, alike = 1.0 / static_cast<double>(n);
    const double* const start = walk.start != nullptr ? walk.start : walk.restart;
    Pair mine{};
    for (i64 v = thread_of(); v < n; v += all) {
        const double weight =
            walk.weights != nullptr ? walk.weights[v] : static_cast<double>(out[v + 1] - out[v]);
        flow[v] = static_cast<Score>(weight > 0.0 ? walk.damping / weight : 0.0);
        if (!(weight > 0.0)) mine.total += start != nullptr ? start[v] : alike;
        const i64 begin = indptr[v], end = indptr[v + 1];
        if (end - begin > kAloneEntries + kPieceEntries)
            pieces.add(static_cast<int>(v), begin, end);
    }
    // Scores to begin with sum to what those of the fixed point do, if as much of them is stuck.
    const double stuck = grid_total(mine, sums, &state->barrier).total;
    const double begun = rest / (rest + walk.damping * stuck);
    mine = {};
    for (i64 v = thread_of(); v < n; v += all) {
        const double score = begun * (start != nullptr ? start[v] : alike);
        scores[v] = static_cast<Score>(score);
        share[v] = flow[v] * scores[v];
        mine.total += scores[v];
    }
    Pair found = grid_total(mine, sums + gridDim.x, &state->barrier);
    const unsigned listed = __ldcg(&state->pieces);
    const unsigned warp = static_cast<unsigned>(thread_of()) / kWarp;
    const unsigned warps = gridDim.x * (kThreads / kWarp);
    bool converged = false;
    long long made = 0;
    while (made < walk.iterations && !converged) {
        const Update<Score> update{walk, flow, scores, next, rest, rest * alike};
        mine = {};
        for (unsigned i = warp; i < listed; i += warps) {
            const RowPiece piece = list[i];
            const Score sum = in.warp_sum(share, piece.begin, piece.begin + piece.count);
            if (lane_of() == 0) piece_sums[i] = sum;
        }
        pull_rows(in, n, share, update, mine);
        if (listed != 0) grid_barrier(&state->barrier);
        // A row's pieces stand one behind the other; whoever has the first puts it together.
        for (unsigned i = static_cast<unsigned>(thread_of()); i < listed; i += all) {
            const int v = list[i].row;
            if (list[i].begin != indptr[v]) continue;
            Score sum = 0;
            for (unsigned k = i; k < listed && list[k].row == v; ++k) sum += __ldcg(piece_sums + k);
            update(v, sum, mine);
        }
        found = grid_total(mine, sums + (made % 2) * gridDim.x, &state->barrier);
        Score* const read = share;
        share = next;
        next = read;
        found.change /= found.total;
        converged = walk.tolerance >= 0.0 && found.change <= walk.tolerance;
        ++made;
    }
    const auto scale = static_cast<Score>(1.0 / found.total);
    for (i64 v = thread_of(); v < n; v += all) scores[v] *= scale;
    if (thread_of() == 0) {
        state->change = made != 0 ? found.change : 0.0;
        state->rounds = made;
        state->converged = converged;
    }
}
