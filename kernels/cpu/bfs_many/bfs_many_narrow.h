// A direction for each search: those whose frontier is still narrow are pushed while the others
// pull.
//
// A vertex that pulls stops at the last bit that it is missing, so a single search whose frontier
// has few edges makes nearly every vertex search its whole row for a bit that is not there.
// Pushed ahead of the pull such searches cost next to nothing, and nobody searches for them.
// docs/performance-notes-many-cpu.md has the figures, "A direction for each search".
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <numeric>
#include <vector>

#include "cpu/bfs_many/bfs_many_direction.h"
#include "cpu/bfs_many/bfs_many_state.h"
#include "cpu/numbers/words.h"

namespace spbfs::many {

constexpr std::int64_t kNarrowGrain = 64;

// Which of the searches, of which `sizes` has the vertices in the frontier, may be narrow.
template <int W>
bool maybe_narrow(const Rates& rates, const std::int64_t* sizes, std::int64_t vertices,
                  Word* maybe) {
    const auto most =
        static_cast<std::int64_t>(static_cast<double>(vertices) * rates.narrow_vertices);
    bool any = false;
    for (int w = 0; w < W; ++w) {
        maybe[w] = 0;
        for (int j = w * kWordBits; j < (w + 1) * kWordBits; ++j)
            if (sizes[j] != 0 && sizes[j] <= most) maybe[w] |= bit_of(j);
        any = any || maybe[w] != 0;
    }
    return any;
}

// The searches of fewest edges, as many as have `most` together.
template <int W>
bool narrowest(const Word* maybe, const std::int64_t* edges, std::int64_t most, Word* narrow) {
    std::array<int, W * kWordBits> order;
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](int i, int j) { return edges[i] < edges[j]; });
    std::fill_n(narrow, W, Word{0});
    bool any = false;
    for (const int j : order) {
        if (!test_bit(maybe, j)) continue;
        if ((most -= edges[j]) < 0) break;
        set_bit(narrow, j);
        any = true;
    }
    return any;
}

// Gives the bits of the narrow searches to whom they are new; `next` has no other bits yet.
template <int W, class Offset, class Index>
void push_narrow(const State<W, Offset, Index>& s, Index u) {
    Word bits[W], any = 0;
    for (int w = 0; w < W; ++w)
        any |= bits[w] = s.front.words[std::int64_t{u} * W + w] & ~s.wide[w];
    if (any == 0) return;
    for (Offset k = s.out.indptr[u]; k < s.out.indptr[u + 1]; ++k) {
        const std::int64_t v = s.out.indices[k];
        for (int w = 0; w < W; ++w) {
            const Word fresh = bits[w] & ~s.visited[v * W + w];
            if (fresh == 0) continue;
            const Word mine = give_bits<true>(s.next.words[v * W + w], fresh, s.test_first);
            if (s.parents)
                for_each_bit(mine, w * kWordBits,
                             [&](std::int64_t search) { s.set_parent(search, v, u); });
        }
    }
}

// Finds the narrow searches where a pull may probe `open` in-edges, and lists the vertices that
// may be theirs in `next_list`: how many, or 0 where no search is narrow.
template <int W, class Offset, class Index>
std::int64_t find_narrow(State<W, Offset, Index>& s, Team& team, const Rates& rates,
                         const std::int64_t* sizes, std::int64_t vertices, std::int64_t open) {
    Word maybe[W];
    if (!maybe_narrow<W>(rates, sizes, vertices, maybe)) return 0;
    // The vertices of searches that may be narrow: few, and their edges are counted one by one.
    using Counts = std::array<std::int64_t, W * kWordBits>;
    std::vector<Counts> counted(team.workers(), Counts{});
    std::atomic<std::int64_t> tail{0};
    team.for_chunks(
        words_for(s.n), kNarrowGrain, [&](std::int64_t i, std::int64_t end, int worker) {
            for (; i < end; ++i) {
                if (s.front.active[i] == 0) continue;
                const Word* rows = s.front.words + i * kWordBits * W;
                const Word found = s.front.active[i] & rows_with(rows, maybe, W);
                if (found == 0) continue;
                std::int64_t at = tail.fetch_add(std::popcount(found), std::memory_order_relaxed);
                for_each_bit(found, i * kWordBits, [&](std::int64_t v) {
                    s.next_list[at++] = static_cast<Index>(v);
                    for (int w = 0; w < W; ++w)
                        for_each_bit(s.front.words[v * W + w] & maybe[w], w * kWordBits,
                                     [&](std::int64_t search) {
                                         counted[worker][search] += s.out.degree(v);
                                     });
                });
            }
        });
    Counts edges{};
    for (const Counts& part : counted)
        for (std::size_t j = 0; j < edges.size(); ++j) edges[j] += part[j];
    Word narrow[W];
    const auto most = static_cast<std::int64_t>(static_cast<double>(open) * rates.narrow_edges);
    if (!narrowest<W>(maybe, edges.data(), most, narrow)) return 0;
    for (int w = 0; w < W; ++w) s.wide[w] = s.alive[w] & ~narrow[w];
    return tail.load();
}

// Pushes the narrow searches from the vertices listed into `next`, whose rows are zero.
template <int W, class Offset, class Index>
void push_narrow(const State<W, Offset, Index>& s, Team& team, std::int64_t listed) {
    team.for_chunks(listed, kNarrowGrain, [&](std::int64_t i, std::int64_t end, int) {
        for (; i < end; ++i) push_narrow(s, s.next_list[i]);
    });
}

}  // namespace spbfs::many
