// What a warp keeps of its share of a pull.
#pragma once
#include "cuda/bfs/bfs_owners.cuh"
#include "cuda/bfs/bfs_probes.cuh"
#include "cuda/bfs/bfs_push.cuh"

// A warp's tasks since it last wrote visited bits: their new words, and the rows not decided yet,
// as (task << 9 | row in the task).
template <typename Offset>
struct PullWarp {
    const Search& s;
    const CachedVisited visited;
    unsigned short* const rows;
    u32* const next;
    const int words;   // of a task
    int first;         // task
    const int stride;  // from one to the warp's next
    int tasks = 0;
    int listed = 0;
    u32 fresh;  // bits that step 1 adds to the word of this lane

    __device__ __forceinline__ int word0(int task) const {
        return own_task(s, first + task * stride) * words;
    }

    // Whether step 2 is due.
    __device__ __forceinline__ bool is_full() const { return tasks == kTasks || listed > kEnough; }

    // The rows of block b that their prefixes decided, and those that must be probed in full: a bit
    // for each of the lane's four.
    __device__ __forceinline__ void record_prefix_hits(int b, u32 hits, u32 undecided) {
        const int lane = threadIdx.x & 31;
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            const u32 bits = __ballot_sync(kFull, hits >> j & 1);
            if (lane == 4 * b + j) fresh = bits;
        }
        if (!__any_sync(kFull, undecided & 15)) return;
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            const bool waits = undecided >> j & 1;
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
        finds.add_bits((word0(tasks) >> 2) * kBlock + (lane >> 2) * kBlock + (lane & 3), fresh);
        ++tasks;
        __syncwarp();
    }

    __device__ __forceinline__ int row_of(int code) const {
        return (word0(code >> 9) >> 2) * kBlock + (code & 511);
    }
    // Where that row lies among those that are here: of several GPUs each has its own.
    __device__ __forceinline__ int local_row_of(int code) const {
        if constexpr (!kPeers) return row_of(code);
        return ((first + (code >> 9) * stride) * words >> 2) * kBlock + (code & 511);
    }

    // The new visited bits of all tasks since the last time.
    __device__ __forceinline__ void write(u32* to, int all_words, bool sends) {
        const int lane = threadIdx.x & 31;
        for (int task = 0; task < tasks; ++task) {
            const int word = word0(task) + lane;
            if (lane >= words || word >= all_words) continue;
            const u32 bits = next[task * 4 * kMaxBlocks + lane];
            to[word] = bits;
            // Others will ask for them in the next level: they cross while this one goes on.
            if (kPeers && sends)
                for (int gpu = 0; gpu < s.gpus; ++gpu)
                    if (gpu != s.place) s.peers->visited[gpu][to == s.visited[1]][word] = bits;
        }
        first += tasks * stride;
        tasks = 0;
        __syncwarp();
    }
};
