// What every step of a level of many searches works with, and the passes over all vertices that
// steps share.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cpu/bfs_many/bfs_many_direction.h"
#include "cpu/bfs_many/bfs_many_record.h"
#include "cpu/bfs_many/bfs_many_state.h"

namespace spbfs::many {

// Words of bitmaps a chunk of a pass: docs/performance-notes-many-cpu.md.
constexpr std::int64_t kPassWords = 64;
// Entries a vertex, roughly, for how often to poll whether to stop.
constexpr std::int64_t kPollVertex = 16;

template <int W, class Offset, class Index>
struct Level {
    State<W, Offset, Index>& s;
    Progress& p;
    Team& team;
    std::vector<Found<W>>& found;  // of every worker
    const Rates& rates;
    const Techniques& techniques;

    // Sets a frontier to zero.
    void clean(const Rows& rows) const {
        team.for_chunks(words_for(s.n), kPassWords, [&](std::int64_t i, std::int64_t end, int) {
            for (; i < end; ++i) {
                clear_rows<W>(rows, i, rows.active[i]);
                rows.active[i] = 0;
            }
        });
    }

    // Lists the frontier, which is a bitmap.
    void list_frontier() const {
        Index* tail = s.list;
        for (std::int64_t w = 0; w < words_for(s.n); ++w)
            for_each_bit(s.front.active[w], w * kWordBits,
                         [&](std::int64_t v) { *tail++ = static_cast<Index>(v); });
        p.listed = true;
    }
};

}  // namespace spbfs::many
