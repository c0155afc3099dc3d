// The scores of a random walk, by rounds in which every vertex pulls what comes along its in-edges.
//
//     scores = base + damping * sum of share[u] over in-neighbours u
//     share[u] = scores[u] / out[u]
//
// where out[u] are the out-edges, or their weights.  Shares are all that a round leaves; where
// there are no out-edges nobody reads the share, which is then the score.  What is stuck there is
// made up for at the end, when scores are scaled to sum 1: see spbfs/algorithms/rank/pagerank.py.
//
// All rounds are one launch: what a round changes is summed by every CTA for itself, from sums of
// the CTAs that are the same for all, so that all stop at the same round.  Rows are summed as
// row_sums.cuh has it; long ones are cut into pieces once, in an order that is the same at every
// call, and a warp sums a piece.  No sum depends on who was first.
#include "cuda/centrality/pagerank_edges.cuh"
#include "cuda/centrality/pagerank_parts.cuh"
#include "cuda/centrality/pagerank_totals.cuh"

using namespace spbfs;

// What the walk is given; arrays may be absent, and are then the same everywhere, or degrees.
struct Walk {
    const double* weights;  // of all out-edges
    const double* restart;  // sum 1
    const double* start;    // sum 1
    double damping;
    double base;       // what comes by no edge, where that is the same for all
    double tolerance;  // below 0: none
    long long iterations;
};
// WALK of cuda/algorithms/pagerank.py.
SHARED_STRUCT(Walk, 56,
              FIELD(weights, 0) FIELD(restart, 8) FIELD(start, 16) FIELD(damping, 24)
                  FIELD(base, 32) FIELD(tolerance, 40) FIELD(iterations, 48));

struct WalkState {
    double change;  // of the last round, in shares of all scores
    long long rounds, converged;
    u32 barrier;
    unsigned taken[2];  // runs of rows in this round, and in the next
    unsigned padding;
};
// STATE of cuda/algorithms/pagerank.py.
SHARED_STRUCT(WalkState, 40,
              FIELD(change, 0) FIELD(rounds, 8) FIELD(converged, 16) FIELD(barrier, 24)
                  FIELD(taken, 28) FIELD(padding, 36));

// CTAs for whose registers there is room in a multiprocessor: weights take some, and before 8.0
// there is less.
template <typename Offset, typename Score, bool weighted>
constexpr int kResident = sizeof(Offset) + sizeof(Score) > 8
                              ? 3
                              : 5 - weighted - (__CUDA_ARCH__ < 800 || __CUDA_ARCH__ == 1000);

// Where the shares of vertices lie.
struct Places {
    const int* rank;  // nullptr: as vertices are numbered

    __device__ i64 of(i64 v) const { return rank != nullptr ? rank[v] : v; }
};

// The scores of vertices in a round, and what they change by.
template <typename Offset, typename Score>
struct Scores {
    using Row = int;
    static constexpr int longest = kCutEntries;
    struct Before {
        Score shares, share;
    };

    const Walk& walk;
    const OutEdges<Offset, Score> out;
    const Places places;
    Score* const& share;
    Score* next;
    // Of this thread, in shared memory: registers are for what is under way.
    Pair& mine;

    __device__ Before look(int v) const {
        if (v < 0) return {};
        return {out.shares(v), share[places.of(v)]};
    }
    // Long rows are in pieces already.
    __device__ void put_aside(int, i64, i64) const {}
    __device__ void put(int v, const Before& before, const Sum<Adding<Score>>& pulled) {
        auto by_no_edge = static_cast<Score>(walk.base);
        if (walk.restart != nullptr)
            by_no_edge = static_cast<Score>((1.0 - walk.damping) * walk.restart[v]);
        const Score score = static_cast<Score>(walk.damping) * pulled.value + by_no_edge;
        const Score its = score / before.shares;
        // Of shares, since these stay as they are in the end, whatever is lost by the division.
        const Score by = its < before.share ? before.share - its : its - before.share;
        mine.change += parts_of_one(by * before.shares);
        mine.total += parts_of_one(score);
        next[places.of(v)] = its;
    }
};

// Whether a multiprocessor has one CTA, which keeps the shares of hubs in shared memory.
template <typename Offset, typename Score, bool weighted, bool hubs>
constexpr int kCtas = hubs ? 1 : kResident<Offset, Score, weighted>;

