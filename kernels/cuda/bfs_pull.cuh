// Pull (bottom-up): every unvisited row looks for one visited in-neighbour and stops at the first.
//
// A neighbour that is visited when the level starts has exactly the frontier's level, else this row
// would have been reached before: the visited bits are the frontier bits, read from one buffer,
// written to the other.
//
//   step 1   the head of the row (its first neighbour, or four), dense and coalesced
//   step 2   a lane a row, four entries at a time, for lane_row entries
//   step 3   what is left of longer rows, listed and cut into equal runs of edges over the whole
//   grid
#pragma once
#include "frontier_queue.cuh"

constexpr int kMaxBlocks = 4;  // blocks of 128 rows a warp takes at a time

struct PullShared {
    unsigned short list[kWarps][kMaxBlocks * 128];  // rows that their head did not settle
    u32 found[kWarps][kMaxBlocks * 4];
};

// Status of the level's start: the first `cached` vertices, the hubs, from shared memory.
struct Visited {
    const u32* shared;
    const u32* global;
    int cached;
    __device__ __forceinline__ bool operator()(int v) const {
        const u32 word = v < cached ? shared[word_of(v)] : __ldca(global + word_of(v));
        return word & bit_of(v);
    }
    // First of up to four neighbours that is visited, or -1; all four looked at together.
    __device__ __forceinline__ int first_of(int4 x, u32 valid) const {
        const bool a = (valid & 1) && (*this)(x.x), b = (valid & 2) && (*this)(x.y);
        const bool c = (valid & 4) && (*this)(x.z), d = (valid & 8) && (*this)(x.w);
        return a ? x.x : b ? x.y : c ? x.z : d ? x.w : -1;
    }
};

// A lane's four rows of a block after step 1: the parents found (or -1) and, as bits, the rows with
// more entries.
struct Looked {
    int parent[4];
    u32 more;
};

// A negative last entry of a head says that the row ends with it; kNoNeighbour is no entry at all.
__device__ __forceinline__ Looked look_at_one(int4 packed, u32 open, const Visited& visited) {
    const int head[4] = {packed.x, packed.y, packed.z, packed.w};
    Looked looked{};
#pragma unroll
    for (int j = 0; j < 4; ++j) {
        const bool looks = (open >> j & 1) && head[j] != kNoNeighbour;
        const int neighbour = head[j] < 0 ? ~head[j] : head[j];
        looked.parent[j] = looks && visited(neighbour) ? neighbour : -1;
        looked.more |= (looks && head[j] >= 0 ? 1u : 0u) << j;
    }
    return looked;
}

__device__ __forceinline__ Looked look_at_four(const int4* heads, u32 open,
                                               const Visited& visited) {
    const int none = kNoNeighbour;
    int4 head[4];
#pragma unroll
    for (int j = 0; j < 4; ++j)
        head[j] = open >> j & 1 ? __ldg(heads + j * 32 + (threadIdx.x & 31))
                                : make_int4(none, none, none, none);
    Looked looked{};
#pragma unroll
    for (int j = 0; j < 4; ++j) {
        int4 x = head[j];
        looked.more |= (x.w >= 0 ? 1u : 0u) << j;
        const u32 valid = (x.x >= 0) | (x.y >= 0) << 1 | (x.z >= 0) << 2 | (x.w != none) << 3;
        if (x.w < 0) x.w = ~x.w;
        looked.parent[j] = visited.first_of(x, valid);
    }
    return looked;
}

// What a warp knows of its task: up to four blocks of rows.
template <typename Level>
struct PullTask {
    const Search& s;
    const Visited& visited;
    unsigned short* list;  // rows, counted from the task's first, that are not settled
    u32* found;            // the task's new status bits
    int block0;
    int count;
    int level;
    int listed = 0;

    __device__ __forceinline__ u32 open_of(u32 words, int b) const {
        const int lane = threadIdx.x & 31;
        u32 open = 0;
#pragma unroll
        for (int j = 0; j < 4; ++j)
            open |= (~__shfl_sync(kFull, words, b * 4 + j) >> lane & 1) << j;
        return open;
    }

