// What a warp keeps of its share of a pull, and step 2: rows that their head did not settle.
#pragma once
#include "bfs_push.cuh"

constexpr int kMaxBlocks = 4;  // blocks of rows a warp takes at a time: a task
constexpr int kTasks = 8;      // tasks whose unsettled rows are collected
constexpr int kEnough = 128;   // and how many such rows are not worth waiting for more
constexpr int kGroup = 8;      // entries of a row looked at together: one sector
constexpr int kRows = 2;       // rows a lane looks at together
// Entries that a lane looks at before it leaves a row to step 3: more while many lanes are busy.
#ifndef X_FEW
#define X_FEW 32
#define X_MOST 128
#endif
constexpr int kFewEntries = X_FEW, kMostEntries = X_MOST, kMany = 24;

struct PullShared {
    unsigned short rows[kWarps][kEnough + kMaxBlocks * kBlock];
    u32 next[kWarps][kTasks * 4 * kMaxBlocks];
};

// Status of the level's start: the first `cached` vertices, the hubs, from shared memory.
struct Visited {
    const u32* shared;
    const u32* global;
    int cached;

    // Which of the valid vertices are visited, as bits; all are asked for before one is looked at.
    template <int K>
    __device__ __forceinline__ u32 among(const int (&v)[K], u32 valid) const {
        u32 word[K];
        const u32 base = shared_address(shared);
#pragma unroll
        for (int i = 0; i < K; ++i) {
            word[i] = 0;
            load_shared_if((valid >> i & 1) && v[i] < cached, base + 4 * word_of(v[i]), word[i]);
        }
#pragma unroll
        for (int i = 0; i < K; ++i)
            load_cached_if((valid >> i & 1) && v[i] >= cached, global + word_of(v[i]), word[i]);
        u32 visited = 0;
#pragma unroll
        for (int i = 0; i < K; ++i) visited |= (word[i] & bit_of(v[i]) ? 1u : 0u) << i;
        return visited;
    }
};

// A warp's tasks since it last wrote status: their new words, and the rows not settled yet, as
// (task << 9 | row in the task).
template <typename Offset>
struct PullWarp {
    const Visited visited;
    unsigned short* const rows;
    u32* const next;
    const int words;    // of a task
    int first;          // task
    const int stride;   // from one to the warp's next
    int tasks = 0;
    int listed = 0;
    u32 fresh;  // bits that step 1 adds to the word of this lane

    __device__ __forceinline__ int word0(int task) const { return (first + task * stride) * words; }

