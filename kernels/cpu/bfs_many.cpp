// bfs_many(): breadth-first searches from many sources in one traversal, a bit a search.
//
// The caller owns every array and guarantees: square canonical CSR with indices in range; `in` the
// transpose (or the same arrays for a symmetric pattern); `seen`, the rows and every plane of
// `words` words (1, 2, 4, 8 or 16) a vertex, for a multiple of 64 vertices and more than there are;
// `progress` a struct Progress; at the first call the sources' bits in `seen` and `front`, their
// vertices in `list` and in the bitmap of `front`, zero everywhere else, and in `open` the vertices
// that an edge enters; planes for every level up to `last`, with anything in those that have no
// level yet, or none where levels are not to be kept; `sizes` a row of 64 * words with the vertices
// that each search has in the frontier, then a row of zeros a level. Called again with the same
// arrays it goes on where it stopped.  When the searches have ended both frontiers, rows and
// bitmaps, are zero again.
//
// Then et al.: The more the merrier: efficient multi-source graph traversal (VLDB 2014); Liu,
// Huang, Hu: iBFS: concurrent breadth-first search on GPUs (SIGMOD 2016).
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <optional>
#include <vector>

#include "cpu/bfs_many_levels.h"
#include "cpu/bfs_many_search.h"
#include "cpu/words.h"

namespace nb = nanobind;

