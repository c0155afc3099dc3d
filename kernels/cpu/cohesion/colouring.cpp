// colouring(): every vertex gets the least colour that no neighbour before it in the order has.
//
// The caller guarantees a square CSR with a symmetric pattern and indices in range, loops allowed;
// `order` all vertices; `state` n elements.  Result: in `state` the complement of every vertex's
// colour.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "common/bits.h"
#include "cpu/cohesion/in_order.h"

namespace nb = nanobind;

namespace spbfs {
namespace {

template <class T>
using Array = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// The colours of a vertex's neighbours.
class Palette {
  public:
    // Of d neighbours d colours at most are in the way of the least.
    void clear(std::int64_t neighbours) {
        size_ = words_for(neighbours + 1);
        if (static_cast<std::int64_t>(words_.size()) < size_)
            words_.resize(static_cast<std::size_t>(size_));
        std::fill_n(words_.data(), size_, Word{0});
    }
    void take(std::int64_t colour) {
        if (colour < size_ * kWordBits) set_bit(words_.data(), colour);
    }
    std::int64_t least_free() const {
        std::int64_t w = 0;
        while (~words_[w] == 0) ++w;
        return w * kWordBits + std::countr_one(words_[w]);
    }

  private:
    std::vector<Word> words_;
    std::int64_t size_ = 0;
};

// A vertex's state is written once, by the thread that has it.
template <class Offset, class Index>
void colouring(Array<const Offset> indptr_array, Array<const Index> indices_array,
               Array<const Index> order, Array<Index> states, int threads) {
    const Offset* const indptr = indptr_array.data();
    const Index* const indices = indices_array.data();
    Index* const state = states.data();
    const auto n = static_cast<std::int64_t>(order.shape(0));
    Interrupt interrupt;
    {
        Unlocked unlocked;
        Team team(threads);
        std::vector<Palette> palettes(static_cast<std::size_t>(team.workers()));
        places_in(order.data(), n, state, team);
        in_order(indptr, indices, order.data(), n, team, interrupt, [&](Index v, int worker) {
            Palette& taken = palettes[static_cast<std::size_t>(worker)];
            taken.clear(indptr[v + 1] - indptr[v]);
            const Index place = peek(state[v]);
            for (Offset k = indptr[v]; k < indptr[v + 1]; ++k) {
                const Index other = peek(state[indices[k]]);
                if (other >= place) continue;
                if (other >= 0) return false;
                taken.take(~other);
            }
            post(state[v], static_cast<Index>(~taken.least_free()));
            return true;
        });
    }
    interrupt.check();
}

template <class Offset, class Index>
void bind_as(nb::module_& m) {
    m.def("colouring", &colouring<Offset, Index>, nb::arg("indptr").noconvert(),
          nb::arg("indices").noconvert(), nb::arg("order").noconvert(),
          nb::arg("state").noconvert(), nb::arg("threads"));
}

}  // namespace
}  // namespace spbfs

void bind_colouring(nb::module_& m) {
    spbfs::bind_as<std::int32_t, std::int32_t>(m);
    spbfs::bind_as<std::int64_t, std::int32_t>(m);
    spbfs::bind_as<std::int64_t, std::int64_t>(m);
}
