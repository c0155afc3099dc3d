// Breadth-first search from up to 64 kWords sources at once, a bit each, in one cooperative launch
// (Then et al., The More the Merrier, VLDB 2014; Liu, Huang, Hu, iBFS, SIGMOD 2016).
//
//   bfs_many_state.cuh      rows of bits: visited, two frontiers, the planes that hold the levels
//   bfs_many_order.cuh      which source has which bit
//   bfs_many_start.cuh      a clean workspace, and the sources
//   bfs_many_steps.cuh      what the next level does
//   bfs_many_ended.cuh      searches that reach nothing more, for which no row waits
//   bfs_many_push.cuh       few edges: joint list of frontier vertices, check before atomic
//   bfs_many_new_bits.cuh   ... and which of the bits that it added are new
//   bfs_many_narrow.cuh     few searches with few edges: pushed alone while the others pull
//   bfs_many_pull.cuh       many edges: stops when all searches have reached a row
//   bfs_many_long_rows.cuh  ... and what the pieces of its long rows found
#include "cuda/bfs_many/bfs_many_long_rows.cuh"
#include "cuda/bfs_many/bfs_many_narrow.cuh"
#include "cuda/bfs_many/bfs_many_new_bits.cuh"
#include "cuda/bfs_many/bfs_many_order.cuh"
#include "cuda/bfs_many/bfs_many_start.cuh"
#include "cuda/bfs_many/bfs_many_steps.cuh"

// A pull leaves the rows of the next frontier that nobody reaches as they are where fewer than one
// of so many in-entries are of rows that some search has not reached: tails of a search from 100 to
// 30 us (docs/performance-notes-many.md, "late levels leave frontiers untidy").
constexpr int kMostlyFilled = 16;

template <typename Offset, int kWords>
struct ManyTraversal {
    using Chunk = RowChunk<kWords>;
    static constexpr int kLanes = Row<kWords>::kLanes;
    const ManySearch& s;
    ManyStep& step;  // in shared memory
    PullShared& pulls;
    PullLevel<kWords>& level;
    Liveness& live;
    u32* memory;

    __device__ ManyCounts* counts() const { return counts_of(s, step); }
    __device__ Chunk* frontier(int i) const { return chunks_of<kWords>(s.frontier[i]); }
    __device__ LevelPlanes<kWords> planes() const {
        return {chunks_of<kWords>(s.planes), s.written, static_cast<i64>(s.n) * kLanes,
                s.plane_count, step.level};
    }
    __device__ void barrier() { grid_barrier(&s.control->barrier); }

    __device__ void barrier_and_decide() {
        const int found = step.level;
        live.tell<kWords>(s, found);
        grid_barrier(&s.control->barrier, [this] { decide<kWords>(s, step); });
        live.begin_after<kWords>(s, found);
    }

    // Read again where they are needed, rather than kept in registers.
    __device__ int now() const { return step.current; }
    __device__ int then() const { return step.current ^ 1; }

    __device__ void push() {
        if (!step.listed) {
            ManyCounts* const found = &s.control->relisted[step.level & 1];
            if (!step.zeroed)
                clear_frontier<kWords>(frontier(now()), s.any[now()], s.n, false, true);
            clear_frontier<kWords>(frontier(then()), s.any[then()], s.n, true, !step.zeroed);
            list_frontier<Offset>(s, s.any[now()], s.list[now()], found);
            grid_barrier(&s.control->barrier, [&] {
                step.queued = __ldcg(&found->queued);
                step.zeroed = true;
            });
        }
        const RowList<Offset> rows{s.queue, rows_of(step.queued),
                                   static_cast<Offset>(edges_of(step.queued))};
        // After many edges the next level will be a pull, which needs no list.
        const bool few = static_cast<i64>(edges_of(step.queued)) < s.n;
        if (few)
            push_few<Offset, kWords>(s, rows, s.frontier[now()], s.frontier[then()], s.any[then()],
                                     s.list[then()], &counts()->listed);
        else
            push_many<Offset, kWords>(s, rows, frontier(now()), frontier(then()));
        barrier();
        clear_listed<kWords>(frontier(now()), s.any[now()], s.list[now()], step.vertices);
        if (few)
            finish_few<Offset, kWords>(s, s.list[then()], __ldcg(&counts()->listed),
                                       frontier(then()), planes(), live, counts());
        else
            finish_many<Offset, kWords>(s, s.any[then()], frontier(then()), planes(), live,
                                        counts());
    }

