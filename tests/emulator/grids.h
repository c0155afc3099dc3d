// How driver.cpp has emulator.cpp run a grid.
#pragma once
#include <atomic>

namespace emulator {

constexpr unsigned kMostThreads = 1024;

// A multiprocessor: runs one CTA after another, of those that no other has taken.
void run_ctas(void* function, void** arguments, unsigned threads, unsigned blocks,
              std::atomic<unsigned>& next);

}  // namespace emulator
