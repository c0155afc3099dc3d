// Meetings of ranks whose processes see one memory, at each of which everyone tells a few numbers.
//
// A rank has a line of its own, which no other one writes: the number of the last meeting that it
// has come to, and what it tells and for which call, in two places by turns, since who is late may
// still read what was told at the last.  To come is a release and to see that another has come an
// acquire: what any rank did before a meeting is in order before what any does behind it.
#pragma once

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>

#include "cpu/threads/crew.h"

namespace spbfs {

class Meetings {
  public:
    // Numbers of a line, and the most that are told at a meeting.
    static constexpr std::int64_t kLine = 16, kMost = 6;

    // `lines`: one for each rank, zeros before the first meeting.
    Meetings(std::int64_t* lines, std::int64_t ranks, std::int64_t rank)
        : lines_(lines), ranks_(ranks), rank_(rank) {}

    std::int64_t ranks() const { return ranks_; }
    // How many this rank has come to.
    std::int64_t number() const { return number_; }

    // Comes to the next one, from a call that has this key at every rank.
    void tell(const std::int64_t* numbers, std::int64_t count, std::int64_t key = 0) {
        ++number_;
        std::copy_n(numbers, count, told(rank_));
        this->key(rank_) = key;
        last(rank_).store(number_, std::memory_order_release);
    }

    // Where in its line, and what a rank has told at this one, once all are here.
    std::int64_t place() const { return number_ % 2 == 0 ? kEven : kOdd; }
    std::int64_t* told(std::int64_t rank) const { return lines_ + rank * kLine + place(); }

    // Whether all, who are here, have come from calls of one key.
    bool alike() const {
        for (std::int64_t rank = 0; rank < ranks_; ++rank)
            if (key(rank) != key(rank_)) return false;
        return true;
    }

    // Whether all have come.
    bool here() const { return seen() == ranks_; }

    // The same, waited for so many milliseconds at most.
    bool wait(std::int64_t milliseconds) const {
        using Clock = std::chrono::steady_clock;
        Clock::time_point began;
        std::int64_t seen_here = 0;
        for (int looks = 1; (seen_here = seen(seen_here)) < ranks_; ++looks) {
            if (looks < kLooks) {
                cpu_relax();
                continue;
            }
            if (looks == kLooks) began = Clock::now();
            const auto waited = Clock::now() - began;
            if (waited > std::chrono::milliseconds(milliseconds)) return false;
            if (waited > std::chrono::microseconds(kAwake))
                std::this_thread::sleep_for(std::chrono::microseconds(kNap));
            else
                sched_yield();
        }
        return true;
    }

  private:
    static constexpr std::int64_t kKeys = 1, kEven = 4, kOdd = kEven + kMost;
    // How often a rank looks whether others have come before it lets another program have the core,
    // and for how long, in microseconds, before it sleeps between looks.
    static constexpr int kLooks = 2000;
    static constexpr std::int64_t kAwake = 1000, kNap = 50;

    std::atomic_ref<std::int64_t> last(std::int64_t rank) const {
        return std::atomic_ref<std::int64_t>(lines_[rank * kLine]);
    }
    std::int64_t& key(std::int64_t rank) const {
        return lines_[rank * kLine + kKeys + number_ % 2];
    }
    // The first rank from this one on that has not come.
    std::int64_t seen(std::int64_t rank = 0) const {
        while (rank < ranks_ && last(rank).load(std::memory_order_acquire) >= number_) ++rank;
        return rank;
    }

    std::int64_t* const lines_;
    const std::int64_t ranks_, rank_;
    std::int64_t number_ = 0;
};

}  // namespace spbfs
