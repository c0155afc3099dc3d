// bfs_order(): vertices in the order in which a search with one queue finds them, and from where.
//
// That order is unique: of a level's vertices those come first whose parents do, and children of a
// parent in the order of its row; behind it, where directions do not count, that of its column.
// Hence one thread, and what it waits for is memory.  Where the queue is long, rows that it already
// names are fetched ahead, and which vertices are known is a bit each, so that all of them fit a
// cache.  Where it is short there is nothing to fetch: on a path each vertex is the last one's
// neighbour, and all that counts is how many steps lie between reading one and the next.  There who
// is known is told by the parents, and a vertex that is alone in the queue is not read back from
// it.  So it is in grids, however long the queue: who is new follows a pattern that processors
// learn, hence they are far ahead by themselves.  Numbers are unsigned on the way: to widen them
// with a sign is such a step.
//
// Offsets and columns are checked in the rows that are reached, each before it is followed; an
// entry may occur twice.  The caller guarantees n + 1 offsets of each matrix, n elements of the
// outputs, and distinct sources in range.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "cpu/bfs/bfs_queue.h"
#include "cpu/threads/parallel.h"

namespace nb = nanobind;

namespace spbfs::bfs {
namespace {

template <class T>
using Array = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class Offset, class Index, class Signed>
class OrderSearch {
  public:
    using Vertex = std::make_unsigned_t<Signed>;

    // `in`: the transpose, or without offsets where a search follows out-edges alone.
    OrderSearch(const Given<Offset, Index>& out, const Given<Offset, Index>& in, Vertex* order,
                Signed* parents, Signed* levels)
        : out_(out),
          in_(in),
          order_(order),
          marked_(order),
          parents_(parents),
          levels_(levels),
          short_(out.n > kNearest ? kShort : out.n),
          known_(static_cast<std::size_t>(out.n / 64 + 1)) {}
    OrderSearch(const OrderSearch&) = delete;
    OrderSearch& operator=(const OrderSearch&) = delete;

    // Vertices found from those that begin the order, the parent of others being `nobody`, which is
    // negative; -1 where an offset or a column leads nowhere.
    std::int64_t run(std::int64_t sources, std::int64_t max_depth, std::int64_t nobody,
                     Interrupt& interrupt, int worker = 0) {
        std::fill_n(parents_, out_.n, static_cast<Signed>(nobody));
        if (levels_) std::fill_n(levels_, out_.n, Signed{-1});
        const Vertex* const all = order_ + out_.n;
        Queue queue{order_, order_ + sources};
        for (const Vertex* source = order_; source < queue.end; ++source)
            parents_[*source] = static_cast<Signed>(*source);
        const Vertex* level_end = set_levels(order_, queue.end, 0);
        std::int64_t depth = 0;
        while (queue.at < queue.end && depth < max_depth && queue.end < all) {
            // Levels are counted where somebody asks for them: else the search is one strip.
            const bool counted = levels_ || max_depth < out_.n;
            const Vertex* const stop = counted ? level_end : all;
            const Vertex* const from = queue.at;
            const bool is_short = queue.end - queue.at <= short_;
            if (is_short || is_regular(queue)) {
                const auto longest = static_cast<std::size_t>(is_short ? short_ : out_.n);
                if (!narrow_of_kind(queue, stop, longest)) return -1;
            } else if (!wide(queue, stop)) {
                return -1;
            }
            if (counted && queue.at == level_end)
                level_end = set_levels(level_end, queue.end, ++depth);
            if (interrupt.poll(worker, queue.at - from + std::exchange(entries_, 0))) break;
        }
        set_levels(level_end, queue.end, depth + 1);
        return queue.end - order_;
    }

  private:
    using UnsignedOffset = std::make_unsigned_t<Offset>;
    using UnsignedIndex = std::make_unsigned_t<Index>;
    static constexpr std::int64_t kAhead = 8;
    // Vertices of a queue that is short: any, where all parents and rows are in the nearest cache.
    static constexpr std::int64_t kShort = 2 * kAhead, kNearest = 1 << 13;
    // So many vertices of a queue tell whether it is of a grid: by no more different steps, between
    // the numbers of parent and child, than that.
    static constexpr std::int64_t kSampled = 32;
    static constexpr std::size_t kSteps = 8;

