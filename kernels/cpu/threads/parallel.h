// Threads for the CPU kernels: a loop cut into chunks that whoever is awake takes.
//
//     Team team(threads);  // a lease; cheap, nothing if threads == 1
//     team.for_chunks(n, grain, [&](int64_t begin, int64_t end, int worker) { ... });
//
// The calling thread is worker 0 and always takes part; helpers 1 .. threads-1 join if they are
// awake while chunks are left.  The loop ends when every chunk is done, and waits only for helpers
// that did join, so a helper whose core was taken away, or that is still waking up, costs nothing.
// Hence:
//   - the body may not count on any worker but the caller running; state per worker starts neutral;
//   - a body never throws, never waits for another chunk, and never calls for_chunks on the same
//     team.
//
// Helpers are fewer than threads where there are fewer cores, or other callers have them.
//
// Why not OpenMP: libgomp's threads do not survive fork and the child hangs in its next parallel
// region; its barriers wait for threads that have no core; and how they wait is the user's
// OMP_WAIT_POLICY.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "cpu/threads/crew_pool.h"

namespace spbfs {

// A lease of `threads` workers for as long as it lives; two callers at once get two crews.
class Team {
  public:
    explicit Team(int threads) : workers_(std::max(threads, 1)) {}
    Team(const Team&) = delete;
    Team& operator=(const Team&) = delete;
    ~Team() { CrewPool::give(lease_); }

    // Upper bound of the `worker` numbers that a body sees, plus one.
    int workers() const { return workers_; }

    // body(begin, end, worker) for chunks of at most `grain` that cover [0, n) exactly once.
    template <class Body>
    void for_chunks(std::int64_t n, std::int64_t grain, Body&& body) {
        if (workers_ == 1 || n <= grain) {
            for (std::int64_t begin = 0; begin < n; begin += grain)
                body(begin, std::min(begin + grain, n), 0);
            return;
        }
        struct Loop {
            std::atomic<std::int64_t> next{0};
            std::int64_t n, grain;
            Body& body;
        } loop{{0}, n, grain, body};
        lease();
        lease_.crew->run(
            [](void* context, int worker) noexcept {
                Loop& l = *static_cast<Loop*>(context);
                for (;;) {
                    std::int64_t begin = l.next.fetch_add(l.grain, std::memory_order_relaxed);
                    if (begin >= l.n) return;
                    l.body(begin, std::min(begin + l.grain, l.n), worker);
                }
            },
            &loop,
            static_cast<int>(std::min<std::int64_t>(1 + lease_.helpers, (n - 1) / grain + 1)));
    }

  private:
    // When it is needed; anew in a child that was forked within a lease.
    void lease() {
        CrewPool& pool = CrewPool::current();
        if (lease_.pool != &pool) lease_ = pool.take(workers_ - 1);
    }

    int workers_;
    CrewPool::Lease lease_;
};

// One loop on its own, for kernels that have only one.
template <class Body>
void parallel_for(int threads, std::int64_t n, std::int64_t grain, Body&& body) {
    Team(threads).for_chunks(n, grain, body);
}

}  // namespace spbfs
