// From planes of bits to levels: bit b of every level in plane b, a bit a search in every row of
// it.
//
// A block of 64 vertices and 64 searches is a cube of bits, (plane, vertex, search).  It is turned
// twice by networks of swaps, first bytes, then bits, on vectors of 64 bytes, and never spelled
// out.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "common/bits.h"
#include "cpu/bfs_many/bfs_many_counts.h"
#include "cpu/memory/clones.h"
#include "cpu/memory/lines.h"

namespace spbfs::many {

// Of eight rows of 8 x 8 squares, whose elements are `Size` bits wide, element (i, j) of every
// square goes to (j, i).  The masks have the elements of a row whose number lacks the bit 4, 2
// or 1.
template <int Size>
[[gnu::always_inline]] inline void transpose8(Vector* rows, Word mask4, Word mask2, Word mask1) {
    auto swap = [&](int distance, Word mask) __attribute__((always_inline)) {
        for (int i = 0; i < 8; ++i) {
            if (i & distance) continue;
            const Vector t = ((rows[i] >> (distance * Size)) ^ rows[i + distance]) & mask;
            rows[i + distance] ^= t;
            rows[i] ^= t << (distance * Size);
        }
    };
    swap(4, mask4);
    swap(2, mask2);
    swap(1, mask1);
}

// A block of up to 64 vertices and 64 searches: the words of every plane, the vertices' in turn as
// lane i / 8 of vector i % 8, and of what was visited.
struct Block {
    Vector visited[8], planes[8][8];
};

// The words at at[row] of `count` rows; zero past these.
[[gnu::always_inline]] inline void gather_words(const Word* words, const std::int64_t* at,
                                                std::int64_t count, Vector* out) {
    auto* lanes = reinterpret_cast<Word*>(out);
    if (count < kWordBits) {
        std::memset(lanes, 0, kWordBits * sizeof *lanes);
        for (std::int64_t i = 0; i < count; ++i) lanes[i % 8 * kLanes + i / 8] = words[at[i]];
        return;
    }
    for (int i = 0; i < kLanes; ++i)
#pragma GCC unroll 8
        for (int j = 0; j < 8; ++j) lanes[j * kLanes + i] = words[at[8 * i + j]];
}

// What `ahead` rows further on need is fetched meanwhile.
SPBFS_CLONES static void gather_block(const Word* visited, const Word* const* planes, int nplanes,
                                      const std::int64_t* at, std::int64_t count,
                                      const std::int64_t* ahead_at, std::int64_t ahead,
                                      Block& block) {
    for (std::int64_t i = 0; i < ahead; ++i) __builtin_prefetch(visited + ahead_at[i]);
    gather_words(visited, at, count, block.visited);
    for (int b = 0; b < nplanes; ++b) {
        for (std::int64_t i = 0; i < ahead; ++i) __builtin_prefetch(planes[b] + ahead_at[i]);
        gather_words(planes[b], at, count, block.planes[b]);
    }
}

// Turns the bytes of all words: vector j of a plane has byte j of every vertex, in order.  A search
// that has not reached a vertex then has all bits.
SPBFS_CLONES static void turn_bytes(Block& block, int nplanes) {
    auto turn = [](Vector* x) __attribute__((always_inline)) {
        transpose8<8>(x, 0x00000000FFFFFFFFu, 0x0000FFFF0000FFFFu, 0x00FF00FF00FF00FFu);
    };
    Vector unvisited[8];
    for (int j = 0; j < 8; ++j) unvisited[j] = ~block.visited[j];
    turn(unvisited);
    for (int b = 0; b < nplanes; ++b) {
        turn(block.planes[b]);
        for (int j = 0; j < 8; ++j) block.planes[b][j] |= unvisited[j];
    }
    for (int b = nplanes; b < 8; ++b)
        for (int j = 0; j < 8; ++j) block.planes[b][j] = unvisited[j];
}

// Turns the bits of byte j of all words: out[t] has what search 8 j + t says of every vertex.
[[gnu::always_inline]] inline void turn_bits(const Block& block, int j, Vector* out) {
    for (int b = 0; b < 8; ++b) out[b] = block.planes[b][j];
    transpose8<1>(out, 0x0F0F0F0F0F0F0F0Fu, 0x3333333333333333u, 0x5555555555555555u);
}

// Levels of `count` vertices and `searches` searches, byte g of them from the planes of blocks[g].
template <class T>
SPBFS_CLONES static void put_levels(Block* blocks, const int* nplanes, std::int64_t count,
                                    std::int64_t searches, Lines& lines) {
    constexpr int kBytes = sizeof(T);
    for (int g = 0; g < kBytes; ++g) turn_bytes(blocks[g], nplanes[g]);
    for (int j = 0; 8 * j < searches; ++j) {
        Vector bytes[kBytes][8];
        for (int g = 0; g < kBytes; ++g) turn_bits(blocks[g], j, bytes[g]);
        const int size = static_cast<int>(std::min<std::int64_t>(8, searches - 8 * j));
        for (int t = 0; t < size; ++t) {
            if constexpr (kBytes == 1) {
                lines.put(8 * j + t, bytes[0][t], static_cast<std::int32_t>(count));
            } else {
                T whole[kWordBits] = {};
                for (int g = 0; g < kBytes; ++g) {
                    std::uint8_t part[kWordBits];
                    std::memcpy(part, &bytes[g][t], sizeof part);
                    for (int i = 0; i < kWordBits; ++i)
                        whole[i] |= static_cast<T>(T{part[i]} << (8 * g));
                }
                for (auto left = static_cast<std::int32_t>(count * kBytes), k = 0; left > 0;
                     left -= kLineBytes, ++k) {
                    LineBytes x;
                    std::memcpy(&x, whole + k * kLineBytes / kBytes, sizeof x);
                    lines.put(8 * j + t, x, std::min(left, kLineBytes));
                }
            }
        }
    }
}

// The bits of many searches, as they are when these have ended.
template <class Index>
struct Reached {
    std::int64_t n, searches;
    std::int64_t entered;  // rows of bits from here on are those of vertices that no edge enters
    int words, nplanes;
    const Word* visited;  // with a row more, which is zero
    const Word* const* planes;
    const Index* rank;         // which row of bits is a vertex's, or null where it is its own
    const std::int64_t* rows;  // which row of the output is a search's
};

constexpr int kMostWords = 16;

// Where the words of vertices from `first` on are.
template <class Index>
SPBFS_CLONES static void find_rows(const Reached<Index>& r, std::int64_t first, std::int64_t count,
                                   std::int64_t* at) {
    const std::int64_t entered = r.entered, none = r.n * r.words, words = r.words;
    if (r.rank == nullptr) {
        for (std::int64_t i = 0; i < count; ++i)
            at[i] = first + i < entered ? (first + i) * words : none;
        return;
    }
    const Index* rank = r.rank + first;
    for (std::int64_t i = 0; i < count; ++i) {
        const std::int64_t row = rank[i], some = row * words;
        at[i] = row < entered ? some : none;
    }
}

// levels[rows[search] * n + v] of the vertices [begin, end).  A search that has not reached a
// vertex writes T's largest value, and so do those that start from one that no edge enters: what
// rows say of these is not read.
template <class T, class Index>
void write_levels(const Reached<Index>& r, std::int64_t begin, std::int64_t end, T* levels) {
    // Vertices whose rows are found at a time, and how far ahead bits are fetched: with 1024, not
    // 256, levels took 22 ms of 47, and 64, 256 or 512 ahead were slower.
    // docs/performance-notes-many-cpu.md.
    constexpr std::int64_t kTile = 1024, kAhead = 2 * kWordBits;
    std::int64_t at[kTile + kAhead];
    Block blocks[sizeof(T)];
    Lines lines[kMostWords];
    for (std::int64_t s = 0; s < r.searches; ++s)
        lines[s / kWordBits].start(
            s % kWordBits, reinterpret_cast<std::uint8_t*>(levels + r.rows[s] * r.n + begin));
    for (std::int64_t v = begin; v < end; v += kTile) {
        const std::int64_t size = std::min(kTile, end - v);
        const std::int64_t known = std::min(kTile + kAhead, end - v);
        find_rows(r, v, known, at);
        for (std::int64_t i = 0; i < size; i += kWordBits) {
            const std::int64_t count = std::min<std::int64_t>(kWordBits, size - i);
            const std::int64_t ahead = std::clamp<std::int64_t>(known - i - kAhead, 0, kWordBits);
            for (int w = 0; w * kWordBits < r.searches; ++w) {
                int nplanes[sizeof(T)];
                for (int g = 0; g < static_cast<int>(sizeof(T)); ++g) {
                    const Word* planes[8];
                    nplanes[g] = std::clamp(r.nplanes - 8 * g, 0, 8);
                    for (int b = 0; b < nplanes[g]; ++b) planes[b] = r.planes[8 * g + b] + w;
                    // All words of a row are a line or two.
                    gather_block(r.visited + w, planes, nplanes[g], at + i, count, at + i + kAhead,
                                 w % kLanes == 0 ? ahead : 0, blocks[g]);
                }
                put_levels<T>(blocks, nplanes, count,
                              std::min<std::int64_t>(kWordBits, r.searches - w * kWordBits),
                              lines[w]);
            }
        }
    }
    for (std::int64_t s = 0; s < r.searches; ++s) lines[s / kWordBits].end(s % kWordBits);
    written();
}

}  // namespace spbfs::many
