// strong_components(): the least vertex of everybody's strong component, by one depth-first search.
//
// Pearce's form of Tarjan's algorithm, without recursion: one number a vertex, which is 0 before
// the search is there; the least number that is known to be reached, counted from 1 in the order of
// entering, while it is on its way; and the component's number, counted down from n - 1, when it is
// done.  Numbers of components that are done are given back to the count, so that each is greater
// than those on the way, and an edge to one of them changes nothing.
//
// strong_components() has a square CSR with indices in range; strong_components_numbered() has
// arrays that nobody checked, each row of which is looked at before it is followed.  `numbers`,
// `least` and `labels` have n entries.
//
// Pearce: A space-efficient algorithm for finding strongly connected components (2016).
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cpu/bfs_queue.h"
#include "cpu/interrupt.h"

namespace nb = nanobind;

namespace spbfs {
namespace {

template <class T>
using Array = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// How far ahead of its use a neighbour's number is fetched.
constexpr int kAhead = 8;

// `Backwards`: a row's last neighbour is visited first.
template <class Offset, class Index, bool Backwards = false>
class Pearce {
  public:
    Pearce(const Offset* indptr, const Index* indices, std::int64_t n, Index* numbers,
           Interrupt& interrupt)
        : indptr_(indptr),
          indices_(indices),
          numbers_(numbers),
          last_(static_cast<Index>(n - 1)),
          interrupt_(interrupt) {
        // Memory that is not used is none.
        way_.reserve(static_cast<std::size_t>(n));
    }

    // From a vertex that has no number.
    void search(Index start) {
        enter(start);
        while (!way_.empty()) {
            if (interrupt_.poll(0, 1)) return;
            if (advance()) continue;
            const Step done = way_.back();
            way_.pop_back();
            if (numbers_[done.vertex] == done.entered)
                close(done);
            else
                waiting_.push_back(done.vertex);
        }
    }

  private:
    // A vertex on the way, the number it was entered with, and the place in its row to go on at.
    struct Step {
        Index vertex, entered;
        Offset next;
    };

    void enter(Index v) {
        const Offset begin = indptr_[v], end = indptr_[v + 1];
        numbers_[v] = ++count_;
        way_.push_back({v, count_, 0});
        for (Offset k = 0; k < std::min<Offset>(end - begin, kAhead); ++k)
            __builtin_prefetch(numbers_ + indices_[Backwards ? end - 1 - k : begin + k]);
    }

    // Looks at edges of the last vertex on the way; whether one led on to a new vertex.
    bool advance() {
        Step& step = way_.back();
        const Offset begin = indptr_[step.vertex], size = indptr_[step.vertex + 1] - begin;
        const Index* const first = indices_ + (Backwards ? begin + size - 1 : begin);
        constexpr std::ptrdiff_t kStep = Backwards ? -1 : 1;
        Index low = numbers_[step.vertex];
        for (Offset k = step.next; k < size; ++k) {
            if (k + kAhead < size) __builtin_prefetch(numbers_ + first[kStep * (k + kAhead)]);
            const Index next = first[kStep * k], number = numbers_[next];
            if (number == 0) {
                numbers_[step.vertex] = low;
                step.next = k;  // to be looked at again, when what it reaches is known
                enter(next);
                return true;
            }
            low = std::min(low, number);
        }
        numbers_[step.vertex] = low;
        return false;
    }

    // The component of a vertex that reaches none that was entered before it.
    void close(const Step& root) {
        numbers_[root.vertex] = last_;
        --count_;
        while (!waiting_.empty() && numbers_[waiting_.back()] >= root.entered) {
            numbers_[waiting_.back()] = last_;
            waiting_.pop_back();
            --count_;
        }
        --last_;
    }

