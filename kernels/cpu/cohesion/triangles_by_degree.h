// Triangles of a graph with hubs: vertices are numbered by falling degree, and a triangle is found
// at the last of its corners, whose row of earlier neighbours is short whatever the degrees.
//
// Among the first vertices, the core, edges are a matrix of bits as well.  Two neighbours in the
// core are looked up there; of a triangle within the core, whole rows of bits are intersected.
//
// Latapy: Main-memory triangle computations for very large (sparse (power-law)) graphs (2008), for
// the order; Low, Spampinato, Kumar, Franchetti: Linear algebraic formulation of edge-centric
// k-truss algorithms (2018) and others, for bits of the dense part.
//
// Shared between threads: `counts` of a worker, its marks and its room are its own; all else is
// written by the loop that makes it, where every row has one writer, and only read by later ones.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <vector>

#include "cpu/memory/clones.h"
#include "cpu/memory/fetch.h"
#include "cpu/threads/interrupt.h"
#include "cpu/threads/parallel.h"

namespace spbfs {

SPBFS_CLONES inline std::int64_t common_bits(const std::uint64_t* a, const std::uint64_t* b,
                                             std::int64_t words) {
    std::int64_t common = 0;
    for (std::int64_t w = 0; w < words; ++w) common += std::popcount(a[w] & b[w]);
    return common;
}

inline bool has_bit(const std::uint64_t* bits, std::int64_t i) {
    return bits[i >> 6] >> (i & 63) & 1;
}
inline void set_bit(std::uint64_t* bits, std::int64_t i) {
    bits[i >> 6] |= std::uint64_t{1} << (i & 63);
}

template <class Offset, class Index>
class TrianglesByDegree {
  public:
    // `core` is a multiple of 64; `counts` n zeros for every thread.
    TrianglesByDegree(const Offset* indptr, const Index* indices, std::int64_t n, std::int64_t core,
                      std::int64_t* counts, int threads)
        : indptr_(indptr),
          indices_(indices),
          n_(n),
          core_(core),
          words_(core / 64),
          counts_(counts),
          rank_(n),
          rows_(n),
          earlier_(new Index[static_cast<std::size_t>(indptr[n])]),
          bits_(core * words_),
          core_counts_(core),
          team_(threads),
          workers_(team_.workers()) {
        for (std::int64_t v = 0; v < n; ++v) longest_ = std::max(longest_, degree(v));
        for (Worker& worker : workers_) {
            worker.marks.resize(n / 64 + 1);
            for (auto* room : {&worker.found, &worker.hubs, &worker.hits}) room->resize(longest_);
        }
    }

    void run(std::int64_t* result, Interrupt& interrupt) {
        number();
        arrange(interrupt);
        count_core(interrupt);
        count_others(interrupt);
        team_.for_chunks(n_, kGrain, [&](std::int64_t v, std::int64_t end, int) {
            for (; v < end; ++v) {
                const Index r = rank_[v];
                // Of a triangle in the core each corner was told by both of its edges.
                result[v] = r < core_ ? core_counts_[r] / 2 : 0;
                for (int w = 0; w < team_.workers(); ++w) result[v] += counts_[w * n_ + r];
            }
        });
    }

  private:
    static constexpr std::int64_t kGrain = 1024, kCoreRows = 16, kRows = 256;
    // Rows from here to the one whose neighbours' rows are fetched, and to where they begin.
    static constexpr std::int64_t kRowAhead = 4, kStartAhead = 8;

    struct Row {
        Offset begin;
        Index length;
    };
    struct Worker {
        std::vector<std::uint64_t> marks;
        std::vector<Index> found, hubs, hits;
    };

    std::int64_t degree(std::int64_t v) const { return indptr_[v + 1] - indptr_[v]; }

    // Ranks by falling degree, equal ones in the order of their vertices.
    void number() {
        std::vector<std::int64_t> place(longest_ + 2);
        for (std::int64_t v = 0; v < n_; ++v) ++place[longest_ - degree(v) + 1];
        for (std::int64_t d = 0; d <= longest_; ++d) place[d + 1] += place[d];
        for (std::int64_t v = 0; v < n_; ++v)
            rank_[v] = static_cast<Index>(place[longest_ - degree(v)]++);
    }

    // Of every vertex the neighbours that come before it, in any order, where its row was; in the
    // core all neighbours there as bits.
    void arrange(Interrupt& interrupt) {
        team_.for_chunks(n_, kGrain, [&](std::int64_t v, std::int64_t end, int worker) {
            if (interrupt.stopped()) return;
            const Offset begin = indptr_[v];
            for (; v < end; ++v) {
                const Index r = rank_[v];
                Index* const row = earlier_.get() + indptr_[v];
                std::uint64_t* const bits = r < core_ ? &bits_[r * words_] : nullptr;
                std::int64_t length = 0;
                for (Offset k = indptr_[v]; k < indptr_[v + 1]; ++k) {
                    const Index other = rank_[indices_[k]];
                    row[length] = other;
                    length += other < r;
                    if (bits != nullptr && other < core_ && other != r) set_bit(bits, other);
                }
                rows_[r] = {indptr_[v], static_cast<Index>(length)};
            }
            interrupt.poll(worker, indptr_[end] - begin);
        });
    }

