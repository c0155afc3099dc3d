// The top-down step: every vertex of the joint frontier gives its bits to its out-neighbours.
#pragma once

#include <atomic>

#include "cpu/bfs_many_state.h"

namespace spbfs::many {

// Vertices of the joint frontier a chunk.
constexpr std::int64_t kPushGrain = 64;
// Neighbours between the fetch of their bits and their use.
constexpr std::int64_t kPushAhead = 12;

// Sets bits of `word`; returns those that were not set before.
template <bool Shared>
inline Word give(Word& word, Word bits) {
    if constexpr (!Shared) {
        const Word fresh = bits & ~word;
        word |= bits;
        return fresh;
    } else {
        std::atomic_ref<Word> shared(word);
        // Mostly there is nothing to set, and a read costs far less than an update.
        if ((bits & ~shared.load(std::memory_order_relaxed)) == 0) return 0;
        return bits & ~shared.fetch_or(bits, std::memory_order_relaxed);
    }
}

// Expands the vertices of a list; take(v) gets each vertex found, once in the whole step.
template <bool Shared, int W, class Offset, class Index, class Take>
inline void push_list(const State<W, Offset, Index>& s, const Index* list, std::int64_t size,
                      Take&& take) {
    const std::int64_t entries = s.out.indptr[s.n];
    for (std::int64_t i = 0; i < size; ++i) {
        const Index u = list[i];
        Word bits[W];
        for (int w = 0; w < W; ++w) bits[w] = s.front.words[std::int64_t{u} * W + w];
        const Offset row_end = s.out.indptr[u + 1];
        for (Offset k = s.out.indptr[u]; k < row_end; ++k) {
            const std::int64_t v = s.out.indices[k];
            if (k + kPushAhead < entries) {
                const std::int64_t ahead = s.out.indices[k + kPushAhead];
                __builtin_prefetch(s.seen + ahead * W);
                __builtin_prefetch(s.next.words + ahead * W);
            }
            Word fresh[W], any = 0;
            for (int w = 0; w < W; ++w) any |= fresh[w] = bits[w] & ~s.seen[v * W + w];
            if (any == 0) continue;
            Word given = 0;
            for (int w = 0; w < W; ++w) {
                if (W > 1 && fresh[w] == 0) continue;
                const Word mine = give<Shared>(s.next.words[v * W + w], fresh[w]);
                given |= mine;
                if (s.parents)
                    for_each_bit(mine, w * kWordBits,
                                 [&](std::int64_t search) { s.set_parent(search, v, u); });
            }
            if (given != 0 && give<Shared>(s.next.active[v / kWordBits], bit_of(v)) != 0) take(v);
        }
    }
}

}  // namespace spbfs::many
