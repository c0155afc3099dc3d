// The threads behind parallel.h: helpers, which spin for a short time and then sleep, and crews, at
// whose gates they wait for loops.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <thread>

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

struct Helper;
class Crew;

// Where a helper stands: which worker of which crew it is.  Never destroyed, and only `helper`
// changes, under the pool's lock.
struct Post {
    Crew* crew;
    int worker;
    Helper* helper = nullptr;
};

// A thread; it stays until exit.
struct Helper {
    // Stored under the pool's lock, loaded without.
    std::atomic<Post*> post;
    // Whether a caller has it; under the pool's lock.
    bool leased = false;
};

// Workers of one caller at a time, and the gate that they come through.
//
// The order of memory: every access to `gate_`, `inside_` and `Helper::post` is sequentially
// consistent, so that all of them stand in one order.  What a loop consists of (`job_` and so on)
// is written before the gate opens and read behind it.
//   - run() closes the gate, then reads `inside_`; a helper announces itself in `inside_`, then
//     reads the gate again.  Either it sees the gate closed, or run() sees it and waits.
//   - A helper whom a loop has no use for does not announce itself: else all of many helpers would
//     write `inside_` for a loop of two chunks, and run() wait for them.  It reads `workers_`
//     behind the gate, and finds what that loop has, or a later one.  Then the gate is another by
//     the time at which it reads that again, so that it does not run; or it stays away from a later
//     loop's gate no more than once, as it may from any loop.
//   - A helper that is moved has its new post before anybody can open the gate of the old crew for
//     a successor at the old post, since whoever moves it holds the pool's lock.  It reads its
//     post behind the gate: so two helpers never are the same worker of one loop.
class Crew {
  public:
    using Job = void (*)(void* context, int worker) noexcept;

    // Under the pool's lock.
    Post& post(int worker) {
        while (static_cast<int>(posts_.size()) < worker)
            posts_.push_back({this, static_cast<int>(posts_.size()) + 1});
        return posts_[worker - 1];
    }

    // job(context, 0) here and job(context, w) on helpers 1 .. workers-1 that come before it
    // returns.
    void run(Job job, void* context, int workers) {
        job_ = job;
        context_ = context;
        workers_.store(workers, std::memory_order_relaxed);
        outer_ = innermost();
        innermost() = this;
        open();
        job(context, 0);
        close();
        innermost() = outer_;
    }

    // A signal handler of Python's may fork within a loop: Interrupt asks for it.  The child has
    // this thread alone, so nobody may be in the middle of a chunk then, or it would be done never.
    static void close_all_of_this_thread() {
        for (Crew* crew = innermost(); crew != nullptr; crew = crew->outer_) crew->close();
    }
    static void open_all_of_this_thread() {
        for (Crew* crew = innermost(); crew != nullptr; crew = crew->outer_) crew->open();
    }

    // Has those that stand here look where they stand.
    void call() {
        gate_.fetch_add(2);
        gate_.notify_all();
    }

    // The life of a helper.
    static void serve(Helper* self) {
        std::uint32_t last = 0;
        Post* post = self->post.load();
        for (;;) {
            Crew& crew = *post->crew;
            std::uint32_t gate = crew.gate_.load();
            for (int spins = 0; (gate == last || gate % 2 == 0) && spins < kSpinsBeforeSleep;
                 ++spins) {
                cpu_relax();
                gate = crew.gate_.load();
            }
            // Read behind the gate: call() changes the gate later than the post.
            if (Post* const now = self->post.load(); now != post) {
                post = now;
                last = 0;
                continue;
            }
            if (gate == last || gate % 2 == 0) {
                crew.gate_.wait(gate);
                continue;
            }
            last = gate;
            if (post->worker >= crew.workers_.load(std::memory_order_relaxed)) continue;
            crew.inside_.fetch_add(1);
            if (crew.gate_.load() == gate && self->post.load() == post)
                crew.job_(crew.context_, post->worker);
            crew.inside_.fetch_sub(1);
        }
    }

  private:
    static constexpr int kSpinsBeforeYield = 1 << 12;
    // About 50 us: longer than the serial steps between two loops of one search, short enough that
    // a core is not burnt when the search is over.
    static constexpr int kSpinsBeforeSleep = 1 << 11;

    void open() {
        gate_.fetch_add(1);  // odd
        gate_.notify_all();
    }

    // Nobody enters from here on, and nobody is inside.
    void close() {
        gate_.fetch_add(1);  // even
        for (int spins = 0; inside_.load() != 0; ++spins) {
            if (spins < kSpinsBeforeYield)
                cpu_relax();
            else
                std::this_thread::yield();
        }
    }

    // The crew whose loop this thread is in: several where a signal handler searches, too.
    static Crew*& innermost() {
        thread_local Crew* crew = nullptr;
        return crew;
    }

    alignas(64) std::atomic<std::uint32_t> gate_{0};
    alignas(64) std::atomic<int> inside_{0};
    alignas(64) Job job_ = nullptr;
    void* context_ = nullptr;
    std::atomic<int> workers_{0};
    Crew* outer_ = nullptr;
    std::deque<Post> posts_;
};

}  // namespace spbfs
