// Counts of what lies in an array, for the host: one pass, one atomic a CTA.
#include "cuda/grid/counts.cuh"

using namespace spbfs;

// Flags are read sixteen at a time; before and behind those there are fewer than sixteen each.
constexpr i64 kTogether = sizeof(uint4);

// Flags, bytes of zero or one, that are set.
__global__ void __launch_bounds__(kThreads)
    count_true(const unsigned char* flags, i64 size, Totals* totals) {
    const i64 all = static_cast<i64>(gridDim.x) * kThreads;
    const i64 head = min(size, -reinterpret_cast<i64>(flags) & (kTogether - 1));
    const i64 whole = (size - head) / kTogether, tail = head + whole * kTogether;
    const auto* const words = reinterpret_cast<const uint4*>(flags + head);
    i64 found = 0;
    for (i64 i = thread_of(); i < whole; i += all) {
        const uint4 word = words[i];
        found += __popc(word.x) + __popc(word.y) + __popc(word.z) + __popc(word.w);
    }
    const i64 i = thread_of();
    if (i < head) found += flags[i];
    if (i < size - tail) found += flags[tail + i];
    add_to(totals, found, 0);
}

// Vertices with a number, a level or a parent, and the entries of their rows.
template <typename Offset>
__global__ void __launch_bounds__(kThreads)
    count_reached(const int* numbers, const Offset* indptr, i64 size, Totals* totals) {
    const i64 all = static_cast<i64>(gridDim.x) * kThreads;
    i64 reached = 0, edges = 0;
    for (i64 v = thread_of(); v < size; v += all) {
        if (numbers[v] < 0) continue;
        ++reached;
        edges += static_cast<i64>(indptr[v + 1] - indptr[v]);
    }
    add_to(totals, reached, edges);
}

// Vertices with a level, and the sum of the levels.
__global__ void __launch_bounds__(kThreads)
    sum_levels(const int* levels, i64 size, Totals* totals) {
    const i64 all = static_cast<i64>(gridDim.x) * kThreads;
    i64 reached = 0, sum = 0;
    for (i64 v = thread_of(); v < size; v += all) {
        if (levels[v] < 0) continue;
        ++reached;
        sum += levels[v];
    }
    add_to(totals, reached, sum);
}
