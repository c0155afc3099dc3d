// How many rows and entries a pull takes at a time, and what a lane asks for of its rows.
#pragma once
#include "cuda/bfs/bfs_cached_visited.cuh"
#include "cuda/bfs/bfs_visit.cuh"
#include "cuda/memory/cache_hints.cuh"

// The figures behind these constants are in docs/performance-notes-cuda.md.
constexpr int kMaxBlocks = 4;  // blocks of rows a warp takes at a time, a task: second round
constexpr int kTasks = 8;      // tasks whose undecided rows are collected: second round
constexpr int kEnough = 128;   // and how many such rows are not worth waiting for more: sixth round
constexpr int kGroup = kSlabWidth;  // entries of a row probed together, a sector: third round
constexpr int kRows = 2;            // rows a lane probes together: sixth round
// Entries that a lane probes before it leaves a row to step 3 while at least kMany rows are listed,
// see CallerLabels::kLaneEntries: second round, "more than 32 entries a lane".
constexpr int kMostEntries = 128, kMany = 24;

struct PullShared {
    unsigned short rows[kWarps][kEnough + kMaxBlocks * kBlock];
    u32 next[kWarps][kTasks * 4 * kMaxBlocks];
};

// kRows rows of a lane and a group of entries of each.
struct Probes {
    int code[kRows];
    int neighbour[kRows * kGroup];
    u32 valid = 0;  // which of them are entries
    u32 more = 0;   // which rows go on behind them

    __device__ __forceinline__ void ask(int r, const int4* group, u32 wanted) {
#pragma unroll
        for (int q = 0; q < kGroup / 4; ++q) {
            int4 four = make_int4(kNoNeighbour, kNoNeighbour, kNoNeighbour, kNoNeighbour);
            if (wanted >> 4 * q & 15) four = load_entries(group + q);
            int* const x = neighbour + r * kGroup + 4 * q;
            x[0] = four.x, x[1] = four.y, x[2] = four.z, x[3] = four.w;
        }
    }

    // A row's prefix as the end of a group: the last entry of either says whether the row goes on.
    template <typename Labels>
    __device__ __forceinline__ void ask_prefix(const Search& s, int r, int row, bool wanted) {
        if constexpr (Labels::kPrefixWidth == 1) {
            ask(r, nullptr, 0);
            if (wanted) neighbour[r * kGroup + kGroup - 1] = __ldg(s.row_prefix + row);
        } else {
            const int place = place_of_four(row);
            ask(r, reinterpret_cast<const int4*>(s.row_prefix) + place - 1, wanted ? 0xf0 : 0);
        }
    }

    // What was asked for without a row's bounds.
    __device__ __forceinline__ void read() {
#pragma unroll
        for (int i = 0; i < kRows * kGroup; ++i) {
            const int x = neighbour[i];
            valid |= (is_entry(x) ? 1u : 0u) << i;
            if (i % kGroup == kGroup - 1) {
                more |= (row_goes_on(x) ? 1u : 0u) << i / kGroup;
                neighbour[i] = neighbour_of(x);
            }
        }
    }
};
