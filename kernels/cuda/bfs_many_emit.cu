// From `seen` and the planes of bfs_many.cu to results in the caller's labels.
//
// Levels are the transpose of bit planes into bytes.  A warp takes 32 vertices and turns a 32 x 32
// square of each of four planes by shuffles, after which a lane is a source and holds 4-bit codes;
// the squares meet in shared memory, so that every source's row is written in runs of 256 bytes.
// Lane l takes vertex 8 (l % 4) + l / 4 of the 32, which leaves eight codes in a row in every word.
// Code 0 stands for unreached; the sources, whose level is 0 as well, are put in at the end.
using u32 = unsigned int;
using u64 = unsigned long long;
using i64 = long long;
constexpr u32 kFull = 0xffffffffu;
constexpr int kEmitThreads = 256;
constexpr int kTile = 256;  // vertices

struct ManyPlanes {  // must match PLANES in cuda/many.py
    const u32* seen;
    const uint4* planes;
    const int* rank;   // null: internal ids are the caller's labels
    const int* depth;  // of the run, on the device
    const int* sources;
    int n;
    int caller_n;
    int source_count;
    int words;  // 32-bit words of a row, a multiple of 4
};

__device__ __forceinline__ const u32* planes_of(const ManyPlanes& p) {
    return reinterpret_cast<const u32*>(p.planes);
}

__device__ __forceinline__ int planes_for(int depth) { return 32 - __clz(depth); }

// Bit b of lane l becomes bit l of lane b.
__device__ __forceinline__ u32 transpose(u32 x) {
    const int lane = threadIdx.x & 31;
#pragma unroll
    for (int s = 16; s; s >>= 1) {
        const u32 low = s == 16  ? 0x0000ffffu
                        : s == 8 ? 0x00ff00ffu
                        : s == 4 ? 0x0f0f0f0fu
                        : s == 2 ? 0x33333333u
                                 : 0x55555555u;
        const u32 y = __shfl_xor_sync(kFull, x, s);
        const bool upper = lane & s;
        const u32 kept = upper ? ~low : low;
        const u32 moved = __funnelshift_l(y, y, upper ? 32 - s : s);
        x = (x & kept) | (moved & ~kept);
    }
    return x;
}

// Bits of `a` where bit k of the position is 1 change places with those of `b` where it is 0.
template <int k>
__device__ __forceinline__ void exchange(u32& a, u32& b) {
    constexpr int s = 1 << k;
    constexpr u32 low = k == 1 ? 0x33333333u : 0x55555555u;
    const u32 t = ((a >> s) ^ b) & low;
    b ^= t;
    a ^= t << s;
}

// Eight 4-bit codes to eight bytes.
__device__ __forceinline__ uint2 spread(u32 codes) {
    const u32 even = codes & 0x0f0f0f0fu, odd = codes >> 4 & 0x0f0f0f0fu;
    return make_uint2(__byte_perm(even, odd, 0x5140), __byte_perm(even, odd, 0x7362));
}

// 0 to 255 in each byte, others as they are.
__device__ __forceinline__ u32 unreached_bytes(u32 x) {
    const u32 some = ((x & 0x7f7f7f7fu) + 0x7f7f7f7fu | x) & 0x80808080u;  // top bit of bytes > 0
    return x | ~((some >> 7) * 255u);
}
__device__ __forceinline__ u32 unreached_halves(u32 x) {
    const u32 some = ((x & 0x7fff7fffu) + 0x7fff7fffu | x) & 0x80008000u;
    return x | ~((some >> 15) * 65535u);
}

// The codes of 32 vertices and 32 sources from the same word of four planes.
__device__ __forceinline__ uint4 square(u32 a, u32 b, u32 c, u32 d, bool has_fourth) {
    a = transpose(a), b = transpose(b), c = transpose(c);
    if (has_fourth) d = transpose(d);
    exchange<1>(a, c);
    exchange<1>(b, d);
    exchange<0>(a, b);
    exchange<0>(c, d);
    return make_uint4(a, b, c, d);
}

// Stores 16 bytes, or what of them is inside the row.
template <typename Level>
__device__ __forceinline__ void store(Level* to, uint4 x, int count, bool aligned) {
    constexpr int kEach = 16 / sizeof(Level);
    if (aligned && count >= kEach) {
        __stcs(reinterpret_cast<uint4*>(to), x);
        return;
    }
    const u32 words[4] = {x.x, x.y, x.z, x.w};
#pragma unroll
    for (int i = 0; i < kEach; ++i)
        if (i < count)
            to[i] = static_cast<Level>(words[i * sizeof(Level) / 4] >> (i * sizeof(Level) % 4 * 8));
}

