// What searches from up to four sources leave, level by level: who is in a level, and for whom.
#pragma once
#include "cuda/centrality/path_counts.cuh"
#include "cuda/grid/grid_barrier.cuh"
#include "cuda/rows/row_groups.cuh"

namespace spbfs {

using u8 = unsigned char;
using u64 = unsigned long long;

// Sources that share a look at an edge: a sector holds their numbers of paths.  BATCH of
// cuda/algorithms/betweenness.py.
constexpr int kSources = 4;
// CTAs that share a multiprocessor: as many as spill no registers.
template <typename Offset, class Count>
constexpr int resident = sizeof(Offset) + sizeof(Count) <= 12 && !kSpillsEarly ? 3 : 2;

// What a phase adds up: the part between two barriers of all CTAs.
struct PhaseCounts {
    u64 frontier;  // out-edges of those listed
    u64 explored;  // in-edges of those whom nobody looks for any more
    unsigned found;
    unsigned too_many;            // whether there are more paths than a Count counts
    unsigned parts, other_parts;  // of long rows that are summed, and of those followed from above
};

struct BetweennessState {
    u64 edges;  // from what the sources reach
    unsigned too_many;
    u32 barrier;
    int long_rows;  // whether any row is taken in parts
    int padding[3];
    PhaseCounts counts[3];
};
// STATE of cuda/algorithms/betweenness.py.
SHARED_STRUCT(BetweennessState, 128,
              FIELD(edges, 0) FIELD(too_many, 8) FIELD(barrier, 12) FIELD(long_rows, 16)
                  FIELD(padding, 20) FIELD(counts, 32));

// The sum over a CTA's threads, added to what the grid shares by one of them.
__device__ inline void add_from_cta(u64 number, u64* to) {
    __shared__ u64 sum;
    if (threadIdx.x == 0) sum = 0;
    if (__syncthreads_or(number != 0) == 0) return;
    for (int by = kWarp / 2; by > 0; by /= 2) number += __shfl_down_sync(kAll, number, by);
    if (lane_of() == 0 && number != 0) atomicAdd(&sum, number);
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(to, sum);
}

// What a thread adds to the counts of a phase, which are for a choice alone and may be off where it
// meets more than they hold.
struct Tally {
    unsigned frontier = 0, explored = 0;

    // By all threads of a CTA.
    __device__ void add_to(PhaseCounts* adding) const {
        add_from_cta(frontier, &adding->frontier);
        add_from_cta(explored, &adding->explored);
    }
};

// One CTA's place in the phases; the same everywhere.  Counts lie in three places in turn: one is
// complete and read, one is added to, and one is cleared for the phase after.
class Phase {
  public:
    __device__ explicit Phase(BetweennessState* state) : state_(state) {}

    // What this phase adds to.
    __device__ PhaseCounts* adding() const { return state_->counts + (number_ + 1) % 3; }
    // Called by all before anything of a phase is added.
    __device__ void begin() const {
        if (thread_of() == 0) state_->counts[(number_ + 2) % 3] = {};
    }
    // Ends a phase; `then` gets its counts, in one thread of every CTA before the others go on.
    template <class Then>
    __device__ void end(Then&& then) {
        ++number_;
        grid_barrier(&state_->barrier, [&] {
            const uint4* const words = reinterpret_cast<const uint4*>(state_->counts + number_ % 3);
            const uint4 edges = __ldcg(words), rest = __ldcg(words + 1);
            then({static_cast<u64>(edges.y) << 32 | edges.x,
                  static_cast<u64>(edges.w) << 32 | edges.z, rest.x, rest.y, 0, 0});
        });
    }
    // A barrier within a phase: the parts of rows that it lists are listed behind it.
    __device__ void listed() const { grid_barrier(&state_->barrier); }

  private:
    BetweennessState* state_;
    int number_ = 0;
};

// The vertices of every level, one behind the other, and what is known of them.
template <class Count>
struct Levels {
    u8* seen;           // for which sources a vertex has been found, of levels before
    u8* marks;          // of four levels in turn: for which sources it is in that level
    i64 stride;         // from those of one level to those of the next
    int* order;         // the vertices of a level, then those of the next
    u8* masks;          // for which sources each of them is in its level
    long long* starts;  // where a level begins in both
    // By vertex and source, forward its shortest paths from there; backward, of a level that is
    // done, (1 + dependency) / paths.
    Count* values;

    __device__ u8* mark(int level) const { return marks + level % 4 * stride; }

    // Takes the marks of a level away again: order[begin..end).
    __device__ void clear(int level, i64 begin, i64 end) const {
        const i64 all = static_cast<i64>(gridDim.x) * kThreads;
        for (i64 i = begin + thread_of(); i < end; i += all) mark(level)[order[i]] = 0;
    }
};

// One matrix, and searches of it.
template <typename Offset, class Count>
struct Search {
    const Offset* out;
    const int* out_indices;
    const Offset* in;  // the transpose, which may be the same
    const int* in_indices;
    int n;
    unsigned all;  // bits of all sources
    Levels<Count> levels;
    RowPart *list, *other_list;  // parts of rows that are summed, and of those that are followed
    Count* part_sums;            // four for each of the first
    double* totals;
    double scale;
    BetweennessState* state;
};

// What an edge of the frontier costs that is followed from above, in edges that are looked at from
// below: those of whoever is found are looked at either way.  Of Beamer and others; not measured.
constexpr u64 kPushCost = 15;

// Where searches have come to, in shared memory: the same in every CTA, changed by one thread of it
// at the end of a phase.
struct Course {
    // A level, [begin, end) of the order.
    int level;
    i64 begin, end;
    i64 behind, last;  // backward, the ends of the level behind it and of the next
    u64 frontier, unexplored;
    bool sums;   // whether the paths of the level are to be added up
    bool looks;  // whether the next one is looked for from below
    bool ended, too_many;

    __device__ unsigned size() const { return static_cast<unsigned>(end - begin); }
    __device__ void choose(int n) {
        looks = kPushCost * frontier > unexplored + static_cast<u64>(n);
    }
    // Behind a phase forward.
    __device__ void go_on(const PhaseCounts& found, int n, long long* starts) {
        too_many = found.too_many != 0;
        unexplored -= found.explored;
        // Who looks for the next level needs the paths of this one first.
        const bool again = looks && sums;
        sums = !looks;
        if (again) return;
        ended = found.found == 0;
        if (ended) return;
        begin = end;
        end += found.found;
        behind = end;
        ++level;
        if (blockIdx.x == 0) starts[level] = begin;
        frontier = found.frontier;
        choose(n);
    }
    // Before a phase backward.
    __device__ void go_back(const long long* starts) {
        last = behind;
        behind = end;
        end = begin;
        begin = --level < 0 ? 0 : starts[level];
    }
};

}  // namespace spbfs
