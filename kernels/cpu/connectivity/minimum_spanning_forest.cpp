// minimum_spanning_forest(): the edges of the one minimum spanning forest, directions aside.
//
// The lightest edges first: nearly all of the forest is among a few a vertex, those up to a bound
// that a sample of the weights gives.  Of the others only those are looked at a second time that
// join two components of what is taken by then.
//
// The caller guarantees a square CSR in canonical order with indices in range, and weights, one an
// entry or one for all; `low`, `high`, `weights` and `places` have n entries.  A weight that is NaN
// ends the call.
//
// Boruvka (1926); Osipov, Sanders, Singler: The filter-Kruskal minimum spanning tree algorithm
// (ALENEX 2009), for the filter.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <random>
#include <vector>

#include "cpu/connectivity/boruvka.h"
#include "cpu/numbers/ordered_key.h"
#include "cpu/python/bindings.h"
#include "cpu/threads/interrupt.h"
#include "cpu/threads/parallel.h"

namespace nb = nanobind;

namespace spbfs {
namespace {

template <class T>
using Array = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// Light entries a vertex: about so many are taken in the first place.
constexpr std::int64_t kLight = 4;
constexpr std::int64_t kSamples = 1 << 12;
constexpr std::int64_t kGrain = 1 << 10;

template <class Offset, class Index, class V>
class Forest {
  public:
    using Key = KeyOf<V>;
    using Rounds = Boruvka<Key, Index>;
    using Block = typename Rounds::Block;

    Forest(const Offset* indptr, const Index* indices, const V* values, std::int64_t stride,
           std::int64_t n, Edge<Key, Index>* chosen, Team& team, Interrupt& interrupt)
        : indptr_(indptr),
          indices_(indices),
          values_(values),
          stride_(stride),
          n_(n),
          rounds_(n, chosen, team, interrupt),
          team_(team),
          interrupt_(interrupt) {}

    // How many edges are chosen; -1 where a weight is NaN.
    std::int64_t find() {
        const Edge<Key, Index> bound = light();
        collect([&](const Edge<Key, Index>& edge) { return !(bound < edge); });
        if (is_nan_) return -1;
        if (bound != kHeaviest)
            collect([&](const Edge<Key, Index>& edge) {
                return !rounds_.connected(edge.low, edge.high) && bound < edge;
            });
        if (out_of_memory_) throw std::bad_alloc();
        return rounds_.size();
    }

    // The place of the entry that an edge is: of two of the same weight, the one in the row of the
    // lesser end.
    Offset place_of(const Edge<Key, Index>& edge) const {
        const Index* const end = indices_ + indptr_[edge.low + 1];
        const Index* const at = std::lower_bound(indices_ + indptr_[edge.low], end, edge.high);
        const auto k = static_cast<Offset>(at - indices_);
        if (at != end && *at == edge.high && key_of(values_[k * stride_]) == edge.key) return k;
        return static_cast<Offset>(std::lower_bound(indices_ + indptr_[edge.high],
                                                    indices_ + indptr_[edge.high + 1], edge.low) -
                                   indices_);
    }

  private:
    // Than which none is heavier: there is no such vertex.
    static constexpr Edge<Key, Index> kHeaviest{std::numeric_limits<Key>::max(),
                                                std::numeric_limits<Index>::max(),
                                                std::numeric_limits<Index>::max()};

    Edge<Key, Index> edge_at(Index row, Offset k) const {
        const Index column = indices_[k];
        return {key_of(values_[k * stride_]), std::min(row, column), std::max(row, column)};
    }

    // The heaviest edge of the light ones.
    Edge<Key, Index> light() const {
        const auto entries = static_cast<std::int64_t>(indptr_[n_]);
        const std::int64_t wanted = kLight * n_;
        if (entries <= 2 * wanted) return kHeaviest;
        std::mt19937_64 random;
        std::vector<Edge<Key, Index>> sample(kSamples);
        for (auto& edge : sample) {
            const auto k = static_cast<Offset>(random() % static_cast<std::uint64_t>(entries));
            const Offset* next = std::upper_bound(indptr_, indptr_ + n_, k);
            edge = edge_at(static_cast<Index>(next - indptr_ - 1), k);
        }
        const auto nth = sample.begin() + kSamples * wanted / entries;
        std::nth_element(sample.begin(), nth, sample.end());
        return *nth;
    }