    // Triangles whose corners are all in the core, told to both ends of each edge.
    void count_core(Interrupt& interrupt) {
        team_.for_chunks(core_, kCoreRows, [&](std::int64_t u, std::int64_t end, int w) {
            std::int64_t* const counts = counts_ + w * n_;
            for (; u < end && !interrupt.stopped(); ++u) {
                const Row row = rows_[u];
                for (Index s = 0; s < row.length; ++s) {
                    const Index v = earlier_[row.begin + s];
                    const std::int64_t common =
                        common_bits(&bits_[u * words_], &bits_[v * words_], words_);
                    counts[u] += common;
                    counts[v] += common;
                }
                interrupt.advance(1, 2 * row.length);
                interrupt.poll(w, row.length * words_);
            }
        });
        for (int w = 0; w < team_.workers(); ++w)
            for (std::int64_t r = 0; r < core_; ++r) {
                core_counts_[r] += counts_[w * n_ + r];
                counts_[w * n_ + r] = 0;
            }
    }

    void count_others(Interrupt& interrupt) {
        team_.for_chunks(n_ - core_, kRows, [&](std::int64_t i, std::int64_t end, int w) {
            std::int64_t work = 0, seen = 0;
            const std::int64_t rows = end - i;
            for (i += core_, end += core_; i < end && !interrupt.stopped(); ++i) {
                fetch_ahead(i);
                seen += 2 * rows_[i].length;
                if (rows_[i].length > 1) work += count_row(i, workers_[w], counts_ + w * n_);
            }
            interrupt.advance(rows, seen);
            interrupt.poll(w, work + kRows);
        });
    }

    SPBFS_FETCHES void fetch_ahead(std::int64_t i) const {
        if (i + kStartAhead >= n_) return;
        const Row next = rows_[i + kRowAhead], later = rows_[i + kStartAhead];
        for (Index s = 0; s < later.length; ++s)
            __builtin_prefetch(&rows_[earlier_[later.begin + s]]);
        for (Index s = 0; s < next.length; ++s)
            if (const Index j = earlier_[next.begin + s]; j >= core_)
                __builtin_prefetch(earlier_.get() + rows_[j].begin);
    }

    // Triangles whose last corner is i, which is not in the core; returns what was looked up.
    std::int64_t count_row(std::int64_t i, Worker& own, std::int64_t* counts) {
        const Index* const row = earlier_.get() + rows_[i].begin;
        const std::int64_t length = rows_[i].length;
        std::int64_t hubs = 0, found = 0, work = 0;
        for (std::int64_t s = 0; s < length; ++s) {
            set_bit(own.marks.data(), row[s]);
            own.hubs[hubs] = row[s];
            hubs += row[s] < core_;
        }
        found += count_pairs(own, hubs, counts);
        work += hubs * hubs / 2;
        for (std::int64_t s = 0; s < length; ++s) {
            const Index j = row[s];
            if (j < core_) continue;
            const std::int64_t hits = look_up(rows_[j], own, counts);
            counts[j] += hits;
            found += hits;
            work += rows_[j].length;
        }
        counts[i] += found;
        for (std::int64_t s = 0; s < length; ++s) own.marks[row[s] >> 6] = 0;
        return work;
    }

    // Edges between neighbours in the core.
    std::int64_t count_pairs(Worker& own, std::int64_t hubs, std::int64_t* counts) {
        if (hubs == 0) return 0;
        std::fill_n(own.hits.begin(), hubs, Index{0});
        std::int64_t found = 0;
        for (std::int64_t a = 1; a < hubs; ++a) {
            const std::uint64_t* const bits = &bits_[own.hubs[a] * words_];
            Index here = 0;
            for (std::int64_t b = 0; b < a; ++b) {
                const Index hit = has_bit(bits, own.hubs[b]);
                own.hits[b] += hit;
                here += hit;
            }
            own.hits[a] += here;
            found += here;
        }
        for (std::int64_t a = 0; a < hubs; ++a) counts[own.hubs[a]] += own.hits[a];
        return found;
    }

    // Marked vertices of a row, told to their counts.  Whether one is marked cannot be guessed, so
    // all are written, and the next one over it where it is not.
    std::int64_t look_up(Row row, Worker& own, std::int64_t* counts) {
        const Index* const begin = earlier_.get() + row.begin;
        const std::uint64_t* const marks = own.marks.data();
        Index* const found = own.found.data();
        std::int64_t hits = 0;
        for (Index s = 0; s < row.length; ++s) {
            found[hits] = begin[s];
            hits += has_bit(marks, begin[s]);
        }
        for (std::int64_t h = 0; h < hits; ++h) ++counts[found[h]];
        return hits;
    }

    const Offset* const indptr_;
    const Index* const indices_;
    const std::int64_t n_, core_, words_;
    std::int64_t longest_ = 0;
    std::int64_t* const counts_;
    std::vector<Index> rank_;
    std::vector<Row> rows_;
    std::unique_ptr<Index[]> earlier_;
    std::vector<std::uint64_t> bits_;
    std::vector<std::int64_t> core_counts_;
    Team team_;
    std::vector<Worker> workers_;
};

}  // namespace spbfs
