// dijkstra(): shortest paths from many vertices, each a search of its own on a thread of its own,
// or from the nearest of them in one search; along arrays that nobody has checked.
//
// Dijkstra: A note on two problems in connexion with graphs (1959).  A vertex that came nearer is
// pushed again, and what it left behind is passed over when it is popped.  monotone_queue.h has the
// queue.
//
// Offsets and columns are checked in the rows that are reached, each before it is followed.  The
// caller guarantees n + 1 offsets and as many weights as columns of each matrix, no weight below 0
// or NaN, a limit from 0, n elements a search of the outputs, and sources in range.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "cpu/matrices/given.h"
#include "cpu/paths/monotone_queue.h"
#include "cpu/threads/interrupt.h"
#include "cpu/threads/parallel.h"

namespace nb = nanobind;

namespace spbfs::bfs {
namespace {

template <class T>
using Array = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

struct Reached {
    double distance;
    std::uint32_t vertex;

    bool before(const Reached& other) const { return distance < other.distance; }
};

template <class Offset, class Index>
struct Weighted : Given<Offset, Index> {
    const double* weights;
};

// What a search writes: of every vertex; null where nobody asked for it.
struct Outputs {
    double* distances;
    std::int32_t* predecessors;
    std::int32_t* origins;
};

// Apart: a worker writes to its own all the time.
template <class Offset, class Index>
class alignas(64) Search {
  public:
    using Graph = Weighted<Offset, Index>;

    Search(const Graph& out, const Graph& in, double limit, std::int32_t nobody)
        : out_(out),
          in_(in),
          limit_(limit),
          limited_(limit < std::numeric_limits<double>::infinity()),
          nobody_(nobody) {}

    // False where an offset or a column leads nowhere.
    bool run(const std::int64_t* sources, std::int64_t count, const Outputs& to,
             Interrupt& interrupt, int worker) {
        std::fill_n(to.distances, out_.n, std::numeric_limits<double>::infinity());
        if (to.predecessors) std::fill_n(to.predecessors, out_.n, nobody_);
        if (to.origins) std::fill_n(to.origins, out_.n, nobody_);
        queue_.clear();
        for (std::int64_t i = 0; i < count; ++i) {
            to.distances[sources[i]] = 0;
            if (to.origins) to.origins[sources[i]] = static_cast<std::int32_t>(sources[i]);
            queue_.push({0, static_cast<std::uint32_t>(sources[i])});
        }
        while (!queue_.empty()) {
            const Reached u = queue_.pop([&](const Reached& soon) {
                __builtin_prefetch(&out_.indptr[soon.vertex]);
                __builtin_prefetch(to.distances + soon.vertex);
            });
            if (to.distances[u.vertex] < u.distance) continue;
            if (!relax(out_, u, to) || (in_.indptr && !relax(in_, u, to))) return false;
            if (work_ > kBetweenPolls && interrupt.poll(worker, std::exchange(work_, 0)))
                return true;
        }
        return true;
    }

  private:
    using UnsignedIndex = std::make_unsigned_t<Index>;
    static constexpr std::int64_t kBetweenPolls = 1 << 13;
    // How far ahead of its use a neighbour's distance is fetched.
    static constexpr int kAhead = 8;
    // Entries of a long row, and those that are sifted together.
    static constexpr int kLong = 16, kBlock = 64;

    bool relax(const Graph& g, Reached u, const Outputs& to) {
        using UnsignedOffset = std::make_unsigned_t<Offset>;
        const auto begin = static_cast<UnsignedOffset>(g.indptr[u.vertex]);
        const auto end = static_cast<UnsignedOffset>(g.indptr[std::size_t{u.vertex} + 1]);
        if (begin > end || end > static_cast<std::uint64_t>(g.entries)) return false;
        work_ += 1 + static_cast<std::int64_t>(end - begin);
        if (!limited_ || end - begin < kLong) return all(g, u, begin, end, to);
        for (UnsignedOffset k = begin; k < end; k += std::min<UnsignedOffset>(end - k, kBlock))
            if (!near(g, u, k, std::min<UnsignedOffset>(end - k, kBlock), to)) return false;
        return true;
    }

    // The entries [begin, end) of a row.
    template <class UnsignedOffset>
    bool all(const Graph& g, Reached u, UnsignedOffset begin, UnsignedOffset end,
             const Outputs& to) {
        // All at once: whether a vertex came nearer is hard to foretell, and what was fetched for
        // the next ones before it is known would be thrown away with the guess.
        for (UnsignedOffset k = begin; k < std::min<UnsignedOffset>(end, begin + kAhead); ++k)
            __builtin_prefetch(to.distances + g.indices[k]);
        for (UnsignedOffset k = begin; k < end; ++k) {
            const auto v = static_cast<UnsignedIndex>(g.indices[k]);
            if (v >= static_cast<UnsignedIndex>(g.n)) return false;
            if (end - k > kAhead) __builtin_prefetch(to.distances + g.indices[k + kAhead]);
            reach(u, v, u.distance + g.weights[k], to);
        }
        return true;
    }