    // Entries of a row from which on it is long, and those that are looked at together.
    static constexpr std::int64_t kLong = 24;
    static constexpr std::size_t kBlock = 8;

    // Rows between polls.
    static constexpr std::int64_t kStrip = 1 << 12;

    // What is still to be expanded, in the order that is being made.
    struct Queue {
        const Vertex* at;
        Vertex* end;
    };

    const Vertex* set_levels(const Vertex* begin, const Vertex* end, std::int64_t depth) {
        if (levels_)
            for (; begin < end; ++begin) levels_[*begin] = static_cast<Signed>(depth);
        return end;
    }

    // Whether the queue's vertices were found by few different steps, as far as some of them tell.
    bool is_regular(const Queue& queue) const {
        const std::int64_t step = std::max<std::int64_t>((queue.end - queue.at) / kSampled, 1);
        std::array<std::int64_t, kSteps> steps;
        std::size_t different = 0;
        std::int64_t seen = 0;
        for (const Vertex* at = queue.at; queue.end - at >= step && seen < kSampled;
             at += step, ++seen) {
            const std::int64_t apart =
                static_cast<std::int64_t>(*at) - static_cast<std::int64_t>(parents_[*at]);
            const auto end = steps.begin() + different;
            if (std::find(steps.begin(), end, apart) != end) continue;
            if (different == kSteps) return false;
            steps[different++] = apart;
        }
        return true;
    }

    bool narrow_of_kind(Queue& queue, const Vertex* stop, std::size_t longest) {
        // Where few rows are long, to ask each of them takes longer than it saves.
        const bool is_dense = out_.entries / out_.n >= kLong / 2;
        if (in_.indptr)
            return is_dense ? narrow<true, true>(queue, stop, longest)
                            : narrow<true, false>(queue, stop, longest);
        return is_dense ? narrow<false, true>(queue, stop, longest)
                        : narrow<false, false>(queue, stop, longest);
    }

    // Rows up to `stop` while there are at most `longest` in the queue; false where one is not a
    // row.  Not inlined: its loop has too few registers then.
    template <bool BothWays, bool IsDense>
    [[gnu::noinline]] bool narrow(Queue& queue, const Vertex* stop, std::size_t longest) {
        const Vertex* at = queue.at;
        Vertex* end = queue.end;
        const Vertex* const limit = std::min(stop, at + kStrip);
        const Vertex* const all = order_ + out_.n;
        Vertex u = *at, last = end[-1];
        do {
            end = short_row<IsDense>(out_, u, end, last);
            if (BothWays && end) end = short_row<IsDense>(in_, u, end, last);
            if (!end) return false;
            // The only one is at hand, where to read what was just written takes longer.
            u = last;
            if (++at + 1 < end) u = *at;
            // Neither none nor many, in one comparison.
        } while (static_cast<std::size_t>(end - at - 1) < longest && at < limit && end < all);
        queue = {at, end};
        return true;
    }

    // Lists the neighbours that have no parent; none where the row is not one.
    template <bool IsDense>
    Vertex* short_row(const Given<Offset, Index>& g, Vertex u, Vertex* next, Vertex& last) {
        const auto begin = static_cast<UnsignedOffset>(g.indptr[u]);
        const auto end = static_cast<UnsignedOffset>(g.indptr[std::size_t{u} + 1]);
        if (begin > end || end > static_cast<std::uint64_t>(g.entries)) return nullptr;
        const auto n = static_cast<UnsignedIndex>(g.n);
        entries_ += static_cast<std::int64_t>(end - begin);
        if (IsDense && end - begin >= UnsignedOffset{kLong})
            return long_row(g, begin, end, u, next, last);
        Signed* const parents = parents_;
        const Index* const indices = g.indices;
        for (std::size_t k = begin; k < end; ++k) {
            const auto v = static_cast<UnsignedIndex>(indices[k]);
            if (v >= n) return nullptr;
            if (parents[v] >= 0) continue;
            parents[v] = static_cast<Signed>(u);
            *next++ = last = static_cast<Vertex>(v);
        }
        return next;
    }

