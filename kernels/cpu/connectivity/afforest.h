// Afforest: the least vertex of everybody's component, edges taken without direction.
//
// Sets of vertices are joined along two edges of each first.  By then nearly all vertices are in
// one set where a graph has one large component, and its rows need no second look: an edge that
// leaves it is in the other end's row too, or in that of the transpose.  Where neither is known, a
// bit a vertex tells which edges leave.
//
// Sutton, Ben-Nun, Barak: Optimizing parallel graph connectivity computation via subgraph sampling
// (IPDPS 2018).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <vector>

#include "common/bits.h"
#include "cpu/connectivity/joined.h"

namespace spbfs {

// Of rows looked at whole.
constexpr std::int64_t kRowGrain = 1 << 10;
// How far ahead of its use a row is fetched.
constexpr std::int64_t kAhead = 16;
constexpr int kSamples = 1024;

template <class Offset, class Index>
class Afforest {
  public:
    // `back` is the transpose, or nothing: of a symmetric matrix the rows are that as well.
    Afforest(Joined<Offset, Index>& joined, Rows<Offset, Index> back) : j_(joined), back_(back) {}

    void link() {
        link_firsts();
        link_seconds();
        link_outside();
    }

  private:
    // f(v) for all vertices, which looks at their rows.
    template <class F>
    void over_rows(F&& f) {
        j_.team.for_chunks(j_.n, kRowGrain, [&](std::int64_t begin, std::int64_t end, int worker) {
            j_.interrupt.strips(begin, end, kRowsPerStrip, worker,
                                [&](std::int64_t from, std::int64_t to) -> std::int64_t {
                                    for (std::int64_t v = from; v < to; ++v)
                                        f(static_cast<Index>(v));
                                    return j_.rows.indptr[to] - j_.rows.indptr[from] + to - from;
                                });
        });
    }

    // Along the first edge, to a lesser neighbour's parent or itself: rows rise, so that it is the
    // least one, and no tree need be searched.  The second edge is noted as the row is at hand.
    void link_firsts() {
        j_.over_vertices([&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t i = begin; i < end; ++i) {
                __builtin_prefetch(j_.rows.indices + j_.rows.indptr[std::min(i + kAhead, j_.n)]);
                const Offset from = j_.rows.indptr[i], to = j_.rows.indptr[i + 1];
                const Index v = static_cast<Index>(i);
                const Index first = from < to ? j_.rows.indices[from] : v;
                j_.notes[i] = first > v ? first : from + 1 < to ? j_.rows.indices[from + 1] : v;
                j_.parents[i] = first >= v ? v : first >= begin ? j_.parents[first] : first;
            }
        });
    }

    void link_seconds() {
        j_.over_vertices([&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t i = begin; i < end; ++i) {
                __builtin_prefetch(j_.parents + j_.notes[std::min(i + kAhead, j_.n - 1)]);
                j_.sets.unite(static_cast<Index>(i), j_.notes[i]);
            }
        });
    }

    // The edges of vertices outside of the large set.  One that is joined to it meanwhile is looked
    // at or not: its edges to vertices outside are in their rows, too, the others join nothing.
    void link_outside() {
        j_.flatten();
        if (j_.interrupt.stopped()) return;  // not all have a parent
        const Index large = most_frequent();
        over_rows([&](Index v) {
            if (j_.sets.parent(v) == large) return;
            j_.link_row(j_.rows, v);
            if (back_.indptr != nullptr) j_.link_row(back_, v);
        });
        if (!j_.symmetric && back_.indptr == nullptr) link_leaving(large);
    }

    // Edges from the large set to vertices outside.
    void link_leaving(Index large) {
        j_.flatten();
        large = j_.sets.root(large);
        std::vector<Word> outside(words_for(j_.n));
        j_.over_vertices([&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t v = begin; v < end; ++v)
                if (j_.parents[v] != large) set_bit(outside.data(), v);
        });
        over_rows([&](Index u) {
            Word leaves = 0;
            for (Offset k = j_.rows.indptr[u]; k < j_.rows.indptr[u + 1]; ++k)
                leaves |=
                    outside[j_.rows.indices[k] / kWordBits] >> (j_.rows.indices[k] % kWordBits);
            if (leaves & 1) j_.link_row(j_.rows, u);
        });
    }

    // The parent that most of a sample have.
    Index most_frequent() const {
        std::minstd_rand random;
        std::array<Index, kSamples> sample;
        for (Index& s : sample) s = j_.parents[random() % static_cast<std::uint64_t>(j_.n)];
        std::sort(sample.begin(), sample.end());
        Index most = sample[0];
        for (std::ptrdiff_t i = 0, longest = 0; i < kSamples;) {
            const auto end = std::upper_bound(sample.begin() + i, sample.end(), sample[i]);
            const std::ptrdiff_t next = end - sample.begin();
            if (next - i > longest) {
                longest = next - i;
                most = sample[i];
            }
            i = next;
        }
        return most;
    }

    Joined<Offset, Index>& j_;
    const Rows<Offset, Index> back_;
};

}  // namespace spbfs