    // The rows of block b that their heads settled, and those that must be looked at in full: a
    // bit for each of the lane's four.
    __device__ __forceinline__ void settle(int b, u32 hits, u32 unsettled) {
        const int lane = threadIdx.x & 31;
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            const u32 bits = __ballot_sync(kFull, hits >> j & 1);
            if (lane == 4 * b + j) fresh = bits;
            const bool waits = unsettled >> j & 1;
            const u32 waiting = __ballot_sync(kFull, waits);
            if (waits)
                rows[listed + __popc(waiting & lanes_below())] =
                    static_cast<unsigned short>(tasks << 9 | (b * kBlock + 4 * lane + j));
            listed += __popc(waiting);
        }
    }

    __device__ __forceinline__ void end_task(u32 before, Finds<Offset>& finds) {
        const int lane = threadIdx.x & 31;
        if (lane < 4 * kMaxBlocks) next[tasks * 4 * kMaxBlocks + lane] = before | fresh;
        const int here = __reduce_add_sync(kFull, __popc(fresh));
        if (here > 32) finds.recording = false;
        if (finds.recording) {
            const int v0 = (word0(tasks) >> 2) * kBlock + (lane >> 2) * kBlock + (lane & 3);
            for (u32 bits = fresh; __any_sync(kFull, bits != 0); bits &= bits - 1) {
                const int v[1] = {v0 + (__ffs(bits) - 1) * 4};
                const bool found[1] = {bits != 0};
                finds.add(v, found);
            }
        } else {
            finds.found += here;
        }
        ++tasks;
        __syncwarp();
    }

    // Step 2: all rows a sector further at a time; those that go on move to the front.  What is
    // left after that is listed for step 3.
    template <typename Level>
    __device__ __forceinline__ void look_at_rows(const Search& s, int level, const Sink& rest,
                                                 Finds<Offset>& finds) {
        const Offset* const indptr = static_cast<const Offset*>(s.in_indptr);
        const int lane = threadIdx.x & 31;
        int past = 0;
        for (; listed && past < (listed >= kMany ? kMostEntries : kFewEntries); past += kGroup) {
            int kept = 0;
            for (int i0 = 0; i0 < listed; i0 += 32 * kRows) {
                int code[kRows], row[kRows], neighbour[kRows * kGroup];
                Offset begin[kRows], end[kRows];
                u32 valid = 0;
#pragma unroll
                for (int r = 0; r < kRows; ++r) {
                    const int i = i0 + 32 * r + lane;
                    code[r] = i < listed ? rows[i] : 0;
                    row[r] = row_of(code[r]);
                    begin[r] = end[r] = 0;
                    if (i < listed) begin[r] = __ldg(indptr + row[r]) + kHead<Level>;
                    if (i < listed) end[r] = __ldg(indptr + row[r] + 1);
                }
#pragma unroll
                for (int r = 0; r < kRows; ++r) {
                    const Offset at = (begin[r] & ~Offset{kGroup - 1}) + past;
                    u32 inside = 0;
                    if (at < end[r]) {
                        inside = 0xffu >> max(0, static_cast<int>(at + kGroup - end[r]));
                        if (at < begin[r]) inside &= 0xffu << (begin[r] - at);
                    }
                    int4 low = make_int4(0, 0, 0, 0), high = low;
                    const int4* const group = reinterpret_cast<const int4*>(s.in_indices + at);
                    if (inside & 0x0f) low = __ldg(group);
                    if (inside & 0xf0) high = __ldg(group + 1);
                    valid |= inside << r * kGroup;
                    begin[r] = at + kGroup;
                    int* const x = neighbour + r * kGroup;
                    x[0] = low.x, x[1] = low.y, x[2] = low.z, x[3] = low.w;
                    x[4] = high.x, x[5] = high.y, x[6] = high.z, x[7] = high.w;
                }
                const u32 hits = visited.among(neighbour, valid);
                bool won[kRows];
#pragma unroll
                for (int r = 0; r < kRows; ++r) {
                    const u32 mine = hits >> r * kGroup & 0xff;
                    won[r] = mine != 0;
                    int parent = -1;
#pragma unroll
                    for (int k = kGroup - 1; k >= 0; --k)
                        if (mine >> k & 1) parent = neighbour[r * kGroup + k];
                    if (won[r]) {
                        visit<Level>(s, row[r], parent, level + 1);
                        atomicOr(next + (code[r] >> 9) * 4 * kMaxBlocks + word_of(code[r] & 511),
                                 bit_of(row[r]));
                    }
                    const bool goes_on = !won[r] && begin[r] < end[r];
                    const u32 going = __ballot_sync(kFull, goes_on);
                    if (goes_on)
                        rows[kept + __popc(going & lanes_below())] =
                            static_cast<unsigned short>(code[r]);
                    kept += __popc(going);
                }
                finds.add(row, won);
            }
            listed = kept;
            __syncwarp();
        }
        for (int i = lane; i - lane < listed; i += 32) {
            Listing<Offset, 1> left;
            left.vertex[0] = i < listed ? row_of(rows[i]) : 0;
            left.begin[0] = left.length[0] = 0;
            if (i < listed) {
                left.begin[0] = ((__ldg(indptr + left.vertex[0]) + kHead<Level>) & ~Offset{kGroup - 1}) +
                                past;
                left.length[0] = __ldg(indptr + left.vertex[0] + 1) - left.begin[0];
            }
            left.count();
            left.append(rest, &rest.size->rest);
        }
        listed = 0;
        __syncwarp();
    }

    __device__ __forceinline__ int row_of(int code) const {
        return (word0(code >> 9) >> 2) * kBlock + (code & 511);
    }

    // The new status of all tasks since the last time.
    __device__ __forceinline__ void write(u32* to, int all_words) {
        const int lane = threadIdx.x & 31;
        for (int task = 0; task < tasks; ++task) {
            const int word = word0(task) + lane;
            if (lane < words && word < all_words) to[word] = next[task * 4 * kMaxBlocks + lane];
        }
        first += tasks * stride;
        tasks = 0;
        __syncwarp();
    }
};