    // Its entries [begin, end), so many at once that one branch, which mostly goes the same way,
    // tells that all of them are known.
    [[gnu::noinline]] Vertex* long_row(const Given<Offset, Index>& g, std::size_t begin,
                                       std::size_t end, Vertex u, Vertex* next, Vertex& last) {
        const auto n = static_cast<UnsignedIndex>(g.n);
        Signed* const parents = parents_;
        for (std::size_t k = begin; k < end;) {
            const auto size = std::min(end - k, kBlock);
            const Index* const indices = g.indices + k;
            k += size;
            if (size == kBlock) {
                UnsignedIndex most = 0;
                for (std::size_t j = 0; j < kBlock; ++j)
                    most = std::max(most, static_cast<UnsignedIndex>(indices[j]));
                if (most >= n) return nullptr;
                Signed known = 0;  // negative where one is not
                for (std::size_t j = 0; j < kBlock; ++j)
                    known |= parents[static_cast<UnsignedIndex>(indices[j])];
                if (known >= 0) continue;
            }
            for (std::size_t j = 0; j < size; ++j) {
                const auto v = static_cast<UnsignedIndex>(indices[j]);
                if (v >= n) return nullptr;
                if (parents[v] >= 0) continue;
                parents[v] = static_cast<Signed>(u);
                *next++ = last = static_cast<Vertex>(v);
            }
        }
        return next;
    }

    // Rows up to `stop` while the queue is long; false where one is not a row.
    bool wide(Queue& queue, const Vertex* stop) {
        for (; marked_ < queue.end; ++marked_) is_new(*marked_);
        const Vertex* const limit = std::min(stop, queue.at + kStrip);
        const Vertex* at = queue.at;
        Vertex* end = queue.end;
        for (const Vertex* const all = order_ + out_.n;
             at < limit && end - at > kShort && end < all; ++at) {
            // Not a function: compilers drop calls that only prefetch.
            __builtin_prefetch(&out_.indptr[at[2 * kAhead]]);
            __builtin_prefetch(out_.indices + out_.indptr[at[kAhead]]);
            if (in_.indptr) {
                __builtin_prefetch(&in_.indptr[at[2 * kAhead]]);
                __builtin_prefetch(in_.indices + in_.indptr[at[kAhead]]);
            }
            end = row(out_, *at, end);
            if (in_.indptr && end) end = row(in_, *at, end);
            if (!end) return false;
        }
        queue = {at, end};
        marked_ = end;
        return true;
    }

    bool is_new(Vertex v) {
        std::uint64_t& word = known_[v / 64];
        const std::uint64_t bit = std::uint64_t{1} << (v % 64);
        if (word & bit) return false;
        word |= bit;
        return true;
    }

    // As `short_row`, by the bits.
    Vertex* row(const Given<Offset, Index>& g, Vertex u, Vertex* next) {
        const auto begin = static_cast<UnsignedOffset>(g.indptr[u]);
        const auto end = static_cast<UnsignedOffset>(g.indptr[std::size_t{u} + 1]);
        if (begin > end || end > static_cast<std::uint64_t>(g.entries)) return nullptr;
        const Index* const indices = g.indices;
        const auto n = static_cast<UnsignedIndex>(g.n);
        entries_ += static_cast<std::int64_t>(end - begin);
        for (UnsignedOffset k = begin; k < end; ++k) {
            const auto column = static_cast<UnsignedIndex>(indices[k]);
            if (column >= n) return nullptr;
            const auto v = static_cast<Vertex>(column);
            if (!is_new(v)) continue;
            parents_[v] = static_cast<Signed>(u);
            *next++ = v;
        }
        return next;
    }

