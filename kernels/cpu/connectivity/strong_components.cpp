// strong_components(): the least vertex of everybody's strong component, by one depth-first search.
//
// Pearce's form of Tarjan's algorithm, without recursion: one number a vertex, which is 0 before
// the search is there; the number it was entered with, counted from 1, while it is on the way; the
// least that it reaches, while it waits for that one to be done; and the component's number,
// counted down from n - 1, when it is.  Numbers of components that are done are given back to the
// count, so that each is greater than those on the way, and an edge to one of them changes nothing.
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
#include <memory>
#include <utility>

#include "cpu/matrices/given.h"
#include "cpu/threads/interrupt.h"

namespace nb = nanobind;

namespace spbfs {
namespace {

template <class T>
using Array = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// How far ahead of its use a neighbour's number is fetched.
constexpr int kAhead = 8;
// Neighbours of a short row.
constexpr int kFew = 4;

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
          // Memory that is not used is none.
          way_(std::make_unique_for_overwrite<Step[]>(static_cast<std::size_t>(n))),
          waiting_(std::make_unique_for_overwrite<Index[]>(static_cast<std::size_t>(n))),
          waits_(waiting_.get()),
          interrupt_(interrupt) {}

    // From a vertex that has no number.
    void search(Index start) {
        // Before it on the way are those that led to the one that is looked at.
        Step* end = way_.get();
        Step here = enter(start);
        for (;; ++steps_) {
            const Index next = advance(here);
            if (next >= 0) {
                *end++ = here;
                here = enter(next);
                continue;
            }
            leave(here);
            if (steps_ > kBetweenPolls && interrupt_.poll(0, std::exchange(steps_, 0))) return;
            if (end == way_.get()) return;
            const Index low = numbers_[here.vertex];
            here = *--end;
            here.low = std::min(here.low, low);
        }
    }

    // Components that are done.
    Index count(std::int64_t n) const { return static_cast<Index>(n - 1) - last_; }

  private:
    static constexpr std::int64_t kBetweenPolls = 1 << 12;

    // A vertex on the way, the number it was entered with, the least that it is known to reach, and
    // what is left of its row.
    struct Step {
        Index vertex, entered, low;
        Offset next, end;
    };

    Step enter(Index v) {
        const Offset begin = indptr_[v], end = indptr_[v + 1];
        numbers_[v] = ++count_;
        // Shorter rows are looked at before anything would be there.
        if (end - begin > kFew)
            for (Offset k = 0; k < std::min<Offset>(end - begin, kAhead); ++k)
                __builtin_prefetch(numbers_ + indices_[Backwards ? end - 1 - k : begin + k]);
        return {v, count_, count_, Backwards ? end - 1 : begin, Backwards ? begin - 1 : end};
    }

    // Looks at what is left of a row; the first vertex in it that is new, or -1.
    Index advance(Step& step) {
        constexpr Offset kStep = Backwards ? -1 : 1;
        Index low = step.low;
        for (Offset k = step.next; k != step.end; k += kStep) {
            if ((step.end - k) * kStep > kAhead)
                __builtin_prefetch(numbers_ + indices_[k + kStep * kAhead]);
            const Index next = indices_[k], number = numbers_[next];
            if (number == 0) {
                step.low = low;
                step.next = k + kStep;
                return next;
            }
            low = std::min(low, number);
        }
        step.low = low;
        return -1;
    }

    // A row is done: the vertex waits for one that it reaches, or its component is done, too.
    void leave(const Step& step) {
        numbers_[step.vertex] = step.low;
        if (step.low < step.entered) {
            *waits_++ = step.vertex;
            return;
        }
        numbers_[step.vertex] = last_;
        --count_;
        for (; waits_ > waiting_.get() && numbers_[waits_[-1]] >= step.entered; --count_)
            numbers_[*--waits_] = last_;
        --last_;
    }

    const Offset* const indptr_;
    const Index* const indices_;
    Index* const numbers_;
    Index count_ = 0, last_;
    const std::unique_ptr<Step[]> way_;
    // Left by the way, their components not done.
    const std::unique_ptr<Index[]> waiting_;
    Index* waits_;
    std::int64_t steps_ = 0;
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
bool sound(const Given<Offset, Index>& g) {
    if (!g.plausible()) return false;
    // Every row and every column, without a branch.
    bool falls = false;
    for (std::int64_t v = 0; v < g.n; ++v) falls |= g.indptr[v] > g.indptr[v + 1];
    if (falls) return false;
    using Unsigned = std::make_unsigned_t<Index>;
    Unsigned most = 0;
    for (std::int64_t k = 0; k < g.entries; ++k)
        most = std::max(most, static_cast<Unsigned>(g.indices[k]));
    return most < static_cast<Unsigned>(g.n);
}

template <class Offset, class Index, bool Backwards>
std::int64_t number_all(const Given<Offset, Index>& g, Index* numbers, Interrupt& interrupt) {
    std::fill_n(numbers, g.n, Index{0});
    Pearce<Offset, Index, Backwards> search(g.indptr, g.indices, g.n, numbers, interrupt);
    for (std::int64_t v = 0; v < g.n && !interrupt.stopped(); ++v)
        if (numbers[v] == 0) search.search(static_cast<Index>(v));
    const auto last = static_cast<Index>(g.n - 1);
    for (std::int64_t v = 0; v < g.n; ++v) numbers[v] = last - numbers[v];
    return search.count(g.n);
}

// How many components there are, `numbers` in the order in which the search is done with them;
// -1 where the arrays are no CSR.
template <class Offset, class Index>
std::int64_t strong_components_numbered(Array<const Offset> indptr, Array<const Index> indices,
                                        bool backwards, Array<Index> numbers) {
    const auto given = Given<Offset, Index>::of(indptr.data(), indices.data(),
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