namespace spbfs::many {
namespace {

template <class T>
using Array = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Planes = std::vector<Array<Word>>;

// Vertices a chunk of what is done once for each.
constexpr std::int64_t kVertices = 1 << 14;

// The rows before this one have all entries.
template <class Offset>
std::int64_t rows_entered(const Offset* indptr, std::int64_t n) {
    return std::lower_bound(indptr, indptr + n, indptr[n]) - indptr;
}

template <class Offset, class Index>
void bfs_many(Array<const Offset> indptr, Array<const Index> indices, Array<const Offset> in_indptr,
              Array<const Index> in_indices, Array<Word> seen, Array<Word> rows0,
              Array<Word> active0, Array<Word> rows1, Array<Word> active1, Array<Word> open,
              Array<Index> lists, const Planes& planes, std::optional<Array<const Index>> hubs,
              std::optional<Array<const Index>> names, std::optional<Array<Index>> parents,
              Array<const std::int64_t> rows, std::optional<Array<std::int64_t>> level_sums,
              Array<std::int64_t> sizes, Array<std::int64_t> progress, std::int64_t last, int words,
              int direction, int without, int threads) {
    auto& p = *reinterpret_cast<Progress*>(progress.data());
    Options options;
    options.direction = static_cast<Direction>(direction);
    // Bits of `without`, in the order of the launcher's TECHNIQUES.
    options.early = !(without & 1);
    options.narrow = !(without & 2);
    options.queue = !(without & 4);
    options.ranges = !(without & 8);
    options.threads = threads;
    Interrupt interrupt;
    with_words(words, [&]<int W>() {
        State<W, Offset, Index> s;
        s.n = static_cast<std::int64_t>(indptr.shape(0)) - 1;
        s.out = {indptr.data(), indices.data()};
        s.in = {in_indptr.data(), in_indices.data()};
        s.entered = rows_entered(in_indptr.data(), s.n);
        s.seen = seen.data();
        s.front = {rows0.data(), active0.data()};
        s.next = {rows1.data(), active1.data()};
        s.list = lists.data();
        s.next_list = lists.data() + s.n;
        if (p.swapped) {
            std::swap(s.front, s.next);
            std::swap(s.list, s.next_list);
        }
        s.open = open.data();
        s.hubs = hubs ? hubs->data() : nullptr;
        s.names = names ? names->data() : nullptr;
        s.rows = rows.data();
        s.parents = parents ? parents->data() : nullptr;
        s.level_sums = level_sums ? level_sums->data() : nullptr;
        s.look = !(without & 16);
        s.planed = !planes.empty();
        for (std::size_t b = 0; b < planes.size(); ++b) s.planes[b] = planes[b].data();
        s.interrupt = &interrupt;
        s.alive = p.alive;
        nb::gil_scoped_release unlocked;
        Search<W, Offset, Index>(s, options, p).run(last, sizes.data());
    });
    interrupt.check();
}

// Sets rows of bits to zero.
void clear(const Planes& arrays, int threads) {
    nb::gil_scoped_release unlocked;
    constexpr std::int64_t kGrain = 1 << 16;
    Team team(threads);
    for (const Array<Word>& array : arrays)
        team.for_chunks(static_cast<std::int64_t>(array.shape(0)), kGrain,
                        [&](std::int64_t begin, std::int64_t end, int) {
                            std::fill(array.data() + begin, array.data() + end, Word{0});
                        });
}

template <class T, class Index>
void levels(std::int64_t n, std::int64_t entered, Array<const Word> seen, const Planes& planes,
            int words, std::optional<Array<const Index>> rank, Array<const std::int64_t> rows,
            Array<T> out, int threads) {
    Reached<Index> r;
    r.n = n;
    r.searches = static_cast<std::int64_t>(rows.shape(0));
    r.entered = entered;
    r.words = words;
    r.nplanes = static_cast<int>(planes.size());
    r.seen = seen.data();
    const Word* bits[kMostPlanes];
    for (std::size_t b = 0; b < planes.size(); ++b) bits[b] = planes[b].data();
    r.planes = bits;
    r.rank = rank ? rank->data() : nullptr;
    r.rows = rows.data();
    nb::gil_scoped_release unlocked;
    constexpr std::int64_t kGrain = 1 << 13;
    parallel_for(threads, r.n, kGrain, [&](std::int64_t begin, std::int64_t end, int) {
        write_levels(r, begin, end, out.data());
    });
}

// The entries in the rows of what was reached, summed over searches; rows of bits are in the order
// of the graph's.
template <class Offset>
std::int64_t entries(Array<const Offset> indptr, Array<const Word> seen, int words, int threads) {
    const std::int64_t n = static_cast<std::int64_t>(indptr.shape(0)) - 1;
    std::atomic<std::int64_t> sum{0};
    nb::gil_scoped_release unlocked;
    parallel_for(threads, n, kVertices, [&](std::int64_t begin, std::int64_t end, int) {
        sum.fetch_add(count_entries(indptr.data(), seen.data(), words, begin, end),
                      std::memory_order_relaxed);
    });
    return sum.load();
}

// Adds to every vertex the number of searches that reached it.
template <class Index>
void counts(Array<const Word> seen, int words, std::optional<Array<const Index>> rank,
            Array<std::int64_t> out, int threads) {
    nb::gil_scoped_release unlocked;
    parallel_for(threads, static_cast<std::int64_t>(out.shape(0)), kVertices,
                 [&](std::int64_t begin, std::int64_t end, int) {
                     for (std::int64_t v = begin; v < end; ++v) {
                         const std::int64_t row = rank ? rank->data()[v] : v;
                         out.data()[v] += count_bits(seen.data() + row * words, words);
                     }
                 });
}

template <class Offset, class Index>
void bind_as(nb::module_& m) {
    m.def("bfs_many", &bfs_many<Offset, Index>, nb::arg("indptr").noconvert(),
          nb::arg("indices").noconvert(), nb::arg("in_indptr").noconvert(),
          nb::arg("in_indices").noconvert(), nb::arg("seen").noconvert(),
          nb::arg("rows0").noconvert(), nb::arg("active0").noconvert(),
          nb::arg("rows1").noconvert(), nb::arg("active1").noconvert(), nb::arg("open").noconvert(),
          nb::arg("lists").noconvert(), nb::arg("planes").noconvert(),
          nb::arg("hubs").none().noconvert(), nb::arg("names").none().noconvert(),
          nb::arg("parents").none().noconvert(), nb::arg("rows").noconvert(),
          nb::arg("level_sums").none().noconvert(), nb::arg("sizes").noconvert(),
          nb::arg("progress").noconvert(), nb::arg("last"), nb::arg("words"), nb::arg("direction"),
          nb::arg("without"), nb::arg("threads"));
}

template <class T, class Index>
void bind_levels(nb::module_& m) {
    m.def("bfs_many_levels", &levels<T, Index>, nb::arg("n"), nb::arg("entered"),
          nb::arg("seen").noconvert(), nb::arg("planes").noconvert(), nb::arg("words"),
          nb::arg("rank").none().noconvert(), nb::arg("rows").noconvert(),
          nb::arg("out").noconvert(), nb::arg("threads"));
}

template <class Offset>
void bind_entries(nb::module_& m) {
    m.def("bfs_many_entries", &entries<Offset>, nb::arg("indptr").noconvert(),
          nb::arg("seen").noconvert(), nb::arg("words"), nb::arg("threads"));
}

template <class Index>
void bind_counts(nb::module_& m) {
    m.def("bfs_many_counts", &counts<Index>, nb::arg("seen").noconvert(), nb::arg("words"),
          nb::arg("rank").none().noconvert(), nb::arg("out").noconvert(), nb::arg("threads"));
}

template <class T>
void bind_levels(nb::module_& m) {
    bind_levels<T, std::int32_t>(m);
    bind_levels<T, std::int64_t>(m);
}

}  // namespace
}  // namespace spbfs::many

void bind_bfs_many(nb::module_& m) {
    m.def("bfs_many_clear", &spbfs::many::clear, nb::arg("arrays").noconvert(), nb::arg("threads"));
    spbfs::many::bind_as<std::int32_t, std::int32_t>(m);
    spbfs::many::bind_as<std::int64_t, std::int32_t>(m);
    spbfs::many::bind_as<std::int64_t, std::int64_t>(m);
    spbfs::many::bind_entries<std::int32_t>(m);
    spbfs::many::bind_entries<std::int64_t>(m);
    spbfs::many::bind_counts<std::int32_t>(m);
    spbfs::many::bind_counts<std::int64_t>(m);
    spbfs::many::bind_levels<std::uint8_t>(m);
    spbfs::many::bind_levels<std::uint16_t>(m);
    spbfs::many::bind_levels<std::uint32_t>(m);
}
