// A breadth-first search over parts of the edges: which parts a level needs, and one of them looked
// at.
//
// The caller owns every array and guarantees: square, offsets whole in `indptr`, of whose entries
// `indices` has those from `offset` on; a flag for every part; `levels` -1 and `keys` all ones
// where not reached; room for n vertices in the lists.
//
// What offsets and indices hold is not trusted, as they may lie in a file that nobody has checked
// and that somebody changes meanwhile: whatever they are, nothing outside of the arrays is touched.
//
// Of a vertex the least key stays: its owner's number in the bits of `owner_mask`, its parent in
// the others.  One key for both, as several threads may claim a vertex at once.
//
// Zhang et al.: An adaptive breadth-first search algorithm on integrated architectures (2018), 4.3.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "cpu/threads/interrupt.h"
#include "cpu/threads/parallel.h"

namespace nb = nanobind;

namespace spbfs {
namespace {

template <class T>
using Array = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Key = std::uint64_t;
using Flag = std::uint8_t;

constexpr Key kNobody = ~Key{0};
constexpr std::int64_t kRowGrain = 1024;

template <class T>
T load(T& at) {
    return std::atomic_ref<T>(at).load(std::memory_order_relaxed);
}

// Marks the parts of a row's entries; how many these are.
template <class Offset>
std::int64_t mark_row(const Offset* indptr, std::int64_t row, std::int64_t part_edges, Flag* flags,
                      std::int64_t parts) {
    const std::int64_t begin = std::max<std::int64_t>(indptr[row], 0), end = indptr[row + 1];
    if (begin >= end) return 0;
    const std::int64_t first = std::min(begin / part_edges, parts);
    std::fill(flags + first, flags + std::min((end - 1) / part_edges + 1, parts), Flag{1});
    return end - begin;
}

template <class Offset, class Index>
std::int64_t mark_listed(Array<const Index> vertices, Array<const Offset> indptr,
                         std::int64_t part_edges, Array<Flag> flags) {
    std::int64_t edges = 0;
    for (std::size_t i = 0; i < vertices.shape(0); ++i)
        edges += mark_row(indptr.data(), vertices.data()[i], part_edges, flags.data(),
                          static_cast<std::int64_t>(flags.shape(0)));
    return edges;
}

template <class Offset, class Index>
void mark_open(Array<const Index> levels, Array<const Offset> indptr, std::int64_t part_edges,
               Array<Flag> flags) {
    // Rows rise, so that a part which is marked up to its end needs no second look.
    std::int64_t marked = 0;
    const Offset* bounds = indptr.data();
    for (std::size_t v = 0; v < levels.shape(0); ++v) {
        if (levels.data()[v] >= 0 || bounds[v + 1] <= marked || bounds[v] == bounds[v + 1])
            continue;
        mark_row(bounds, v, part_edges, flags.data(), static_cast<std::int64_t>(flags.shape(0)));
        marked = ((bounds[v + 1] - 1) / part_edges + 1) * part_edges;
    }
}

template <class Offset, class Index>
struct Parts {
    const Offset* indptr;
    const Index* indices;  // of the part
    std::int64_t offset, count;
    Index* levels;
    Key* keys;
    Key owner_mask;
    Index depth;  // of the frontier
    std::int64_t n;
    std::atomic<bool>* strange;  // set where an index is of no vertex

    bool is_vertex(Index v) const {
        if (v >= 0 && v < n) return true;
        strange->store(true, std::memory_order_relaxed);
        return false;
    }
    std::int64_t begin_of(std::int64_t row) const {
        return std::max<std::int64_t>(indptr[row] - offset, 0);
    }
    std::int64_t end_of(std::int64_t row) const {
        return std::min<std::int64_t>(indptr[row + 1] - offset, count);
    }
    Key claim_of(Index u) const { return (keys[u] & owner_mask) | static_cast<Key>(u); }

    // Whether nobody had claimed v before.
    bool claim(Index v, Key mine) const {
        const std::atomic_ref<Key> key(keys[v]);
        Key old = key.load(std::memory_order_relaxed);
        while (mine < old && !key.compare_exchange_weak(old, mine, std::memory_order_relaxed)) {
        }
        if (old != kNobody) return false;
        std::atomic_ref<Index>(levels[v]).store(depth + 1, std::memory_order_relaxed);
        return true;
    }

    template <class Found>
    void push_row(Index u, Found&& found) const {
        const Key mine = claim_of(u);
        for (std::int64_t e = begin_of(u); e < end_of(u); ++e) {
            const Index v = indices[e];
            if (!is_vertex(v)) continue;
            const Index level = load(levels[v]);
            // Of the next level already: a lesser owner or parent may still come.
            if ((level < 0 || level == depth + 1) && claim(v, mine)) found(v);
        }
    }

