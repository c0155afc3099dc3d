// How far ahead the entries of a matrix are fetched that is read from its first row to its last.
//
// A processor fetches by itself what follows where it sees a stream.  Among elements of a vector
// from anywhere it does not, and every line of entries is waited for.  By a round of pagerank() on
// a uniform graph of 2^20 vertices and mean degree 16, one thread of an Intel Xeon (Sapphire
// Rapids), 2026-11-27: 42 ms as it is, 34, 31, 30, 30 and 31 with entries 64, 128, 256, 512 and
// 1024 ahead.
#pragma once

#include <cstdint>

namespace spbfs {

// Entries between one that is read and one that is fetched.
constexpr std::int64_t kStreamAhead = 256;
// Of a long row one in so many is fetched, as its indices take a line at most.
constexpr std::int64_t kStreamStep = 8;
// Of a row that is not long so many lines are fetched, one in kStreamLine of its entries.
constexpr std::int64_t kStreamLine = 16, kStreamLines = 2;

}  // namespace spbfs