    __device__ __forceinline__ void settle(int b, const Looked& looked) {
        const int lane = threadIdx.x & 31;
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            const bool hit = looked.parent[j] >= 0;
            if (hit)
                visit<Level>(s, (block0 + b) * 128 + lane * 4 + j, looked.parent[j], level + 1);
            const u32 hits = __ballot_sync(kFull, hit);
            if (lane == j) found[b * 4 + j] = hits;
            const bool rest = (looked.more >> j & 1) && !hit;
            const u32 rests = __ballot_sync(kFull, rest);
            if (rest)
                list[listed + __popc(rests & lanes_below())] =
                    static_cast<unsigned short>(b * 128 + lane * 4 + j);
            listed += __popc(rests);
        }
    }

    // Step 1.  `words`: status words of the task, a lane each, all ones past its end.
    __device__ __forceinline__ void heads(u32 words) {
        const int lane = threadIdx.x & 31;
        const int4* const heads = reinterpret_cast<const int4*>(s.heads);
        if (s.head == 1) {
            int4 packed[kMaxBlocks];  // all asked for before the first is looked at
#pragma unroll
            for (int b = 0; b < kMaxBlocks; ++b)
                if (open_of(words, b)) packed[b] = __ldg(heads + (block0 + b) * 32 + lane);
#pragma unroll
            for (int b = 0; b < kMaxBlocks; ++b) {
                const u32 open = open_of(words, b);
                if (__any_sync(kFull, open)) settle(b, look_at_one(packed[b], open, visited));
            }
        } else {
            for (int b = 0; b < count; ++b) {
                const u32 open = open_of(words, b);
                if (__any_sync(kFull, open))
                    settle(b, look_at_four(heads + (block0 + b) * 128, open, visited));
            }
        }
    }

    // Step 2: the listed rows, a lane each; a lane that is done takes the next row, so that all
    // stay busy although rows differ.  Returns how many rows were too long; they are at the front
    // of the list then.
    template <typename Offset>
    __device__ __forceinline__ int lanes(const Offset* indptr) {
        const int row0 = block0 * 128;
        int next = 0, longer = 0, row = -1;
        Offset at = 0, end = 0, last = 0;
        while (true) {
            const u32 idle = __ballot_sync(kFull, row < 0);
            if (next < listed && idle) {
                const int i = next + __popc(idle & lanes_below());
                if (row < 0 && i < listed) {
                    row = list[i];
                    at = __ldg(indptr + row0 + row) + s.head;
                    end = __ldg(indptr + row0 + row + 1);
                    last = min(end, lanes_stop(at));
                }
                next += __popc(idle);
                __syncwarp();
            } else if (idle == kFull) {
                return longer;
            }
            bool is_long = false;
            if (row >= 0) {
                // The aligned group of four entries that holds `at`, the others masked.
                const Offset group = at & ~Offset{3};
                u32 valid = 0xf & (0xf << (at - group));
                if (end - group < 4) valid &= (1u << (end - group)) - 1;
                const int parent = visited.first_of(
                    __ldg(reinterpret_cast<const int4*>(s.in_indices + group)), valid);
                at = group + 4;
                if (parent >= 0) {
                    visit<Level>(s, row0 + row, parent, level + 1);
                    atomicOr(&found[word_of(row)], bit_of(row));
                    at = last;
                }
                is_long = parent < 0 && at >= last && at < end;
            }
            // Slots before `next` are read already, and a row gets long only after it was read.
            const u32 long_rows = __ballot_sync(kFull, is_long);
            if (is_long)
                list[longer + __popc(long_rows & lanes_below())] = static_cast<unsigned short>(row);
            longer += __popc(long_rows);
            if (at >= last) row = -1;
        }
    }

    // Where step 2 stops in a row that it starts at `at`.
    template <typename Offset>
    __device__ Offset lanes_stop(Offset at) const {
        return (at + s.lane_row) & ~Offset{3};
    }
};

