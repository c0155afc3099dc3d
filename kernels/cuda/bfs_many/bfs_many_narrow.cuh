// A direction for each search: those whose frontier is still narrow are pushed while the others
// pull, so that no row waits for them.  On Kronecker graphs one search of 64 may keep most rows of
// the largest level open (docs/performance-notes-many.md, twelfth version).
//
// A search that has reached next to none of the vertices of highest degree, which come first, has
// few edges to push.  Searches are narrow in classes, and as many classes are pushed as have few
// edges together.  Where rows are longer than a sector only searches of the last one are looked at:
// sources stand in the order of the highest degree that they are next to.
#pragma once
#include "cuda/bfs_many/bfs_many_ended.cuh"
#include "cuda/bfs_many/bfs_many_frontier.cuh"
#include "cuda/bfs_many/bfs_many_push.cuh"

// Vertices of highest degree; a search of class c has reached fewer than 2^c of them.
constexpr int kHubs = 64;
// Narrow searches are pushed where they have fewer edges than one of so many that are left to pull.
constexpr int kNarrowShare = 64;

template <typename Offset, int kWords>
struct Narrow {
    using Chunk = RowChunk<kWords>;
    static constexpr int kLanes = Row<kWords>::kLanes;
    static constexpr int kPart = kLanes < 2 ? kLanes : 2;  // chunks of a row that are looked at
    static constexpr int kFirst = kLanes - kPart;
    static constexpr int kPartWords = kPart * kChunkWords<Chunk>;
    static constexpr int kFirstWord = kFirst * kChunkWords<Chunk>;

    const ManySearch& s;
    Liveness& live;
    Chunk* const hubs;   // shared memory, [kHubs][kPart]
    Chunk* const masks;  // ... and behind it, [kNarrowClasses][kPart]: searches of a class or below

    __device__ Narrow(const ManySearch& s, Liveness& live, u32* memory)
        : s(s), live(live), hubs(reinterpret_cast<Chunk*>(memory)), masks(hubs + kHubs * kPart) {}

    // Which searches are narrow, the same ones in every CTA; whether any is.
    __device__ bool find() const {
        const int count = min(kHubs, s.n);
        for (int i = threadIdx.x; i < count * kPart; i += kThreads)
            hubs[i] =
                __ldcg(chunks_of<kWords>(s.visited) + i / kPart * kLanes + kFirst + i % kPart);
        __syncthreads();
        bool any = false;
        const int word = threadIdx.x >> 5, bit = threadIdx.x & 31;
        if (word < kPartWords) {
            const u32* const rows = reinterpret_cast<const u32*>(hubs);
            int reached = 0;
#pragma unroll 4
            for (int i = 0; i < count; ++i) reached += rows[i * kPartWords + word] >> bit & 1;
#pragma unroll 1
            for (int c = 0; c < kNarrowClasses; ++c) {
                const u32 mask = __ballot_sync(kFull, reached < min(1 << c, count)) &
                                 ~live.ended[kFirstWord + word];
                if (bit == 0) reinterpret_cast<u32*>(masks)[c * kPartWords + word] = mask;
                any |= mask != 0;
            }
        }
        return __syncthreads_or(any);
    }

    __device__ int4* queue(int c) const { return s.queue + static_cast<i64>(c) * capacity(); }
    __device__ int capacity() const { return s.n / kNarrowClasses; }

    // The vertices of their frontiers into queues, one of each class.
    __device__ void list(const Chunk* frontier, u64* queued) const {
        constexpr int kAhead = 4;  // rows of a lane
        const int lane = threadIdx.x & 31, warp = (threadIdx.x >> 5) * gridDim.x + blockIdx.x;
        const Chunk* const widest = masks + (kNarrowClasses - 1) * kPart;
        for (i64 base = i64{warp} * 32 * kAhead; base < s.n;
             base += i64{gridDim.x} * kThreads * kAhead) {
            Chunk rows[kAhead][kPart];
#pragma unroll
            for (int u = 0; u < kAhead; ++u)
#pragma unroll
                for (int p = 0; p < kPart; ++p)
                    rows[u][p] =
                        frontier[min(base + 32 * u + lane, i64{s.n}) * kLanes + kFirst + p];
            u32 theirs = 0;
#pragma unroll
            for (int u = 0; u < kAhead; ++u) {
                bool is = false;
#pragma unroll
                for (int p = 0; p < kPart; ++p) is |= !is_zero(rows[u][p] & widest[p]);
                theirs |= static_cast<u32>(is) << u;
            }
            if (!__any_sync(kFull, theirs)) continue;
#pragma unroll 1
            for (int u = 0; u < kAhead; ++u)
                if (__any_sync(kFull, theirs >> u & 1))
                    list_row(frontier, static_cast<int>(base) + 32 * u + lane, theirs >> u & 1,
                             queued);
        }
    }

