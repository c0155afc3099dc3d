// bfs_listed(): one search of what reaches little, whose results are lists; bfs_many_listed():
// such a search from every one of many sources, a thread each.
//
// bfs_listed.h says what the caller guarantees.
#include "cpu/bfs/bfs_listed.h"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>

#include <memory>
#include <numeric>
#include <vector>

#include "cpu/python/owned.h"
#include "cpu/threads/interrupt.h"
#include "cpu/threads/parallel.h"

namespace nb = nanobind;

namespace spbfs::bfs {
namespace {

template <class T>
using Array = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T>
std::unique_ptr<T[]> room_for(std::int64_t size) {
    return std::make_unique_for_overwrite<T[]>(static_cast<std::size_t>(size));
}

// -- one search --------------------------------------------------------------------------------
// What was found by rising vertex, with levels, and where asked for parents and owners; None
// where the search gave up, or met a row that is not canonical where nobody has checked that.
template <class Offset, class Index>
nb::object bfs_listed(Array<const Offset> indptr, Array<const Index> indices,
                      Array<const Index> sources, Array<Word> marks, std::int64_t max_depth,
                      std::int64_t target, std::int64_t most_edges, bool parents, bool checked) {
    ListedOptions<Offset, Index> options{max_depth, target, most_edges, parents, parents};
    if (!checked) {
        options.unchecked = Given<Offset, Index>::of(indptr.data(), indices.data(),
                                                     static_cast<std::int64_t>(indptr.shape(0)) - 1,
                                                     static_cast<std::int64_t>(indices.shape(0)));
        if (!options.unchecked->plausible()) return nb::none();
    }
    ListedSearch<Offset, Index> search({indptr.data(), indices.data()}, marks.data());
    if (!search.run(sources.data(), static_cast<std::int64_t>(sources.shape(0)), options))
        return nb::none();
    const std::int64_t size = search.size();
    std::vector<std::int64_t> order(static_cast<std::size_t>(size));
    std::iota(order.begin(), order.end(), std::int64_t{0});
    const Index* found = search.vertices();
    std::sort(order.begin(), order.end(),
              [&](std::int64_t a, std::int64_t b) { return found[a] < found[b]; });
    const auto& levels = search.levels();
    auto level_of = room_for<Index>(size);
    for (std::size_t d = 0; d + 1 < levels.size(); ++d)
        std::fill(&level_of[levels[d]], &level_of[levels[d + 1]], static_cast<Index>(d));
    auto ordered = [&]<class To, class From>(To, const From* from) {
        auto made = room_for<To>(size);
        for (std::int64_t i = 0; i < size; ++i) made[i] = from[order[i]];
        return owned(std::move(made), static_cast<std::size_t>(size));
    };
    return nb::make_tuple(ordered(std::int64_t{}, found), ordered(Index{}, level_of.get()),
                          parents ? ordered(Index{}, search.parents()) : nb::none(),
                          parents ? ordered(Index{}, search.owners()) : nb::none(),
                          static_cast<std::int64_t>(levels.size()) - 2, search.edges());
}

// -- many --------------------------------------------------------------------------------------
// Searches that a thread takes at a time, and whose lists are kept together.
constexpr std::int64_t kSearchesPerPiece = 64;

// Numbers of every search; `reached` is kGaveUp where it would have looked at too much, and
// kNotBegun where there were rows enough before.
constexpr std::int64_t kGaveUp = -1, kNotBegun = -2;
struct Numbers {
    std::int64_t *reached, *sum_levels, *depth, *edges;
};

template <class Index>
struct Piece {
    std::vector<Index> vertices, parents;
    std::vector<std::int32_t> hops;
};

template <class Offset, class Index>
void take(const ListedSearch<Offset, Index>& search, std::int64_t i, const Numbers& to) {
    const auto& levels = search.levels();
    const auto depth = static_cast<std::int64_t>(levels.size()) - 2;
    to.reached[i] = search.size();
    to.depth[i] = depth;
    to.edges[i] = search.edges();
    to.sum_levels[i] = 0;
    for (std::int64_t d = 1; d <= depth; ++d) to.sum_levels[i] += d * (levels[d + 1] - levels[d]);
}

// A search of one hop or none, of which only numbers are wanted: its row says them, whatever its
// length.
template <class Offset, class Index>
void count_row(const Graph<Offset, Index>& out, Index u, std::int64_t max_depth, std::int64_t i,
               const Numbers& to) {
    std::int64_t others = 0, edges = out.degree(u);
    if (max_depth > 0)
        for (Offset k = out.indptr[u]; k < out.indptr[u + 1]; ++k) {
            const Index v = out.indices[k];
            others += v != u;
            edges += v != u ? out.degree(v) : 0;
        }
    to.reached[i] = others + 1;
    to.sum_levels[i] = others;
    to.depth[i] = others > 0;
    to.edges[i] = edges;
}

template <class Offset, class Index>
void take(const ListedSearch<Offset, Index>& search, bool parents, Piece<Index>& to) {
    const auto& levels = search.levels();
    to.vertices.insert(to.vertices.end(), search.vertices(), search.vertices() + search.size());
    if (parents)
        to.parents.insert(to.parents.end(), search.parents(), search.parents() + search.size());
    for (std::size_t d = 0; d + 1 < levels.size(); ++d)
        to.hops.insert(to.hops.end(), levels[d + 1] - levels[d], static_cast<std::int32_t>(d));
}

// The pieces one after the other.
template <class T, class Pieces, class Of>
nb::object joined(const Pieces& pieces, Of&& of) {
    std::size_t size = 0;
    for (const auto& piece : pieces) size += of(piece).size();
    auto all = room_for<T>(static_cast<std::int64_t>(size));
    T* to = all.get();
    for (const auto& piece : pieces) to = std::copy(of(piece).begin(), of(piece).end(), to);
    return owned(std::move(all), size);
}

// Searches from sources[i], whose numbers are row i's.  Where lists are asked for they come as
// (vertices, hops, parents), one search's after the other's, and none begins when there are
// `most_rows` of them.
template <class Offset, class Index>
nb::object bfs_many_listed(Array<const Offset> indptr, Array<const Index> indices,
                           Array<const Index> sources, Array<Word> marks,
                           Array<std::int64_t> numbers, std::int64_t max_depth,
                           std::int64_t most_edges, bool lists, bool parents, bool sorted,
                           std::int64_t most_rows, int threads) {
    const Graph<Offset, Index> out{indptr.data(), indices.data()};
    const std::int64_t n = static_cast<std::int64_t>(indptr.shape(0)) - 1;
    const auto k = static_cast<std::int64_t>(sources.shape(0));
    const Numbers to{numbers.data(), numbers.data() + k, numbers.data() + 2 * k,
                     numbers.data() + 3 * k};
    const ListedOptions<Offset, Index> options{max_depth, -1, most_edges, parents, sorted};
    std::vector<Piece<Index>> pieces(
        static_cast<std::size_t>(lists ? (k + kSearchesPerPiece - 1) / kSearchesPerPiece : 0));
    std::atomic<std::int64_t> rows{0};
    Interrupt interrupt;
    {
        Unlocked unlocked;
        Team team(threads);
        std::vector<std::unique_ptr<ListedSearch<Offset, Index>>> searches;
        for (int w = 0; w < team.workers(); ++w)
            searches.push_back(std::make_unique<ListedSearch<Offset, Index>>(
                out, marks.data() + w * words_for(n)));
        team.for_chunks(k, kSearchesPerPiece, [&](std::int64_t i, std::int64_t end, int worker) {
            auto& search = *searches[worker];
            const std::int64_t begin = i;
            for (; i < end; ++i) {
                to.reached[i] = kNotBegun;
                if (interrupt.stopped() || rows.load(std::memory_order_relaxed) > most_rows)
                    continue;
                if (!lists && max_depth <= 1) {
                    count_row(out, sources.data()[i], max_depth, i, to);
                    interrupt.poll(worker, to.reached[i]);
                    continue;
                }
                to.reached[i] = kGaveUp;
                if (!search.run(sources.data() + i, 1, options)) continue;
                take(search, i, to);
                interrupt.poll(worker, search.edges() + search.size());
                if (!lists) continue;
                take(search, parents, pieces[begin / kSearchesPerPiece]);
                rows.fetch_add(search.size(), std::memory_order_relaxed);
            }
        });
    }
    interrupt.check();
    if (!lists) return nb::none();
    return nb::make_tuple(
        joined<Index>(pieces, [](const auto& p) -> const auto& { return p.vertices; }),
        joined<std::int32_t>(pieces, [](const auto& p) -> const auto& { return p.hops; }),
        parents ? joined<Index>(pieces, [](const auto& p) -> const auto& { return p.parents; })
                : nb::none());
}

template <class Offset, class Index>
void bind_as(nb::module_& m) {
    m.def("bfs_listed", &bfs_listed<Offset, Index>, nb::arg("indptr").noconvert(),
          nb::arg("indices").noconvert(), nb::arg("sources").noconvert(),
          nb::arg("marks").noconvert(), nb::arg("max_depth"), nb::arg("target"),
          nb::arg("most_edges"), nb::arg("parents"), nb::arg("checked"));
    m.def("bfs_many_listed", &bfs_many_listed<Offset, Index>, nb::arg("indptr").noconvert(),
          nb::arg("indices").noconvert(), nb::arg("sources").noconvert(),
          nb::arg("marks").noconvert(), nb::arg("numbers").noconvert(), nb::arg("max_depth"),
          nb::arg("most_edges"), nb::arg("lists"), nb::arg("parents"), nb::arg("sorted"),
          nb::arg("most_rows"), nb::arg("threads"));
}

}  // namespace
}  // namespace spbfs::bfs

void bind_bfs_listed(nb::module_& m) {
    spbfs::bfs::bind_as<std::int32_t, std::int32_t>(m);
    spbfs::bfs::bind_as<std::int64_t, std::int32_t>(m);
    spbfs::bfs::bind_as<std::int64_t, std::int64_t>(m);
}
