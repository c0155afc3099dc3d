// The scores of a random walk, by rounds in which every vertex pulls what comes along its in-edges.
//
//     scores = base + sum over in-neighbours u of share[u],    share[u] = flow[u] * scores[u]
//
// where flow[u] is the damping over the out-degree (the weight of all out-edges), 0 where there is
// none.  What is stuck there is made up for at the end, when scores are scaled to sum 1: see
// spbfs/algorithms/rank/pagerank.py.
//
// All rounds are one launch: what a round changes is summed by every CTA for itself, from sums of
// the CTAs that are the same for all, so that all stop at the same round.  Rows are summed as
// row_sums.cuh has it; long ones are cut into pieces once, in an order that is the same at every
// call, and a warp sums a piece.  No sum depends on who was first.
#include "pagerank_totals.cuh"
#include "row_sums.cuh"

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
    unsigned padding;
};
// STATE of cuda/algorithms/pagerank.py.
SHARED_STRUCT(WalkState, 32,
              FIELD(change, 0) FIELD(rounds, 8) FIELD(converged, 16) FIELD(barrier, 24)
                  FIELD(padding, 28));

// Entries [begin, begin + count) of a row that a warp alone would take too long for: one of its
// `of` pieces, which stand one behind the other.
struct CutPart {
    long long begin;
    int row, count;
    unsigned first, of;
};
// PART_BYTES of cuda/algorithms/pagerank.py.
SHARED_STRUCT(CutPart, 24);

// CTAs for whose registers there is room in a multiprocessor; for weights before 8.0 there is less.
template <typename Offset, typename Score, bool weighted>
constexpr int kResident =
    sizeof(Offset) + sizeof(Score) > 8 || (weighted && __CUDA_ARCH__ < 800) ? 3 : 4;

// Entries of a part at most, and those that a row has at least to be cut: half as many, so that no
// warp has much more to do than others.
constexpr int kPartEntries = 2048;
constexpr int kCutEntries = kPartEntries / 2;

template <typename Score>
struct Adding {
    using Out = Score;
    static __device__ Score sum(Score x, Score y) { return x + y; }
    static __device__ bool done(Score) { return false; }
};

// The in-edges of vertices, and what comes along them.
template <typename Offset, typename Score, bool weighted>
struct InEdges {
    using Monoid = Adding<Score>;
    static constexpr bool every = true, reads_row = false;

    const int* indices;
    const Score* values;
    Score* share;

    __device__ void bring_near(Offset place) const {
        ::bring_near(indices + place, kNear);
        if constexpr (weighted) ::bring_near(values + place, kNear);
    }
    __device__ unsigned products(const Offset (&places)[kTogether], const int (&)[kTogether],
                                 Score (&along)[kTogether]) const {
        int from[kTogether];
        Score lengths[kTogether];
#pragma unroll
        for (int j = 0; j < kTogether; ++j) from[j] = load_once(indices + places[j]);
        if constexpr (weighted) {
#pragma unroll
            for (int j = 0; j < kTogether; ++j) lengths[j] = load_once(values + places[j]);
        }
#pragma unroll
        for (int j = 0; j < kTogether; ++j) along[j] = share[from[j]];
        if constexpr (weighted) {
#pragma unroll
            for (int j = 0; j < kTogether; ++j) along[j] *= lengths[j];
        }
        return (1u << kTogether) - 1;
    }
};

// The scores of vertices in a round, and what they change by.
template <typename Score>
struct Scores {
    using Row = int;
    static constexpr int longest = kCutEntries;
    struct Before {
        Score flow, score;
    };

    const Walk& walk;
    const Score* flow;
    Score* scores;
    Score* next;
    Score base;  // what comes by no edge, where it is the same for all
    // Of this thread, in shared memory: registers are for what is under way.
    Pair& mine;

    __device__ Before look(int v) const {
        if (v < 0) return {};
        return {flow[v], scores[v]};
    }
    // Long rows are in pieces already.
    __device__ void put_aside(int, i64, i64) const {}
    __device__ void put(int v, const Before& before, const Sum<Adding<Score>>& pulled) {
        Score score = pulled.value + base;
        if (walk.restart != nullptr)
            score = pulled.value + static_cast<Score>((1.0 - walk.damping) * walk.restart[v]);
        mine.change += score < before.score ? before.score - score : score - before.score;
        mine.total += score;
        scores[v] = score;
        next[v] = before.flow * score;
    }
};

__device__ __forceinline__ unsigned parts_of(i64 entries) {
    return entries <= kCutEntries ? 0 : static_cast<unsigned>((entries - 1) / kPartEntries + 1);
}

// Lists the parts of a row from `first` on.
__device__ void cut(CutPart* list, unsigned first, i64 row, i64 begin, i64 end) {
    const unsigned of = parts_of(end - begin);
    for (unsigned k = 0; k < of; ++k, begin += kPartEntries) {
        const i64 count = min(end - begin, static_cast<i64>(kPartEntries));
        list[first + k] = {begin, static_cast<int>(row), static_cast<int>(count), first, of};
    }
}