    const Offset* const indptr_;
    const Index* const indices_;
    Index* const numbers_;
    Index count_ = 0, last_;
    std::vector<Step> way_;
    // Left by the way, their components not done.
    std::vector<Index> waiting_;
    Interrupt& interrupt_;
};

template <class Offset, class Index>
void strong_components(Array<const Offset> indptr, Array<const Index> indices, Array<Index> numbers,
                       Array<Index> least, Array<std::int64_t> labels) {
    const auto n = static_cast<std::int64_t>(labels.shape(0));
    Interrupt interrupt;
    {
        Unlocked unlocked;
        std::fill_n(numbers.data(), n, Index{0});
        Pearce<Offset, Index> search(indptr.data(), indices.data(), n, numbers.data(), interrupt);
        for (std::int64_t v = 0; v < n && !interrupt.stopped(); ++v)
            if (numbers.data()[v] == 0) search.search(static_cast<Index>(v));
        std::fill_n(least.data(), n, Index{-1});
        for (std::int64_t v = 0; v < n && !interrupt.stopped(); ++v) {
            Index& first = least.data()[numbers.data()[v]];
            if (first < 0) first = static_cast<Index>(v);
            labels.data()[v] = first;
        }
    }
    interrupt.check();
}

// Whether offsets and columns are those of a CSR.
template <class Offset, class Index>
bool sound(const bfs::Given<Offset, Index>& g) {
    if (!g.plausible()) return false;
    for (std::int64_t v = 0; v < g.n; ++v)
        if (!g.valid_row(v)) return false;
    using Unsigned = std::make_unsigned_t<Index>;
    Unsigned most = 0;
    for (std::int64_t k = 0; k < g.entries; ++k)
        most = std::max(most, static_cast<Unsigned>(g.indices[k]));
    return most < static_cast<Unsigned>(g.n);
}

template <class Offset, class Index, bool Backwards>
std::int64_t number_all(const bfs::Given<Offset, Index>& g, Index* numbers, Interrupt& interrupt) {
    std::fill_n(numbers, g.n, Index{0});
    Pearce<Offset, Index, Backwards> search(g.indptr, g.indices, g.n, numbers, interrupt);
    for (std::int64_t v = 0; v < g.n && !interrupt.stopped(); ++v)
        if (numbers[v] == 0) search.search(static_cast<Index>(v));
    Index most = 0;
    const auto last = static_cast<Index>(g.n - 1);
    for (std::int64_t v = 0; v < g.n; ++v) most = std::max(most, numbers[v] = last - numbers[v]);
    return most + std::int64_t{1};
}

// How many components there are, `numbers` in the order in which the search is done with them;
// -1 where the arrays are no CSR.
template <class Offset, class Index>
std::int64_t strong_components_numbered(Array<const Offset> indptr, Array<const Index> indices,
                                        bool backwards, Array<Index> numbers) {
    const auto given = bfs::Given<Offset, Index>::of(indptr.data(), indices.data(),
                                                     static_cast<std::int64_t>(numbers.shape(0)),
                                                     static_cast<std::int64_t>(indices.shape(0)));
    std::int64_t count = -1;
    Interrupt interrupt;
    {
        Unlocked unlocked;
        if (sound(given))
            count = backwards ? number_all<Offset, Index, true>(given, numbers.data(), interrupt)
                              : number_all<Offset, Index, false>(given, numbers.data(), interrupt);
    }
    interrupt.check();
    return count;
}

template <class Offset, class Index>
void bind_as(nb::module_& m) {
    m.def("strong_components_numbered", &strong_components_numbered<Offset, Index>,
          nb::arg("indptr").noconvert(), nb::arg("indices").noconvert(), nb::arg("backwards"),
          nb::arg("numbers").noconvert());
    m.def("strong_components", &strong_components<Offset, Index>, nb::arg("indptr").noconvert(),
          nb::arg("indices").noconvert(), nb::arg("numbers").noconvert(),
          nb::arg("least").noconvert(), nb::arg("labels").noconvert());
}

}  // namespace
}  // namespace spbfs

void bind_strong_components(nb::module_& m) {
    spbfs::bind_as<std::int32_t, std::int32_t>(m);
    spbfs::bind_as<std::int64_t, std::int32_t>(m);
    spbfs::bind_as<std::int64_t, std::int64_t>(m);
}
