// Near and far: the vertices nearer than a bound are listed to relax their edges until none of them
// comes nearer any more; who is farther waits on a list, and then the bound rises, to a span behind
// the nearest of those who wait.
//
// Davidson, Baxter, Garland, Owens: Work-efficient parallel GPU methods for single-source shortest
// paths (IPDPS 2014); Zhang et al.: Optimizing ordered graph algorithms with GraphIt (CGO 2020),
// for going on within a bucket.
#pragma once
#include "cuda/grid/work_items.cuh"

namespace spbfs {

using u64 = unsigned long long;

// Elements of a round's list, a CTA, up to which it goes on with its own, and items up to which
// distances are lowered without a look at them first; edges relaxed, a CTA, up to which a span is
// too small, and how many times as many are too many.
constexpr unsigned kSmallRound = 64, kTinyRound = 8;
constexpr unsigned kFewRelaxed = 512, kManyTimes = 8;
// The longest row that a CTA goes on with: a vertex that comes nearer yet is relaxed in vain.
constexpr int kShortRow = 16;
// What a find is told by, beside the vertex.
constexpr unsigned kFar = 1u << 31;

// Distances as Keys, whose order is that of unsigned numbers, so that atomicMin serves: integers,
// or where `real` doubles by their bits, none of which is negative; all ones where there is no
// path. Below an integer there may be bits for the edges of its path, so that of several as short
// those of fewest edges count.
template <typename Key, bool real>
struct Distances {
    static constexpr Key kNone = ~Key{0};
    Key* at;
    u64 limit;  // no key is greater, but for kNone
    int bits;   // for edges: 0 where they are not counted

    __device__ static double number(Key d) {
        if constexpr (real)
            return __longlong_as_double(static_cast<long long>(d));
        else
            return static_cast<double>(d);
    }
    __device__ Key get(int v) const { return __ldcg(at + v); }
    // The greatest key that is as far.
    __device__ Key as_far(Key d) const { return d | ((Key{1} << bits) - 1); }
    // The end of an edge from distance d, or kNone where that is beyond the limit.
    template <typename Length>
    __device__ Key along(Key d, Length length) const {
        u64 sum;
        if constexpr (real)
            sum = static_cast<u64>(__double_as_longlong(number(d) + static_cast<double>(length)));
        else if constexpr (sizeof(Key) == 8)
            sum = d + (static_cast<u64>(length) << bits) + (bits != 0);
        else
            sum = static_cast<u64>(d) + static_cast<u64>(length);
        return sum > limit ? kNone : static_cast<Key>(sum);
    }
    // A bound so far behind d, which is less than that in any case.
    __device__ Key behind(Key d, double span) const {
        const double sum = number(d) + span;
        if (!real && sum > static_cast<double>(limit)) return static_cast<Key>(limit + 1);
        const Key bound = real ? static_cast<Key>(__double_as_longlong(sum))  //
                               : static_cast<Key>(sum);
        return max(bound, static_cast<Key>(d + 1));
    }
};

// Who is on lists; of near ones and of far ones there are two each, by turns.
struct PathLists {
    WorkItem *near, *next;
    int *far, *farther;
    int* stamp;             // of the round in which a vertex was last listed as near
    unsigned char* is_far;  // whether it is on the far list
};

// What a round does: decided by one thread of every CTA, the same everywhere.
template <typename Key>
struct PathRound {
    PathLists lists;
    RoundCounts* adding;
    double span;
    Key done, bound, nearest;  // of bounds, the one before; of those who wait
    unsigned near, far;        // items to relax, or far ones to look through
    unsigned waiting;          // far ones that were listed before
    u64 relaxed, edges;        // since the bound rose, and in all
    int number;
    bool small, tiny, ended;

    // On to the round after one that found so much.
    template <class Distances>
    __device__ void advance(const Distances& distances, const RoundCounts& found, double least_span,
                            int target) {
        swap(lists.near, lists.next);
        waiting += found.kept;
        relaxed += found.taken;
        edges += found.taken;
        nearest = min(nearest, static_cast<Key>(~static_cast<Key>(found.most)));
        near = found.found;
        far = 0;
        if (near == 0) {
            ended =
                waiting == 0 || (target >= 0 && distances.as_far(distances.get(target)) < bound);
            if (relaxed < kFewRelaxed * gridDim.x)
                span *= 2;
            else if (relaxed > kManyTimes * kFewRelaxed * gridDim.x && span > least_span)
                span /= 2;
            done = bound;
            bound = distances.behind(nearest, span);
            nearest = distances.kNone;
            relaxed = 0;
            swap(lists.far, lists.farther);
            far = waiting;
            waiting = 0;
        }
        small = near + far <= gridDim.x * kSmallRound;
        tiny = small && near <= gridDim.x * kTinyRound;
        ++number;
    }

    // A find a lane, if it has one.
    template <typename Offset>
    __device__ __forceinline__ void list(const Offset* indptr, const OwnTurns& own, unsigned find,
                                         bool is) const {
        const int v = static_cast<int>(find & ~kFar);
        const bool is_far = is && (find & kFar) != 0;
        Listing<Offset> row(indptr, v, is && !is_far);
        if (small) row.keep(own, kShortRow);
        // Once a round at most, so that there is room for all.
        if (row.count != 0 && atomicExch(lists.stamp + v, number) == number) row.count = 0;
        // Both counts at once: `kept` lies behind `found`.
        const u64 mine = static_cast<u64>(is_far) << 32 | row.items();
        if (!__any_sync(kAll, mine != 0)) return;
        const u64 at = reserve(reinterpret_cast<u64*>(&adding->found), mine);
        row.write(lists.next, static_cast<unsigned>(at));
        if (is_far) lists.far[waiting + (at >> 32)] = v;
    }

  private:
    template <typename T>
    __device__ static void swap(T*& one, T*& other) {
        T* const first = one;
        one = other;
        other = first;
    }
};

}  // namespace spbfs
