// How many rows and entries a pull takes at a time, and what a lane asks for of its rows.
#pragma once
#include "bfs_visit.cuh"
#include "bfs_visited.cuh"
#include "cache_hints.cuh"

constexpr int kMaxBlocks = 4;  // blocks of rows a warp takes at a time: a task
constexpr int kTasks = 8;      // tasks whose unsettled rows are collected
constexpr int kEnough = 128;   // and how many such rows are not worth waiting for more
constexpr int kGroup = 8;      // entries of a row looked at together, also those in `following`
constexpr int kRows = 2;       // rows a lane looks at together
// Entries that a lane looks at before it leaves a row to step 3: more while many lanes are busy,
// and none in relabelled layouts, where a row has no hub left to meet behind its head and
// `following`.
constexpr int kMostEntries = 128, kMany = 24;
template <typename Level>
constexpr int kFewEntries = kRelabelled<Level> ? 0 : 32;

struct PullShared {
    unsigned short rows[kWarps][kEnough + kMaxBlocks * kBlock];
    u32 next[kWarps][kTasks * 4 * kMaxBlocks];
};

// kRows rows of a lane and a group of entries of each.
struct Looks {
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

    // A row's head as the end of a group: the last entry of either says whether the row goes on.
    template <typename Level>
    __device__ __forceinline__ void ask_head(const Search& s, int r, int row, bool wanted) {
        if constexpr (kHead<Level> == 1) {
            ask(r, nullptr, 0);
            if (wanted) neighbour[r * kGroup + kGroup - 1] = __ldg(s.heads + row);
        } else {
            const int place = (row & ~(kBlock - 1)) | (row & 3) << 5 | (row >> 2 & 31);
            ask(r, reinterpret_cast<const int4*>(s.heads) + place - 1, wanted ? 0xf0 : 0);
        }
    }

    // What was asked for without a row's bounds: a negative last entry ends the row.
    __device__ __forceinline__ void read() {
#pragma unroll
        for (int i = 0; i < kRows * kGroup; ++i) {
            const int x = neighbour[i];
            valid |= (x != kNoNeighbour ? 1u : 0u) << i;
            if (i % kGroup == kGroup - 1) {
                more |= (x >= 0 ? 1u : 0u) << i / kGroup;
                neighbour[i] = x < 0 ? ~x : x;
            }
        }
    }
};
