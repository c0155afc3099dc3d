// Searches over ranks: what crosses between two of them, and the Python face of both.
//
// Subsets of a list that two ranks know cross as bits, the first of a byte its highest, or as
// positions, as spbfs/distributed/exchange/wire.py packs them.  The loops over edges are in
// bfs_ranks.h.
#include "cpu/ranks/bfs_ranks.h"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <tuple>

#include "cpu/python/interpreter.h"
#include "cpu/threads/parallel.h"

namespace spbfs::ranks {
namespace {

// Elements, and bytes of bits, of a chunk.
constexpr std::int64_t kElements = 1 << 14, kBytes = 1 << 11;

// Bits of what `is` says of every element of a list; how many are set.
template <class Is>
std::int64_t pack(std::int64_t count, Byte* bits, int threads, Is&& is) {
    std::atomic<std::int64_t> set{0};
    parallel_for(threads, (count + 7) / 8, kBytes, [&](std::int64_t b, std::int64_t last, int) {
        std::int64_t some = 0;
        for (; b < last; ++b) {
            unsigned byte = 0;
            for (std::int64_t i = 8 * b, end = std::min(8 * b + 8, count); i < end; ++i)
                byte |= static_cast<unsigned>(is(i)) << (7 - (i & 7));
            bits[b] = static_cast<Byte>(byte);
            some += std::popcount(byte);
        }
        set.fetch_add(some, std::memory_order_relaxed);
    });
    return set;
}

// Who of all own vertices has a number: a level, or a finder.
template <class T>
std::int64_t having(Array<const T> numbers, std::int64_t number, Array<Byte> bits, int threads) {
    const T *const all = numbers.data(), wanted = static_cast<T>(number);
    Unlocked unlocked;
    return pack(length(numbers), bits.data(), threads,
                [=](std::int64_t i) { return all[i] == wanted; });
}

// The same of those that another rank refers to.
template <class T>
std::int64_t lent_having(Array<const Vertex> lent, Array<const T> numbers, std::int64_t number,
                         Array<Byte> bits, int threads) {
    const Vertex* const list = lent.data();
    const T *const all = numbers.data(), wanted = static_cast<T>(number);
    Unlocked unlocked;
    return pack(length(lent), bits.data(), threads,
                [=](std::int64_t i) { return all[list[i]] == wanted; });
}

// Bits of lent vertices out of those of all own ones.
std::int64_t lent_bits(Array<const Vertex> lent, Array<const Byte> present, Array<Byte> bits,
                       int threads) {
    const Vertex* const list = lent.data();
    const Byte* const from = present.data();
    Unlocked unlocked;
    return pack(length(lent), bits.data(), threads,
                [=](std::int64_t i) { return has(from, list[i]); });
}

// Bits of others' vertices that this level has found; they are named from now on.
std::int64_t fresh_bits(Array<Byte> seen, Array<Byte> bits, int threads) {
    Byte* const flags = seen.data();
    Unlocked unlocked;
    return pack(length(seen), bits.data(), threads, [=](std::int64_t i) {
        const bool fresh = flags[i] == kFresh;
        if (fresh) flags[i] = kNamed;
        return fresh;
    });
}

// The set bits of a message, rising, as many as there is room for.
void positions(Array<const Byte> bits, Array<Vertex> out) {
    const Byte* const from = bits.data();
    Vertex* const to = out.data();
    const std::int64_t bytes = length(bits), room = length(out);
    Unlocked unlocked;
    std::int64_t at = 0;
    for (std::int64_t b = 0; b < bytes; ++b)
        for (unsigned byte = from[b]; byte != 0 && at < room;) {
            const int bit = std::countl_zero(static_cast<Byte>(byte));
            to[at++] = static_cast<Vertex>(8 * b + bit);
            byte &= ~(0x80u >> bit);
        }
}

// `count` bits of a message, to where they belong among others: from bit `begin` on.  Bits around
// them stay.
void place_bits(Array<const Byte> message, std::int64_t count, Array<Byte> present,
                std::int64_t begin, int threads) {
    const Byte* const from = message.data();
    Byte* const to = present.data();
    const std::int64_t first = begin >> 3, last = (begin + count + 7) >> 3, bytes = (count + 7) / 8;
    const int shift = static_cast<int>(begin & 7);
    // Bits behind the last are none of the message's.
    const auto piece = [=](std::int64_t b) -> unsigned {
        if (b < 0 || b >= bytes) return 0;
        const unsigned whole = from[b];
        return 8 * b + 8 <= count ? whole : whole & (0xff00u >> (count & 7) & 0xff);
    };
    const auto made = [=](std::int64_t b) {
        return static_cast<Byte>(piece(b) >> shift | piece(b - 1) << (8 - shift));
    };
    if (count == 0) return;
    Unlocked unlocked;
    to[first] = static_cast<Byte>(to[first] | made(0));
    if (last - 1 > first) to[last - 1] = static_cast<Byte>(to[last - 1] | made(last - 1 - first));
    if (last - first <= 2) return;
    parallel_for(threads, last - first - 2, kBytes, [&](std::int64_t b, std::int64_t end, int) {
        for (; b < end; ++b) to[first + 1 + b] = made(b + 1);
    });
}

// The same of a message of positions.
void place_positions(Array<const Vertex> message, Array<Byte> present, std::int64_t begin) {
    Byte* const to = present.data();
    const std::int64_t bits = 8 * length(present);
    for (const Vertex *at = message.data(), *end = at + length(message); at < end; ++at)
        if (const std::int64_t i = begin + *at; *at >= 0 && i < bits)
            to[i >> 3] |= 0x80u >> (i & 7);
}

// Lent vertices that another rank has found, by the bits of its message, or by positions.
template <class Level, class Each>
std::tuple<std::int64_t, std::int64_t> take(Own<Level>& own, Each&& each, std::int64_t count,
                                            std::int64_t grain, int threads) {
    parallel_for(threads, count, grain, [&](std::int64_t i, std::int64_t last, int) {
        Block mine(own.found);
        std::int64_t edges = 0;
        each(i, last, [&](Vertex v) {
            if (own.claim(v)) edges += own.reach(v, mine);
        });
        own.edges.fetch_add(edges, std::memory_order_relaxed);
    });
    return {own.found.count, own.edges};
}

template <class Level>
std::tuple<std::int64_t, std::int64_t> take_bits(Array<const Byte> message,
                                                 Array<const Vertex> lent, Array<Level> levels,
                                                 Array<Vertex> finders,
                                                 Array<const std::int64_t> degrees,
                                                 std::int64_t depth, std::int64_t finder,
                                                 Array<Vertex> next, int threads) {
    Own<Level> own(levels, finders, degrees, depth, finder, next);
    const Byte* const bits = message.data();
    const Vertex* const list = lent.data();
    const std::int64_t count = length(lent);
    Unlocked unlocked;
    const auto each = [=](std::int64_t b, std::int64_t last, auto&& with) {
        for (; b < last; ++b)
            for (unsigned byte = bits[b]; byte != 0;) {
                const int bit = std::countl_zero(static_cast<Byte>(byte));
                if (const std::int64_t i = 8 * b + bit; i < count) with(list[i]);
                byte &= ~(0x80u >> bit);
            }
    };
    return take(own, each, (count + 7) / 8, kBytes, threads);
}

template <class Level>
std::tuple<std::int64_t, std::int64_t> take_positions(Array<const Vertex> message,
                                                      Array<const Vertex> lent, Array<Level> levels,
                                                      Array<Vertex> finders,
                                                      Array<const std::int64_t> degrees,
                                                      std::int64_t depth, std::int64_t finder,
                                                      Array<Vertex> next, int threads) {
    Own<Level> own(levels, finders, degrees, depth, finder, next);
    const Vertex *const at = message.data(), *const list = lent.data();
    const std::int64_t known = length(lent);
    Unlocked unlocked;
    const auto each = [=](std::int64_t i, std::int64_t last, auto&& with) {
        for (; i < last; ++i)
            if (at[i] >= 0 && at[i] < known) with(list[at[i]]);
    };
    return take(own, each, length(message), kElements, threads);
}

// Nothing is known of any vertex.
template <class Level>
void begin(Array<Level> levels, Array<Vertex> finders, Array<Byte> seen, int threads) {
    Level* const level = levels.data();
    Vertex* const finder = finders.data();
    Byte* const flag = seen.data();
    Unlocked unlocked;
    parallel_for(threads, length(levels), kElements, [&](std::int64_t a, std::int64_t b, int) {
        std::fill(level + a, level + b, Level{-1});
        std::fill(finder + a, finder + b, Vertex{-1});
    });
    parallel_for(threads, length(seen), 8 * kElements, [&](std::int64_t a, std::int64_t b, int) {
        std::fill(flag + a, flag + b, Byte{kUnseen});
    });
}

// The parents of vertices that this rank found itself in steps of one kind; with `first`, -1 for
// all others.
template <class Level>
void name_parents(Array<const Vertex> finders, std::int64_t finder, Array<const Vertex> via,
                  Array<const Level> names, Array<Level> parents, bool first, int threads) {
    const Vertex *const found = finders.data(), *const from = via.data();
    const Level* const name = names.data();
    Level* const parent = parents.data();
    Unlocked unlocked;
    parallel_for(threads, length(parents), kElements, [&](std::int64_t v, std::int64_t end, int) {
        for (; v < end; ++v) {
            if (found[v] == finder)
                parent[v] = name[from[v]];
            else if (first)
                parent[v] = -1;
        }
    });
}

template <class Offset, class Level>
void bind_searches(nb::module_& m) {
    m.def("ranks_push", &push<Offset, Level>, nb::arg("indptr").noconvert(),
          nb::arg("indices").noconvert(), nb::arg("frontier").noconvert(),
          nb::arg("levels").noconvert(), nb::arg("finders").noconvert(),
          nb::arg("degrees").noconvert(), nb::arg("depth"), nb::arg("finder"),
          nb::arg("seen").noconvert(), nb::arg("via").noconvert(), nb::arg("next").noconvert(),
          nb::arg("others").noconvert(), nb::arg("threads"));
    m.def("ranks_pull", &pull<Offset, Level>, nb::arg("indptr").noconvert(),
          nb::arg("indices").noconvert(), nb::arg("present").noconvert(),
          nb::arg("hubs").noconvert(), nb::arg("levels").noconvert(),
          nb::arg("finders").noconvert(), nb::arg("degrees").noconvert(), nb::arg("depth"),
          nb::arg("finder"), nb::arg("seen").noconvert(), nb::arg("via").noconvert(),
          nb::arg("next").noconvert(), nb::arg("others").noconvert(), nb::arg("threads"));
}

template <class Number>
void bind_numbers(nb::module_& m) {
    m.def("ranks_having", &having<Number>, nb::arg("numbers").noconvert(), nb::arg("number"),
          nb::arg("bits").noconvert(), nb::arg("threads"));
    m.def("ranks_lent_having", &lent_having<Number>, nb::arg("lent").noconvert(),
          nb::arg("numbers").noconvert(), nb::arg("number"), nb::arg("bits").noconvert(),
          nb::arg("threads"));
    m.def("ranks_take_bits", &take_bits<Number>, nb::arg("message").noconvert(),
          nb::arg("lent").noconvert(), nb::arg("levels").noconvert(),
          nb::arg("finders").noconvert(), nb::arg("degrees").noconvert(), nb::arg("depth"),
          nb::arg("finder"), nb::arg("next").noconvert(), nb::arg("threads"));
    m.def("ranks_take_positions", &take_positions<Number>, nb::arg("message").noconvert(),
          nb::arg("lent").noconvert(), nb::arg("levels").noconvert(),
          nb::arg("finders").noconvert(), nb::arg("degrees").noconvert(), nb::arg("depth"),
          nb::arg("finder"), nb::arg("next").noconvert(), nb::arg("threads"));
    m.def("ranks_begin", &begin<Number>, nb::arg("levels").noconvert(),
          nb::arg("finders").noconvert(), nb::arg("seen").noconvert(), nb::arg("threads"));
    m.def("ranks_name_parents", &name_parents<Number>, nb::arg("finders").noconvert(),
          nb::arg("finder"), nb::arg("via").noconvert(), nb::arg("names").noconvert(),
          nb::arg("parents").noconvert(), nb::arg("first"), nb::arg("threads"));
}

}  // namespace
}  // namespace spbfs::ranks

