// The bottom-up step: a vertex that some searches have not reached gathers the frontier's bits of
// its in-neighbours, and stops once it has every bit that it can get.
#pragma once

#include "cpu/bfs_many/bfs_many_record.h"
#include "cpu/bfs_many/bfs_many_state.h"
#include "cpu/memory/fetch.h"

namespace spbfs::many {

// Words of bitmaps a chunk: few, as rows are skewed.  16 here and 64 in plain passes made a
// call 36.8 ms of 38.3: docs/performance-notes-many-cpu.md, which has the figures of this file.
constexpr std::int64_t kPullWords = 16;
// In-neighbours between two tests whether a bit is still missing: eight were no faster.
constexpr int kPullStride = 4;
// Vertices between the fetch of a row and its use.
constexpr std::int64_t kPullAhead = 32;
// Entries of a row that are fetched once it is known that the first few are not enough.
constexpr std::int64_t kPullOn = 64;
// Options of a pull that are known before it starts.
//   sparse: few vertices are in the frontier, so its bitmap is tested before a row is loaded
//   narrow: the narrow searches were pushed: `next` has their bits, and nothing else
//   early: whether to stop at the last bit that is missing
struct PullKind {
    bool sparse, narrow, early, parents;
};

template <PullKind Kind, int W, class Offset, class Index>
inline void join(const State<W, Offset, Index>& s, std::int64_t v, Index u, const Word* need,
                 Word* got) {
    if (Kind.sparse && !test_bit(s.front.active, u)) return;
    const Word* row = s.front.words + std::int64_t{u} * W;
    if constexpr (Kind.parents) {
        for (int w = 0; w < W; ++w)
            for_each_bit(row[w] & need[w] & ~got[w], w * kWordBits,
                         [&](std::int64_t search) { s.set_parent(search, v, u); });
    }
    for (int w = 0; w < W; ++w) got[w] |= row[w];
}

template <int W>
inline bool lacks(const Word* need, const Word* got) {
    Word missing = 0;
    for (int w = 0; w < W; ++w) missing |= need[w] & ~got[w];
    return missing != 0;
}

// Joins the neighbours of a row until nothing is missing any more.
template <PullKind Kind, int W, class Offset, class Index>
inline void gather(const State<W, Offset, Index>& s, std::int64_t v, const Index* at,
                   const Index* row_end, const Word* need, Word* got) {
    // A test of what is missing costs as much as a neighbour: once in a few of them.
    for (; at + kPullStride <= row_end; at += kPullStride) {
#pragma GCC unroll 4
        for (int i = 0; i < kPullStride; ++i) join<Kind>(s, v, at[i], need, got);
        if (Kind.early && !lacks<W>(need, got)) return;
    }
    for (; at < row_end; ++at) join<Kind>(s, v, *at, need, got);
}

// Fetches what follows the first line of a row.
template <class Index>
SPBFS_FETCHES void fetch_on(const Index* row, std::int64_t size) {
    constexpr std::int64_t kLine = 64 / sizeof(Index);
    for (std::int64_t k = kLine; k < std::min(size + kLine - 1, kPullOn + 1); k += kLine)
        __builtin_prefetch(row + k);
}

// Whether the neighbour of largest degree is probed first.
template <PullKind Kind, int W, class Offset, class Index>
inline bool probes_hubs(const State<W, Offset, Index>& s) {
    return s.hubs != nullptr && Kind.early && !Kind.parents;
}

// What a vertex finds in `next`: whether it is anything, and in `open` whether it may still be
// reached after that.
template <PullKind Kind, int W, class Offset, class Index>
bool pull_row(const State<W, Offset, Index>& s, std::int64_t v, bool& open) {
    const Word* visited = s.visited + v * W;
    Word* next = s.next.words + v * W;
    Word need[W], got[W] = {}, wanted = 0, any = 0, missing = 0;
    for (int w = 0; w < W; ++w) {
        need[w] = s.alive[w] & ~visited[w];
        wanted |= need[w];
        if constexpr (Kind.narrow) need[w] &= s.wide[w];
    }
    if (wanted != 0) {
        const bool hub = probes_hubs<Kind>(s);
        if (hub) join<Kind>(s, v, s.hubs[v], need, got);
        if (!hub || lacks<W>(need, got))
            gather<Kind>(s, v, s.in.indices + s.in.indptr[v], s.in.indices + s.in.indptr[v + 1],
                         need, got);
    }
    for (int w = 0; w < W; ++w) {
        got[w] &= need[w];
        if constexpr (Kind.narrow) got[w] |= next[w];
        next[w] = got[w];
        any |= got[w];
        missing |= s.alive[w] & ~visited[w] & ~got[w];
    }
    open = missing != 0;
    return any != 0;
}

// What the `open` ones of 64 vertices find in `next`: which find any, and in `open` which may still
// be reached after that.
//
// All vertices take a step before any takes the next, so that what one loads does not wait for what
// another decides: the neighbour of largest degree, which alone answers most late in the searches;
// the first few of the row; the others.
template <PullKind Kind, class Offset, class Index>
Word pull_together(const State<1, Offset, Index>& s, std::int64_t first, Word& open) {
    const Word* visited = s.visited + first;
    Word need[kWordBits], got[kWordBits];
    open &= lacking(s.alive[0], visited, need);
    if constexpr (Kind.narrow) lacking(s.wide[0], visited, need);
    Word probing = open, further = 0;
    if (probes_hubs<Kind>(s) && first + kWordBits <= s.n) {
        for (int i = 0; i < kWordBits; ++i) got[i] = s.front.words[s.hubs[first + i]];
        probing &= rows_without(need, got);
    } else {
        std::fill_n(got, kWordBits, Word{0});
    }
    for_each_bit(probing, 0, [&](std::int64_t i) {
        const std::int64_t v = first + i, size = s.in.degree(v);
        const Index* row = s.in.indices + s.in.indptr[v];
        if (v + kPullAhead < s.n) __builtin_prefetch(s.in.indices + s.in.indptr[v + kPullAhead]);
        Word mine = got[i];
#pragma GCC unroll 4
        for (int k = 0; k < kPullStride; ++k)
            join<Kind>(s, v, row[k < size ? k : 0], need + i, &mine);
        const bool more = size > kPullStride && (!Kind.early || (need[i] & ~mine) != 0);
        if (more) fetch_on(row, size);
        further |= Word{more} << i;
        got[i] = mine;
    });
    for_each_bit(further, 0, [&](std::int64_t i) {
        const std::int64_t v = first + i;
        Word mine = got[i];
        gather<Kind>(s, v, s.in.indices + s.in.indptr[v] + kPullStride,
                     s.in.indices + s.in.indptr[v + 1], need + i, &mine);
        got[i] = mine;
    });
    const Word active = take_needed(got, need, Kind.narrow, s.next.words + first);
    if constexpr (Kind.narrow) lacking(s.alive[0], visited, need);
    open &= rows_without(need, got);
    return active;
}

// The vertices of bitmap words [begin, end).
template <PullKind Kind, int W, class Offset, class Index>
void pull_words(const State<W, Offset, Index>& s, std::int64_t begin, std::int64_t end,
                std::int64_t level, Found<W>& found) {
    for (std::int64_t word = begin; word < end; ++word) {
        const std::int64_t first = word * kWordBits;
        Word open = s.open[word], active = 0;
        // What is left over from the frontier before in rows that nobody writes.
        if (W > 1 || open == 0) clear_rows<W>(s.next, word, s.next.active[word] & ~open);
        if constexpr (W == 1) {
            if (open != 0) active = pull_together<Kind>(s, first, open);
        } else {
            for_each_bit(open, 0, [&](std::int64_t i) {
                bool still = false;
                active |= Word{pull_row<Kind>(s, first + i, still)} << i;
                if (!still) open &= ~bit_of(i);
            });
        }
        s.open[word] = open;
        found.open += s.in.entries(word, open);
        record_word(s, word, active, level, found);
    }
}

}  // namespace spbfs::many
