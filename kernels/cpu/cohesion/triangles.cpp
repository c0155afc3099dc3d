// triangles(): how many triangles every vertex is a corner of, by rows as they are, or with
// vertices numbered by degree (triangles_by_degree.h).
//
// The caller guarantees a square CSR with a symmetric pattern, columns rising and in range, loops
// allowed; `counts` n zeros.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <atomic>
#include <cstdint>
#include <vector>

#include "cpu/cohesion/triangles_by_degree.h"
#include "cpu/memory/fetch.h"
#include "cpu/threads/interrupt.h"
#include "cpu/threads/parallel.h"

namespace nb = nanobind;

namespace spbfs {
namespace {

template <class T>
using Array = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// A triangle i > j > k is found in row i, whose entries before i are intersected with those of row
// j before j.
//
// Rows are only read.  Counts are shared and only added to, atomically; what each is added up to is
// read after the last loop has ended.  Marks are a worker's own.
template <class Offset, class Index>
class Triangles {
  public:
    Triangles(const Offset* indptr, const Index* indices, std::int64_t n, std::int64_t* counts,
              int threads)
        : indptr_(indptr),
          indices_(indices),
          n_(n),
          counts_(counts),
          team_(threads),
          marks_(team_.workers()) {}

    void run(Interrupt& interrupt) {
        team_.for_chunks(n_, kRows, [&](std::int64_t i, std::int64_t end, int worker) {
            std::int64_t work = 0;
            interrupt.advance(end - i, indptr_[end] - indptr_[i]);
            for (; i < end && !interrupt.stopped(); ++i) {
                fetch_ahead(i);
                const std::int64_t length = indptr_[i + 1] - indptr_[i];
                work += length <= kFew ? merge(i) : mark(i, marks_of(worker));
            }
            interrupt.poll(worker, work + kRows);
        });
    }

  private:
    static constexpr std::int64_t kRows = 1024;
    // Up to so many entries are merged with others; more are marked, and others looked up.
    static constexpr std::int64_t kFew = 8;
    // Rows from here to the one whose neighbours' rows are fetched, and to where they begin.
    static constexpr std::int64_t kRowAhead = 4, kStartAhead = 8;

    // Made by who needs them: on a mesh nobody does.
    std::uint64_t* marks_of(int worker) {
        auto& marks = marks_[worker];
        if (marks.empty()) marks.resize(n_ / 64 + 1);
        return marks.data();
    }

    void add(std::int64_t v, std::int64_t found) {
        std::atomic_ref<std::int64_t>(counts_[v]).fetch_add(found, std::memory_order_relaxed);
    }
    const Index* begin(std::int64_t v) const { return indices_ + indptr_[v]; }

    // Neighbours of short rows are mostly near, and in the cache.
    SPBFS_FETCHES void fetch_ahead(std::int64_t i) const {
        if (i + kStartAhead >= n_) return;
        const std::int64_t next = i + kRowAhead, later = i + kStartAhead;
        if (const Index *j = begin(later), *end = begin(later + 1); end - j > kFew)
            for (; j < end && *j < later; ++j) __builtin_prefetch(indptr_ + *j);
        if (const Index *j = begin(next), *end = begin(next + 1); end - j > kFew)
            for (; j < end && *j < next; ++j) __builtin_prefetch(begin(*j));
    }

    // f(k) for the neighbours of j before j, as long as it returns true.
    template <class F>
    std::int64_t earlier(Index j, F&& f) {
        const Index* const row = begin(j);
        const Index* const row_end = begin(j + 1);
        const Index* k = row;
        for (; k < row_end && *k < j && f(*k); ++k) {
        }
        return k - row;
    }

    std::int64_t merge(std::int64_t i) {
        const Index* const row = begin(i);
        const std::int64_t length = begin(i + 1) - row;
        std::int64_t found = 0, work = 0;
        for (std::int64_t a = 1; a < length && row[a] < i; ++a) {
            std::int64_t b = 0, here = 0;
            work += earlier(row[a], [&](Index k) {
                while (b < a && row[b] < k) ++b;
                if (b < a && row[b] == k) {
                    add(k, 1);
                    ++here;
                }
                return b < a;
            });
            if (here != 0) add(row[a], here);
            found += here;
        }
        if (found != 0) add(i, found);
        return work;
    }