    // Rows of a frontier that is not zero everywhere, and its `any` bits, back to zero.  Few are
    // not: 32 words are looked at side by side, as each would wait for memory.
    __device__ void clear(Chunk* rows, u32* any) const {
        const int lane = threadIdx.x & 31, step = gridDim.x * kWarps * 32;
        for (int b = (threadIdx.x >> 5) * gridDim.x + blockIdx.x; b * 32 < s.n; b += step) {
            const int mine = b + lane * (step / 32);
            const u32 word = i64{mine} * 32 < s.n ? __ldcg(any + mine) : 0;
            if (word) any[mine] = 0;
            for (u32 left = __ballot_sync(kFull, word != 0); left; left &= left - 1) {
                const int from = __ffs(left) - 1;
                const u32 those = __shfl_sync(kFull, word, from);
                for (int i = lane; i < 32 * kLanes; i += 32)
                    if (those >> (i / kLanes) & 1)
                        rows[i64{b + from * (step / 32)} * 32 * kLanes + i] = splat<Chunk>(0);
            }
        }
    }

    // How many classes are pushed.
    __device__ int few(const u64* queued, i64 unfilled) const {
        i64 edges = 0;
        int c = 0;
#pragma unroll 1
        for (; c < kNarrowClasses; ++c) {
            const u64 listed = __ldcg(queued + c);
            edges += edges_of(listed);
            if (edges >= unfilled / kNarrowShare || rows_of(listed) > capacity()) break;
        }
        return c;
    }

    // Excuses the searches of so many classes.
    __device__ void excuse(int classes) const {
        if (threadIdx.x < kPartWords)
            live.excused[kFirstWord + threadIdx.x] |=
                reinterpret_cast<const u32*>(masks)[(classes - 1) * kPartWords + threadIdx.x];
    }

    __device__ void push(const u64* queued, int classes, const uint4* frontier, uint4* next,
                         u32* next_any) const {
        for (int c = 0; c < classes; ++c) {
            const u64 listed = __ldcg(queued + c);
            const RowList<Offset> rows{queue(c), rows_of(listed),
                                       static_cast<Offset>(edges_of(listed))};
            expand_edges<true>(rows, s.out_indices, gridDim.x,
                               [&](const int (&neighbour)[kFlight], const int (&row)[kFlight]) {
#pragma unroll
                                   for (int u = 0; u < kFlight; ++u)
                                       if (neighbour[u] >= 0)
                                           push_edge(frontier, row[u], next, next_any,
                                                     neighbour[u]);
                               });
        }
    }

  private:
    // Narrow searches among 64; none that has ended is in a frontier.
    __device__ u64 excused(int word) const {
        return live.excused[2 * word] | static_cast<u64>(live.excused[2 * word + 1]) << 32;
    }

    // A word at a time, as few are not zero and registers are in use.
    __device__ __forceinline__ void push_edge(const uint4* frontier, int from, uint4* next,
                                              u32* next_any, int to) const {
        bool touched = false;
#pragma unroll 1
        for (int w = kFirstWord / 2; w < kWords; ++w) {
            const i64 at = static_cast<i64>(to) * kWords + w;
            u64 bits = reinterpret_cast<const u64*>(frontier)[static_cast<i64>(from) * kWords + w] &
                       excused(w);
            if (bits) bits &= ~__ldcg(reinterpret_cast<const u64*>(s.visited) + at);
            if (bits == 0) continue;
            atomicOr(reinterpret_cast<u64*>(next) + at, bits);
            touched = true;
        }
        const u32 bit = 1u << (to & 31);
        if (touched && !(__ldcg(next_any + (to >> 5)) & bit)) atomicOr(next_any + (to >> 5), bit);
    }

    __device__ void list_row(const Chunk* frontier, int v, bool is, u64* queued) const {
        int first = kNarrowClasses;  // the lowest class that the row has bits of
#pragma unroll 1
        for (int c = kNarrowClasses - 1; is && c >= 0; --c) {
            bool has = false;
            for (int p = 0; p < kPart; ++p)
                has |= !is_zero(frontier[i64{v} * kLanes + kFirst + p] & masks[c * kPart + p]);
            if (has) first = c;
        }
        const Offset* const indptr = static_cast<const Offset*>(s.out_indptr);
        const Offset begin = is ? __ldg(indptr + v) : 0;
        const Offset length = is ? __ldg(indptr + v + 1) - begin : 0;
#pragma unroll 1
        for (int c = 0; c < kNarrowClasses; ++c)
            if (__any_sync(kFull, first == c))
                list_rows(Sink{queue(c), nullptr, capacity(), {kListAll}}, queued + c, v, begin,
                          first == c ? length : Offset{0});
    }
};
