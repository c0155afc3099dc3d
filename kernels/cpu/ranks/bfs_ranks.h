// A level of a search over ranks, by the edges of one of them.
//
// A rank numbers its own vertices, then those of others that an edge of its part has at an end
// (spbfs/distributed/parts/sides.py).  Of its own it knows the levels; whom of others it has named
// to their owners is in `seen`: 0 not, 1 named, 2 found by this level and not yet named.
//
// Vertices are claimed by an atomic exchange of a level or of a flag: who claims one is the only
// one to write what else is known of it, and nobody reads that before the loop has ended.  Lists
// that workers share get a block at a time, whose places nobody else has.
//
// The caller guarantees columns and vertices in range, `next` long enough for all own vertices and
// `others` for all of others.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <tuple>
#include <utility>

#include "cpu/python/interpreter.h"
#include "cpu/threads/parallel.h"

namespace nb = nanobind;

namespace spbfs::ranks {

template <class T>
using Array = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Byte = std::uint8_t;
using Vertex = std::int32_t;

enum Seen : Byte { kUnseen = 0, kNamed = 1, kFresh = 2 };

// Rows of a chunk.
constexpr std::int64_t kRows = 512;
// Edges, or rows, ahead of which what is known of an end, or a row, is fetched; vertices of a line.
constexpr std::int64_t kAhead = 16, kLine = 16;

template <class T>
std::int64_t length(const Array<T>& array) {
    return static_cast<std::int64_t>(array.shape(0));
}

// A list that workers share.
struct Shared {
    Vertex* list;
    std::atomic<std::int64_t> count{0};
};

// What a worker appends to it.
class Block {
  public:
    explicit Block(Shared& to) : to_(to) {}
    ~Block() { flush(); }
    void add(Vertex v) {
        some_[size_++] = v;
        if (size_ == kSize) flush();
    }

  private:
    static constexpr std::int64_t kSize = 256;
    void flush() {
        const std::int64_t at = to_.count.fetch_add(size_, std::memory_order_relaxed);
        std::copy(some_, some_ + size_, to_.list + at);
        size_ = 0;
    }

    Shared& to_;
    std::int64_t size_ = 0;
    Vertex some_[kSize];
};

// This rank's own vertices, and what a level finds of them.
template <class Level>
class Own {
  public:
    Own(Array<Level> levels, Array<Vertex> finders, Array<const std::int64_t> degrees,
        std::int64_t depth, std::int64_t finder, Array<Vertex> next)
        : size(length(levels)),
          found{next.data()},
          levels_(levels.data()),
          finders_(finders.data()),
          degrees_(degrees.data()),
          depth_(static_cast<Level>(depth)),
          finder_(static_cast<Vertex>(finder)) {}

    bool open(Vertex v) const {
        return std::atomic_ref<Level>(levels_[v]).load(std::memory_order_relaxed) < 0;
    }
    void fetch(Vertex v) const { __builtin_prefetch(levels_ + v); }
    // Whether nobody has come before.
    bool claim(Vertex v) {
        Level none = -1;
        return open(v) && std::atomic_ref<Level>(levels_[v])
                              .compare_exchange_strong(none, depth_, std::memory_order_relaxed);
    }
    // The out-edges of one that was claimed.
    std::int64_t reach(Vertex v, Block& next) {
        finders_[v] = finder_;
        next.add(v);
        return degrees_[v];
    }

    const std::int64_t size;
    Shared found;
    std::atomic<std::int64_t> edges{0};

