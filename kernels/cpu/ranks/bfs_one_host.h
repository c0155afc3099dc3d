// A level of a search over ranks whose processes see one memory, by the edges of one of them.
//
// A vertex has a *slot*, by which all ranks see who is on the frontier, who is found, who was found
// before, and parents.  A rank's own vertices fall by half powers of two of their degrees, and
// ranks have lines of eight words in turns: what most edges lead to is at the front of everything,
// and no two ranks own words of one line.  A row is an own vertex, or, behind these and by rising
// slots, one of others that the part has edges of.  Ends of edges are slots, which rise in a row:
// its first is the likeliest parent.
//
// Between two meetings of all ranks they either expand the frontier or collect what was found:
//   - who expands sets bits of `next` and writes the parents of these, by atomic operations, and
//     reads `front` and `visited`, which nobody changes then.  Two may find one vertex: they set
//     the same bit, and either parent is one of its level.
//   - who collects changes the words of its own vertices and nothing else.
// Before the first meeting and after the last a rank reads and writes its own words alone, so that
// one may begin the next search while another still has to take its parents out of this one.
// A meeting orders what was before it at any rank before what is behind it (meetings.h).
//
// The caller guarantees rows, slots and words in range.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <tuple>

#include "common/bits.h"
#include "cpu/bfs/bfs_push.h"
#include "cpu/threads/parallel.h"

namespace nb = nanobind;

namespace spbfs::one_host {

template <class T>
using Array = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Slot = std::int32_t;

// Words of a line; of a chunk of a pull, and of one where little is done for each.
constexpr std::int64_t kLine = 8, kPullWords = 8, kWords = 1 << 9;
// Rows ahead of which one is fetched, by so many slots of it.
constexpr std::int64_t kAhead = 16, kFetched = 16;

template <class T>
std::int64_t length(const Array<T>& array) {
    return static_cast<std::int64_t>(array.shape(0));
}

inline void set_bits(Word& word, Word bits) {
    if (bits != 0) std::atomic_ref<Word>(word).fetch_or(bits, std::memory_order_relaxed);
}

// Which words of all are a rank's, who has so many vertices.
class Own {
  public:
    // Rank, ranks, vertices.
    using Numbers = std::tuple<std::int64_t, std::int64_t, std::int64_t>;
    explicit Own(const Numbers& numbers)
        : size(std::get<2>(numbers)),
          words(words_for(size)),
          rank_(std::get<0>(numbers)),
          ranks_(std::get<1>(numbers)) {}

    // Where its word i is.
    std::int64_t at(std::int64_t i) const {
        return (i / kLine * ranks_ + rank_) * kLine + i % kLine;
    }
    std::int64_t slot(std::int64_t v) const {
        return at(v / kWordBits) * kWordBits + v % kWordBits;
    }

    const std::int64_t size, words;

  private:
    const std::int64_t rank_, ranks_;
};

// What all ranks see, by slot; parents are what users call them.  Without parents nobody writes
// any.
struct Common {
    bool open(std::int64_t slot) const {
        const Word found =
            std::atomic_ref<Word>(next[slot / kWordBits]).load(std::memory_order_relaxed);
        return ((visited[slot / kWordBits] | found) & bit_of(slot)) == 0;
    }
    void find(std::int64_t slot, Slot parent) const {
        set_bits(next[slot / kWordBits], bit_of(slot));
        name(slot, parent);
    }
    void name(std::int64_t slot, Slot parent) const {
        if (parents != nullptr)
            std::atomic_ref<Slot>(parents[slot]).store(parent, std::memory_order_relaxed);
    }

    const Word* front;
    Word* next;
    const Word* visited;
    Slot* parents;
    const Slot* names;
    std::int64_t words;
};

// The edges of a rank; of every row its slot and its name, its likeliest neighbour and the name of
// that, which is read beside it: a table of all names is in no cache.
template <class Offset>
struct Edges {
    using Arrays = std::tuple<Array<const Offset>, Array<const Slot>, Array<const Slot>,
                              Array<const Slot>, Array<const Slot>, Array<const Slot>>;
    explicit Edges(const Arrays& a)
        : bounds(std::get<0>(a).data()),
          ends(std::get<1>(a).data()),
          slots(std::get<2>(a).data()),
          names(std::get<3>(a).data()),
          likeliest(std::get<4>(a).data()),
          likeliest_names(std::get<5>(a).data()),
          count(length(std::get<1>(a))),
          rows(length(std::get<2>(a))) {}