    std::int64_t mark(std::int64_t i, std::uint64_t* marks) {
        const Index* const row = begin(i);
        const Index* const row_end = begin(i + 1);
        std::int64_t found = 0, work = 0;
        for (const Index* j = row; j < row_end && *j < i; ++j) set_bit(marks, *j);
        // No neighbour comes before the first.
        for (const Index* j = row + 1; j < row_end && *j < i; ++j) {
            std::int64_t here = 0;
            work += earlier(*j, [&](Index k) {
                if (has_bit(marks, k)) {
                    add(k, 1);
                    ++here;
                }
                return true;
            });
            if (here != 0) add(*j, here);
            found += here;
        }
        if (found != 0) add(i, found);
        for (const Index* j = row; j < row_end && *j < i; ++j) marks[*j >> 6] = 0;
        return work;
    }

    const Offset* const indptr_;
    const Index* const indices_;
    const std::int64_t n_;
    std::int64_t* const counts_;
    Team team_;
    std::vector<std::vector<std::uint64_t>> marks_;
};

// `told` is called with rows that were begun and their entries now and then, or is None.
template <class Offset, class Index>
void triangles(Array<const Offset> indptr, Array<const Index> indices, Array<std::int64_t> counts,
               int threads, nb::object told) {
    Interrupt interrupt(told);
    {
        Unlocked unlocked;
        const auto n = static_cast<std::int64_t>(counts.shape(0));
        Triangles<Offset, Index>(indptr.data(), indices.data(), n, counts.data(), threads)
            .run(interrupt);
    }
    interrupt.check();
}

// With `partial` n zeros for every thread.
template <class Offset, class Index>
void triangles_by_degree(Array<const Offset> indptr, Array<const Index> indices,
                         Array<std::int64_t> counts, Array<std::int64_t> partial, std::int64_t core,
                         int threads, nb::object told) {
    Interrupt interrupt(told);
    {
        Unlocked unlocked;
        const auto n = static_cast<std::int64_t>(counts.shape(0));
        TrianglesByDegree<Offset, Index>(indptr.data(), indices.data(), n, core, partial.data(),
                                         threads)
            .run(counts.data(), interrupt);
    }
    interrupt.check();
}

// The sum of the degrees' squares.
template <class Offset, class Index>
double squared_degrees(Array<const Offset> indptr, Array<const Index>, int threads) {
    const Offset* const begins = indptr.data();
    std::atomic<std::uint64_t> sum{0};
    const auto n = static_cast<std::int64_t>(indptr.shape(0)) - 1;
    parallel_for(threads, n, 1 << 16, [&](std::int64_t v, std::int64_t end, int) {
        std::uint64_t some = 0;
        for (; v < end; ++v) {
            const auto degree = static_cast<std::uint64_t>(begins[v + 1] - begins[v]);
            some += degree * degree;
        }
        sum.fetch_add(some, std::memory_order_relaxed);
    });
    return static_cast<double>(sum.load());
}

template <class Offset, class Index>
void bind_as(nb::module_& m) {
    const auto indptr = nb::arg("indptr").noconvert(), indices = nb::arg("indices").noconvert();
    m.def("triangles", &triangles<Offset, Index>, indptr, indices, nb::arg("counts").noconvert(),
          nb::arg("threads"), nb::arg("told").none());
    m.def("triangles_by_degree", &triangles_by_degree<Offset, Index>, indptr, indices,
          nb::arg("counts").noconvert(), nb::arg("partial").noconvert(), nb::arg("core"),
          nb::arg("threads"), nb::arg("told").none());
    m.def("squared_degrees", &squared_degrees<Offset, Index>, indptr, indices, nb::arg("threads"));
}

}  // namespace
}  // namespace spbfs

void bind_triangles(nb::module_& m) {
    spbfs::bind_as<std::int32_t, std::int32_t>(m);
    spbfs::bind_as<std::int64_t, std::int32_t>(m);
    spbfs::bind_as<std::int64_t, std::int64_t>(m);
}
