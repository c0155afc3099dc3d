// Components of graphs with few edges a vertex, which are meshes and roads: most edges join near
// vertices, so that every thread joins chunks of consecutive vertices by itself first, and then all
// of them join the chunks.
#pragma once

#include <cstdint>
#include <vector>

#include "cpu/connectivity/joined.h"

namespace spbfs {

template <class Offset, class Index>
class JoinedChunks {
  public:
    explicit JoinedChunks(Joined<Offset, Index>& joined) : j_(joined) {}

    // Edges within chunks, then those between them, whose rows the first look has listed.
    void link() {
        std::vector<Index> listed(j_.n / kGrain + 1);
        j_.over_vertices([&](std::int64_t begin, std::int64_t end) {
            listed[begin / kGrain] = link_chunk(begin, end);
            for (std::int64_t v = begin; v < end && !j_.symmetric; ++v)
                link_greater(static_cast<Index>(v), end);
        });
        j_.over_vertices([&](std::int64_t begin, std::int64_t) {
            for (Index i = 0; i < listed[begin / kGrain]; ++i)
                j_.link_row(j_.rows, j_.notes[begin + i]);
        });
    }

  private:
    // Joins every vertex with its lesser neighbours in the chunk: an edge of a symmetric matrix is
    // in two rows, and that of its greater end is enough.  Notes those that have edges to other
    // chunks, and returns how many.  Rows rise.
    Index link_chunk(std::int64_t begin, std::int64_t end) {
        const auto [indptr, indices] = j_.rows;
        Index* const parents = j_.parents;
        Index* next = j_.notes + begin;
        for (std::int64_t i = begin; i < end; ++i) {
            const Index v = static_cast<Index>(i);
            Offset k = indptr[i];
            const Offset last = indptr[i + 1];
            bool leaves = k < last && indices[k] < begin;
            while (k < last && indices[k] < begin) ++k;
            parents[v] = v;
            // The first one's parent is that of v, whose set nobody has touched yet.
            for (Index above = v; k < last && indices[k] < v; ++k) {
                const Index other = parents[indices[k]];
                if (above == v) {
                    parents[v] = above = other;
                } else if (above != other) {
                    j_.sets.template unite<false>(v, indices[k]);
                    above = parents[v];
                }
            }
            leaves |= !j_.symmetric && k < last && indices[last - 1] >= end;
            *next = v;
            next += leaves;
        }
        return static_cast<Index>(next - j_.notes - begin);
    }

    // ... with its greater neighbours before `end`.
    void link_greater(Index v, std::int64_t end) {
        const auto& rows = j_.rows;
        for (Offset k = rows.indptr[v + 1]; k-- > rows.indptr[v] && rows.indices[k] > v;)
            if (rows.indices[k] < end) j_.sets.template unite<false>(v, rows.indices[k]);
    }

    Joined<Offset, Index>& j_;
};

}  // namespace spbfs