    const Given<Offset, Index> out_, in_;
    Vertex* const order_;
    // Vertices of the order before this one have their bits.
    const Vertex* marked_;
    Signed* const parents_;
    Signed* const levels_;
    const std::int64_t short_;
    std::int64_t entries_ = 0;
    std::vector<std::uint64_t> known_;
};

// How many vertices are reached from the sources that begin the order, which then lists them; None
// where the arrays are no CSR.
template <class Offset, class Index, class Signed>
nb::object bfs_order(Array<const Offset> indptr, Array<const Index> indices,
                     std::optional<Array<const Offset>> in_indptr,
                     std::optional<Array<const Index>> in_indices, std::int64_t sources,
                     std::int64_t max_depth, std::int64_t nobody,
                     Array<std::make_unsigned_t<Signed>> order, Array<Signed> parents,
                     std::optional<Array<Signed>> levels) {
    const auto n = static_cast<std::int64_t>(parents.shape(0));
    auto given = [n](const auto& offsets, const auto& columns) {
        return Given<Offset, Index>::of(offsets.data(), columns.data(), n,
                                        static_cast<std::int64_t>(columns.shape(0)));
    };
    const auto out = given(indptr, indices);
    Given<Offset, Index> in{nullptr, nullptr, n, 0};
    if (in_indptr && in_indices) in = given(*in_indptr, *in_indices);
    if (!out.plausible() || (in.indptr && !in.plausible())) return nb::none();
    std::int64_t found = 0;
    Interrupt interrupt;
    {
        Unlocked unlocked;
        OrderSearch<Offset, Index, Signed> search(out, in, order.data(), parents.data(),
                                                  levels ? levels->data() : nullptr);
        found = search.run(sources, max_depth, nobody, interrupt);
    }
    interrupt.check();
    return found < 0 ? nb::none() : nb::object(nb::int_(found));
}

// The same from each of some sources alone, a row of n elements of the outputs each, and how many
// its search reached; false where the arrays are no CSR.  A search is one worker's and writes its
// own rows; the graph is read.
template <class Offset, class Index, class Signed>
bool bfs_orders(Array<const Offset> indptr, Array<const Index> indices, Array<const Signed> sources,
                std::int64_t max_depth, Array<std::make_unsigned_t<Signed>> orders,
                Array<Signed> parents, Array<Signed> levels, Array<std::int64_t> reached,
                int threads) {
    const auto n = static_cast<std::int64_t>(indptr.shape(0)) - 1;
    const auto count = static_cast<std::int64_t>(sources.shape(0));
    const auto out = Given<Offset, Index>::of(indptr.data(), indices.data(), n,
                                              static_cast<std::int64_t>(indices.shape(0)));
    const Given<Offset, Index> in{nullptr, nullptr, n, 0};
    if (!out.plausible()) return false;
    Interrupt interrupt;
    {
        Unlocked unlocked;
        parallel_for(threads, count, 1, [&](std::int64_t i, std::int64_t, int worker) {
            if (interrupt.stopped()) return;
            auto* const order = orders.data() + i * n;
            order[0] = static_cast<std::make_unsigned_t<Signed>>(sources.data()[i]);
            OrderSearch<Offset, Index, Signed> search(out, in, order, parents.data() + i * n,
                                                      levels.data() + i * n);
            reached.data()[i] = search.run(1, max_depth, -1, interrupt, worker);
        });
    }
    interrupt.check();
    return std::none_of(reached.data(), reached.data() + count,
                        [](std::int64_t found) { return found < 0; });
}

template <class Offset, class Index, class Signed>
void bind_as(nb::module_& m) {
    m.def("bfs_orders", &bfs_orders<Offset, Index, Signed>, nb::arg("indptr").noconvert(),
          nb::arg("indices").noconvert(), nb::arg("sources").noconvert(), nb::arg("max_depth"),
          nb::arg("orders").noconvert(), nb::arg("parents").noconvert(),
          nb::arg("levels").noconvert(), nb::arg("reached").noconvert(), nb::arg("threads"));
    m.def("bfs_order", &bfs_order<Offset, Index, Signed>, nb::arg("indptr").noconvert(),
          nb::arg("indices").noconvert(), nb::arg("in_indptr").none().noconvert(),
          nb::arg("in_indices").none().noconvert(), nb::arg("sources"), nb::arg("max_depth"),
          nb::arg("nobody"), nb::arg("order").noconvert(), nb::arg("parents").noconvert(),
          nb::arg("levels").none().noconvert());
}

}  // namespace
}  // namespace spbfs::bfs

void bind_bfs_order(nb::module_& m) {
    using std::int32_t, std::int64_t;
    spbfs::bfs::bind_as<int32_t, int32_t, int32_t>(m);
    spbfs::bfs::bind_as<int64_t, int32_t, int32_t>(m);
    spbfs::bfs::bind_as<int64_t, int64_t, int32_t>(m);
    spbfs::bfs::bind_as<int64_t, int64_t, int64_t>(m);
}
