// maximal_independent_set(): the vertices that a greedy algorithm chooses that takes them in the
// given order and chooses those of which it has chosen no neighbour.
//
// The caller guarantees a square CSR with a symmetric pattern and indices in range, loops allowed;
// `order` all vertices; `state` n elements.  Results: -1 for those chosen, n for the others.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>

#include "cpu/cohesion/in_order.h"

namespace nb = nanobind;

namespace spbfs {
namespace {

template <class T>
using Array = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// Of two neighbours the later one waits for the earlier, so that not both can be chosen at once. A
// vertex is marked as chosen by the thread that has it, all of its earlier neighbours being out;
// others mark it only as out, as neighbours of one chosen, and none of these can be: the earlier
// ones are out, and the later ones wait for it.
template <class Offset, class Index>
void maximal_independent_set(Array<const Offset> indptr_array, Array<const Index> indices_array,
                             Array<const Index> order, Array<Index> states, int threads) {
    const Offset* const indptr = indptr_array.data();
    const Index* const indices = indices_array.data();
    Index* const state = states.data();
    const auto n = static_cast<std::int64_t>(order.shape(0));
    const Index out = static_cast<Index>(n);
    constexpr Index kChosen = -1;
    Interrupt interrupt;
    {
        Unlocked unlocked;
        Team team(threads);
        places_in(order.data(), n, state, team);
        in_order(indptr, indices, order.data(), n, team, interrupt, [&](Index v, int) {
            const Index place = peek(state[v]);
            if (place == out) return true;
            for (Offset k = indptr[v]; k < indptr[v + 1]; ++k) {
                const Index other = peek(state[indices[k]]);
                if (other >= place) continue;
                if (other == kChosen) post(state[v], out);
                return other == kChosen;
            }
            post(state[v], kChosen);
            for (Offset k = indptr[v]; k < indptr[v + 1]; ++k)
                if (Index& other = state[indices[k]]; indices[k] != v && peek(other) != out)
                    post(other, out);
            return true;
        });
    }
    interrupt.check();
}

template <class Offset, class Index>
void bind_as(nb::module_& m) {
    m.def("maximal_independent_set", &maximal_independent_set<Offset, Index>,
          nb::arg("indptr").noconvert(), nb::arg("indices").noconvert(),
          nb::arg("order").noconvert(), nb::arg("state").noconvert(), nb::arg("threads"));
}

}  // namespace
}  // namespace spbfs

void bind_maximal_independent_set(nb::module_& m) {
    spbfs::bind_as<std::int32_t, std::int32_t>(m);
    spbfs::bind_as<std::int64_t, std::int32_t>(m);
    spbfs::bind_as<std::int64_t, std::int64_t>(m);
}
