// In whose labels a search numbers vertices, and what of it depends on that.
#pragma once

// The caller's: levels and parents are written where they belong.
struct CallerLabels {
    using Level = int;
    static constexpr bool kRelabelled = false;
    // Entries of a row in its prefix.  Four on uniform graphs 274 to 244 us, on Kronecker graphs
    // 471 to 519 (docs/performance-notes-cuda.md, first table).
    static constexpr int kPrefixWidth = 4;
    // Entries that a lane probes before it leaves a row to the whole grid while few lanes are busy.
    static constexpr int kLaneEntries = 32;
    // A level is sparse where fewer than one of so many rows is open: 4 and 8 are the same, 32 is
    // up to 3 % slower (sixth round of the notes).
    static constexpr int kSparseShare = 16;
};

// The layout's: hubs come first, so that one entry decides most rows, and a row has no hub left to
// meet behind its prefix and slab.  Levels are bytes until they are written in the caller's order.
struct Relabelled {
    using Level = unsigned char;
    static constexpr bool kRelabelled = true;
    static constexpr int kPrefixWidth = 1;
    // Long rows go to the whole grid at once: kron24 3 % faster in the median (sixth round).
    static constexpr int kLaneEntries = 0;
    // A row that its prefix decides costs a byte here: a level of 608 k open rows 33 to 21 us
    // (seventh round).
    static constexpr int kSparseShare = 8;
};