    template <class Found>
    void pull_row(Index v, Found&& found) const {
        // Rows are sorted, and their parts come in order: without owners the first is the least.
        const Index level = load(levels[v]);
        if (level >= 0 && (level <= depth || owner_mask == 0)) return;
        Key least = kNobody;
        for (std::int64_t e = begin_of(v); e < end_of(v); ++e) {
            const Index u = indices[e];
            if (!is_vertex(u) || load(levels[u]) != depth) continue;
            least = std::min(least, claim_of(u));
            if (owner_mask == 0) break;
        }
        if (least != kNobody && claim(v, least)) found(v);
    }
};

// Looks at one part, for the listed frontier's rows or for those of vertices not reached; the list
// of those found, of `size` vertices so far, grows to what is returned, which is -1 where an index
// is of no vertex.
template <class Offset, class Index>
std::int64_t expand_part(Array<const Offset> indptr, Array<const Index> indices,
                         std::int64_t offset, std::int64_t first_row, std::int64_t end_row,
                         Array<Index> levels, Array<Key> keys, Key owner_mask, std::int64_t depth,
                         bool pull, Array<const Index> frontier, Array<Index> list,
                         std::int64_t size, int threads) {
    const auto n = static_cast<std::int64_t>(levels.shape(0));
    first_row = std::clamp<std::int64_t>(first_row, 0, n);
    end_row = std::clamp(end_row, first_row, n);
    std::atomic<bool> strange{false};
    const Parts<Offset, Index> part{.indptr = indptr.data(),
                                    .indices = indices.data(),
                                    .offset = offset,
                                    .count = static_cast<std::int64_t>(indices.shape(0)),
                                    .levels = levels.data(),
                                    .keys = keys.data(),
                                    .owner_mask = owner_mask,
                                    .depth = static_cast<Index>(depth),
                                    .n = n,
                                    .strange = &strange};
    // A short frontier is gone through instead of the rows of a large part.
    const std::int64_t listed = static_cast<std::int64_t>(frontier.shape(0));
    const bool by_list = !pull && listed < end_row - first_row;
    const std::int64_t work = by_list ? listed : end_row - first_row;
    std::atomic<std::int64_t> tail{size};
    Interrupt interrupt;
    {
        Unlocked unlocked;
        parallel_for(threads, work, kRowGrain, [&](std::int64_t i, std::int64_t end, int worker) {
            Index some[kRowGrain];
            std::int64_t held = 0;
            const auto flush = [&] {
                std::copy_n(some, held, list.data() + tail.fetch_add(held));
                held = 0;
            };
            const auto found = [&](Index v) {
                if (held == kRowGrain) flush();
                some[held++] = v;
            };
            interrupt.strips(i, end, kRowGrain, worker, [&](std::int64_t at, std::int64_t to) {
                std::int64_t edges = 0;
                for (; at < to; ++at) {
                    const Index v =
                        by_list ? frontier.data()[at] : static_cast<Index>(first_row + at);
                    if (by_list && (v < first_row || v >= end_row)) continue;
                    if (pull)
                        part.pull_row(v, found);
                    else if (load(part.levels[v]) == part.depth)
                        part.push_row(v, found);
                    edges += part.end_of(v) - part.begin_of(v);
                }
                return edges;
            });
            if (held) flush();
        });
    }
    interrupt.check();
    return strange.load() ? -1 : tail.load();
}

template <class Offset, class Index>
void bind_as(nb::module_& m) {
    m.def("bfs_parts_mark_listed", &mark_listed<Offset, Index>, nb::arg("vertices").noconvert(),
          nb::arg("indptr").noconvert(), nb::arg("part_edges"), nb::arg("flags").noconvert());
    m.def("bfs_parts_mark_open", &mark_open<Offset, Index>, nb::arg("levels").noconvert(),
          nb::arg("indptr").noconvert(), nb::arg("part_edges"), nb::arg("flags").noconvert());
    m.def("bfs_parts_expand", &expand_part<Offset, Index>, nb::arg("indptr").noconvert(),
          nb::arg("indices").noconvert(), nb::arg("offset"), nb::arg("first_row"),
          nb::arg("end_row"), nb::arg("levels").noconvert(), nb::arg("keys").noconvert(),
          nb::arg("owner_mask"), nb::arg("depth"), nb::arg("pull"), nb::arg("frontier").noconvert(),
          nb::arg("list").noconvert(), nb::arg("size"), nb::arg("threads"));
}

}  // namespace
}  // namespace spbfs

void bind_bfs_parts(nb::module_& m) {
    spbfs::bind_as<std::int32_t, std::int32_t>(m);
    spbfs::bind_as<std::int64_t, std::int32_t>(m);
    spbfs::bind_as<std::int64_t, std::int64_t>(m);
}
