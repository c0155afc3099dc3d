// Step 1 of a pull that finds few rows open: those are listed by their visited bits, so that a
// task without any costs next to nothing, and their prefixes probed one by one.
#pragma once
#include "cuda/bfs/bfs_pull_rows.cuh"

// Few rows are open; those without entries always are.
template <typename Labels>
__device__ __forceinline__ bool is_sparse(const Search& s, i64 open) {
    return (open + s.n - s.rows) * Labels::kSparseShare < s.n;
}

// The visited bits of the next kTasks tasks, all asked for together, each lane for words of every
// other task: nothing of step 1 is to be added.
template <typename Offset>
__device__ __forceinline__ void copy_visited(PullWarp<Offset>& warp, int all_words) {
    const int lane = threadIdx.x & 31, in_task = lane % (4 * kMaxBlocks);
    u32 words[kTasks / 2];
#pragma unroll
    for (int i = 0; i < kTasks / 2; ++i) {
        const int word = warp.word0(2 * i + lane / (4 * kMaxBlocks)) + in_task;
        words[i] = kFull;
        if (in_task < warp.words && word < all_words) words[i] = __ldcg(warp.visited.global + word);
    }
#pragma unroll
    for (int i = 0; i < kTasks / 2; ++i) warp.next[32 * i + lane] = words[i];
    __syncwarp();
}

// The open rows of the next task; those from s.n on are among them, their prefixes hold no entry.
template <typename Offset>
__device__ __forceinline__ void list_open(PullWarp<Offset>& warp) {
    const int lane = threadIdx.x & 31;
    u32 open = lane < 4 * kMaxBlocks ? ~warp.next[warp.tasks * 4 * kMaxBlocks + lane] : 0;
    if (__any_sync(kFull, open)) {
        const int own = __popc(open), upto = scan_warp(own);
        const int first = warp.tasks << 9 | (lane >> 2) * kBlock | (lane & 3);
        for (int place = warp.listed + upto - own; open; open &= open - 1, ++place)
            warp.rows[place] = static_cast<unsigned short>(first + 4 * (__ffs(open) - 1));
        warp.listed += __shfl_sync(kFull, upto, 31);
    }
    ++warp.tasks;
    __syncwarp();
}

// The prefixes of all rows listed; those that go on stay listed, as step 2 wants them.
template <typename Labels, typename Offset>
__device__ __forceinline__ void probe_listed(const Search& s, PullWarp<Offset>& warp, int level,
                                             Finds<Offset>& finds) {
    int remaining = 0;
    for (int i0 = 0; i0 < warp.listed; i0 += 32 * kRows) {
        Probes probes;
#pragma unroll
        for (int r = 0; r < kRows; ++r) {
            const int i = i0 + 32 * r + (threadIdx.x & 31);
            probes.code[r] = i < warp.listed ? warp.rows[i] : 0;
            probes.ask_prefix<Labels>(s, r, warp.local_row_of(probes.code[r]), i < warp.listed);
        }
        probes.read();
        record_rows<Labels, true>(s, warp, probes, level, remaining, finds);
    }
    warp.listed = remaining;
    __syncwarp();
}
