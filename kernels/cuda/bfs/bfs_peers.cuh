// One search by several GPUs of a host: whose a vertex is, and what they know of one another.
//
// Vertices are dealt out in runs of internal ids, a run to each GPU in turn.  A GPU has the
// in-edges of its own vertices, by which it pulls them, and of every vertex those out-edges that
// lead to its own, by which it pushes: whoever finds a vertex owns it, and no bit is set by two.
// All have the visited bits of all vertices.  Once a level they meet (bfs_meeting.cuh); then each
// takes from the others what the next level asks for: their lists, or their bits where it is
// pulled, lists miss some of it, and they have not been sent while they were found.
#pragma once
#include "cuda/grid/shared_struct.cuh"

#ifndef BFS_PEERS
#define BFS_PEERS 0
#endif
// Whether the kernel is compiled for that.
constexpr bool kPeers = BFS_PEERS;
constexpr int kMostPeers = 8;

// What one GPU tells another of a level: in each word one of its finds' numbers, and above that of
// the meeting, by which it is known to be there.
enum { kToldEdges, kToldRows, kToldFound, kToldTarget, kToldWords };
struct alignas(32) Told {
    unsigned long long words[kToldWords];
};
// Of one GPU.
struct alignas(32) Meeting {
    unsigned int number;   // of meetings so far, those of earlier searches included
    unsigned int arrived;  // of its CTAs, at the next
    int noted;             // finds of this search's tail
};
SHARED_STRUCT(Told, 32);
SHARED_STRUCT(Meeting, 32);

// Pointers into the memory of all GPUs, by their places, this one's own among them.
struct Peers {
    unsigned int* visited[kMostPeers][2];
    const int4* queue[kMostPeers][2];  // finds, with their out-edges at all GPUs
    Told* told[kMostPeers];            // [2, kMostPeers] by the meeting's parity and who tells
    Meeting* meeting;                  // this GPU's
    const void* degrees;               // [n] out-edges of every vertex at all GPUs
    int4* list;  // the rows of a frontier that have edges here, those that a pull leaves, or a Tail
    const unsigned int* abandoned;  // not zero: a GPU will never come; in host memory
    long long capacity;             // of `list`
};
// clang-format off
SHARED_STRUCT(Peers, 360,
    FIELD(visited, 0) FIELD(queue, 128) FIELD(told, 256) FIELD(meeting, 320) FIELD(degrees, 328)
    FIELD(list, 336) FIELD(abandoned, 344) FIELD(capacity, 352));
// clang-format on
