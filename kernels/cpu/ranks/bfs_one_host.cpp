// Searches over ranks of one host: what is done between two levels, and the Python face of both.
// The loops over edges are in bfs_one_host.h.
#include "cpu/ranks/bfs_one_host.h"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstdint>
#include <thread>
#include <tuple>

#include "cpu/python/interpreter.h"
#include "cpu/threads/parallel.h"

namespace spbfs::one_host {
namespace {

// How often a rank looks whether others have come before it lets another program have the core, and
// for how long, in microseconds, before it sleeps between looks.
constexpr int kLooks = 2000;
constexpr std::int64_t kAwake = 1000, kNap = 50;

// Whether all ranks have come to their meeting of this number, within so many milliseconds.  A row
// is a rank's, its first number that of the last meeting that it has come to.
bool meet(nb::ndarray<std::int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu> rows,
          std::int64_t rank, std::int64_t number, std::int64_t milliseconds) {
    const auto last = [&](std::int64_t r) {
        return std::atomic_ref<std::int64_t>(rows.data()[r * rows.shape(1)]);
    };
    const auto size = static_cast<std::int64_t>(rows.shape(0));
    last(rank).store(number, std::memory_order_release);
    using Clock = std::chrono::steady_clock;
    Clock::time_point began;
    Unlocked unlocked;
    int looks = 0;
    for (std::int64_t r = 0; r < size;) {
        if (last(r).load(std::memory_order_acquire) >= number) {
            ++r;
            continue;
        }
        if (++looks < kLooks) {
#if defined(__x86_64__)
            __builtin_ia32_pause();
#endif
            continue;
        }
        if (looks == kLooks) began = Clock::now();
        const auto waited = Clock::now() - began;
        if (waited > std::chrono::milliseconds(milliseconds)) return false;
        if (waited > std::chrono::microseconds(kAwake))
            std::this_thread::sleep_for(std::chrono::microseconds(kNap));
        else
            sched_yield();
    }
    return true;
}

// Nobody is found but the source, a slot, or -1 where it is another rank's.  Levels are by the
// order of this rank's slots.
void begin(Array<Word> fronts, Array<Word> nexts, Array<Word> all_visited, Array<Slot> all_parents,
           Array<Slot> levels, const Own::Numbers& numbers, std::int64_t source, int threads) {
    const Own own(numbers);
    Word *const front = fronts.data(), *const next = nexts.data();
    Word* const visited = all_visited.data();
    Slot* const parents = all_parents.data();
    Slot* const level = levels.data();
    Unlocked unlocked;
    parallel_for(threads, own.words, kWords, [&](std::int64_t i, std::int64_t end, int) {
        std::fill(level + i * kWordBits, level + std::min(end * kWordBits, own.size), Slot{-1});
        for (; i < end; ++i) {
            const std::int64_t w = own.at(i);
            front[w] = next[w] = visited[w] = 0;
            std::fill_n(parents + w * kWordBits, kWordBits, Slot{-1});
        }
    });
    if (source < 0) return;
    set_bit(front, source);
    set_bit(visited, source);
}

// Own vertices that were found are on a level; how many, and their out-edges.  The last frontier is
// cleared for what is found next.
std::tuple<std::int64_t, std::int64_t> collect(Array<Word> last_front, Array<const Word> found,
                                               Array<Word> visited, const Own::Numbers& numbers,
                                               Array<const std::int64_t> degrees,
                                               Array<Slot> levels, std::int64_t depth,
                                               int threads) {
    const Own own(numbers);
    Word *const last = last_front.data(), *const known = visited.data();
    const Word* const fresh = found.data();
    const std::int64_t* const degree = degrees.data();
    Slot* const level = levels.data();
    std::atomic<std::int64_t> vertices{0}, edges{0};
    Unlocked unlocked;
    parallel_for(threads, own.words, kWords, [&](std::int64_t i, std::int64_t end, int) {
        std::int64_t some = 0, out = 0;
        for (; i < end; ++i) {
            const std::int64_t w = own.at(i);
            // A line that is not written stays in the caches of ranks that read it.
            if (last[w] != 0) last[w] = 0;
            if (fresh[w] == 0) continue;
            known[w] |= fresh[w];
            some += std::popcount(fresh[w]);
            for_each_bit(fresh[w], i * kWordBits, [&](std::int64_t v) {
                level[v] = static_cast<Slot>(depth);
                out += degree[v];
            });
        }
        vertices.fetch_add(some, std::memory_order_relaxed);
        edges.fetch_add(out, std::memory_order_relaxed);
    });
    return {vertices, edges};
}

// `copies` has none where the edges are few.
template <class Offset>
void push(const typename Edges<Offset>::Arrays& edges, const Own::Numbers& numbers,
          Array<Word> copies, Array<Slot> todo, const Common::Arrays& common, int threads) {
    const Edges<Offset> by(edges);
    const Own own(numbers);
    const Common all(common);
    Unlocked unlocked;
    if (length(copies) == 0) return push_few(by, own, all);
    Team team(threads);
    push_many(by, own, copies.data(), todo.data(), all, team);
}

template <class Offset>
void pull(const typename Edges<Offset>::Arrays& edges, Array<const Slot> likeliest,
          std::int64_t active, const Own::Numbers& numbers, const Common::Arrays& common,
          int threads) {
    const Edges<Offset> by(edges);
    const Own own(numbers);
    const Common all(common);
    Unlocked unlocked;
    Team team(threads);
    pull(by, likeliest.data(), active, own, all, team);
}

template <class Offset>
void bind_one_host(nb::module_& m) {
    m.def("one_host_push", &push<Offset>, nb::arg("edges").noconvert(), nb::arg("own"),
          nb::arg("copies").noconvert(), nb::arg("todo").noconvert(), nb::arg("common").noconvert(),
          nb::arg("threads"));
    m.def("one_host_pull", &pull<Offset>, nb::arg("edges").noconvert(),
          nb::arg("likeliest").noconvert(), nb::arg("active"), nb::arg("own"),
          nb::arg("common").noconvert(), nb::arg("threads"));
}

}  // namespace
}  // namespace spbfs::one_host

void bind_bfs_one_host(nb::module_& m) {
    namespace one_host = spbfs::one_host;
    m.def("one_host_meet", &one_host::meet, nb::arg("rows").noconvert(), nb::arg("rank"),
          nb::arg("number"), nb::arg("milliseconds"));
    m.def("one_host_begin", &one_host::begin, nb::arg("front").noconvert(),
          nb::arg("next").noconvert(), nb::arg("visited").noconvert(),
          nb::arg("parents").noconvert(), nb::arg("levels").noconvert(), nb::arg("own"),
          nb::arg("source"), nb::arg("threads"));
    m.def("one_host_collect", &one_host::collect, nb::arg("last_front").noconvert(),
          nb::arg("found").noconvert(), nb::arg("visited").noconvert(), nb::arg("own"),
          nb::arg("degrees").noconvert(), nb::arg("levels").noconvert(), nb::arg("depth"),
          nb::arg("threads"));
    one_host::bind_one_host<std::int32_t>(m);
    one_host::bind_one_host<std::int64_t>(m);
}