// Two arrays of shares and `scores` have n elements, `sums` two a CTA, `part_sums` one a part. Rows
// are of in-edges, `out_indptr` the offsets of rows of out-edges; by `rank` columns are numbered
// and shares lie, unless it is nullptr; the first `kept` of them are hubs'.  0 < n.
template <typename Offset, typename Score, bool weighted, bool short_rows, bool hubs>
__global__ void __launch_bounds__(kThreads, (kCtas<Offset, Score, weighted, hubs>))
    pagerank(Walk walk, const Offset* __restrict__ indptr, const int* __restrict__ indices,
             const Score* __restrict__ values, const Offset* __restrict__ out_indptr,
             const int* __restrict__ rank, i64 kept, i64 n, Score* share, Score* next,
             Score* scores, Pair* sums, CutPart* list, Score* part_sums, WalkState* state) {
    __shared__ Window<Score> windows[kThreads / kWarp];
    __shared__ Pair changes[kThreads];
    const i64 all = static_cast<i64>(gridDim.x) * kThreads;
    const double rest = 1.0 - walk.damping, alike = 1.0 / static_cast<double>(n);
    const OutEdges<Offset, Score> out{walk.weights, out_indptr};
    const Places places{rank};
    // Who has no in-edges is where the fixed point has it, other components keep what they have.
    const auto begins = [&](i64 v) {
        if (walk.start != nullptr) return walk.start[v];
        const double its = walk.restart != nullptr ? walk.restart[v] : alike;
        return indptr[v] < indptr[v + 1] ? its : rest * its;
    };
    Pair mine{};
    unsigned parts = 0;
    for (i64 v = thread_of(); v < n; v += all) {
        mine.total += parts_of_one(out.none(v) ? begins(v) : rest * begins(v));
        parts += parts_of(indptr[v + 1] - indptr[v]);
    }
    const unsigned before = sum_before(parts);
    mine.change = parts;
    const Pair sum = grid_total(mine, sums, &state->barrier);
    const auto listed = static_cast<unsigned>(sum.change);
    auto at = before + static_cast<unsigned>(total_of(sums, static_cast<int>(blockIdx.x)).change);
    // Scores to begin with sum to what those of the fixed point do, if as much of them is stuck.
    const double scaled = rest / (static_cast<double>(sum.total) / kOne);
    mine = {};
    for (i64 v = thread_of(); v < n; v += all) {
        const auto score = static_cast<Score>(scaled * begins(v));
        share[places.of(v)] = score / out.shares(v);
        mine.total += parts_of_one(score);
        if (parts != 0) {
            cut(list, at, v, indptr[v], indptr[v + 1]);
            at += parts_of(indptr[v + 1] - indptr[v]);
        }
    }
    Pair found = grid_total(mine, sums + gridDim.x, &state->barrier);
    const auto change = [&found] {
        return static_cast<double>(found.change) / static_cast<double>(found.total);
    };
    bool converged = false;
    unsigned made = 0;
    InEdges<Offset, Score, weighted, short_rows, hubs> in{indices, values, share, {}};
    Scores<Offset, Score> of_round{walk, out, places, in.share, next, changes[threadIdx.x]};
    while (made < walk.iterations && !converged) {
        of_round.mine = {};
        if (thread_of() == 0) state->taken[(made + 1) % 2] = 0;
        in.nearby = keep_hubs<Score, hubs>(in.share, static_cast<int>(kept));
        sum_parts<Offset>(in, list, listed, part_sums, of_round);
        sum_all_rows(in, windows[threadIdx.x / kWarp], of_round, indptr, n, 8,
                     state->taken + made % 2);
        if (listed != 0) {
            grid_barrier(&state->barrier);
            join_parts(list, listed, part_sums, of_round);
        }
        found = grid_total(of_round.mine, sums + (made % 2) * gridDim.x, &state->barrier);
        Score* const written = of_round.next;
        of_round.next = in.share;
        in.share = written;
        converged = walk.tolerance >= 0.0 && change() <= walk.tolerance;
        ++made;
    }
    const auto scale = static_cast<Score>(kOne / static_cast<double>(found.total));
    for (i64 v = thread_of(); v < n; v += all)
        scores[v] = in.share[places.of(v)] * (out.shares(v) * scale);
    if (thread_of() == 0) {
        state->change = made != 0 ? change() : 0.0;
        state->rounds = made;
        state->converged = converged;
    }
}