    // Rounds over the edges that are wanted.
    template <class Wanted>
    void collect(Wanted&& wanted) {
        std::vector<typename Rounds::Blocks> found(team_.workers());
        team_.for_chunks(n_, kGrain, [&](std::int64_t begin, std::int64_t end, int worker) {
            interrupt_.strips(begin, end, kRowsPerStrip, worker,
                              [&](std::int64_t from, std::int64_t to) -> std::int64_t {
                                  add_rows(from, to, found[worker], wanted);
                                  return indptr_[to] - indptr_[from] + to - from;
                              });
        });
        typename Rounds::Blocks all;
        for (auto& blocks : found)
            for (auto& block : blocks) all.push_back(std::move(block));
        if (!is_nan_ && !out_of_memory_) rounds_.take(all);
    }

    template <class Wanted>
    void add_rows(std::int64_t from, std::int64_t to, typename Rounds::Blocks& blocks,
                  Wanted&& wanted) {
        bool nan = false;
        for (std::int64_t i = from; i < to; ++i) {
            const Index row = static_cast<Index>(i);
            for (Offset k = indptr_[i]; k < indptr_[i + 1];) {
                if (blocks.empty() || blocks.back()->size == Block::kCapacity) {
                    blocks.emplace_back(new (std::nothrow) Block);
                    if (blocks.back() == nullptr) {
                        blocks.pop_back();
                        out_of_memory_ = true;
                        return;
                    }
                }
                Block& block = *blocks.back();
                const Offset stop = static_cast<Offset>(
                    std::min<std::int64_t>(indptr_[i + 1], k + (Block::kCapacity - block.size)));
                // Stored in any case: whether it is wanted is hard to foretell.
                std::int64_t size = block.size;
                for (; k < stop; ++k) {
                    block.edges[size] = edge_at(row, k);
                    nan |= values_[k * stride_] != values_[k * stride_];
                    size += indices_[k] != row && wanted(block.edges[size]);
                }
                block.size = size;
            }
        }
        if (nan) is_nan_ = true;
    }

    const Offset* const indptr_;
    const Index* const indices_;
    const V* const values_;
    const std::int64_t stride_, n_;
    Rounds rounds_;
    Team& team_;
    Interrupt& interrupt_;
    std::atomic<bool> is_nan_{false}, out_of_memory_{false};
};

template <class Offset, class Index, class V>
std::int64_t minimum_spanning_forest(Array<const Offset> indptr, Array<const Index> indices,
                                     nb::ndarray<const V, nb::ndim<1>, nb::device::cpu> values,
                                     Array<Index> low, Array<Index> high, Array<V> weights,
                                     Array<Offset> places, int threads) {
    const auto n = static_cast<std::int64_t>(low.shape(0));
    std::int64_t size = 0;
    Interrupt interrupt;
    {
        Unlocked unlocked;
        Team team(threads);
        std::vector<Edge<KeyOf<V>, Index>> chosen(n);
        Forest<Offset, Index, V> forest(indptr.data(), indices.data(), values.data(),
                                        stride(values), n, chosen.data(), team, interrupt);
        size = forest.find();
        team.for_chunks(std::max<std::int64_t>(size, 0), kGrain,
                        [&](std::int64_t begin, std::int64_t end, int) {
                            for (std::int64_t i = begin; i < end; ++i) {
                                low.data()[i] = chosen[i].low;
                                high.data()[i] = chosen[i].high;
                                weights.data()[i] = value_of<V>(chosen[i].key);
                                places.data()[i] = forest.place_of(chosen[i]);
                            }
                        });
    }
    interrupt.check();
    return size;
}

template <class Offset, class Index, class V>
void bind_values(nb::module_& m) {
    m.def("minimum_spanning_forest", &minimum_spanning_forest<Offset, Index, V>,
          nb::arg("indptr").noconvert(), nb::arg("indices").noconvert(),
          nb::arg("values").noconvert(), nb::arg("low").noconvert(), nb::arg("high").noconvert(),
          nb::arg("weights").noconvert(), nb::arg("places").noconvert(), nb::arg("threads"));
}

template <class Offset, class Index>
void bind_as(nb::module_& m) {
    bind_values<Offset, Index, std::int32_t>(m);
    bind_values<Offset, Index, std::uint32_t>(m);
    bind_values<Offset, Index, float>(m);
    bind_values<Offset, Index, std::int64_t>(m);
    bind_values<Offset, Index, std::uint64_t>(m);
    bind_values<Offset, Index, double>(m);
}

}  // namespace
}  // namespace spbfs

void bind_minimum_spanning_forest(nb::module_& m) {
    spbfs::bind_as<std::int32_t, std::int32_t>(m);
    spbfs::bind_as<std::int64_t, std::int32_t>(m);
    spbfs::bind_as<std::int64_t, std::int64_t>(m);
}
