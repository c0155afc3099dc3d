// The bottom-up step: a vertex that some searches have not reached gathers the frontier's bits of
// its in-neighbours, and stops once it has every bit that it can get.
#pragma once

#include "cpu/bfs_many_state.h"

namespace spbfs::many {

// Words of bitmaps a chunk: few, as rows are skewed.
constexpr std::int64_t kPullWords = 8;
// In-neighbours between two looks at whether a bit is still missing.
constexpr int kPullStride = 4;
// Options of a pull that are known before it starts.
//   sparse: few vertices are in the frontier, so its bitmap is asked before a row is loaded
//   early: whether to stop at the last bit that is missing
struct PullKind {
    bool sparse, early, parents;
};

template <PullKind Kind, int W, class Offset, class Index>
inline void gather(const State<W, Offset, Index>& s, std::int64_t v, const Word* need, Word* got) {
    const Index* at = s.in.indices + s.in.indptr[v];
    const Index* row_end = s.in.indices + s.in.indptr[v + 1];
    auto join = [&](Index u) {
        if (Kind.sparse && !test_bit(s.front.active, u)) return;
        const Word* row = s.front.words + std::int64_t{u} * W;
        if constexpr (Kind.parents) {
            for (int w = 0; w < W; ++w)
                for_each_bit(row[w] & need[w] & ~got[w], w * kWordBits,
                             [&](std::int64_t search) { s.set_parent(search, v, u); });
        }
        for (int w = 0; w < W; ++w) got[w] |= row[w];
    };
    // A look at what is missing costs as much as a neighbour: once in a few of them.
    for (; at + kPullStride <= row_end; at += kPullStride) {
#pragma GCC unroll 4
        for (int i = 0; i < kPullStride; ++i) join(at[i]);
        Word missing = 0;
        for (int w = 0; w < W; ++w) missing |= need[w] & ~got[w];
        if (Kind.early && missing == 0) return;
    }
    for (; at < row_end; ++at) join(*at);
}

// The vertices of bitmap words [begin, end).
template <PullKind Kind, int W, class Offset, class Index>
void pull_words(const State<W, Offset, Index>& s, std::int64_t begin, std::int64_t end,
                std::int64_t level, Found<W>& found) {
    for (std::int64_t word = begin; word < end; ++word) {
        Word still_open = s.open[word], stale = s.next.active[word], active = 0;
        for_each_bit(s.open[word], word * kWordBits, [&](std::int64_t v) {
            const Word* seen = s.seen + v * W;
            Word need[W], got[W] = {}, wanted = 0, any = 0;
            for (int w = 0; w < W; ++w) wanted |= need[w] = s.alive[w] & ~seen[w];
            if (wanted == 0) {
                still_open &= ~bit_of(v);
                return;
            }
            gather<Kind>(s, v, need, got);
            Word missing = 0;
            for (int w = 0; w < W; ++w) {
                any |= got[w] &= need[w];
                missing |= got[w] ^ need[w];
            }
            if (missing != 0) found.open += s.in.degree(v);
            if (any == 0) return;
            Word* next = s.next.words + v * W;
            for (int w = 0; w < W; ++w) next[w] = got[w];
            active |= bit_of(v);
        });
        s.open[word] = still_open;
        for_each_bit(stale & ~active, word * kWordBits, [&](std::int64_t v) {
            for (int w = 0; w < W; ++w) s.next.words[v * W + w] = 0;
        });
        settle_word(s, word, active, level, found);
    }
}

}  // namespace spbfs::many
