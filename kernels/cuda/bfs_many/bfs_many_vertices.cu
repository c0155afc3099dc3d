// What is said of every vertex: how many searches reach it, which at one level, in the caller's
// labels.
#include "cuda/bfs_many/bfs_many_planes.cuh"

// Per vertex: how many sources reach it, and the sum of their levels.
extern "C" __global__ void count_sources(const ManyPlanes p, int* counts, i64* sums) {
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    // An isolated source has no row, and is reached by itself.
    for (int j = v; counts && p.rank && j < p.source_count; j += gridDim.x * blockDim.x)
        if (p.rank[p.sources[j]] < 0) atomicAdd(counts + p.sources[j], 1);
    const int id = v >= p.caller_n ? -1 : p.rank ? p.rank[v] : v;
    if (id < 0) return;
    int count = 0;
    i64 sum = 0;
    const int planes = planes_for(__ldg(p.depth));
    for (int word = 0; word * 32 < p.source_count; ++word) {
        const int used = min(32, p.source_count - 32 * word);
        const u32 mask = used == 32 ? kFull : (1u << used) - 1;
        count += __popc(visited_of(p, id, word) & mask);
        for (int plane = 0; sums && plane < planes; ++plane)
            sum += static_cast<i64>(__popc(word_of(p, plane, id, word))) << plane;
    }
    if (counts) counts[v] += count;
    if (sums) sums[v] += sum;
}

// out[v]: the searches that reach v at exactly this level, a bit each in the caller's order.  As
// many lanes as a row has words take a vertex, and give one another bits.
extern "C" __global__ void emit_level_set(const ManyPlanes p, int level, u32* out) {
    const i64 i = static_cast<i64>(blockIdx.x) * blockDim.x + threadIdx.x;
    const int v = static_cast<int>(i / p.words), word = static_cast<int>(i % p.words);
    const bool is = v < p.caller_n;
    const int id = !is ? -1 : p.rank ? p.rank[v] : v;
    u32 bits = 0;
    const int used = p.source_count - 32 * word, depth = __ldg(p.depth);
    if (id >= 0 && used > 0 && level <= depth) {
        bits = visited_of(p, id, word) & (used >= 32 ? kFull : (1u << used) - 1);
        for (int plane = 0; plane < planes_for(depth); ++plane) {
            const u32 x = word_of(p, plane, id, word);
            bits &= level >> plane & 1 ? x : ~x;
        }
    } else if (is && id < 0 && level == 0) {
        for (int j = 32 * word; j < min(32 * word + 32, p.source_count); ++j)
            if (p.sources[j] == v) bits |= 1u << (j - 32 * word);
    }
    const int first = (threadIdx.x & 31) / p.words * p.words;
    u32 given = 0;
    for (int j = 0; j < 32; ++j) {
        const int slot = j < used ? __ldg(p.slot + 32 * word + j) : 0;
        given |= (__shfl_sync(kFull, bits, first + (slot >> 5)) >> (slot & 31) & (j < used)) << j;
    }
    if (is) out[i] = given;
}
