// Threads for the CPU kernels: a loop cut into chunks that whoever is awake takes.
//
//     Team team(threads);                                     // a lease; cheap, nothing if threads
//     == 1 team.for_chunks(n, grain, [&](int64_t begin, int64_t end, int worker) { ... });
//
// The calling thread is worker 0 and always takes part; helpers 1 .. threads-1 join if they are
// awake while chunks are left.  The loop ends when every chunk is done, and waits only for helpers
// that did join, so a helper whose core was taken away, or that is still waking up, costs nothing.
// Hence:
//   - the body may not count on any worker but the caller running; state per worker starts neutral;
//   - a body never throws, never waits for another chunk, and never calls for_chunks on the same
//   team.
//
// Why not OpenMP: libgomp's threads do not survive fork and the child hangs in its next parallel
// region; its barriers wait for threads that have no core; and how they wait is the user's
// OMP_WAIT_POLICY.
#pragma once

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#if defined(__x86_64__) || defined(_M_X64)
#include <immintrin.h>
#endif

namespace spbfs {

inline void cpu_relax() {
#if defined(__x86_64__) || defined(_M_X64)
    _mm_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

// Helpers of one team: asleep, or spinning for the short time in which the next loop usually comes.
class Crew {
  public:
    using Job = void (*)(void* context, int worker) noexcept;

    // Grows to `helpers` threads, or as many as can run at once: they stay until exit.  A system
    // that refuses a thread leaves a smaller crew.
    void grow(int helpers) {
        if (helpers >= kAnyway) helpers = std::min(helpers, std::max(kAnyway, cores()) - 1);
        while (helpers_ < helpers) {
            // Signals belong to the thread that can answer them: the one that called us.
            sigset_t all, before;
            sigfillset(&all);
            pthread_sigmask(SIG_SETMASK, &all, &before);
            try {
                std::thread(&Crew::serve, this, helpers_ + 1).detach();
                ++helpers_;
            } catch (const std::system_error&) {
                helpers = helpers_;
            }
            pthread_sigmask(SIG_SETMASK, &before, nullptr);
        }
    }

    // job(context, 0) here and job(context, w) on helpers 1 .. workers-1 that come before it
    // returns.
    void run(Job job, void* context, int workers) {
        job_ = job;
        context_ = context;
        workers_ = workers;
        gate_.fetch_add(1);  // odd: open
        gate_.notify_all();
        job(context, 0);
        gate_.fetch_add(1);  // even: closed; nobody enters from here on
        for (int spins = 0; inside_.load() != 0; ++spins) {
            if (spins < kSpinsBeforeYield)
                cpu_relax();
            else
                std::this_thread::yield();
        }
    }

  private:
    // Workers on any machine, however few its cores, so that what is shared is tested everywhere.
    static constexpr int kAnyway = 8;

    // That this process may run on, where the system says so.
    static int cores() {
#ifdef __linux__
        cpu_set_t set;
        if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
#endif
        return static_cast<int>(std::thread::hardware_concurrency());
    }

    static constexpr int kSpinsBeforeYield = 1 << 12;
    // About 50 us: longer than the serial steps between two loops of one search, short enough that
    // a core is not burnt when the search is over.
    static constexpr int kSpinsBeforeSleep = 1 << 11;

    void serve(int worker) {
        std::uint32_t seen = 0;
        for (;;) {
            std::uint32_t gate = gate_.load();
            for (int spins = 0; (gate == seen || gate % 2 == 0) && spins < kSpinsBeforeSleep;
                 ++spins) {
                cpu_relax();
                gate = gate_.load();
            }
            if (gate == seen || gate % 2 == 0) {
                gate_.wait(gate);
                continue;
            }
            seen = gate;
            // Announce, then look again.  run() closes, then looks at inside_.  All four are
            // sequentially consistent, so either we see the gate closed, or run() sees us and
            // waits.
            inside_.fetch_add(1);
            if (gate_.load() == gate && worker < workers_) job_(context_, worker);
            inside_.fetch_sub(1);
        }
    }

    alignas(64) std::atomic<std::uint32_t> gate_{0};
    alignas(64) std::atomic<int> inside_{0};
    alignas(64) Job job_ = nullptr;
    void* context_ = nullptr;
    int workers_ = 0;
    int helpers_ = 0;

    friend class Team;
};

// Idle crews of this process.  A forked child inherits the memory but not the threads: it sees
// another pid and starts a new, empty pool.  Pools and crews are never destroyed: helpers sleep in
// them until exit.
class CrewPool {
  public:
    static CrewPool& of_this_process() {
        static std::atomic<CrewPool*> current{new CrewPool};
        CrewPool* pool = current.load();
        if (pool->pid_ != getpid()) {
            auto* fresh = new CrewPool;
            if (current.compare_exchange_strong(pool, fresh))
                pool = fresh;
            else
                delete fresh;
        }
        return *pool;
    }

    Crew* take() {
        std::lock_guard lock(mutex_);
        if (idle_.empty()) return new Crew;
        Crew* crew = idle_.back();
        idle_.pop_back();
        return crew;
    }

    void give(Crew* crew) {
        std::lock_guard lock(mutex_);
        idle_.push_back(crew);
    }

  private:
    pid_t pid_ = getpid();
    std::mutex mutex_;
    std::vector<Crew*> idle_;
};

// A lease of `threads` workers for as long as it lives; two callers at once get two crews.
class Team {
  public:
    explicit Team(int threads) : workers_(std::max(threads, 1)) {}
    Team(const Team&) = delete;
    Team& operator=(const Team&) = delete;
    ~Team() {
        if (crew_ != nullptr) CrewPool::of_this_process().give(crew_);
    }

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
        crew().run(
            [](void* context, int worker) noexcept {
                Loop& l = *static_cast<Loop*>(context);
                for (;;) {
                    std::int64_t begin = l.next.fetch_add(l.grain, std::memory_order_relaxed);
                    if (begin >= l.n) return;
                    l.body(begin, std::min(begin + l.grain, l.n), worker);
                }
            },
            &loop, workers_);
    }

  private:
    Crew& crew() {
        if (crew_ == nullptr) {
            crew_ = CrewPool::of_this_process().take();
            crew_->grow(workers_ - 1);
        }
        return *crew_;
    }

    int workers_;
    Crew* crew_ = nullptr;
};

// One loop on its own, for kernels that have only one.
template <class Body>
void parallel_for(int threads, std::int64_t n, std::int64_t grain, Body&& body) {
    Team(threads).for_chunks(n, grain, body);
}

}  // namespace spbfs
