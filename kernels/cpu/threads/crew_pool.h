// Who has which helpers: a number of them for the whole process, lent to whoever calls.
#pragma once

#include <pthread.h>
#include <sched.h>
#include <signal.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "cpu/threads/crew.h"

namespace spbfs {

// How many cores this process may keep busy.
class Cores {
  public:
    static int count() {
        if (const int pretended = pretended_.load(); pretended > 0) return pretended;
        return std::min(affinity(), quota_.load());
    }
    // What the control group's quota allows, rounded up.
    static void set_quota(int cores) { quota_.store(cores); }
    // As if there were so many, that what is shared is tested on any machine; 0: as it is.
    static void pretend(int cores) { pretended_.store(cores); }

  private:
    // Asked anew each time: it may change while the process runs.
    static int affinity() {
#ifdef __linux__
        cpu_set_t set;
        if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
#endif
        return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    }

    inline static std::atomic<int> quota_{std::numeric_limits<int>::max()};
    inline static std::atomic<int> pretended_{0};
};

// Helpers and crews of this process.  All callers together have at most one helper less than there
// are cores: who comes while others have them gets what is left.
//
// A forked child inherits the memory but not the threads, and perhaps a lock that another thread
// holds: it begins with an empty pool.  Pools, crews and helpers are never destroyed, since helpers
// sleep in them until exit.
class CrewPool {
  public:
    struct Lease {
        CrewPool* pool = nullptr;
        Crew* crew = nullptr;
        int helpers = 0;
    };

    static CrewPool& current() { return *instance().load(std::memory_order_acquire); }

    // A crew with as many helpers as are free, up to `wanted`.
    Lease take(int wanted) {
        std::lock_guard lock(mutex_);
        const int most = Cores::count() - 1;
        wanted = std::min(wanted, most - lent_);
        Crew* crew = idle_.empty() ? new Crew : idle_.back();
        if (!idle_.empty()) idle_.pop_back();
        int helpers = 0;
        std::size_t looked_at = 0;
        while (helpers < wanted && fill(crew->post(helpers + 1), most, looked_at)) ++helpers;
        lent_ += helpers;
        return {this, crew, helpers};
    }

    // In a child that was forked meanwhile, a lease of its parent's is worth nothing.
    static void give(const Lease& lease) {
        if (lease.pool == nullptr || lease.pool != &current()) return;
        CrewPool& pool = *lease.pool;
        std::lock_guard lock(pool.mutex_);
        pool.lent_ -= lease.helpers;
        if (lease.crew == nullptr) return;
        for (int w = 1; w <= lease.helpers; ++w) lease.crew->post(w).helper->leased = false;
        pool.idle_.push_back(lease.crew);
    }

    // For a caller that has threads of its own: they count, and none of ours comes.
    Lease reserve(int wanted) {
        std::lock_guard lock(mutex_);
        const int helpers = std::max(0, std::min(wanted, Cores::count() - 1 - lent_));
        lent_ += helpers;
        return {this, nullptr, helpers};
    }

  private:
    static std::atomic<CrewPool*>& instance() {
        static std::atomic<CrewPool*> pool{first()};
        return pool;
    }

    static CrewPool* first() {
        pthread_atfork(Crew::close_all_of_this_thread, Crew::open_all_of_this_thread, [] {
            instance().store(new CrewPool, std::memory_order_release);
            Crew::open_all_of_this_thread();
        });
        return new CrewPool;
    }

    // Whether there is a helper for the post: who stands there, a free one of another crew, or a
    // new one.
    bool fill(Post& post, int most, std::size_t& looked_at) {
        Helper* helper = post.helper;
        if (helper == nullptr) {
            while (helper == nullptr && looked_at < helpers_.size())
                if (!helpers_[looked_at++]->leased) helper = helpers_[looked_at - 1];
            if (helper != nullptr)
                move(*helper, post);
            else if (static_cast<int>(helpers_.size()) >= most || !start(post))
                return false;
        }
        post.helper->leased = true;
        return true;
    }

    static void move(Helper& helper, Post& post) {
        Post* const before = helper.post.load();
        before->helper = nullptr;
        post.helper = &helper;
        helper.post.store(&post);
        before->crew->call();
    }

    // False where the system refuses a thread.
    bool start(Post& post) {
        auto* helper = new Helper{{&post}};
        // Signals belong to the thread that can answer them: the one that called us.  But one that
        // says that a page is gone comes to who reads it, and ends the process where it is blocked.
        sigset_t all, before;
        sigfillset(&all);
        sigdelset(&all, SIGBUS);
        pthread_sigmask(SIG_SETMASK, &all, &before);
        try {
            std::thread(&Crew::serve, helper).detach();
            post.helper = helper;
            helpers_.push_back(helper);
        } catch (const std::system_error&) {
            delete helper;
            helper = nullptr;
        }
        pthread_sigmask(SIG_SETMASK, &before, nullptr);
        return helper != nullptr;
    }

    std::mutex mutex_;
    std::vector<Crew*> idle_;
    std::vector<Helper*> helpers_;
    int lent_ = 0;
};

}  // namespace spbfs
