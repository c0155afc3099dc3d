// Ctrl-C in a kernel that runs without the interpreter lock: the thread that called it asks Python
// a few times a second, every worker polls the answer.
//
// A stopped kernel leaves its outputs half made; its launcher calls check() once it holds the lock
// again, and what raises is all that the caller sees.
//
// Who asked to be told how far the kernel is, is told at the same time.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>

#include "cpu/python/interpreter.h"

namespace spbfs {

class Interrupt {
  public:
    // `told`: called with steps and entries so far, or None; the caller keeps it alive.
    explicit Interrupt(nanobind::handle told = {}) : told_(told.is_none() ? nullptr : told.ptr()) {}

    // So much more is done, by any worker.
    void advance(std::int64_t steps, std::int64_t entries) {
        if (!told_) return;
        steps_.fetch_add(steps, std::memory_order_relaxed);
        entries_.fetch_add(entries, std::memory_order_relaxed);
    }

    // Whether to stop, after `work` more entries or vertices; without it the clock is read at once.
    bool poll(int worker, std::int64_t work = kWorkPerClock) {
        if (worker == 0 && (since_question_ += work) >= kWorkPerClock) ask();
        return stopped();
    }
    bool stopped() const { return stop_.load(std::memory_order_relaxed); }

    // With the interpreter lock held.
    void check() const {
        if (stopped()) throw nanobind::python_error();
    }

    // f(from, to) for strips of at most `grain` that cover [begin, end), until it is time to stop;
    // f returns how much work its strip was.
    template <class F>
    void strips(std::int64_t begin, std::int64_t end, std::int64_t grain, int worker, F&& f) {
        for (; begin < end && !stopped(); begin += grain)
            poll(worker, f(begin, std::min(begin + grain, end)));
    }

  private:
    using Clock = std::chrono::steady_clock;
    // A fraction of a millisecond, so a small kernel never reads the clock.
    static constexpr std::int64_t kWorkPerClock = 1 << 17;
    // Asking needs the interpreter lock, which another thread may hold for 5 ms.
    static constexpr std::chrono::milliseconds kBetweenQuestions{100};

    void ask() {
        since_question_ = 0;
        // Python's exception is set already: its handlers may not run a second time.
        if (stopped()) return;
        const auto now = Clock::now();
        if (asked_ == Clock::time_point{}) asked_ = now;
        if (now - asked_ < kBetweenQuestions) return;
        asked_ = now;
        LockedAgain locked;
        // From Python 3.12 on it may collect garbage, in which finalizers let go of the lock.
        const int raised =
            with_exit_survived([this] { return PyErr_CheckSignals() != 0 || !tell(); });
        if (raised != 0) stop_.store(true, std::memory_order_relaxed);
    }

    // Whether nothing was raised, with the interpreter lock held.
    bool tell() {
        if (!told_) return true;
        const auto steps = static_cast<long long>(steps_.load(std::memory_order_relaxed));
        const auto entries = static_cast<long long>(entries_.load(std::memory_order_relaxed));
        PyObject* const nothing = PyObject_CallFunction(told_, "LL", steps, entries);
        Py_XDECREF(nothing);
        return nothing != nullptr;
    }

    PyObject* const told_;
    std::atomic<std::int64_t> steps_{0}, entries_{0};
    std::atomic<bool> stop_{false};
    std::int64_t since_question_ = 0;
    Clock::time_point asked_{};
};

// Rows in a strip: the longest ones together take a fraction of a second.
constexpr std::int64_t kRowsPerStrip = 256;

}  // namespace spbfs
