// search_tree(): the edges by which a search found its vertices, as rows with their weights.
//
// Which of a row's entries lead to its children is told by the parents: one pass over the rows of
// those that were reached, any of them first, as a child's weight is written by its parent's row
// alone, or, against directions, by its own.  Then the children are dealt out to their parents.
//
// Of an entry that occurs twice the weights are added up.  Where directions do not count an edge
// has the lesser of its weights that are not 0, infinity where both are.
//
// Offsets and columns are checked in the rows that are read, each before it is followed.  The
// caller guarantees n + 1 offsets and as many weights as columns, that parents are vertices, or
// negative for nobody, n elements of `children` and `values` and n + 1 of `offsets`.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "cpu/matrices/given.h"
#include "cpu/threads/interrupt.h"
#include "cpu/threads/parallel.h"

namespace nb = nanobind;

namespace spbfs::bfs {
namespace {

template <class T>
using Array = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

constexpr std::int64_t kRows = 1 << 12;

template <class Offset, class Index>
class Tree {
  public:
    Tree(const Given<Offset, Index>& g, const double* weights, const std::int32_t* parents,
         bool directed)
        : g_(g),
          weights_(weights),
          parents_(parents),
          directed_(directed),
          out_(g.n),
          back_(directed ? 0 : g.n) {}

    // The weights of these rows' edges; false where one is not a row.
    bool weigh(std::int64_t begin, std::int64_t end, std::int64_t start) {
        for (std::int64_t u = begin; u < end; ++u) {
            if (parents_[u] < 0 && u != start) continue;
            if (!g_.valid_row(u)) return false;
            for (Offset k = g_.indptr[u]; k < g_.indptr[u + 1]; ++k) {
                const auto v = static_cast<std::make_unsigned_t<Index>>(g_.indices[k]);
                if (v >= static_cast<std::make_unsigned_t<Index>>(g_.n)) return false;
                if (parents_[v] == u) out_[v] += weights_[k];
                if (!directed_ && parents_[u] == static_cast<std::int64_t>(v))
                    back_[u] += weights_[k];
            }
        }
        return true;
    }

    // How many edges there are, in the rows of `offsets`.
    std::int64_t list(std::int32_t* offsets, std::int32_t* children, double* values) const {
        std::fill_n(offsets, g_.n + 1, 0);
        for (std::int64_t v = 0; v < g_.n; ++v)
            if (parents_[v] >= 0) ++offsets[parents_[v] + 1];
        for (std::int64_t u = 0; u < g_.n; ++u) offsets[u + 1] += offsets[u];
        // Where the next child goes: the ends that rows have now are where their successors begin.
        std::vector<std::int32_t> next(offsets, offsets + g_.n);
        for (std::int64_t v = 0; v < g_.n; ++v) {
            if (parents_[v] < 0) continue;
            const std::int32_t at = next[parents_[v]]++;
            children[at] = static_cast<std::int32_t>(v);
            values[at] =
                directed_ ? out_[v] : std::min(or_infinity(out_[v]), or_infinity(back_[v]));
        }
        return offsets[g_.n];
    }

  private:
    static double or_infinity(double weight) {
        return weight == 0 ? std::numeric_limits<double>::infinity() : weight;
    }

    const Given<Offset, Index> g_;
    const double* const weights_;
    const std::int32_t* const parents_;
    const bool directed_;
    std::vector<double> out_, back_;
};

// How many edges the tree has; None where the arrays are no CSR as far as it was looked.
template <class Offset, class Index>
nb::object search_tree(Array<const Offset> indptr, Array<const Index> indices,
                       Array<const double> weights, Array<const std::int32_t> parents,
                       std::int64_t start, bool directed, Array<std::int32_t> offsets,
                       Array<std::int32_t> children, Array<double> values, int threads) {
    const auto n = static_cast<std::int64_t>(parents.shape(0));
    const auto count = std::min(indices.shape(0), weights.shape(0));
    const auto g = Given<Offset, Index>::of(indptr.data(), indices.data(), n,
                                            static_cast<std::int64_t>(count));
    if (!g.plausible()) return nb::none();
    std::atomic<bool> sound{true};
    std::int64_t edges = 0;
    Interrupt interrupt;
    {
        Unlocked unlocked;
        Tree<Offset, Index> tree(g, weights.data(), parents.data(), directed);
        Team team(threads);
        team.for_chunks(n, kRows, [&](std::int64_t begin, std::int64_t end, int worker) {
            if (interrupt.poll(worker, g.entries / n * (end - begin))) return;
            if (!tree.weigh(begin, end, start)) sound.store(false, std::memory_order_relaxed);
        });
        if (sound.load()) edges = tree.list(offsets.data(), children.data(), values.data());
    }
    interrupt.check();
    return sound.load() ? nb::object(nb::int_(edges)) : nb::none();
}

template <class Offset, class Index>
void bind_as(nb::module_& m) {
    m.def("search_tree", &search_tree<Offset, Index>, nb::arg("indptr").noconvert(),
          nb::arg("indices").noconvert(), nb::arg("weights").noconvert(),
          nb::arg("parents").noconvert(), nb::arg("start"), nb::arg("directed"),
          nb::arg("offsets").noconvert(), nb::arg("children").noconvert(),
          nb::arg("values").noconvert(), nb::arg("threads"));
}

}  // namespace
}  // namespace spbfs::bfs

void bind_search_tree(nb::module_& m) {
    using std::int32_t, std::int64_t;
    spbfs::bfs::bind_as<int32_t, int32_t>(m);
    spbfs::bfs::bind_as<int64_t, int32_t>(m);
    spbfs::bfs::bind_as<int64_t, int64_t>(m);
}
