// The Kronecker graph of Graph500, drawn where it is wanted: an edge is a function of its number,
// so that every GPU draws all of them again for the rows that it makes next, instead of keeping or
// sending any.
//
// Labels are scrambled by a bijection instead of a table: what a random look-up for either end
// would take, hundreds of instructions do not.
#include "cuda/layout/share_keys.cuh"

__device__ __forceinline__ u64 mixed(u64 x) {
    x += 0x9e3779b97f4a7c15ull;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

// Which graph: 2^scale vertices, so many edges drawn; a and its like are probabilities times 2^32,
// summed up.
struct Drawn {
    u64 seed;
    i64 edges;
    int scale;
    u32 a, ab, abc;
};

// Each step is a bijection of the numbers below 2^scale.
__device__ __forceinline__ u32 scrambled(const Drawn& g, u32 x) {
    const u32 mask = static_cast<u32>((u64{1} << g.scale) - 1);
    const int half = (g.scale + 1) / 2;
#pragma unroll
    for (int turn = 1; turn <= 3; ++turn) {
        const u64 r = mixed(g.seed + turn);
        x = (x * (static_cast<u32>(r) | 1) + static_cast<u32>(r >> 32)) & mask;
        x ^= x >> half;
    }
    return x;
}

// Edge e: a quarter of what is left of the matrix at a time, two of 64 random bits.
__device__ __forceinline__ uint2 drawn_edge(const Drawn& g, i64 e) {
    const u64 own = mixed(g.seed ^ static_cast<u64>(e) << 8);
    u32 from = 0, to = 0;
    for (int level = 0; level < g.scale; level += 2) {
        const u64 bits = mixed(own + level);
#pragma unroll
        for (int k = 0; k < 2; ++k) {
            if (level + k >= g.scale) break;
            const u32 r = static_cast<u32>(bits >> 32 * k);
            const bool down = r >= g.ab;
            from = 2 * from + down;
            to = 2 * to + ((r >= g.a) ^ down ^ (r >= g.abc));
        }
    }
    return make_uint2(scrambled(g, from), scrambled(g, to));
}

// Calls use(u, v, wanted) for either direction of every edge, by all lanes of a warp together;
// `wanted`: whether u is among the rows [first, last).
template <typename Use>
__device__ __forceinline__ void each_entry(const Drawn& g, u32 first, u32 last, Use&& use) {
    const int lane = threadIdx.x & 31;
    for (i64 at = thread_number() - lane; at < g.edges; at += thread_count()) {
        const bool is_edge = at + lane < g.edges;
        const uint2 edge = drawn_edge(g, at + lane);
        const bool proper = is_edge && edge.x != edge.y;
        use(edge.x, edge.y, proper && edge.x >= first && edge.x < last);
        use(edge.y, edge.x, proper && edge.y >= first && edge.y < last);
    }
}

// Keys of the entries of the rows [first, last): (row - first) << 32 | column.
__global__ void graph500_keys(u64 seed, i64 edges, int scale, u32 a, u32 ab, u32 abc, u32 first,
                              u32 last, u64* keys, u64 room, u64* found) {
    __shared__ u64 stages[kKeyWarps][kKeysStaged];
    KeyWriter writer(keys, room, found, stages);
    const Drawn g{seed, edges, scale, a, ab, abc};
    each_entry(g, first, last, [&](u32 u, u32 v, bool wanted) {
        writer.add(wanted, static_cast<u64>(u - first) << 32 | v);
    });
    writer.finish();
}

// The same of those that one of several GPUs has, see bfs_layout_share.cu.
__global__ void graph500_share_keys(u64 seed, i64 edges, int scale, u32 a, u32 ab, u32 abc,
                                    u32 first, u32 last, const int* rank, const int* place_of,
                                    int shift, int gpus, int place, u64* keys, u64 room,
                                    u64* found) {
    __shared__ u64 stages[kKeyWarps][kKeysStaged];
    KeyWriter writer(keys, room, found, stages);
    const Drawn g{seed, edges, scale, a, ab, abc};
    each_entry(g, first, last, [&](u32 u, u32 v, bool wanted) {
        const ShareKey entry(static_cast<int>(u), static_cast<int>(v), rank, place_of, shift, gpus,
                             place, wanted);
        writer.add(entry.own, entry.key);
    });
    writer.finish();
}

// Levels of all labels in bytes, each from the GPU that owns its vertex: level + 1, 0 where there
// is none.
__global__ void graph500_levels(const int* const* levels_of, const int* rank, i64 n, int shift,
                                int gpus, unsigned char* levels) {
    const SharedResults results(levels_of, rank, shift, gpus);
    for (i64 u = thread_number(); u < n; u += thread_count()) {
        const int id = rank ? rank[u] : static_cast<int>(u);
        const int level = id < 0 ? -1 : results.at(id, u);
        levels[u] = static_cast<unsigned char>(min(level + 1, 255));
    }
}

// Of the edges [first, last) as they were drawn: how many do not join two levels that are one apart
// at most, or what was reached and what was not; and a bit a label for those that some lead to from
// one level up.
__global__ void graph500_check(u64 seed, i64 edges, int scale, u32 a, u32 ab, u32 abc, i64 first,
                               i64 last, const unsigned char* levels, u32* led_to, u64* broken) {
    const Drawn g{seed, edges, scale, a, ab, abc};
    u64 wrong = 0;
    const auto lead = [&](u32 v) {
        const u32 bit = 1u << (v & 31);
        if (!(__ldcg(led_to + v / 32) & bit)) atomicOr(led_to + v / 32, bit);
    };
    for (i64 e = first + thread_number(); e < last; e += thread_count()) {
        const uint2 edge = drawn_edge(g, e);
        const int x = levels[edge.x], y = levels[edge.y];
        wrong += (x == 0) != (y == 0) || abs(x - y) > 1;
        if (x && y == x + 1) lead(edge.y);
        if (y && x == y + 1) lead(edge.x);
    }
    if (wrong) atomicAdd(broken, wrong);
}