void bind_bfs_ranks(nb::module_& m) {
    using std::int32_t, std::int64_t;
    spbfs::ranks::bind_searches<int32_t, int32_t>(m);
    spbfs::ranks::bind_searches<int64_t, int32_t>(m);
    spbfs::ranks::bind_searches<int32_t, int64_t>(m);
    spbfs::ranks::bind_searches<int64_t, int64_t>(m);
    spbfs::ranks::bind_numbers<int32_t>(m);
    spbfs::ranks::bind_numbers<int64_t>(m);
    m.def("ranks_lent_bits", &spbfs::ranks::lent_bits, nb::arg("lent").noconvert(),
          nb::arg("present").noconvert(), nb::arg("bits").noconvert(), nb::arg("threads"));
    m.def("ranks_fresh_bits", &spbfs::ranks::fresh_bits, nb::arg("seen").noconvert(),
          nb::arg("bits").noconvert(), nb::arg("threads"));
    m.def("ranks_positions", &spbfs::ranks::positions, nb::arg("bits").noconvert(),
          nb::arg("out").noconvert());
    m.def("ranks_place_positions", &spbfs::ranks::place_positions, nb::arg("message").noconvert(),
          nb::arg("present").noconvert(), nb::arg("begin"));
    m.def("ranks_place_bits", &spbfs::ranks::place_bits, nb::arg("message").noconvert(),
          nb::arg("count"), nb::arg("present").noconvert(), nb::arg("begin"), nb::arg("threads"));
}
