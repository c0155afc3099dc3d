// Breadth-first search from up to 64 kWords sources at once, a bit each, in one cooperative launch
// (Then et al., The More the Merrier, VLDB 2014; Liu, Huang, Hu, iBFS, SIGMOD 2016).
//
//   bfs_many_state.cuh      rows of bits: seen, two frontiers, the planes that hold the levels
//   bfs_many_push.cuh       few edges: joint list of frontier vertices, check before atomic
//   bfs_many_pull.cuh       many edges: stops when all searches have reached a row
//   bfs_many_long_rows.cuh  ... and what the pieces of its long rows found
#include "bfs_many_long_rows.cuh"
#include "bfs_many_push.cuh"

enum { kManyDone, kManyPush, kManyPull };

struct ManyStep {
    int kind;
    int level;    // the one to find
    int current;  // which frontier is expanded
    bool listed;  // ... has a list and a queue
    bool sparse;
    bool tidy;  // both frontiers are
    bool late;  // the level before was a pull of a dense frontier: most rows are nearly full
    u32 vertices;
    u64 queued;
    i64 unfilled;  // in-entries of rows that some search has not reached
};

template <typename Offset, int kWords>
struct ManyTraversal {
    static constexpr int kLanes = kWords / 2;
    const ManySearch& s;
    ManyStep& step;  // in shared memory
    PullShared& pulls;
    PullLevel& level;
    u32* memory;

    __device__ bool leads() const { return blockIdx.x == 0 && threadIdx.x == 0; }
    __device__ ManyCounts* counts() const { return &s.control->counts[step.level % 3]; }
    __device__ LevelPlanes planes(bool fresh = false) const {
        return {s.planes, static_cast<i64>(s.n) * kLanes, step.level, fresh};
    }
    __device__ void clear_newest_plane() {
        const LevelPlanes to = planes();
        const i64 chunks = static_cast<i64>(s.n) * kLanes;
        for (i64 i = blockIdx.x * kThreads + threadIdx.x; i < chunks; i += gridDim.x * kThreads)
            to.store(i, splat(0));
    }
    __device__ void barrier() { grid_barrier(&s.control->barrier); }

    // What the next level does.  One thread of every CTA, behind the barrier that ends a level.
    __device__ void decide() {
        const ManyCounts& c = *counts();
        const u32 listed = __ldcg(&c.listed);
        const bool was_relisted = step.kind == kManyPush && !step.listed;
        const u64 queued = __ldcg(&c.queued);
        step.listed = listed > 0;
        step.vertices = step.listed ? listed : __ldcg(&c.vertices);
        step.queued = queued;
        step.unfilled -= static_cast<i64>(__ldcg(&c.filled));
        const u64 edges = step.listed ? edges_of(queued) : __ldcg(&c.edges);
        if (leads()) {
            s.control->counts[(step.level + 2) % 3] = ManyCounts{};
            if (was_relisted) s.control->relisted[step.level & 1] = ManyCounts{};
            s.control->joint = step.vertices + (step.level ? s.control->joint : 0);
            if (step.vertices || step.level == 0) s.control->depth = step.level;
            if (step.level < s.trace_capacity) {
                i64* const row = s.trace + 4 * static_cast<i64>(step.level);
                row[0] = step.kind == kManyPull ? 2 + step.sparse : step.kind;
                row[1] = step.vertices;
                row[2] = edges;
                row[3] = nanoseconds();
            }
        }
        const int most = (1 << s.plane_count) - 2;
        if (step.vertices == 0 || step.level >= min(s.max_depth, most)) {
            if (leads()) s.control->truncated = step.vertices && step.level < s.max_depth;
            step.kind = kManyDone;
            return;
        }
        // What is left is little: the rest is pulled, but for a deep graph, without tidying up.
        const float tidying = step.tidy ? 0.0f : static_cast<float>(s.n) * kLanes;
        const bool push = s.direction
                              ? s.direction == 1
                              : edges * s.push_cost + tidying < static_cast<float>(step.unfilled);
        step.late = step.kind == kManyPull && !step.sparse;
        step.kind = push ? kManyPush : kManyPull;
        step.sparse = !step.tidy || edges < s.dense * s.edges;
        step.current = step.level & 1;
        ++step.level;
    }
    __device__ void barrier_and_decide() {
        grid_barrier(&s.control->barrier, [this] { decide(); });
    }

