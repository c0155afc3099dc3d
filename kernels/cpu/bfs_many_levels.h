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
#include "cpu/bfs_many_counts.h"
#include "cpu/clones.h"

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

// Of up to 64 rows, one word each: byte j of all of them in order in out[j].
[[gnu::always_inline]] inline void gather_bytes(const Word* words, const std::int64_t* at,
                                                std::int64_t count, Vector* out) {
    alignas(64) Word lanes[8][8];
    if (count < kWordBits) std::memset(lanes, 0, sizeof lanes);
    for (std::int64_t i = 0; i < count; ++i) lanes[i % 8][i / 8] = words[at[i]];
    std::memcpy(out, lanes, sizeof lanes);
    transpose8<8>(out, 0x00000000FFFFFFFFu, 0x0000FFFF0000FFFFu, 0x00FF00FF00FF00FFu);
}

// Eight planes of up to 64 rows, one word each at at[row], to a byte a search and row:
// out[search * stride + row].  Planes past `nplanes` are zero.  A search that has not reached a row
// writes 255.  What the next rows need is fetched while these are turned, if there are `ahead`.
SPBFS_CLONES static void level_bytes(const Word* seen, const Word* const* planes, int nplanes,
                                     const std::int64_t* at, std::int64_t count, std::int64_t ahead,
                                     std::uint8_t* out, std::int64_t stride) {
    Vector unseen[8], bytes[8][8];
    gather_bytes(seen, at, count, unseen);
    for (Vector& u : unseen) u = ~u;
    for (int b = 0; b < nplanes; ++b) {
        gather_bytes(planes[b], at, count, bytes[b]);
        for (int j = 0; j < 8; ++j) bytes[b][j] |= unseen[j];
    }
    for (int j = 0; j < 8; ++j) {
        for (std::int64_t i = 8 * j; i < std::min<std::int64_t>(8 * j + 8, ahead); ++i) {
            __builtin_prefetch(seen + at[count + i]);
            for (int b = 0; b < nplanes; ++b) __builtin_prefetch(planes[b] + at[count + i]);
        }
        Vector rows[8];
        for (int b = 0; b < 8; ++b) rows[b] = b < nplanes ? bytes[b][j] : unseen[j];
        transpose8<1>(rows, 0x0F0F0F0F0F0F0F0Fu, 0x3333333333333333u, 0x5555555555555555u);
        for (int t = 0; t < 8; ++t)
            std::memcpy(out + (8 * j + t) * stride, &rows[t], sizeof(Vector));
    }
}

// The library's copy of so few bytes at a time takes twice as long.
SPBFS_CLONES static void copy_bytes(std::uint8_t* to, const std::uint8_t* from, std::int64_t size) {
    constexpr std::int64_t kStep = sizeof(Vector);
    std::int64_t i = 0;
    for (; i + kStep <= size; i += kStep) {
        Vector x;
        std::memcpy(&x, from + i, sizeof x);
        std::memcpy(to + i, &x, sizeof x);
    }
    for (; i < size; ++i) to[i] = from[i];
}

// The bits of many searches, as they are when these have ended.
template <class Index>
struct Reached {
    std::int64_t n, searches;
    int words, nplanes;
    const Word* seen;
    const Word* const* planes;
    const Index* rank;         // which row of bits is a vertex's, or null where it is its own
    const std::int64_t* rows;  // which row of the output is a search's
};

// levels[rows[search] * n + v] of the vertices [begin, end).  A search that has not reached a
// vertex writes T's largest value.
template <class T, class Index>
void write_levels(const Reached<Index>& r, std::int64_t begin, std::int64_t end, T* levels) {
    // Vertices whose levels are written together: a row of them in one go, since the rows of
    // different searches may all fall to the same few lines of a cache.
    constexpr std::int64_t kBlock = 1024;
    alignas(64) std::uint8_t part[kWordBits][kBlock];
    alignas(64) T whole[kWordBits][sizeof(T) == 1 ? 1 : kBlock];
    std::int64_t at[kBlock + kWordBits];
    for (std::int64_t v = begin; v < end; v += kBlock) {
        const std::int64_t size = std::min(kBlock, end - v);
        const std::int64_t known = std::min(kBlock + kWordBits, end - v);
        for (std::int64_t i = 0; i < known; ++i) at[i] = (r.rank ? r.rank[v + i] : v + i) * r.words;
        for (int w = 0; w < r.words && w * kWordBits < r.searches; ++w) {
            for (int g = 0; g < static_cast<int>(sizeof(T)); ++g) {
                const Word* planes[8];
                const int count = std::clamp(r.nplanes - 8 * g, 0, 8);
                for (int b = 0; b < count; ++b) planes[b] = r.planes[8 * g + b] + w;
                for (std::int64_t i = 0; i < size; i += kWordBits)
                    level_bytes(r.seen + w, planes, count, at + i,
                                std::min<std::int64_t>(kWordBits, size - i),
                                std::clamp<std::int64_t>(known - i - kWordBits, 0, kWordBits),
                                &part[0][i], kBlock);
                if constexpr (sizeof(T) > 1) {
                    for (int t = 0; t < kWordBits; ++t)
                        for (std::int64_t i = 0; i < size; ++i) {
                            const T low = g == 0 ? T{0} : whole[t][i];
                            whole[t][i] = static_cast<T>(low | T{part[t][i]} << (8 * g));
                        }
                }
            }
            const std::int64_t first = std::int64_t{w} * kWordBits;
            for (std::int64_t t = 0; t < kWordBits && first + t < r.searches; ++t) {
                T* row = levels + r.rows[first + t] * r.n + v;
                if constexpr (sizeof(T) == 1)
                    copy_bytes(row, part[t], size);
                else
                    std::copy_n(whole[t], size, row);
            }
        }
    }
}

}  // namespace spbfs::many