    // `size` entries of a long row from the k-th on.  Where there is a limit most of them lead too
    // far, which cannot be guessed: they are sifted by arithmetic, and those that stay once more.
    template <class UnsignedOffset>
    bool near(const Graph& g, Reached u, UnsignedOffset k, UnsignedOffset size, const Outputs& to) {
        const Index* const indices = g.indices + k;
        const double* const weights = g.weights + k;
        const auto n = static_cast<UnsignedIndex>(g.n);
        std::uint8_t kept[kBlock];
        int within = 0, nearer = 0;
        bool outside = false;
        for (int j = 0; j < static_cast<int>(size); ++j) {
            outside |= static_cast<UnsignedIndex>(indices[j]) >= n;
            kept[within] = static_cast<std::uint8_t>(j);
            within += u.distance + weights[j] <= limit_;
        }
        if (outside) return false;
        for (int i = 0; i < within; ++i) {
            const std::uint8_t j = kept[i];
            kept[nearer] = j;
            nearer += u.distance + weights[j] < to.distances[indices[j]];
        }
        for (int i = 0; i < nearer; ++i)
            reach(u, static_cast<UnsignedIndex>(indices[kept[i]]), u.distance + weights[kept[i]],
                  to);
        return true;
    }

    void reach(Reached u, UnsignedIndex v, double distance, const Outputs& to) {
        if (distance > limit_ || distance >= to.distances[v]) return;
        to.distances[v] = distance;
        if (to.predecessors) to.predecessors[v] = static_cast<std::int32_t>(u.vertex);
        if (to.origins) to.origins[v] = to.origins[u.vertex];
        queue_.push({distance, static_cast<std::uint32_t>(v)});
    }

    const Graph out_, in_;
    const double limit_;
    const bool limited_;
    const std::int32_t nobody_;
    std::int64_t work_ = 0;
    MonotoneQueue<Reached> queue_;
};

// Whether the arrays are a CSR as far as a search looked.  With `origins` it is one search from the
// nearest source, else one from each, whose outputs follow each other.
template <class Offset, class Index>
bool dijkstra(Array<const Offset> indptr, Array<const Index> indices, Array<const double> weights,
              std::optional<Array<const Offset>> in_indptr,
              std::optional<Array<const Index>> in_indices,
              std::optional<Array<const double>> in_weights, Array<const std::int64_t> sources,
              double limit, bool nearest, std::int32_t nobody, Array<double> distances,
              std::optional<Array<std::int32_t>> predecessors,
              std::optional<Array<std::int32_t>> origins, int threads) {
    using Graph = Weighted<Offset, Index>;
    const auto n = static_cast<std::int64_t>(indptr.shape(0)) - 1;
    auto given = [n](const auto& offsets, const auto& columns, const auto& values) {
        const auto count = std::min(columns.shape(0), values.shape(0));
        return Graph{Given<Offset, Index>::of(offsets.data(), columns.data(), n,
                                              static_cast<std::int64_t>(count)),
                     values.data()};
    };
    const Graph out = given(indptr, indices, weights);
    Graph in{{nullptr, nullptr, n, 0}, nullptr};
    if (in_indptr && in_indices && in_weights) in = given(*in_indptr, *in_indices, *in_weights);
    if (!out.plausible() || (in.indptr && !in.plausible())) return false;
    const auto count = static_cast<std::int64_t>(sources.shape(0));
    const std::int64_t searches = nearest ? 1 : count;
    std::atomic<bool> sound{true};
    Interrupt interrupt;
    {
        Unlocked unlocked;
        Team team(threads);
        std::vector<Search<Offset, Index>> workers(static_cast<std::size_t>(team.workers()),
                                                   {out, in, limit, nobody});
        // Searches read the graph and write rows of their own.
        team.for_chunks(searches, 1, [&](std::int64_t i, std::int64_t, int worker) {
            if (!sound.load(std::memory_order_relaxed) || interrupt.stopped()) return;
            const Outputs to{distances.data() + i * n,
                             predecessors ? predecessors->data() + i * n : nullptr,
                             origins ? origins->data() + i * n : nullptr};
            auto& search = workers[static_cast<std::size_t>(worker)];
            const std::int64_t* first = sources.data() + (nearest ? 0 : i);
            if (!search.run(first, nearest ? count : 1, to, interrupt, worker))
                sound.store(false, std::memory_order_relaxed);
        });
    }
    interrupt.check();
    return sound.load();
}

template <class Offset, class Index>
void bind_as(nb::module_& m) {
    m.def("dijkstra", &dijkstra<Offset, Index>, nb::arg("indptr").noconvert(),
          nb::arg("indices").noconvert(), nb::arg("weights").noconvert(),
          nb::arg("in_indptr").none().noconvert(), nb::arg("in_indices").none().noconvert(),
          nb::arg("in_weights").none().noconvert(), nb::arg("sources").noconvert(),
          nb::arg("limit"), nb::arg("nearest"), nb::arg("nobody"), nb::arg("distances").noconvert(),
          nb::arg("predecessors").none().noconvert(), nb::arg("origins").none().noconvert(),
          nb::arg("threads"));
}

}  // namespace
}  // namespace spbfs::bfs

void bind_dijkstra(nb::module_& m) {
    using std::int32_t, std::int64_t;
    spbfs::bfs::bind_as<int32_t, int32_t>(m);
    spbfs::bfs::bind_as<int64_t, int32_t>(m);
    spbfs::bfs::bind_as<int64_t, int64_t>(m);
}