  private:
    Level* const levels_;
    Vertex* const finders_;
    const std::int64_t* const degrees_;
    const Level depth_;
    const Vertex finder_;
};

// How many own vertices were found, their out-edges, and how many of others.
using Counts = std::tuple<std::int64_t, std::int64_t, std::int64_t>;

template <class Offset, class Level>
Counts push(Array<const Offset> indptr, Array<const Vertex> indices, Array<const Vertex> frontier,
            Array<Level> levels, Array<Vertex> finders, Array<const std::int64_t> degrees,
            std::int64_t depth, std::int64_t finder, Array<Byte> seen, Array<Vertex> via,
            Array<Vertex> next, Array<Vertex> others, int threads) {
    Own<Level> own(levels, finders, degrees, depth, finder, next);
    Shared foreign{others.data()};
    const Offset* const bounds = indptr.data();
    const Vertex *const ends = indices.data(), *const list = frontier.data();
    const std::int64_t count = length(frontier), entries = length(indices);
    Byte* const flags = seen.data();
    Vertex* const from = length(via) == 0 ? nullptr : via.data();
    Unlocked unlocked;
    const std::int64_t grain = std::clamp<std::int64_t>(count / (16 * std::max(threads, 1)), 1, 64);
    parallel_for(threads, count, grain, [&](std::int64_t i, std::int64_t last, int) {
        Block mine(own.found), theirs(foreign);
        std::int64_t edges = 0;
        for (; i < last; ++i) {
            const Vertex u = list[i];
            for (std::int64_t k = bounds[u], end = bounds[u + 1]; k < end; ++k) {
                if (k + kAhead < entries && ends[k + kAhead] < own.size)
                    own.fetch(ends[k + kAhead]);
                const Vertex v = ends[k];
                if (v < own.size) {
                    if (!own.claim(v)) continue;
                    edges += own.reach(v, mine);
                } else {
                    std::atomic_ref<Byte> flag(flags[v]);
                    if (flag.load(std::memory_order_relaxed) != kUnseen ||
                        flag.exchange(kFresh, std::memory_order_relaxed) != kUnseen)
                        continue;
                    theirs.add(v);
                }
                if (from != nullptr) from[v] = u;
            }
        }
        own.edges.fetch_add(edges, std::memory_order_relaxed);
    });
    return {own.found.count, own.edges, foreign.count};
}

inline bool has(const Byte* bits, std::int64_t i) { return bits[i >> 3] >> (7 - (i & 7)) & 1; }

// Rows that have nobody yet look for a neighbour among those whose bits are set, first for their
// `hub`, where hubs are given: -1 of none.  As `pull` of bfs_pull.h: who is open is listed, so that
// rows are fetched ahead, and nothing branches on a hit of a hub, which no predictor knows.
template <class Offset, class Level>
Counts pull(Array<const Offset> indptr, Array<const Vertex> indices, Array<const Byte> present,
            Array<const Vertex> hubs, Array<Level> levels, Array<Vertex> finders,
            Array<const std::int64_t> degrees, std::int64_t depth, std::int64_t finder,
            Array<Byte> seen, Array<Vertex> via, Array<Vertex> next, Array<Vertex> others,
            int threads) {
    Own<Level> own(levels, finders, degrees, depth, finder, next);
    Shared foreign{others.data()};
    const Offset* const bounds = indptr.data();
    const Vertex* const ends = indices.data();
    const Vertex* const hub = length(hubs) == 0 ? nullptr : hubs.data();
    const Byte* const bits = present.data();
    Byte* const flags = seen.data();
    Vertex* const from = length(via) == 0 ? nullptr : via.data();
    Unlocked unlocked;
    parallel_for(threads, length(indptr) - 1, kRows, [&](std::int64_t i, std::int64_t last, int) {
        Block mine(own.found), theirs(foreign);
        std::int64_t edges = 0;
        const auto found = [&](Vertex v, Vertex u) {
            if (from != nullptr) from[v] = u;
            if (v < own.size) {
                own.claim(v);
                edges += own.reach(v, mine);
            } else {
                flags[v] = kFresh;
                theirs.add(v);
            }
        };
        Vertex open[kRows], hits[kRows];
        std::int64_t size = 0, known = 0;
        for (; i < last; ++i) {
            const Vertex v = static_cast<Vertex>(i);
            open[size] = v;
            size += v < own.size ? own.open(v) : flags[v] == kUnseen;
        }
        if (hub != nullptr) {
            const std::int64_t all = std::exchange(size, 0);
            for (std::int64_t j = 0; j < all; ++j) {
                const Vertex v = open[j], u = hub[v];
                const bool hit = (u >= 0) & has(bits, std::max(u, Vertex{0}));
                hits[known] = v;
                open[size] = v;
                known += hit;
                size += !hit;
            }
            for (std::int64_t j = 0; j < known; ++j) found(hits[j], hub[hits[j]]);
        }
        for (std::int64_t j = 0; j < size; ++j) {
            if (j + kAhead < size) {
                const Vertex* const row = ends + bounds[open[j + kAhead]];
                __builtin_prefetch(row);
                __builtin_prefetch(row + kLine);
            }
            const Vertex v = open[j];
            std::int64_t k = bounds[v];
            const std::int64_t end = bounds[v + 1];
            while (k < end && !has(bits, ends[k])) ++k;
            if (k < end) found(v, ends[k]);
        }
        own.edges.fetch_add(edges, std::memory_order_relaxed);
    });
    return {own.found.count, own.edges, foreign.count};
}

}  // namespace spbfs::ranks