    // Caching `any` bits pays only while many edges are left to pull.
    __device__ bool caches() const { return step.unfilled > s.n; }
    __device__ void cache_bits() {
        u32* const common = memory + (caches() ? s.cached_bits / 32 : 0);
        const u32* const any = s.any[step.current];
        if (!caches()) {
            if (threadIdx.x == 0) common[0] = 1;  // of all others the bits are read
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

    __device__ RowChunk<kWords>* cached_rows() const {
        return reinterpret_cast<RowChunk<kWords>*>(memory);
    }
    __device__ void cache_rows() {
        const RowChunk<kWords>* const rows = frontier(now());
        for (int i = threadIdx.x; i < (s.cached_rows + 1) * kLanes; i += kThreads) {
            const int row = i / kLanes;
            cached_rows()[i] = __ldcg(
                rows + static_cast<i64>(row < s.cached_rows ? row : s.n) * kLanes + i % kLanes);
        }
    }

    // Whether a pull leaves frontiers zeroed.
    __device__ bool stays_zeroed() const {
        return step.zeroed && step.unfilled > s.edges / kMostlyFilled;
    }

    // Pushes searches of few edges before the others pull.
    __device__ void push_narrow() {
        if (!stays_zeroed() || step.unfilled < s.narrow_from) return;
        const Narrow<Offset, kWords> narrow{s, live, memory};
        u64* const queued = s.control->narrow[step.level & 1];
        const bool any = narrow.find();
        if (any) narrow.list(frontier(now()), queued);
        // Nobody pulls, which changes what find() looks at, before all have looked.
        barrier();
        if (!any) return;
        const int classes = narrow.few(queued, step.unfilled);
        if (classes == 0) return;
        narrow.excuse(classes);
        narrow.clear(frontier(then()), s.any[then()]);
        if (threadIdx.x == 0) step.narrow = true;
        barrier();
        narrow.push(queued, classes, s.frontier[now()], s.frontier[then()], s.any[then()]);
        barrier();
    }

    template <bool kSparse>
    __device__ void pull() {
        const int now = step.current, then = now ^ 1;
        const bool zeroed = stays_zeroed();
        if (threadIdx.x == 0) {
            level = {frontier(now), s.any[now], frontier(then),   s.any[then],
                     planes(),      zeroed,     step.mostly_full, step.narrow};
        }
        if (kSparse)
            cache_bits();
        else if (Gather<Offset, kWords, false>::kCachesRows)
            cache_rows();
        Found& kept = pulls.found[threadIdx.x >> 5];
        if ((threadIdx.x & 31) == 0) kept = Found{};
        __syncthreads();
        bool all_noted = false;
        const Pull<Offset, kWords, kSparse> pull{
            s,
            pulls,
            level,
            live,
            {s,
             pulls.picked,
             level,
             {s.any[now], memory, caches() ? s.cached_bits : 0, caches() ? s.shift : 31},
             cached_rows()},
            all_noted};
        pull.run();
    }

    // What a pull found, of its long rows as well.
    __device__ void end_pull() {
        Found found = (threadIdx.x & 31) == 0 ? pulls.found[threadIdx.x >> 5] : Found{};
        if (s.long_count) {
            barrier();
            finish_long_rows<Offset, kWords>(s, level, live, found);
        }
        found.add_to(counts());
        __syncthreads();
        if (threadIdx.x == 0) step.zeroed = level.zeroed;
    }

    __device__ void run() {
        if (threadIdx.x == 0)
            step = ManyStep{kManyPush, 0, 0, false, false, true, false, false, 0, 0, s.edges};
        if (threadIdx.x < kMostWords) {
            live.alive[threadIdx.x] = 0;
            live.ended[threadIdx.x] = 0;
            live.excused[threadIdx.x] = 0;
        }
        reset<kWords>(s);
        if constexpr (kWords > 1)
            order_sources<Offset>(s, memory);
        else
            keep_order(s);
        barrier();
        start<Offset, kWords>(s, live, counts());
        for (;;) {
            barrier_and_decide();
            if (step.kind == kManyDone) break;
            if (step.kind == kManyPush) {
                push();
                continue;
            }
            if (step.sparse) {
                pull<true>();
            } else {
                push_narrow();
                pull<false>();
            }
            end_pull();
        }
        complete_planes<kWords>(s, step.vertices ? step.level : step.level - 1);
        if (threadIdx.x == 0 && atomicAdd(&s.control->leaving, 1u) == gridDim.x - 1) {
            for (int i = 0; i < 3; ++i) {
                s.control->counts[i] = ManyCounts{};
                for (u32& word : s.control->alive[i]) word = 0;
            }
            s.control->leaving = 0;
            s.control->stale_rows = !step.zeroed;
        }
    }
};

template <typename Offset, int kWords>
__global__ void __launch_bounds__(kThreads, 1) bfs_many(const __grid_constant__ ManySearch s) {
    extern __shared__ __align__(16) u32 many_memory[];
    __shared__ PullShared pulls;
    __shared__ PullLevel<kWords> level;
    __shared__ Liveness live;
    __shared__ ManyStep step;
    static_assert(sizeof pulls + sizeof level + sizeof live + sizeof step <= STATIC_SHARED_BYTES,
                  "STATIC_SHARED in engines/cuda/bfs_many/fused.py");
    ManyTraversal<Offset, kWords>{s, step, pulls, level, live, many_memory}.run();
}