// The parts of long rows, a warp each; with the only one of a row its score is known.
template <typename Offset, class In, typename Score>
__device__ void sum_parts(const In& in, const CutPart* list, unsigned listed, Score* sums,
                          Scores<Score>& scores) {
    const unsigned warps = gridDim.x * (kThreads / kWarp);
    for (unsigned i = static_cast<unsigned>(thread_of()) / kWarp; i < listed; i += warps) {
        const CutPart part = list[i];
        const auto begin = static_cast<Offset>(part.begin);
        const auto end = static_cast<Offset>(begin + part.count);
        const auto sum = warp_sum(strided_sum(in, begin, end, part.row, lane_of(), kWarp));
        if (lane_of() != 0) continue;
        if (part.of == 1)
            scores.put(part.row, scores.look(part.row), sum);
        else
            sums[i] = sum.value;
    }
}

// The other rows that were cut, behind a barrier: a warp finds those that begin among 32 parts.
template <typename Score>
__device__ void join_parts(const CutPart* list, unsigned listed, const Score* sums,
                           Scores<Score>& scores) {
    const unsigned all = gridDim.x * kThreads;
    for (unsigned i = static_cast<unsigned>(thread_of()); i - lane_of() < listed; i += all) {
        CutPart part{};
        if (i < listed) part = list[i];
        unsigned firsts = __ballot_sync(kAll, part.of > 1 && part.first == i);
        for (; firsts != 0; firsts &= firsts - 1) {
            const int owner = __ffs(firsts) - 1;
            const unsigned first = __shfl_sync(kAll, i, owner);
            const unsigned end = first + __shfl_sync(kAll, part.of, owner);
            Sum<Adding<Score>> sum;
            for (unsigned k = first + lane_of(); k < end; k += kWarp) sum.add(sums[k]);
            sum = warp_sum(sum);
            sum.value = from_lane(sum.value, 0);
            if (lane_of() == owner) scores.put(part.row, scores.look(part.row), sum);
        }
    }
}

// `flow`, two arrays of shares and `scores` have n elements, `sums` two a CTA, `part_sums` one a
// part.  `in` is by rows of in-edges, `out` the offsets of rows of out-edges.  0 < n.
template <typename Offset, typename Score, bool weighted>
__global__ void __launch_bounds__(kThreads, (kResident<Offset, Score, weighted>))
    pagerank(Walk walk, const Offset* __restrict__ indptr, const int* __restrict__ indices,
             const Score* __restrict__ values, const Offset* __restrict__ out, i64 n, Score* flow,
             Score* share, Score* next, Score* scores, Pair* sums, CutPart* list, Score* part_sums,
             WalkState* state) {
    __shared__ Window<Score> windows[kThreads / kWarp];
    __shared__ Pair changes[kThreads];
    const i64 all = static_cast<i64>(gridDim.x) * kThreads;
    const double rest = 1.0 - walk.damping, alike = 1.0 / static_cast<double>(n);
    // Who has no in-edges is where the fixed point has it, other components keep what they have.
    const auto begins = [&](i64 v) {
        if (walk.start != nullptr) return walk.start[v];
        const double its = walk.restart != nullptr ? walk.restart[v] : alike;
        return indptr[v] < indptr[v + 1] ? its : rest * its;
    };
    Pair mine{};
    unsigned parts = 0;
    for (i64 v = thread_of(); v < n; v += all) {
        const double weight =
            walk.weights != nullptr ? walk.weights[v] : static_cast<double>(out[v + 1] - out[v]);
        flow[v] = static_cast<Score>(weight > 0.0 ? walk.damping / weight : 0.0);
        mine.total += weight > 0.0 ? rest * begins(v) : begins(v);
        parts += parts_of(indptr[v + 1] - indptr[v]);
    }
    const unsigned before = sum_before(parts);
    mine.change = parts;
    const Pair sum = grid_total(mine, sums, &state->barrier);
    const auto listed = static_cast<unsigned>(sum.change);
    auto at = before + static_cast<unsigned>(total_of(sums, static_cast<int>(blockIdx.x)).change);
    // Scores to begin with sum to what those of the fixed point do, if as much of them is stuck.
    const double scaled = rest / sum.total;
    mine = {};
    for (i64 v = thread_of(); v < n; v += all) {
        scores[v] = static_cast<Score>(scaled * begins(v));
        share[v] = flow[v] * scores[v];
        mine.total += scores[v];
        if (parts != 0) {
            cut(list, at, v, indptr[v], indptr[v + 1]);
            at += parts_of(indptr[v + 1] - indptr[v]);
        }
    }
    Pair found = grid_total(mine, sums + gridDim.x, &state->barrier);
    bool converged = false;
    long long made = 0;
    InEdges<Offset, Score, weighted> in{indices, values, share};
    Scores<Score> of_round{
        walk, flow, scores, next, static_cast<Score>(rest * alike), changes[threadIdx.x]};
    while (made < walk.iterations && !converged) {
        of_round.mine = {};
        sum_parts<Offset>(in, list, listed, part_sums, of_round);
        sum_all_rows(in, windows[threadIdx.x / kWarp], of_round, indptr, n, 8);
        if (listed != 0) {
            grid_barrier(&state->barrier);
            join_parts(list, listed, part_sums, of_round);
        }
        found = grid_total(of_round.mine, sums + (made % 2) * gridDim.x, &state->barrier);
        Score* const written = of_round.next;
        of_round.next = in.share;
        in.share = written;
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