// levels[j * pitch + v], unreached = the greatest Level; grid: tiles of 256 vertices.
template <typename Level>
__global__ void __launch_bounds__(kEmitThreads)
    emit_levels(const ManyPlanes p, Level* levels, i64 pitch) {
    __shared__ uint4 codes[256][9];  // [quad, source][32 vertices, or padding against conflicts]
    const int warp = threadIdx.x >> 5, lane = threadIdx.x & 31;
    const int planes = planes_for(__ldg(p.depth));
    constexpr int kQuads = 2 * sizeof(Level);
    const int quads = planes <= 4 ? 1 : kQuads;
    const int batch = 256 / quads;  // sources at a time
    const int v = blockIdx.x * kTile + warp * 32 + 8 * (lane & 3) + (lane >> 2);
    const int id = v >= p.caller_n ? -1 : p.rank ? __ldg(p.rank + v) : v;
    const bool aligned =
        (pitch * sizeof(Level) | reinterpret_cast<unsigned long long>(levels)) % 16 == 0;
    for (int first = 0; first < p.source_count; first += batch) {
        const int here = min(batch, p.source_count - first);
        __syncthreads();
        for (int quad = 0; quad < quads; ++quad)
            for (int chunk = first / 128; chunk * 128 < first + here; ++chunk) {
                uint4 x[4];
#pragma unroll
                for (int i = 0; i < 4; ++i) {
                    const i64 at = static_cast<i64>(4 * quad + i) * p.n + id;
                    x[i] = id >= 0 && 4 * quad + i < planes ? p.planes[at * (p.words / 4) + chunk]
                                                            : make_uint4(0, 0, 0, 0);
                }
                uint4* const to = &codes[quad * batch + lane][warp];
                const int row = chunk * 128 - first;
                const auto put = [&](int group, u32 a, u32 b, u32 c, u32 d) {
                    const int at = row + 32 * group;
                    if (at >= 0 && at < here) to[at * 9] = square(a, b, c, d, planes > 3);
                };
                put(0, x[0].x, x[1].x, x[2].x, x[3].x);
                put(1, x[0].y, x[1].y, x[2].y, x[3].y);
                put(2, x[0].z, x[1].z, x[2].z, x[3].z);
                put(3, x[0].w, x[1].w, x[2].w, x[3].w);
            }
        __syncthreads();
        // A half warp a source, 16 vertices a lane.
        for (int i = threadIdx.x; i < here * 16; i += kEmitThreads) {
            const int source = i >> 4, piece = i & 15, at = blockIdx.x * kTile + 16 * piece;
            const uint2* const row = reinterpret_cast<const uint2*>(&codes[source][0]);
            u32 low[4], high[4] = {};
            uint2 code = row[piece], a = spread(code.x), b = spread(code.y);
            low[0] = a.x, low[1] = a.y, low[2] = b.x, low[3] = b.y;
            if (quads > 1) {
                const int stride = batch * 18;  // uint2 of a quad
                code = row[stride + piece], a = spread(code.x), b = spread(code.y);
                low[0] |= a.x << 4, low[1] |= a.y << 4, low[2] |= b.x << 4, low[3] |= b.y << 4;
                if constexpr (kQuads == 4) {
                    code = row[2 * stride + piece], a = spread(code.x), b = spread(code.y);
                    high[0] = a.x, high[1] = a.y, high[2] = b.x, high[3] = b.y;
                    code = row[3 * stride + piece], a = spread(code.x), b = spread(code.y);
                    high[0] |= a.x << 4, high[1] |= a.y << 4, high[2] |= b.x << 4,
                        high[3] |= b.y << 4;
                }
            }
            Level* const to = levels + (first + source) * pitch + at;
            const int left = p.caller_n - at;
            if constexpr (sizeof(Level) == 1) {
                store(to,
                      make_uint4(unreached_bytes(low[0]), unreached_bytes(low[1]),
                                 unreached_bytes(low[2]), unreached_bytes(low[3])),
                      left, aligned);
            } else {
                u32 x[8];
#pragma unroll
                for (int k = 0; k < 8; ++k)
                    x[k] = unreached_halves(
                        __byte_perm(low[k / 2], high[k / 2], k % 2 ? 0x7362 : 0x5140));
                store(to, make_uint4(x[0], x[1], x[2], x[3]), left, aligned);
                store(to + 8, make_uint4(x[4], x[5], x[6], x[7]), left - 8, aligned);
            }
        }
    }
}

// Level 0 of the sources, isolated ones too.
template <typename Level>
__global__ void emit_sources(const ManyPlanes p, Level* levels, i64 pitch) {
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < p.source_count) levels[j * pitch + p.sources[j]] = 0;
}

__device__ __forceinline__ void squares(uint4 x, u32 (&bits)[4]) {
    bits[0] = transpose(x.x), bits[1] = transpose(x.y);
    bits[2] = transpose(x.z), bits[3] = transpose(x.w);
}

