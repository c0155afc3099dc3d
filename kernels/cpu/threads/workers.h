// Threads that share the work of one search, of which a kernel may run several at once.
#pragma once

#include <algorithm>
#include <cstdint>

#include "cpu/threads/interrupt.h"
#include "cpu/threads/parallel.h"

namespace spbfs {

// The threads of one search, which stop where the kernel is interrupted.
class Workers {
  public:
    // `may_ask`: whether the first of them is the thread that called the kernel.
    Workers(int threads, Interrupt& interrupt, bool may_ask)
        : team_(threads), interrupt_(interrupt), may_ask_(may_ask) {}

    int count() const { return team_.workers(); }
    bool stopped() const { return interrupt_.stopped(); }

    // f(i, worker) for i in [0, n), wherever.
    template <class F>
    void each(std::int64_t n, F&& f) {
        team_.for_chunks(n, 1, [&](std::int64_t i, std::int64_t, int worker) { f(i, worker); });
    }

    // f(from, to) for turns of `grain` that cover [0, n); f returns how much work its turn was.
    template <class F>
    void turns(std::int64_t n, std::int64_t grain, F&& f) {
        team_.for_chunks(n, grain, [&](std::int64_t from, std::int64_t to, int worker) {
            if (!stopped()) interrupt_.poll(asker(worker), f(from, to));
        });
    }

    // f(i) for i from `begin` to `end`, one after the other on this worker; f returns its work.
    template <class F>
    void strips(std::int64_t begin, std::int64_t end, int worker, F&& f) {
        interrupt_.strips(begin, end, kStrip, asker(worker),
                          [&](std::int64_t from, std::int64_t to) {
                              std::int64_t work = to - from;
                              for (std::int64_t i = from; i < to; ++i) work += f(i);
                              return work;
                          });
    }

  private:
    static constexpr std::int64_t kStrip = 1 << 12;

    int asker(int worker) const { return may_ask_ ? worker : 1; }

    Team team_;
    Interrupt& interrupt_;
    const bool may_ask_;
};

}  // namespace spbfs