    const Offset* const bounds;
    const Slot *const ends, *const slots, *const names;
    const Slot *const likeliest, *const likeliest_names;
    const std::int64_t count, rows;
};

// -- pushes ---------------------------------------------------------------------------------------

// Calls visit(row) for those of the frontier's vertices that there are rows of.
template <class Offset, class Visit>
void for_each_row(const Edges<Offset>& edges, const Own& own, const Common& common, Visit&& visit) {
    for (std::int64_t i = 0; i < own.words; ++i)
        for_each_bit(common.front[own.at(i)], i * kWordBits, visit);
    for (std::int64_t row = own.size; row < edges.rows; ++row)
        if (test_bit(common.front, edges.slots[row])) visit(row);
}

// The out-edges of the frontier, which are few.
template <class Offset>
void push_few(const Edges<Offset>& edges, const Own& own, const Common& common) {
    for_each_row(edges, own, common, [&](std::int64_t row) {
        for (Offset k = edges.bounds[row]; k < edges.bounds[row + 1]; ++k)
            if (common.open(edges.ends[k])) common.find(edges.ends[k], edges.names[row]);
    });
}

// The same of many, by the loops of a search in one process.  `copies` has room for common.words of
// each worker, `todo` for all rows.
template <class Offset>
void push_many(const Edges<Offset>& edges, const Own& own, Word* copies, Slot* todo,
               const Common& common, Team& team) {
    const std::int64_t words = common.words;
    team.for_chunks(words, bfs::kCopiedWords, [&](std::int64_t w, std::int64_t end, int) {
        for (int c = 0; c < team.workers(); ++c)
            std::copy(common.visited + w, common.visited + end, copies + c * words + w);
    });
    std::int64_t size = 0;
    for_each_row(edges, own, common,
                 [&](std::int64_t row) { todo[size++] = static_cast<Slot>(row); });
    const auto of_worker = [&](int worker) {
        bfs::State<Offset, Slot> mine{};
        mine.out = {edges.bounds, edges.ends};
        mine.visited = copies + worker * words;
        return mine;
    };
    const auto write = [&](const bfs::Discoveries<Slot>& found) {
        for (std::int64_t i = 0; i < found.size; ++i)
            common.name(found.child[i], edges.names[found.parent[i]]);
    };
    bfs::LongRows<Offset, Slot> long_rows(edges.count);
    const auto later = [&](Slot row, Offset its) { return long_rows.take(row, its); };
    const std::int64_t grain =
        std::clamp<std::int64_t>(size / (4 * bfs::kChunks * team.workers()), 1, bfs::kPushGrain);
    team.for_chunks(size, grain, [&](std::int64_t i, std::int64_t end, int worker) {
        const auto row = [&](std::int64_t k) { return todo[k]; };
        bfs::expand<false>(of_worker(worker), i, end, row, write, later);
    });
    long_rows.for_pieces(of_worker(0), team, [&](Slot row, Offset k, Offset end, int worker) {
        bfs::expand_part<false>(of_worker(worker), row, k, end, write);
    });
    team.for_chunks(words, kWords, [&](std::int64_t w, std::int64_t end, int) {
        for (; w < end; ++w) {
            Word any = 0;
            for (int c = 0; c < team.workers(); ++c) any |= copies[c * words + w];
            set_bits(common.next[w], any & ~common.visited[w]);
        }
    });
}

// -- pulls ----------------------------------------------------------------------------------------

// found(row, the name of its parent) for those of some rows that have a neighbour on the frontier.
// As `pull` of bfs_pull.h: rows are fetched ahead, and nothing branches on a hit of the likeliest,
// which no predictor knows.
template <class Offset, class Found>
[[gnu::always_inline]] inline void look(const Edges<Offset>& edges, const Common& common,
                                        Slot* open, std::int64_t size, Found&& found) {
    const Word* const front = common.front;
    Slot hits[kPullWords * kWordBits];
    std::int64_t nhits = 0, misses = 0;
    for (std::int64_t i = 0; i < size; ++i) {
        const Slot v = open[i];
        const bool hit = test_bit(front, edges.likeliest[v]);
        hits[nhits] = v;
        open[misses] = v;
        nhits += hit;
        misses += !hit;
    }
    for (std::int64_t i = 0; i < nhits; ++i) found(hits[i], edges.likeliest_names[hits[i]]);
    for (std::int64_t i = 0; i < misses; ++i) {
        if (i + kAhead < misses) {
            const Slot* const row = edges.ends + edges.bounds[open[i + kAhead]];
            __builtin_prefetch(row);
            __builtin_prefetch(row + kFetched);
        }
        const Slot v = open[i];
        Offset k = edges.bounds[v];
        const Offset end = edges.bounds[v + 1];
        while (k < end && !test_bit(front, edges.ends[k])) ++k;
        if (k < end) found(v, common.names[edges.ends[k]]);
    }
}

// Rows that nobody has found look for a neighbour on the frontier; own ones from `active` on have
// none.
template <class Offset>
void pull(const Edges<Offset>& edges, std::int64_t active, const Own& own, const Common& common,
          Team& team) {
    team.for_chunks(words_for(active), kPullWords, [&](std::int64_t begin, std::int64_t end, int) {
        Slot open[kPullWords * kWordBits];
        Word fresh[kPullWords] = {};
        std::int64_t size = 0;
        for (std::int64_t i = begin; i < end; ++i) {
            const std::int64_t left = active - i * kWordBits;
            const Word rows = left < kWordBits ? bit_of(left) - 1 : ~Word{0};
            for_each_bit(~common.visited[own.at(i)] & rows, i * kWordBits,
                         [&](std::int64_t v) { open[size++] = static_cast<Slot>(v); });
        }
        look(edges, common, open, size, [&](Slot v, Slot parent) {
            fresh[v / kWordBits - begin] |= bit_of(v);
            common.name(own.slot(v), parent);
        });
        for (std::int64_t i = begin; i < end; ++i)
            set_bits(common.next[own.at(i)], fresh[i - begin]);
    });
    constexpr std::int64_t kRows = kPullWords * kWordBits;
    team.for_chunks(edges.rows - own.size, kRows, [&](std::int64_t i, std::int64_t end, int) {
        Slot open[kRows];
        std::int64_t size = 0;
        for (std::int64_t row = own.size + i; row < own.size + end; ++row) {
            open[size] = static_cast<Slot>(row);
            size += common.open(edges.slots[row]);
        }
        look(edges, common, open, size,
             [&](Slot row, Slot parent) { common.find(edges.slots[row], parent); });
    });
}

}  // namespace spbfs::one_host