// Per source: vertices reached, sum of their levels, greatest level.  Zeroed by the caller.
extern "C" __global__ void __launch_bounds__(kEmitThreads)
    summarise(const ManyPlanes p, u64* reached, u64* sums, int* eccentricity) {
    const int lane = threadIdx.x & 31, warps = gridDim.x * kEmitThreads / 32;
    const int planes = planes_for(__ldg(p.depth));
    const int warp = blockIdx.x * kEmitThreads / 32 + (threadIdx.x >> 5);
    for (int chunk = 0; chunk * 128 < p.source_count; ++chunk) {
        u64 sum[4] = {};
        u32 count[4] = {}, farthest[4] = {};
        for (int tile = warp; tile * 32 < p.n; tile += warps) {
            const int v = tile * 32 + lane;
            const i64 at = static_cast<i64>(v) * (p.words / 4) + chunk;
            u32 candidates[4], level[4] = {};
            squares(v < p.n ? reinterpret_cast<const uint4*>(p.seen)[at] : uint4{}, candidates);
#pragma unroll
            for (int i = 0; i < 4; ++i) count[i] += __popc(candidates[i]);
            for (int plane = planes - 1; plane >= 0; --plane) {
                const i64 skip = static_cast<i64>(plane) * p.n * (p.words / 4);
                u32 bits[4];
                squares(v < p.n ? p.planes[skip + at] : uint4{}, bits);
#pragma unroll
                for (int i = 0; i < 4; ++i) {
                    sum[i] += static_cast<u64>(__popc(bits[i])) << plane;
                    if ((candidates[i] & bits[i]) == 0) continue;
                    candidates[i] &= bits[i];
                    level[i] |= 1u << plane;
                }
            }
#pragma unroll
            for (int i = 0; i < 4; ++i) farthest[i] = max(farthest[i], level[i]);
        }
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            const int j = chunk * 128 + i * 32 + lane;
            if (j >= p.source_count || count[i] == 0) continue;
            atomicAdd(reached + j, u64{count[i]});
            atomicAdd(sums + j, sum[i]);
            atomicMax(eccentricity + j, static_cast<int>(farthest[i]));
        }
    }
    // An isolated source has no row, and reaches itself.
    const int j = blockIdx.x * kEmitThreads + threadIdx.x;
    if (p.rank && j < p.source_count && p.rank[p.sources[j]] < 0) atomicAdd(reached + j, u64{1});
}

// Per vertex: how many sources reach it, and the sum of their levels.
extern "C" __global__ void count_sources(const ManyPlanes p, int* counts, i64* sums) {
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= p.caller_n) return;
    const int id = p.rank ? p.rank[v] : v;
    int count = 0;
    i64 sum = 0;
    const int planes = planes_for(__ldg(p.depth));
    for (int word = 0; word * 32 < p.source_count; ++word) {
        const int used = min(32, p.source_count - 32 * word);
        const u32 mask = used == 32 ? kFull : (1u << used) - 1;
        if (id < 0) {
            for (int j = 32 * word; j < 32 * word + used; ++j) count += p.sources[j] == v;
            continue;
        }
        const i64 at = static_cast<i64>(id) * p.words + word;
        count += __popc(p.seen[at] & mask);
        for (int plane = 0; plane < planes; ++plane)
            sum +=
                static_cast<i64>(__popc(planes_of(p)[static_cast<i64>(plane) * p.n * p.words + at]))
                << plane;
    }
    if (counts) counts[v] += count;
    if (sums) sums[v] += sum;
}

// out[v]: the searches that reach v at exactly this level, packed as the rows are.
extern "C" __global__ void emit_level_set(const ManyPlanes p, int level, u32* out) {
    const i64 i = static_cast<i64>(blockIdx.x) * blockDim.x + threadIdx.x;
    const int v = static_cast<int>(i / p.words), word = static_cast<int>(i % p.words);
    if (v >= p.caller_n) return;
    const int id = p.rank ? p.rank[v] : v;
    u32 bits = 0;
    const int used = p.source_count - 32 * word, depth = __ldg(p.depth);
    if (id >= 0 && used > 0 && level <= depth) {
        const i64 at = static_cast<i64>(id) * p.words + word;
        bits = p.seen[at] & (used >= 32 ? kFull : (1u << used) - 1);
        for (int plane = 0; plane < planes_for(depth); ++plane) {
            const u32 x = planes_of(p)[static_cast<i64>(plane) * p.n * p.words + at];
            bits &= level >> plane & 1 ? x : ~x;
        }
    } else if (id < 0 && level == 0) {
        for (int j = 32 * word; j < min(32 * word + 32, p.source_count); ++j)
            if (p.sources[j] == v) bits |= 1u << (j - 32 * word);
    }
    out[i] = bits;
}
