// truss(): which edges are left when those in fewer than `least` triangles of edges that are left
// go, as long as there are any.
//
// The triangles of every edge are counted once, by rows that name the neighbours of higher degree
// alone.  An edge that goes takes one from both others of each of its triangles, which are found in
// the shorter of the rows of its ends.  What is left does not depend on who goes first.
//
// The caller guarantees a square CSR with a symmetric pattern, columns rising and in range, no
// loops; `kept` an element an entry.
//
// Wang, Cheng: Truss decomposition in massive networks (2012).
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cpu/threads/interrupt.h"

namespace nb = nanobind;

namespace spbfs {
namespace {

template <class T>
using Array = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// An edge is known by its entry in the row of its lesser end.
template <class Offset, class Index>
class Truss {
  public:
    Truss(const Offset* indptr, const Index* indices, std::int64_t n, Offset least, bool* kept)
        : indptr_(indptr),
          indices_(indices),
          n_(n),
          least_(least),
          kept_(kept),
          edge_(static_cast<std::size_t>(indptr[n])),
          triangles_(static_cast<std::size_t>(indptr[n])) {}

    void run(Interrupt& interrupt) {
        name_edges();
        count(interrupt);
        if (!interrupt.stopped()) peel(interrupt);
        if (interrupt.stopped()) return;
        for (Offset k = 0; k < indptr_[n_]; ++k) kept_[k] = triangles_[edge_[k]] >= 0;
    }

  private:
    struct Edge {
        Index u;
        Offset entry;
    };
    static constexpr Offset kGone = -1;

    // Columns rise, and so do the rows that name a vertex: its lesser neighbours come by in the
    // order of its row.
    void name_edges() {
        std::vector<Offset> next(indptr_, indptr_ + n_);
        for (std::int64_t u = 0; u < n_; ++u)
            for (Offset k = indptr_[u]; k < indptr_[u + 1]; ++k) {
                const Index v = indices_[k];
                if (v < u) continue;
                edge_[k] = k;
                edge_[next[v]++] = k;
            }
    }

    // Whether v comes behind u, of whom whoever has more neighbours does.
    bool behind(Index v, Index u) const {
        const Offset more = degree(v) - degree(u);
        return more > 0 || (more == 0 && v > u);
    }
    Offset degree(Index u) const { return indptr_[u + 1] - indptr_[u]; }

    void count(Interrupt& interrupt) {
        std::vector<Offset> begins(static_cast<std::size_t>(n_) + 1);
        std::vector<Offset> entries;
        entries.reserve(static_cast<std::size_t>(indptr_[n_] / 2));
        for (Index u = 0; u < n_; ++u) {
            for (Offset k = indptr_[u]; k < indptr_[u + 1]; ++k)
                if (behind(indices_[k], u)) entries.push_back(k);
            begins[u + 1] = static_cast<Offset>(entries.size());
        }
        // Of the row that is looked at, everybody's entry; of others none.
        std::vector<Offset> at(static_cast<std::size_t>(n_), Offset{kGone});
        for (Index u = 0; u < n_; ++u) {
            std::int64_t work = 1;
            for (Offset a = begins[u]; a < begins[u + 1]; ++a)
                at[indices_[entries[a]]] = entries[a];
            for (Offset a = begins[u]; a < begins[u + 1]; ++a) {
                const Index v = indices_[entries[a]];
                work += begins[v + 1] - begins[v];
                Offset here = 0;
                for (Offset b = begins[v]; b < begins[v + 1]; ++b) {
                    const Offset third = at[indices_[entries[b]]];
                    if (third == kGone) continue;
                    ++here;
                    ++triangles_[edge_[third]];
                    ++triangles_[edge_[entries[b]]];
                }
                triangles_[edge_[entries[a]]] += here;
            }
            for (Offset a = begins[u]; a < begins[u + 1]; ++a) at[indices_[entries[a]]] = kGone;
            if (interrupt.poll(0, work)) return;
        }
    }

    void peel(Interrupt& interrupt) {
        std::vector<Edge> going;
        for (Index u = 0; u < n_; ++u)
            for (Offset k = indptr_[u]; k < indptr_[u + 1]; ++k)
                if (edge_[k] == k && triangles_[k] < least_) going.push_back({u, k});
        while (!going.empty()) {
            const auto [u, entry] = going.back();
            going.pop_back();
            const Index v = indices_[entry];
            const std::int64_t work =
                degree(u) <= degree(v) ? open(u, v, going) : open(v, u, going);
            triangles_[entry] = kGone;
            if (interrupt.poll(0, work + 1)) return;
        }
    }

    // Takes one from the others of all triangles with the edge between u and v, of which u has the
    // shorter row.
    std::int64_t open(Index u, Index v, std::vector<Edge>& going) {
        const Index* other = indices_ + indptr_[v];
        const Index* const end = indices_ + indptr_[v + 1];
        for (Offset k = indptr_[u]; k < indptr_[u + 1]; ++k) {
            const Index w = indices_[k];
            if (triangles_[edge_[k]] == kGone || w == v) continue;
            other = seek(other, end, w);
            if (other == end) break;
            if (*other != w) continue;
            const Offset across = edge_[other - indices_];
            if (triangles_[across] == kGone) continue;
            take(edge_[k], std::min(u, w), going);
            take(across, std::min(v, w), going);
        }
        return degree(u);
    }

    // The first that is not less, by steps that double.
    static const Index* seek(const Index* at, const Index* end, Index w) {
        std::ptrdiff_t step = 1;
        const Index* before = at;
        while (step < end - at && at[step] < w) {
            before = at + step;
            step *= 2;
        }
        return std::lower_bound(before, std::min(at + step + 1, end), w);
    }

    void take(Offset edge, Index lesser, std::vector<Edge>& going) {
        // Whoever had too few already is going.
        if (triangles_[edge]-- == least_) going.push_back({lesser, edge});
    }

    const Offset* const indptr_;
    const Index* const indices_;
    const std::int64_t n_;
    const Offset least_;
    bool* const kept_;
    // Of every entry the edge, and of that the triangles.
    std::vector<Offset> edge_, triangles_;
};

template <class Offset, class Index>
void truss(Array<const Offset> indptr, Array<const Index> indices, std::int64_t least,
           Array<bool> kept) {
    Interrupt interrupt;
    {
        Unlocked unlocked;
        const auto n = static_cast<std::int64_t>(indptr.shape(0)) - 1;
        // No edge is in more triangles than there are vertices.
        const auto enough = static_cast<Offset>(std::min(least, n));
        Truss<Offset, Index>(indptr.data(), indices.data(), n, enough, kept.data()).run(interrupt);
    }
    interrupt.check();
}

template <class Offset, class Index>
void bind_as(nb::module_& m) {
    m.def("truss", &truss<Offset, Index>, nb::arg("indptr").noconvert(),
          nb::arg("indices").noconvert(), nb::arg("least"), nb::arg("kept").noconvert());
}

}  // namespace
}  // namespace spbfs

void bind_truss(nb::module_& m) {
    spbfs::bind_as<std::int32_t, std::int32_t>(m);
    spbfs::bind_as<std::int64_t, std::int32_t>(m);
    spbfs::bind_as<std::int64_t, std::int64_t>(m);
}
