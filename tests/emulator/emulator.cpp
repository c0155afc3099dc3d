// Runs the CTAs of a grid on the CPU; driver.cpp launches grids.
//
// A thread of the host is a multiprocessor: it runs a CTA at a time, whose lanes are coroutines
// with stacks of their own.  A lane goes on until it waits for its warp or its CTA; then another
// one that can go on has its turn, first of its warp.  Now and then a lane that need not wait lets
// another warp go first, too: what only holds while warps are in step does not hold here.  None
// that can go on means that the kernel would hang.
#include "emulator.h"

#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <thread>
#include <vector>

#include "grids.h"

#ifndef __x86_64__
#error "the switch between lanes is written for x86-64"
#endif

// Saves what a call must preserve on one stack, and returns on another.
extern "C" void emulator_switch(void** save, void* load);
asm(R"(
.globl emulator_switch
emulator_switch:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
)");

// ThreadSanitizer's, where it is loaded: a warp is a thread to it, and what orders warps is said.
extern "C" {
[[gnu::weak]] void* __tsan_get_current_fiber();
[[gnu::weak]] void* __tsan_create_fiber(unsigned);
[[gnu::weak]] void __tsan_destroy_fiber(void*);
[[gnu::weak]] void __tsan_switch_to_fiber(void*, unsigned);
[[gnu::weak]] void __tsan_acquire(void*);
[[gnu::weak]] void __tsan_release(void*);
}

