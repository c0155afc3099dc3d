// What a warp keeps of its share of a pull, and step 2: rows that their head did not settle.
#pragma once
#include "bfs_push.cuh"
#include "bfs_visited.cuh"

constexpr int kMaxBlocks = 4;  // blocks of rows a warp takes at a time: a task
constexpr int kTasks = 8;      // tasks whose unsettled rows are collected
constexpr int kEnough = 128;   // and how many such rows are not worth waiting for more
constexpr int kGroup = 8;      // entries of a row looked at together
constexpr int kRows = 2;       // rows a lane looks at together
// Entries that a lane looks at before it leaves a row to step 3: more while many lanes are busy.
constexpr int kFewEntries = 32, kMostEntries = 128, kMany = 24;

struct PullShared {
    unsigned short rows[kWarps][kEnough + kMaxBlocks * kBlock];
    u32 next[kWarps][kTasks * 4 * kMaxBlocks];
};

// A warp's tasks since it last wrote status: their new words, and the rows not settled yet, as
// (task << 9 | row in the task).
template <typename Offset>
struct PullWarp {
    const Visited visited;
    unsigned short* const rows;
    u32* const next;
    const int words;   // of a task
    int first;         // task
    const int stride;  // from one to the warp's next
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
        }
        if (!__any_sync(kFull, unsettled & 15)) return;
#pragma unroll
        for (int j = 0; j < 4; ++j) {
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
        const int here = warp_add(kFull, __popc(fresh));
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

    // Step 2: all rows a group further at a time; those that go on move to the front.
    template <typename Level>
    __device__ __forceinline__ void look_at_rows(const Search& s, int level, const Sink& rest,
                                                 Finds<Offset>& finds) {
        const Offset* const indptr = static_cast<const Offset*>(s.in_indptr);
        const int lane = threadIdx.x & 31;
        for (int past = 0; listed; past += kGroup) {
            if (past >= (listed >= kMany ? kMostEntries : kFewEntries) &&
                leave<Level>(s, past, rest))
                break;
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
                    constexpr u32 kAll = (1u << kGroup) - 1;
                    u32 inside = 0;
                    if (at < end[r]) {
                        inside = kAll >> max(0, static_cast<int>(at + kGroup - end[r]));
                        if (at < begin[r]) inside &= kAll << (begin[r] - at);
                    }
                    const int4* const group = reinterpret_cast<const int4*>(s.in_indices + at);
#pragma unroll
                    for (int q = 0; q < kGroup / 4; ++q) {
                        int4 four = make_int4(0, 0, 0, 0);
                        if (inside >> 4 * q & 15) four = __ldg(group + q);
                        int* const x = neighbour + r * kGroup + 4 * q;
                        x[0] = four.x, x[1] = four.y, x[2] = four.z, x[3] = four.w;
                    }
                    valid |= inside << r * kGroup;
                    begin[r] = at + kGroup;
                }
                const u32 hits = visited.among(neighbour, valid);
                bool won[kRows];
                int parent[kRows];
#pragma unroll
                for (int r = 0; r < kRows; ++r) {
                    const u32 mine = hits >> r * kGroup & ((1u << kGroup) - 1);
                    won[r] = mine != 0;
                    parent[r] = 0;
#pragma unroll
                    for (int k = kGroup - 1; k >= 0; --k)
                        if (mine >> k & 1) parent[r] = neighbour[r * kGroup + k];
                    if (won[r])
                        atomicOr(next + (code[r] >> 9) * 4 * kMaxBlocks + word_of(code[r] & 511),
                                 bit_of(row[r]));
                    const bool goes_on = !won[r] && begin[r] < end[r];
                    const u32 going = __ballot_sync(kFull, goes_on);
                    if (goes_on)
                        rows[kept + __popc(going & lanes_below())] =
                            static_cast<unsigned short>(code[r]);
                    kept += __popc(going);
                }
                visit<Level>(s, row, parent, won, level + 1);
                finds.add(row, won);
            }
            listed = kept;
            __syncwarp();
        }
        listed = 0;
        __syncwarp();
    }

    // Lists what is left of the rows `past` some entries for step 3; false where the list is full:
    // then the warp goes on by itself.
    template <typename Level>
    __device__ __forceinline__ bool leave(const Search& s, int past, const Sink& rest) {
        const Offset* const indptr = static_cast<const Offset*>(s.in_indptr);
        int left = 0;
        bool fits = true;
        for (int i0 = 0; i0 < listed; i0 += 32) {
            const int i = i0 + (threadIdx.x & 31), code = i < listed ? rows[i] : 0;
            Listing<Offset, 1> row;
            row.vertex[0] = row_of(code);
            row.begin[0] = row.length[0] = 0;
            if (i < listed && fits) {
                row.begin[0] =
                    ((__ldg(indptr + row.vertex[0]) + kHead<Level>)&~Offset{kGroup - 1}) + past;
                row.length[0] = __ldg(indptr + row.vertex[0] + 1) - row.begin[0];
            }
            row.count();
            fits = fits && row.append(rest, &rest.size->rest, &rest.size->unlisted);
            if (fits) continue;
            if (i < listed) rows[left + (threadIdx.x & 31)] = static_cast<unsigned short>(code);
            left += min(32, listed - i0);
            __syncwarp();
        }
        listed = left;
        return fits;
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
