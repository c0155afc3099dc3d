// The threads behind parallel.h: helpers that spin for a short time and then sleep, and the pool of
// those that are idle.
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
        std::uint32_t last = 0;
        for (;;) {
            std::uint32_t gate = gate_.load();
            for (int spins = 0; (gate == last || gate % 2 == 0) && spins < kSpinsBeforeSleep;
                 ++spins) {
                cpu_relax();
                gate = gate_.load();
            }
            if (gate == last || gate % 2 == 0) {
                gate_.wait(gate);
                continue;
            }
            last = gate;
            // Announce, then read the gate again.  run() closes it, then reads inside_.  All four
            // are sequentially consistent, so either we see the gate closed, or run() sees us and
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

}  // namespace spbfs