    // Everything as before a first run.
    __device__ void reset() {
        const int first = blockIdx.x * kThreads + threadIdx.x, step_size = gridDim.x * kThreads;
        const int part = first % kLanes;
        const uint4 unused = make_uint4(
            unused_bits(4 * part, s.source_count), unused_bits(4 * part + 1, s.source_count),
            unused_bits(4 * part + 2, s.source_count), unused_bits(4 * part + 3, s.source_count));
        const i64 chunks = static_cast<i64>(s.n) * kLanes;
        for (i64 i = first; i < chunks; i += step_size) s.seen[i] = unused;
        for (int b = first; b * 32 < s.n; b += step_size)
            s.full[b] = s.n - b * 32 >= 32 ? 0 : kFull << (s.n - b * 32);
        const bool untidy = __ldcg(&s.control->untidy);
        for (int f = 0; f < 2; ++f)
            clear_frontier<kLanes>(s.frontier[f], s.any[f], s.n, true, untidy);
    }

    // Level 0: the sources, listed.
    __device__ void start() {
        const Offset* const out_indptr = static_cast<const Offset*>(s.out_indptr);
        const Sink sink{s.queue, nullptr, s.n, (i64{1} << kEdgeBits) - 1};
        const int lane = threadIdx.x & 31;
        for (int base = blockIdx.x * kThreads + threadIdx.x - lane; base < s.source_count;
             base += gridDim.x * kThreads) {
            const int j = base + lane;
            int v = -1;
            if (j < s.source_count) {
                v = s.sources[j];
                if (static_cast<u32>(v) >= static_cast<u32>(s.caller_n)) {
                    s.control->bad_source = 1;
                    v = -1;
                } else if (s.rank) {
                    v = s.rank[v];
                }
            }
            bool first = false;
            if (v >= 0) {
                const i64 word = static_cast<i64>(v) * kWords + j / 64;
                atomicOr(reinterpret_cast<u64*>(s.frontier[0]) + word, u64{1} << (j % 64));
                atomicOr(reinterpret_cast<u64*>(s.seen) + word, u64{1} << (j % 64));
                const u32 bit = 1u << (v & 31);
                first = !(atomicOr(s.any[0] + (v >> 5), bit) & bit);
            }
            const u32 mask = __ballot_sync(kFull, first);
            u32 at = 0;
            if (lane == 0) at = atomicAdd(&counts()->listed, __popc(mask));
            at = __shfl_sync(kFull, at, 0);
            if (first) s.list[0][at + __popc(mask & lanes_below())] = v;
            const Offset begin = first ? __ldg(out_indptr + v) : 0;
            const Offset length = first ? __ldg(out_indptr + v + 1) - begin : 0;
            list_rows(sink, &counts()->queued, v, begin, length);
        }
    }

    // Read again where they are needed, rather than kept in registers.
    __device__ int now() const { return step.current; }
    __device__ int then() const { return step.current ^ 1; }

