// betweenness(): what shortest paths from sources give the vertices between their ends, summed into
// rows of `totals`; a source's row is its position modulo their number, so that every sum has the
// same order whatever the number of threads.
//
// Paths are counted in doubles; where they are too many, as on large grids, the source's search is
// made again with numbers of any size.
//
// The caller guarantees a square CSR with indices in range and sources in range.
//
// Brandes: A faster algorithm for betweenness centrality (2001).
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <atomic>
#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "cpu/interrupt.h"
#include "cpu/parallel.h"
#include "cpu/wide.h"

namespace nb = nanobind;

namespace spbfs {
namespace {

template <class T>
using Array = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// Side by side, as they are asked for together.
template <class Index, class Count>
struct Vertex {
    // Shortest paths from the source; in the way back (1 + dependency) / paths.
    Count value;
    Index level;  // -1: not reached
};

// Count is a double, or Wide.
template <class Offset, class Index, class Count>
class Brandes {
  public:
    Brandes(const Offset* indptr, const Index* indices, std::int64_t n)
        : indptr_(indptr), indices_(indices), vertices_(n, {Count{}, -1}), order_(n) {}

    // Adds the dependencies of the source; -1 where paths are more than a Count counts, else the
    // edges from what it reaches.
    std::int64_t add(Index source, double* total, Interrupt& interrupt, int worker) {
        const std::int64_t last = forward(source, interrupt, worker);
        if (counted_ && !interrupt.stopped()) backward(last, total, interrupt, worker);
        for (std::int64_t i = 0; i < size_; ++i) vertices_[order_[i]].level = -1;
        return counted_ ? edges_ : -1;
    }

  private:
    static constexpr std::int64_t kVerticesPerPoll = 1 << 12;

    // f(vertex) for order_[i], i from `begin` as long as go(i), which may rise with what f finds.
    template <class Go, class F>
    void strips(std::int64_t begin, std::int64_t step, Go&& go, Interrupt& interrupt, int worker,
                F&& f) {
        std::int64_t since = 0, work = 0;
        for (std::int64_t i = begin; go(i); i += step) {
            const Index u = order_[i];
            work += indptr_[u + 1] - indptr_[u] + 1;
            f(u);
            if (++since < kVerticesPerPoll) continue;
            if (interrupt.poll(worker, work)) return;
            since = work = 0;
        }
    }

    // Levels and numbers of paths; where the last level begins in `order_`.
    std::int64_t forward(Index source, Interrupt& interrupt, int worker) {
        vertices_[source] = {Count{1.0}, 0};
        order_[0] = source;
        size_ = 1;
        counted_ = true;
        edges_ = 0;
        std::int64_t last = 0;
        Index level = 0;
        auto go = [&](std::int64_t i) { return i < size_ && counted_; };
        std::int64_t at = 0;
        strips(0, 1, go, interrupt, worker, [&](Index u) {
            const Vertex<Index, Count> from = vertices_[u];
            if (from.level != level) {
                level = from.level;
                last = at;
            }
            ++at;
            edges_ += indptr_[u + 1] - indptr_[u];
            // Nothing is added to them any more.
            counted_ = finite(from.value);
            const Index deeper = static_cast<Index>(from.level + 1);
            for (Offset k = indptr_[u]; k < indptr_[u + 1]; ++k) {
                const Index v = indices_[k];
                Vertex<Index, Count>& to = vertices_[v];
                if (to.level < 0) {
                    to = {from.value, deeper};
                    order_[size_++] = v;
                } else if (to.level == deeper) {
                    to.value += from.value;
                }
            }
        });
        return last;
    }

    // From the farthest vertex back: a vertex gets of every next one on a path the share of its
    // paths, and of what that one got.  The last level gets nothing.
    void backward(std::int64_t last, double* total, Interrupt& interrupt, int worker) {
        for (std::int64_t i = last; i < size_; ++i)
            vertices_[order_[i]].value = quotient(1.0, vertices_[order_[i]].value);
        auto go = [](std::int64_t i) { return i > 0; };
        strips(last - 1, -1, go, interrupt, worker, [&](Index u) {
            const Index deeper = static_cast<Index>(vertices_[u].level + 1);
            Count shares{};
            for (Offset k = indptr_[u]; k < indptr_[u + 1]; ++k) {
                const Vertex<Index, Count>& next = vertices_[indices_[k]];
                if (next.level == deeper) shares += next.value;
            }
            const double dependency = product(vertices_[u].value, shares);
            total[u] += dependency;
            vertices_[u].value = quotient(1.0 + dependency, vertices_[u].value);
        });
    }

    const Offset* const indptr_;
    const Index* const indices_;
    std::vector<Vertex<Index, Count>> vertices_;
    std::vector<Index> order_;
    std::int64_t size_ = 0, edges_ = 0;
    bool counted_ = true;
};

// The searches of one worker, each with its memory from when it is needed on.
template <class Offset, class Index>
struct Searches {
    std::unique_ptr<Brandes<Offset, Index, double>> narrow;
    std::unique_ptr<Brandes<Offset, Index, Wide>> wide;

    template <class Search>
    static Search& made(std::unique_ptr<Search>& search, const Offset* indptr, const Index* indices,
                        std::int64_t n) {
        if (!search) search = std::make_unique<Search>(indptr, indices, n);
        return *search;
    }
};

// The edges from what the sources reach.
template <class Offset, class Index>
std::int64_t betweenness(Array<const Offset> indptr, Array<const Index> indices,
                         Array<const Index> sources, Array<double> totals, std::int64_t rows,
                         int threads) {
    const std::int64_t n = static_cast<std::int64_t>(indptr.shape(0)) - 1;
    const auto count = static_cast<std::int64_t>(sources.shape(0));
    std::atomic<std::int64_t> edges{0};
    Interrupt interrupt;
    {
        Unlocked unlocked;
        Team team(threads);
        std::vector<Searches<Offset, Index>> searches(team.workers());
        team.for_chunks(rows, 1, [&](std::int64_t row, std::int64_t, int worker) {
            auto& [narrow, wide] = searches[worker];
            auto add = [&](auto& search, Index source) {
                return Searches<Offset, Index>::made(search, indptr.data(), indices.data(), n)
                    .add(source, totals.data() + row * n, interrupt, worker);
            };
            for (std::int64_t i = row; i < count; i += rows) {
                if (interrupt.stopped()) return;
                const Index source = sources.data()[i];
                const std::int64_t seen = add(narrow, source);
                edges += seen < 0 ? add(wide, source) : seen;
            }
        });
    }
    interrupt.check();
    return edges.load();
}

template <class Offset, class Index>
void bind_as(nb::module_& m) {
    m.def("betweenness", &betweenness<Offset, Index>, nb::arg("indptr").noconvert(),
          nb::arg("indices").noconvert(), nb::arg("sources").noconvert(),
          nb::arg("totals").noconvert(), nb::arg("rows"), nb::arg("threads"));
}

}  // namespace
}  // namespace spbfs

void bind_betweenness(nb::module_& m) {
    spbfs::bind_as<std::int32_t, std::int32_t>(m);
    spbfs::bind_as<std::int64_t, std::int32_t>(m);
    spbfs::bind_as<std::int64_t, std::int64_t>(m);
}
