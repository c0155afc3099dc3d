// A search over ranks whose processes see one memory, from its source to its last level.
//
// A level is expanded by every rank along its own edges, and what was found is collected by the
// owners (bfs_one_host.h); all ranks meet before either.  At the first of the two meetings everyone
// tells of the frontier that it owns, by which all choose the same direction.
//
// The search returns where Python is needed, and goes on where it was: for edges that are yet to be
// laid out, which all ranks do together, for room that a push wants here, and where the others have
// not come for long, which may be because one of them has failed.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "common/bits.h"
#include "cpu/python/interpreter.h"
#include "cpu/ranks/bfs_one_host.h"
#include "cpu/ranks/meetings.h"
#include "cpu/threads/interrupt.h"
#include "cpu/threads/parallel.h"

namespace spbfs::one_host {

// A push of so many edges, at all ranks, for each word of a set works on copies of what is known.
constexpr std::int64_t kMany = 2;
// Vertices of a chunk whose results are written.
constexpr std::int64_t kWritten = 1 << 12;

// What all ranks see of vertices by slot: three sets, parents, and what users call them.
using Sets = std::tuple<Array<Word>, Array<Word>, Array<Word>, Array<Slot>, Array<const Slot>>;

// What is known of own vertices, by the order of their slots: out-edges and levels.
using Vertices = std::tuple<Array<const std::int64_t>, Array<Slot>>;

// Where a search begins and ends; a rank that does not own a vertex has -1 for it.
struct Ends {
    std::int64_t source, target;  // in the order of own slots
    std::int64_t max_depth;
    bool named_parents;
};

// How the direction of a level is chosen: for the first levels by a byte each, then by one for all;
// 1 is a push, 2 a pull.  By itself a level is pulled where its frontier has more edges than one in
// `alpha` of those not yet explored, and than one in `beta` vertices.
struct Choice {
    std::vector<std::uint8_t> first;
    int then;
    std::int64_t vertices, edges, alpha, beta;

    bool pull(std::int64_t level, std::int64_t out_edges, std::int64_t explored) const {
        const auto at = static_cast<std::size_t>(level);
        const int told = at < first.size() ? first[at] : then;
        if (told != 0) return told == 2;
        return out_edges * alpha > edges - explored && out_edges * beta > vertices;
    }
};

// When a level is one thread's: others would have to be woken.  Less than so many edges are pushed,
// and a set has fewer slots than that.
struct Alone {
    std::int64_t edges, slots;
};

// The edges of this rank in one direction.  For pushes `todo` has room for all rows; before one of
// many edges `copies` has to have room for the words of a set for each thread.
struct Laid {
    std::variant<Edges<std::int32_t>::Arrays, Edges<std::int64_t>::Arrays> edges;
    std::int64_t active;
    Array<Slot> todo;
    Array<Word> copies;
};

// What a search is to write of own vertices, in their own order; levels or parents may be empty.
struct Outputs {
    Array<const Slot> position, slots;  // of each in the order of slots, and among all
    Array<Slot> levels, parents;
};

// A level in a trace: frontier, its out-edges, whether it was pulled, seconds.
using LevelRow = std::tuple<std::int64_t, std::int64_t, bool, double>;

class Search {
  public:
    enum Stop { kEnded, kLate, kNoOutEdges, kNoInEdges, kNoCopies, kOtherRoom };

    Search(Meetings& meetings, const Sets& sets, const Vertices& vertices, const Own::Numbers& own,
           const Outputs& outputs, const Ends& ends, Choice choice, const Alone& alone,
           std::int64_t room)
        : meetings_(meetings),
          room_(room),
          sets_(sets),
          vertices_(vertices),
          own_(own),
          outputs_(outputs),
          ends_(ends),
          choice_(std::move(choice)),
          alone_(alone) {}

    void lay(bool pull, const Laid& laid) { laid_[pull] = laid; }

    // Goes on until one of these; waits for others no longer than so many milliseconds.
    Stop go(std::int64_t patience, int threads) {
        Interrupt interrupt;
        Stop stop;
        {
            Unlocked unlocked;
            Team team(threads);
            stop = run(patience, team, interrupt);
        }
        interrupt.check();
        return stop;
    }

