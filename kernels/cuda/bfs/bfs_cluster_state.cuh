// What the CTAs of the cluster tier share, and which of them owns a vertex.
#pragma once
#include "cuda/bfs/bfs_state.cuh"

// CTAs of the cluster: the most there can be, more than the portable eight, so that the launcher
// has to ask for it.  Its barrier takes 360 to 620 cycles (docs/performance-notes-cuda.md, probes).
constexpr int kClusterCtas = 16;
// Messages a level from one CTA to one other.  The grid takes over before a box is full, see
// Search::cluster_leave; no other number has been measured.
constexpr int kBox = 256;

// A warp takes two messages of every box at a time, and as many again to wait for both together
// (docs/performance-notes-cuda.md, fourth round).
constexpr int kTaken = 2;
static_assert(2 * kClusterCtas == 32, "a lane for each of two messages of every box");
static_assert(kWarps >= kClusterCtas, "every box begins with another warp");

struct ClusterShared {
    u64 mbarrier[2];
    int2 header[2]
               [kClusterCtas];  // from each sender: its messages to me, whether it sent any at all
    int sent[2][kClusterCtas];
    int2 box[2][kClusterCtas][kBox + 2];  // so that lanes that read from all boxes use all banks
    int2 claimed[kWarps][32 * kTaken];    // vertices that a warp has claimed, and their parents
    u32 visited[2];  // cluster_words of them, none where they stay in global memory
};

// Flags beside the number of messages in a header: every CTA sees the same ones and acts alike.
constexpr int kLeaveFlag = 1 << 30;  // a box is too full: claim what arrived, the grid goes on
constexpr int kStopFlag = 1 << 29;   // the target is reached: claim nothing more

// Neighbours of a vertex other than itself, -1: none.  A row with more begins with kNoNeighbour,
// and then says where in the indices it lies: begin in the next two, length in the last.
__device__ __forceinline__ const int4* record_of(const Search& s, int v) {
    return s.records + static_cast<u64>(static_cast<u32>(v)) * static_cast<u32>(s.record_length);
}

// Which CTA owns a word of visited bits.  Groups of 16 words are dealt out by a bijection of their
// own, so that every CTA gets its share of any frontier, whatever the distance between rows of a
// mesh.
__device__ __forceinline__ int owner_of(int word) {
    const u32 mixed = static_cast<u32>(word / kClusterCtas) * 0x9e3779b1u;
    return static_cast<int>((word * (mixed >> 28 | 1) + (mixed >> 24)) % kClusterCtas);
}
// The word of a group that a CTA owns: the inverse of the above.
__device__ __forceinline__ int word_in(int group, int owner) {
    const u32 mixed = static_cast<u32>(group) * 0x9e3779b1u;
    const u32 m = mixed >> 28 | 1;
    const u32 inverse = m * (2 - m * m);  // of an odd number, modulo 16
    return group * kClusterCtas +
           static_cast<int>((owner - (mixed >> 24)) * inverse % kClusterCtas);
}
