// Launches grids under the name and with the entry points of the CUDA driver: what the GPU has,
// what of it a kernel may ask for, and as many threads of the host as there are multiprocessors.
#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <vector>

#include "grids.h"

namespace emulator {
namespace {

// What the emulated GPU has, and what shared memory its kernels declare and may be given.
struct Limits {
    unsigned multiprocessors, shared, reserved, threads, clusters;
} gpu{};
struct Shared {
    unsigned declared, most;
};
std::mutex shared_lock;
std::unordered_map<void*, Shared> shared_of_kernel;
constexpr unsigned kResident = 4;  // multiprocessors of a launch that is not cooperative
constexpr int kInvalidValue = 1, kTooLarge = 720;  // CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE

unsigned resident_ctas(const Shared& kernel, unsigned threads, unsigned dynamic) {
    return std::min(gpu.shared / std::max(kernel.declared + dynamic + gpu.reserved, 1u),
                    gpu.threads / threads);
}

Shared shared_by(void* function) {
    const std::lock_guard hold(shared_lock);
    return shared_of_kernel[function];
}

int launch(void* function, unsigned blocks, unsigned threads, unsigned dynamic, void** arguments,
           bool cooperative) {
    if (threads == 0 || threads > kMostThreads || blocks == 0) return kInvalidValue;
    const Shared shared = shared_by(function);
    if (dynamic > shared.most) return kInvalidValue;
    const unsigned fit = resident_ctas(shared, threads, dynamic);
    const unsigned resident = std::max(gpu.multiprocessors * fit, gpu.clusters * 16);
    if (cooperative && blocks > resident) return kTooLarge;
    std::atomic<unsigned> next{0};
    const auto work = [&] { run_ctas(function, arguments, threads, blocks, next); };
    std::vector<std::thread> multiprocessors(cooperative ? blocks : std::min(blocks, kResident));
    for (std::thread& thread : multiprocessors) thread = std::thread(work);
    for (std::thread& thread : multiprocessors) thread.join();
    return 0;
}

}  // namespace
}  // namespace emulator

// What a thread launches while it captures is told instead of run.
using Told = int (*)(void* function, unsigned blocks, unsigned threads, unsigned dynamic,
                     void** arguments, int cooperative);
static thread_local Told captured = nullptr;
extern "C" void capture_launches(Told told) { captured = told; }

extern "C" int cuLaunchKernel(void* function, unsigned blocks, unsigned, unsigned, unsigned threads,
                              unsigned, unsigned, unsigned dynamic, void*, void** arguments,
                              void**) {
    if (captured) return captured(function, blocks, threads, dynamic, arguments, 0);
    return emulator::launch(function, blocks, threads, dynamic, arguments, false);
}

// The emulator's own: the GPU, and how much shared memory a kernel declares and may ask for.
extern "C" void emulate_gpu(unsigned multiprocessors, unsigned shared, unsigned reserved,
                            unsigned threads, unsigned clusters) {
    emulator::gpu = {multiprocessors, shared, reserved, threads, clusters};
}
extern "C" void allow_shared(void* function, unsigned declared, unsigned most) {
    const std::lock_guard hold(emulator::shared_lock);
    emulator::shared_of_kernel[function] = {declared, most};
}
// All GPUs share one loaded kernel: for the next of them nothing is taken back from the others.
extern "C" void declare_shared(void* function, unsigned declared, unsigned most) {
    const std::lock_guard hold(emulator::shared_lock);
    emulator::shared_of_kernel.try_emplace(function, emulator::Shared{declared, most});
}

extern "C" int cuFuncSetAttribute(void*, int, int) { return 0; }
extern "C" int cuOccupancyMaxActiveClusters(int* clusters, void*, void*) {
    *clusters = static_cast<int>(emulator::gpu.clusters);
    return 0;
}

extern "C" int cuOccupancyMaxActiveBlocksPerMultiprocessor(int* ctas, void* function, int threads,
                                                           std::size_t dynamic) {
    *ctas = static_cast<int>(emulator::resident_ctas(emulator::shared_by(function),
                                                     static_cast<unsigned>(threads),
                                                     static_cast<unsigned>(dynamic)));
    return 0;
}

extern "C" int cuLaunchCooperativeKernel(void* function, unsigned blocks, unsigned, unsigned,
                                         unsigned threads, unsigned, unsigned, unsigned dynamic,
                                         void*, void** arguments) {
    if (captured) return captured(function, blocks, threads, dynamic, arguments, 1);
    return emulator::launch(function, blocks, threads, dynamic, arguments, true);
}