namespace emulator {

thread_local Lane current;

namespace {

using Entry = void (*)(void**);
constexpr std::size_t kStack = 64 * 1024, kGuard = 4096;

// A lane that waits for another CTA.
struct Sleeper {
    const std::uint64_t* word;
    unsigned bit, thread;
    bool is_over() const { return (__atomic_load_n(word, __ATOMIC_ACQUIRE) & 1) != bit; }
};

struct Cta {
    Entry entry;
    void** arguments;
    unsigned alive;
    unsigned arrived = 0;
    int votes = 0, counted = 0, line = 0;
    std::uint32_t turns = 0;  // drawn by chance, the same for every run
    void *resume, *host;      // the host's own stack and fiber
    std::vector<void*> stack;
    std::vector<Warp> warps;
    std::vector<Sleeper> asleep;
    std::vector<void*> fibers;  // of the warps
};
thread_local Cta* cta;

constexpr unsigned kUnordered = 1;
void enter_warp(unsigned warp) {
    if (__tsan_switch_to_fiber) __tsan_switch_to_fiber(cta->fibers[warp], kUnordered);
}
void enter_host() {
    if (__tsan_switch_to_fiber) __tsan_switch_to_fiber(cta->host, kUnordered);
}
// What lanes have done that have ended or are at a barrier.
void acquire_all() {
    if (__tsan_acquire) __tsan_acquire(cta);
}
void release_all() {
    if (__tsan_release) __tsan_release(cta);
}
// What the host did before it began the CTA: nothing of lanes that have ended before another
// begins.
void acquire_begin() {
    if (__tsan_acquire) __tsan_acquire(&cta->entry);
}
void release_begin() {
    if (__tsan_release) __tsan_release(&cta->entry);
}

// Stacks of all lanes, kept from launch to launch, each above a page that may not be touched.
struct Stacks {
    char* base;
    Stacks() {
        base = static_cast<char*>(mmap(nullptr, kMostThreads * kStack, PROT_READ | PROT_WRITE,
                                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
        if (base == MAP_FAILED) fail("there is no memory for the lanes' stacks", 0);
        for (unsigned i = 0; i < kMostThreads; ++i) mprotect(base + i * kStack, kGuard, PROT_NONE);
    }
    char* top(unsigned thread) const { return base + (thread + 1) * kStack; }
};
std::mutex idle_mutex;
std::vector<Stacks> idle;

Stacks take_stacks() {
    const std::lock_guard lock(idle_mutex);
    if (idle.empty()) return Stacks();
    const Stacks taken = idle.back();
    idle.pop_back();
    return taken;
}

void give_stacks(Stacks stacks) {
    const std::lock_guard lock(idle_mutex);
    idle.push_back(stacks);
}

void become(unsigned thread) {
    current.thread = thread;
    current.warp = &cta->warps[thread / kWarp];
}

// The next lane that can go on: after this one in its warp, then in the warps after it.
int next_ready() {
    const unsigned count = static_cast<unsigned>(cta->warps.size());
    const unsigned warp = current.thread / kWarp, lane = current.thread % kWarp;
    for (unsigned k = 0; k < count; ++k) {
        const unsigned w = (warp + k) % count;
        const unsigned ready = std::rotr(cta->warps[w].ready, k ? 0 : static_cast<int>(lane));
        if (ready)
            return static_cast<int>(w * kWarp +
                                    (std::countr_zero(ready) + (k ? 0u : lane)) % kWarp);
    }
    return -1;
}

void explain_and_abort() {
    std::fprintf(stderr, "CUDA emulator: CTA %u hangs\n", current.block);
    for (std::size_t w = 0; w < cta->warps.size(); ++w)
        for (const Meeting& m : cta->warps[w].meeting)
            if (m.arrived)
                std::fprintf(stderr, "  warp %zu, line %d: lanes %08x of %08x\n", w, m.line,
                             m.arrived, m.mask);
    if (cta->arrived)
        std::fprintf(stderr, "  __syncthreads, line %d: %u of %u threads\n", cta->line,
                     cta->arrived, cta->alive);
    std::abort();
}

// The next lane that can go on, where need be once another CTA has let one.
int next_ready_or_woken() {
    for (;;) {
        const int to = next_ready();
        if (to >= 0 || cta->asleep.empty()) return to;
        std::erase_if(cta->asleep, [](const Sleeper& s) {
            const bool over = s.is_over();
            if (over) cta->warps[s.thread / kWarp].ready |= 1u << s.thread % kWarp;
            return over;
        });
        sched_yield();
    }
}

// Another lane's turn; returns when this one can go on, at once where it can already.
void wait() {
    const unsigned from = current.thread;
    const int to = next_ready_or_woken();
    if (to < 0) explain_and_abort();
    if (static_cast<unsigned>(to) == from) return;
    become(static_cast<unsigned>(to));
    if (to / kWarp != static_cast<int>(from) / kWarp) enter_warp(to / kWarp);
    emulator_switch(&cta->stack[from], cta->stack[to]);
}

// A ready lane of another warp has its turn before this one, if there is any.
void let_another_warp() {
    const unsigned from = current.thread, count = static_cast<unsigned>(cta->warps.size());
    for (unsigned k = 1; k < count; ++k) {
        const unsigned w = (from / kWarp + k) % count, ready = cta->warps[w].ready;
        if (ready == 0) continue;
        become(w * kWarp + static_cast<unsigned>(std::countr_zero(ready)));
        enter_warp(w);
        emulator_switch(&cta->stack[from], cta->stack[current.thread]);
        return;
    }
}

bool by_chance() {
    cta->turns = cta->turns * 1664525 + 1013904223;  // Numerical Recipes' generator
    return cta->turns >> 30 == 0;
}

// All that are left have arrived.
void open_barrier() {
    cta->arrived = 0;
    cta->counted = std::exchange(cta->votes, 0);
    for (Warp& w : cta->warps) w.ready = w.live;
}

// The meeting of a mask, which may begin here: lanes of it may be at one of a larger mask already.
Meeting& meeting_of(Warp& w, unsigned mask) {
    Meeting* free = nullptr;
    for (Meeting& m : w.meeting) {
        if (m.arrived && m.mask == mask) return m;
        if (!m.arrived && !free) free = &m;
    }
    return *free;
}

void leave(unsigned bit) {
    Warp& w = *current.warp;
    w.live &= ~bit;
    w.ready &= ~bit;
    void* unused;
    release_all();
    if (--cta->alive == 0) {
        enter_host();
        emulator_switch(&unused, cta->resume);
    }
    if (cta->arrived == cta->alive) open_barrier();
    wait();
}

void run_lane() {
    acquire_begin();
    cta->entry(cta->arguments);
    leave(1u << lane());
}

void run_cta(Cta& c, const Stacks& stacks, unsigned block) {
    const unsigned threads = current.threads;
    current.block = block;
    c.alive = threads;
    c.arrived = 0;
    c.turns = block;
    for (unsigned t = 0; t < threads; ++t) {
        // As if `run_lane` had been called and had switched: its return address, six registers.
        void** top = reinterpret_cast<void**>(stacks.top(t)) - 1;
        *top = nullptr;  // where its caller would be
        *--top = reinterpret_cast<void*>(run_lane);
        c.stack[t] = top - 6;
        std::fill_n(top - 6, 6, nullptr);
    }
    for (unsigned w = 0; w < c.warps.size(); ++w) {
        const unsigned lanes = std::min(threads - w * kWarp, unsigned{kWarp});
        c.warps[w] = Warp{};
        c.warps[w].live = c.warps[w].ready = ~0u >> (kWarp - lanes);
    }
    become(0);
    release_begin();
    if (__tsan_create_fiber) {
        c.host = __tsan_get_current_fiber();
        c.fibers.resize(c.warps.size());
        for (void*& fiber : c.fibers) fiber = __tsan_create_fiber(0);
        enter_warp(0);
    }
    emulator_switch(&c.resume, c.stack[0]);
    acquire_all();
    for (void* fiber : std::exchange(c.fibers, {})) __tsan_destroy_fiber(fiber);
}

}  // namespace

void fail(const char* what, int line) {
    std::fprintf(stderr, "CUDA emulator: CTA %u, thread %u, line %d: %s\n", current.block,
                 current.thread, line, what);
    std::abort();
}

std::uint64_t meet(Combine combine, unsigned mask, std::uint64_t value, int from, int line) {
    Warp& w = *current.warp;
    const int mine = lane();
    const unsigned bit = 1u << mine;
    if (!(mask & bit)) fail("a lane is not in the mask of its own collective", line);
    Meeting& m = meeting_of(w, mask);
    if (m.arrived && m.line != line) {
        std::fprintf(stderr, "CUDA emulator: lanes %08x wait at line %d\n", m.arrived, m.line);
        fail("lanes of a warp have parted and meet at different collectives", line);
    }
    m.mask = mask;
    m.line = line;
    m.arrived |= bit;
    w.given[mine] = value;
    w.from[mine] = from;
    if (m.arrived == mask) {
        w.line = line;
        combine(w, mask);
        m.arrived = 0;
        w.ready |= mask;
        if (by_chance()) let_another_warp();
    } else {
        w.ready &= ~bit;
        wait();
    }
    return w.taken[mine];
}

void wait_for_change(const std::uint64_t* word, unsigned bit) {
    const Sleeper self{word, bit, current.thread};
    if (self.is_over()) return;
    cta->asleep.push_back(self);
    current.warp->ready &= ~(1u << lane());
    wait();
}

int barrier(int p, int line) {
    release_all();
    cta->votes += p;
    cta->line = line;
    current.warp->ready &= ~(1u << lane());
    if (++cta->arrived == cta->alive) open_barrier();
    wait();
    acquire_all();
    return cta->counted;
}

void yield() {
    // Once for all lanes of a warp.  What they wait for may take a processor that this one has.
    if (std::has_single_bit(current.warp->ready))
        std::this_thread::sleep_for(std::chrono::microseconds(1));
    let_another_warp();
}

void fence() {
    static char all;  // whoever comes later is behind whoever came before
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (!__tsan_release) return;
    __tsan_release(&all);
    __tsan_acquire(&all);
}

long long nanoseconds() {
    return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
}

void run_ctas(void* function, void** arguments, unsigned threads, unsigned blocks,
              std::atomic<unsigned>& next) {
    const Stacks stacks = take_stacks();
    Cta mine{};
    cta = &mine;
    mine.entry = reinterpret_cast<Entry>(function);
    mine.arguments = arguments;
    mine.stack.resize(threads);
    mine.warps.resize((threads + kWarp - 1) / kWarp);
    mine.asleep.reserve(threads);
    current.threads = threads;
    current.blocks = blocks;
    for (unsigned block; (block = next++) < blocks;) run_cta(mine, stacks, block);
    give_stacks(stacks);
}

}  // namespace emulator