// Steps 1 and 2 over all rows.  The finds of a warp are listed only while they are few: a level
// that finds many is followed by another pull.
template <typename Offset, typename Level>
__device__ __forceinline__ void pull_level(const Search& s, const u32* seen, u32* next, u32* cache,
                                           PullShared& shared, int level, const Sink& rest,
                                           Finds<Offset>& finds) {
    const int lane = threadIdx.x & 31, in_cta = threadIdx.x >> 5;
    const Offset* const indptr = static_cast<const Offset*>(s.in_indptr);
    for (int i = threadIdx.x; i < s.cached / 128; i += kThreads)
        reinterpret_cast<uint4*>(cache)[i] = __ldcg(reinterpret_cast<const uint4*>(seen) + i);
    __syncthreads();
    const Visited visited{cache, seen, s.cached};
    unsigned short* const list = shared.list[in_cta];
    u32* const found = shared.found[in_cta];
    const int blocks = (s.n + 127) / 128;
    const int tasks = (blocks + s.blocks_per_task - 1) / s.blocks_per_task;
    for (int t = in_cta * gridDim.x + blockIdx.x; t < tasks; t += gridDim.x * kWarps) {
        const int block0 = t * s.blocks_per_task;
        PullTask<Level> task{
            s, visited, list, found, block0, min(s.blocks_per_task, blocks - block0), level};
        const bool mine = lane < task.count * 4;
        const u32 words = mine ? __ldcg(seen + block0 * 4 + lane) : kFull;
        if (lane < kMaxBlocks * 4) found[lane] = 0;
        __syncwarp();
        task.heads(words);
        __syncwarp();
        if (task.listed) {
            const int longer = task.template lanes<Offset>(indptr);
            __syncwarp();
            for (int i = lane; i - lane < longer; i += 32) {
                const int row = i < longer ? block0 * 128 + list[i] : 0;
                const Offset from = i < longer ? task.lanes_stop(__ldg(indptr + row) + s.head) : 0;
                list_rows<Offset>(rest, &rest.size->rest, row, from,
                                  i < longer ? __ldg(indptr + row + 1) - from : 0);
            }
            __syncwarp();
        }
        u32 bits = mine ? found[lane] : 0;
        if (mine) next[block0 * 4 + lane] = words | bits;
        const int here = __reduce_add_sync(kFull, __popc(bits));
        if (here > 32) finds.recording = false;
        if (!finds.recording) {
            finds.found += here;
            bits = 0;
        }
        while (__any_sync(kFull, bits != 0)) {
            const int v = (block0 + (lane >> 2)) * 128 + (__ffs(bits) - 1) * 4 + (lane & 3);
            finds.add(v, bits != 0);
            bits &= bits - 1;
        }
        __syncwarp();
    }
}

// Step 3, after a grid barrier: `next` is final but for the bits of the rows listed.
template <typename Offset, typename Level>
__device__ __forceinline__ void pull_rest(const Search& s, const RowList<Offset>& rest,
                                          const u32* seen, u32* next, const u32* cache, int level,
                                          Finds<Offset>& finds) {
    const Visited visited{cache, seen, s.cached};
    expand_edges(rest, s.in_indices, gridDim.x,
                 [&](const int (&neighbour)[kFlight], const int (&row)[kFlight]) {
                     bool hit[kFlight];
#pragma unroll
                     for (int u = 0; u < kFlight; ++u)
                         hit[u] = neighbour[u] >= 0 && visited(neighbour[u]);
#pragma unroll
                     for (int u = 0; u < kFlight; ++u) {
                         const u32 bit = bit_of(row[u]);
                         if (hit[u]) hit[u] = !(atomicOr(next + word_of(row[u]), bit) & bit);
                         if (hit[u]) visit<Level>(s, row[u], neighbour[u], level + 1);
                         finds.add(row[u], hit[u]);
                     }
                 });
}
