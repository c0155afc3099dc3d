// What a pull would meet, from a few of those that it would ask.
//
// How many rows look in vain depends on how the frontier lies among them: on a web, whose pages
// link within their site, far more than if edges led anywhere, so that a pull took 24 ms where a
// push took 2.  Some dozens of unvisited vertices, asked beforehand, tell it for a hundredth of
// what either takes; docs/performance-notes.md, "Rates and regret".
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "cpu/bfs/bfs_direction.h"
#include "cpu/bfs/bfs_state.h"

namespace spbfs::bfs {

// Of the cheaper direction's least cost, the share that asking may take, what it takes to ask one
// vertex (accesses to memory that nothing has fetched), and how many are asked at least and at
// most.
constexpr double kAskingShare = 0.02, kAskingCost = 150;
constexpr std::int64_t kFewestAsked = 32, kMostAsked = 512, kMostRounds = 8;
// Fewer answers than these say nothing.
constexpr std::int64_t kFewestAnswers = 8;
// Entries of one row that are looked at, at most: one hub must not cost more than all others.
constexpr std::int64_t kLongestLook = 1 << 10;

inline std::int64_t vertices_to_ask(const Bounds& bounds) {
    const double share = kAskingShare * std::min(bounds.least_push, bounds.least_pull);
    return std::clamp(whole(share / kAskingCost), kFewestAsked, kMostAsked);
}

// Unvisited vertices from words that are spread evenly, the first and the last of a word: what lies
// side by side is alike.  Where most words are done, as many as it takes are looked at, in rounds
// that are spread evenly themselves.
template <class Offset, class Index>
std::int64_t choose_asked(const State<Offset, Index>& s, std::int64_t wanted, Index* asked) {
    const std::int64_t words = words_for(s.n), round = std::min(words, wanted / 2);
    const std::int64_t rounds = std::min(kMostRounds, words / round);
    std::int64_t size = 0;
    for (std::int64_t r = 0; r < rounds && 2 * size < wanted; ++r)
        for (std::int64_t i = 0; i < round && size + 2 <= wanted; ++i) {
            const std::int64_t w = (i * rounds + r) * words / (round * rounds);
            const Word open = ~s.visited[w];
            if (open == 0) continue;
            const std::int64_t first = std::countr_zero(open);
            const std::int64_t last = kWordBits - 1 - std::countl_zero(open);
            asked[size++] = static_cast<Index>(w * kWordBits + first);
            if (last != first) asked[size++] = static_cast<Index>(w * kWordBits + last);
        }
    return size;
}

// Expects the frontier in the bitmap `front`.
template <class Offset, class Index>
Looks ask_some(const State<Offset, Index>& s, const Progress& p, const Frontier& f, bool hubs,
               std::int64_t wanted) {
    Index asked[kMostAsked];
    const std::int64_t size = choose_asked(s, wanted, asked);
    if (size < kFewestAnswers) return looks_anywhere(p, f, hubs);
    for (std::int64_t i = 0; i < size; ++i) {
        __builtin_prefetch(&s.in.indptr[asked[i]]);
        if (hubs) __builtin_prefetch(&s.hub[asked[i]]);
    }
    for (std::int64_t i = 0; i < size; ++i)
        __builtin_prefetch(&s.in.indices[s.in.indptr[asked[i]]]);
    std::int64_t at_hub = 0, found = 0, probes = 0;
    for (std::int64_t i = 0; i < size; ++i) {
        const Index v = asked[i];
        if (hubs && test_bit(s.front, s.hub[v])) {
            ++at_hub;
            continue;
        }
        const Index* row = s.in.indices + s.in.indptr[v];
        const std::int64_t looked = std::min<std::int64_t>(s.in.degree(v), kLongestLook);
        std::int64_t k = 0;
        while (k < looked && !test_bit(s.front, row[k])) ++k;
        found += k < looked;
        probes += std::min(k + 1, looked);
    }
    const double each = p.unvisited / static_cast<double>(size);
    return {each * static_cast<double>(at_hub), each * static_cast<double>(found),
            each * static_cast<double>(probes)};
}

}  // namespace spbfs::bfs
