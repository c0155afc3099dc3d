// Callers that come and go, with teams of every size, on more threads than there are helpers.
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <thread>
#include <vector>

#include "cpu/threads/parallel.h"

namespace {

constexpr int kCallers = 4, kTeams = 120, kLoops = 6, kMostThreads = 6;
std::atomic<int> wrong{0};

void call(int caller) {
    for (int t = 0; t < kTeams; ++t) {
        const int threads = 1 + (t * 7 + caller * 3) % kMostThreads;
        spbfs::Team team(threads);
        // Without atomics: whoever is the same worker at the same time, or loses a write, is seen.
        std::vector<std::int64_t> by_worker(kMostThreads * 8, 0);
        std::vector<int> done(200);
        for (int loop = 0; loop < kLoops; ++loop) {
            team.for_chunks(200, 1, [&](std::int64_t begin, std::int64_t, int worker) {
                by_worker[8 * worker] += 1;
                done[begin] += 1;
                if (begin % 64 == 0) std::this_thread::yield();
            });
        }
        std::int64_t sum = 0;
        for (int w = 0; w < kMostThreads; ++w) sum += by_worker[8 * w];
        if (sum != 200 * kLoops) ++wrong;
        for (const int times : done)
            if (times != kLoops) ++wrong;
    }
}

}  // namespace

int main() {
    spbfs::Cores::pretend(5);
    std::vector<std::thread> callers;
    for (int c = 0; c < kCallers; ++c) callers.emplace_back(call, c);
    for (std::thread& caller : callers) caller.join();
    std::printf("%d wrong\n", wrong.load());
    std::fflush(stdout);
    _exit(wrong != 0);
}