    __device__ void push() {
        if (!step.listed) {
            ManyCounts* const found = &s.control->relisted[step.level & 1];
            if (!step.tidy)
                clear_frontier<kLanes>(s.frontier[now()], s.any[now()], s.n, false, true);
            clear_frontier<kLanes>(s.frontier[then()], s.any[then()], s.n, true, !step.tidy);
            list_frontier<Offset>(s, s.any[now()], s.list[now()], found);
            grid_barrier(&s.control->barrier, [&] {
                step.queued = __ldcg(&found->queued);
                step.tidy = true;
            });
        }
        const RowList<Offset> rows{s.queue, rows_of(step.queued),
                                   static_cast<Offset>(edges_of(step.queued))};
        // After many edges the next level will be a pull, which needs no list.
        const bool few = static_cast<i64>(edges_of(step.queued)) < s.n;
        if (few && planes().begins()) clear_newest_plane();
        if (few)
            push_few<Offset, kWords>(s, rows, s.frontier[now()], s.frontier[then()], s.any[then()],
                                     s.list[then()], &counts()->listed);
        else
            push_many<Offset, kWords>(s, rows, s.frontier[now()], s.frontier[then()]);
        barrier();
        clear_listed<kLanes>(s.frontier[now()], s.any[now()], s.list[now()], step.vertices);
        if (few)
            settle_few<Offset, kWords>(s, s.list[then()], __ldcg(&counts()->listed),
                                       s.frontier[then()], planes(), counts());
        else
            settle_many<Offset, kWords>(s, s.any[then()], s.frontier[then()],
                                        planes(planes().begins()), counts());
    }

    // Caching `any` bits pays only while many edges are left to look at.
    __device__ bool caches() const { return step.unfilled > s.n; }
    __device__ void cache_bits() {
        u32* const common = memory + (caches() ? s.cached_bits / 32 : 0);
        const u32* const any = s.any[step.current];
        if (!caches()) {
            if (threadIdx.x == 0) common[0] = 1;  // all others: look
            return;
        }
        for (int i = threadIdx.x; i < s.cached_bits / 32; i += kThreads)
            memory[i] = __ldcg(any + i);
        for (int i = threadIdx.x; i <= (s.n - 1) >> s.shift >> 5; i += kThreads) common[i] = 0;
        __syncthreads();
        for (int i = s.cached_bits / 32 + threadIdx.x; i * 32 < s.n; i += kThreads) {
            const int at = i * 32 >> s.shift;
            if (__ldcg(any + i)) atomicOr(common + (at >> 5), 1u << (at & 31));
        }
    }

    template <bool kSparse>
    __device__ void pull() {
        const int now = step.current, then = now ^ 1;
        const bool tidy = step.tidy && step.unfilled > s.edges / 16;
        if (planes().begins() && !tidy) {
            clear_newest_plane();
            barrier();
        }
        if (threadIdx.x == 0) {
            level = {s.frontier[now], s.any[now], s.frontier[then], s.any[then],
                     planes(),        tidy,       step.late};
            level.planes.fresh = planes().begins() && tidy;
        }
        if (kSparse) cache_bits();
        __syncthreads();
        Found found;
        const Pull<Offset, kWords, kSparse> pull{
            s,
            pulls,
            level,
            {s.any[now], memory, caches() ? s.cached_bits : 0, caches() ? s.shift : 31},
            found};
        pull.run();
        if (s.long_count) {
            barrier();
            finish_long_rows<Offset, kWords>(s, level, found);
        }
        found.add_to(counts());
        __syncthreads();
        if (threadIdx.x == 0) step.tidy = tidy;
    }

    __device__ void run() {
        if (threadIdx.x == 0)
            step = ManyStep{kManyPush, 0, 0, false, false, true, false, 0, 0, s.edges};
        reset();
        barrier();
        start();
        barrier_and_decide();
        while (step.kind != kManyDone) {
            if (step.kind == kManyPush)
                push();
            else if (step.sparse)
                pull<true>();
            else
                pull<false>();
            barrier_and_decide();
        }
        if (threadIdx.x == 0 && atomicAdd(&s.control->leaving, 1u) == gridDim.x - 1) {
            for (int i = 0; i < 3; ++i) s.control->counts[i] = ManyCounts{};
            s.control->leaving = 0;
            s.control->untidy = !step.tidy;
        }
    }
};

template <typename Offset, int kWords>
__global__ void __launch_bounds__(kThreads, 1) bfs_many(const __grid_constant__ ManySearch s) {
    extern __shared__ u32 many_memory[];
    __shared__ PullShared pulls;
    __shared__ PullLevel level;
    __shared__ ManyStep step;
    ManyTraversal<Offset, kWords>{s, step, pulls, level, many_memory}.run();
}