    std::int64_t depth() const { return deepest_; }
    std::int64_t reached() const { return reached_; }
    std::int64_t edges() const { return explored_; }
    const std::vector<LevelRow>& trace() const { return trace_; }

  private:
    using Clock = std::chrono::steady_clock;
    enum Phase { kBegin, kLook, kExpand, kCollect };

    Word* front() const { return std::get<0>(sets_).data(); }
    Word* next() const { return std::get<1>(sets_).data(); }
    Word* visited() const { return std::get<2>(sets_).data(); }
    const Slot* names() const { return std::get<4>(sets_).data(); }
    std::int64_t words() const { return length(std::get<0>(sets_)); }
    Slot* level() const { return std::get<1>(vertices_).data(); }

    // Nobody is found but the source, which is its own parent.
    void begin(Team& team) {
        Slot* const parents = std::get<3>(sets_).data();
        team.for_chunks(own_.words, kWords, [&](std::int64_t i, std::int64_t end, int) {
            std::fill(level() + i * kWordBits, level() + std::min(end * kWordBits, own_.size),
                      Slot{-1});
            for (; i < end; ++i) {
                const std::int64_t w = own_.at(i);
                front()[w] = next()[w] = visited()[w] = 0;
                std::fill_n(parents + w * kWordBits, kWordBits, Slot{-1});
            }
        });
        if (ends_.source < 0) return;
        const std::int64_t source = own_.slot(ends_.source);
        set_bit(front(), source);
        set_bit(visited(), source);
        parents[source] = names()[source];
        level()[ends_.source] = 0;
        found_ = 1;
        its_edges_ = std::get<0>(vertices_).data()[ends_.source];
    }

    Stop run(std::int64_t patience, Team& team, Interrupt& interrupt) {
        if (phase_ == kBegin) {
            begin(team);
            phase_ = kLook;
        }
        for (;;) {
            if (phase_ == kExpand) {
                if (!laid_[pull_]) return pull_ ? kNoInEdges : kNoOutEdges;
                if (many() && length(laid_[0]->copies) < team.workers() * words()) return kNoCopies;
                began_ = Clock::now();
                expand(team);
                phase_ = kCollect;
            }
            if (!met(patience)) return kLate;
            if (phase_ == kLook) {
                if (!same_room()) return kOtherRoom;
                if (!look()) {
                    write(team);
                    return kEnded;
                }
                phase_ = kExpand;
                continue;
            }
            std::swap(std::get<0>(sets_), std::get<1>(sets_));
            collect(team);
            const std::chrono::duration<double> seconds = Clock::now() - began_;
            trace_.emplace_back(frontier_, out_edges_, pull_, seconds.count());
            phase_ = kLook;
            interrupt.poll(0);
            if (interrupt.stopped()) return kEnded;
        }
    }

    // Whether all ranks are at the meeting that is next.
    bool met(std::int64_t patience) {
        const bool waited = told_;
        if (!told_) {
            const bool hit = ends_.target >= 0 && level()[ends_.target] >= 0;
            const std::int64_t mine[] = {found_, its_edges_, hit, room_};
            meetings_.tell(mine, phase_ == kLook ? 4 : 0);
        }
        told_ = waited ? !meetings_.here() : !meetings_.wait(patience);
        return !told_;
    }

    bool same_room() const {
        for (std::int64_t rank = 0; rank < meetings_.ranks(); ++rank)
            if (meetings_.told(rank)[3] != room_) return false;
        return true;
    }

    // Whether there is another level; all know then how it is expanded.
    bool look() {
        frontier_ = out_edges_ = 0;
        bool hit = false;
        for (std::int64_t rank = 0; rank < meetings_.ranks(); ++rank) {
            const std::int64_t* const theirs = meetings_.told(rank);
            frontier_ += theirs[0];
            out_edges_ += theirs[1];
            hit |= theirs[2] != 0;
        }
        reached_ += frontier_;
        explored_ += out_edges_;
        if (frontier_ != 0) deepest_ = depth_;
        if (hit || depth_ >= ends_.max_depth || frontier_ == 0 || out_edges_ == 0) return false;
        pull_ = choice_.pull(depth_, out_edges_, explored_);
        ++depth_;
        return true;
    }

    // Whether a level is pushed by copies of what is known.
    bool many() const { return !pull_ && out_edges_ >= kMany * words(); }

    // Others would have to be woken for next to nothing.
    bool alone() const {
        return !pull_ && out_edges_ < alone_.edges && words() * kWordBits < alone_.slots;
    }

    // Finds the next level, along the edges that this rank has.
    void expand(Team& team) {
        const Common all{front(),   next(),
                         visited(), ends_.named_parents ? std::get<3>(sets_).data() : nullptr,
                         names(),   words()};
        const Laid& laid = *laid_[pull_];
        const auto along = [&](const auto& edges) {
            if (pull_) return pull(edges, laid.active, own_, all, team);
            if (!many()) return push_few(edges, own_, all);
            Team one(1);
            push_many(edges, own_, laid.copies.data(), laid.todo.data(), all, alone() ? one : team);
        };
        std::visit([&](const auto& arrays) { along(Edges(arrays)); }, laid.edges);
    }

    // Own vertices that were found are on a level.  The last frontier is cleared for what is found
    // next.
    void collect(Team& many) {
        Word *const last = next(), *const known = visited();
        const Word* const fresh = front();
        const std::int64_t* const degree = std::get<0>(vertices_).data();
        Slot* const levels = level();
        std::atomic<std::int64_t> vertices{0}, edges{0};
        Team one(1);
        Team& team = alone() ? one : many;
        team.for_chunks(own_.words, kWords, [&](std::int64_t i, std::int64_t end, int) {
            std::int64_t some = 0, out = 0;
            for (; i < end; ++i) {
                const std::int64_t w = own_.at(i);
                // A line that is not written stays in the caches of ranks that read it.
                if (last[w] != 0) last[w] = 0;
                if (fresh[w] == 0) continue;
                known[w] |= fresh[w];
                some += std::popcount(fresh[w]);
                for_each_bit(fresh[w], i * kWordBits, [&](std::int64_t v) {
                    levels[v] = static_cast<Slot>(depth_);
                    out += degree[v];
                });
            }
            vertices.fetch_add(some, std::memory_order_relaxed);
            edges.fetch_add(out, std::memory_order_relaxed);
        });
        found_ = vertices;
        its_edges_ = edges;
    }

    // Nobody changes parents any more.
    void write(Team& team) {
        const Slot *const position = outputs_.position.data(), *const slots = outputs_.slots.data();
        const Slot* const by_slot = level();
        const Slot* const parents = std::get<3>(sets_).data();
        Slot* const levels_out = length(outputs_.levels) ? outputs_.levels.data() : nullptr;
        Slot* const parents_out = length(outputs_.parents) ? outputs_.parents.data() : nullptr;
        team.for_chunks(own_.size, kWritten, [&](std::int64_t i, std::int64_t end, int) {
            for (std::int64_t v = i; levels_out != nullptr && v < end; ++v)
                levels_out[v] = by_slot[position[v]];
            for (std::int64_t v = i; parents_out != nullptr && v < end; ++v)
                parents_out[v] = parents[slots[v]];
        });
    }

    Meetings& meetings_;
    // Of what ranks have in common: who searches another matrix comes to the same meetings.
    const std::int64_t room_;
    Sets sets_;
    const Vertices vertices_;
    const Own own_;
    const Outputs outputs_;
    const Ends ends_;
    const Choice choice_;
    const Alone alone_;
    std::array<std::optional<Laid>, 2> laid_;

    Phase phase_ = kBegin;
    bool told_ = false;  // at the meeting that is next
    bool pull_ = false;
    std::int64_t found_ = 0, its_edges_ = 0;     // of the frontier, what this rank owns
    std::int64_t frontier_ = 0, out_edges_ = 0;  // all of it
    std::int64_t reached_ = 0, explored_ = 0;    // with all before it
    std::int64_t depth_ = 0, deepest_ = 0;
    Clock::time_point began_;
    std::vector<LevelRow> trace_;
};

}  // namespace spbfs::one_host
