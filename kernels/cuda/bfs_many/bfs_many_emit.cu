// Levels in the caller's labels.
//
// Levels are the transpose of bit planes into bytes.  A warp takes 32 vertices and turns a 32 x 32
// square of each of four planes by shuffles, after which a lane is a source and holds 4-bit codes;
// the squares meet in shared memory, so that every source's row is written in runs of 256 bytes.
// Lane l takes vertex 8 (l % 4) + l / 4 of the 32, which leaves eight codes in a row in every word.
// Code 0 stands for unreached; the sources, whose level is 0 as well, are put in at the end.
#include "cuda/bfs_many/bfs_many_planes.cuh"

// Vertices and sources of a CTA, for rows of output in runs of 256 bytes; four CTAs a
// multiprocessor have room (docs/performance-notes-many.md, third version, rows on the emission).
constexpr int kTile = 256;
constexpr int kGroup = 256;

// Bits of `a` where bit k of the position is 1 change places with those of `b` where it is 0.
template <int k>
__device__ __forceinline__ void exchange(u32& a, u32& b) {
    constexpr int s = 1 << k;
    constexpr u32 low = k == 1 ? 0x33333333u : 0x55555555u;
    const u32 t = ((a >> s) ^ b) & low;
    b ^= t;
    a ^= t << s;
}

// Eight 4-bit codes of each of two words to bytes.
__device__ __forceinline__ void spread(uint2 codes, u32 (&bytes)[4]) {
    const u32 words[2] = {codes.x, codes.y};
#pragma unroll
    for (int i = 0; i < 2; ++i) {
        const u32 even = words[i] & 0x0f0f0f0fu, odd = words[i] >> 4 & 0x0f0f0f0fu;
        bytes[2 * i] = __byte_perm(even, odd, 0x5140);
        bytes[2 * i + 1] = __byte_perm(even, odd, 0x7362);
    }
}

// 255 where the top bit of a byte is set, else 0.
__device__ __forceinline__ u32 spread_signs(u32 x) {
    u32 mask;
    asm("prmt.b32 %0, %1, 0, 0xba98;" : "=r"(mask) : "r"(x));
    return mask;
}

// 0 to 255 in each byte, others as they are.
__device__ __forceinline__ u32 unreached_bytes(u32 x) {
    return x | ~spread_signs((x & 0x7f7f7f7fu) + 0x7f7f7f7fu | x);
}
// The same for bytes up to 15.
__device__ __forceinline__ u32 unreached_codes(u32 x) { return x | ~spread_signs(x + 0x7f7f7f7fu); }
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

// 16 bytes of a row, or the eight that it has.
__device__ __forceinline__ uint4 first_chunk(const ManyPlanes& p, const u32* row) {
    if (p.words > 2) return *reinterpret_cast<const uint4*>(row);
    const uint2 x = *reinterpret_cast<const uint2*>(row);
    return make_uint4(x.x, x.y, 0, 0);
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

// levels[row_of(j) * pitch + v], unreached = the greatest Level.  Grid: tiles of 256 vertices, for
// each all groups of 256 sources, so that those who want parts of a line are at work together.
template <typename Level>
__global__ void __launch_bounds__(kEmitThreads, 4)
    emit_levels(const ManyPlanes p, Level* levels, u32 pitch, const i64* rows) {
    __shared__ uint4 codes[256][9];  // [quad, source][32 vertices, or padding against conflicts]
    __shared__ u32 place[kGroup];    // rows of the output
    const int warp = threadIdx.x >> 5, lane = threadIdx.x & 31;
    const int groups = (p.source_count + kGroup - 1) / kGroup, tile = blockIdx.x / groups;
    const int group = blockIdx.x % groups;
    const int begin = group * kGroup, end = min(begin + kGroup, p.source_count);
    for (int j = begin + threadIdx.x; j < end; j += kEmitThreads)
        place[j - begin] = static_cast<u32>(row_of(p, rows, j));
    const int planes = planes_for(__ldg(p.depth));
    constexpr int kQuads = 2 * sizeof(Level);
    const int quads = planes <= 4 ? 1 : kQuads;
    const int batch = 256 / quads;  // sources at a time
    const int v = tile * kTile + warp * 32 + 8 * (lane & 3) + (lane >> 2);
    const int id = v >= p.caller_n ? -1 : p.rank ? __ldg(p.rank + v) : v;
    const int piece = threadIdx.x & 15, at = tile * kTile + 16 * piece;
    const int left = p.caller_n - at;
    const bool aligned =
        (pitch * sizeof(Level) | reinterpret_cast<unsigned long long>(levels)) % 16 == 0;
    for (int first = begin; first < end; first += batch) {
        const int here = min(batch, end - first);
        __syncthreads();
        // A sector of each plane: two chunks.
        for (int quad = 0; quad < quads; ++quad) {
            uint4 chunk[2][4];
            bool has_fourth = false;
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                const int plane = 4 * quad + i;
                const bool is = id >= 0 && plane < planes && has_row(p, planes, plane, id);
                const u32* const from = plane_of<u32>(p, plane, id) + 8 * group;
                chunk[0][i] = is ? first_chunk(p, from) : make_uint4(0, 0, 0, 0);
                chunk[1][i] = is && 8 * group + 4 < p.words
                                  ? reinterpret_cast<const uint4*>(from)[1]
                                  : make_uint4(0, 0, 0, 0);
                if (i == 3) has_fourth = __any_sync(kFull, is);
            }
            uint4* const to = &codes[quad * batch + lane][warp];
#pragma unroll
            for (int half = 0; half < 2; ++half) {
                const uint4(&x)[4] = chunk[half];
                const auto put = [&](int part, u32 a, u32 b, u32 c, u32 d) {
                    const int at = begin + half * 128 + 32 * part - first;
                    if (at >= 0 && at < here) to[at * 9] = square(a, b, c, d, has_fourth);
                };
                put(0, x[0].x, x[1].x, x[2].x, x[3].x);
                put(1, x[0].y, x[1].y, x[2].y, x[3].y);
                put(2, x[0].z, x[1].z, x[2].z, x[3].z);
                put(3, x[0].w, x[1].w, x[2].w, x[3].w);
            }
        }
        __syncthreads();
        // A half warp a source, 16 vertices a lane.
        for (int source = threadIdx.x >> 4; source < here; source += kEmitThreads / 16) {
            const uint2* const row = reinterpret_cast<const uint2*>(&codes[source][0]) + piece;
            Level* const to = levels + u64{place[first - begin + source]} * pitch + at;
            u32 low[4], high[4] = {};
            spread(row[0], low);
            if (quads > 1) {
                const int stride = batch * 18;  // uint2 of a quad
                u32 more[4];
                spread(row[stride], more);
#pragma unroll
                for (int k = 0; k < 4; ++k) low[k] |= more[k] << 4;
                if constexpr (kQuads == 4) {
                    spread(row[2 * stride], high);
                    spread(row[3 * stride], more);
#pragma unroll
                    for (int k = 0; k < 4; ++k) high[k] |= more[k] << 4;
                }
            }
            if constexpr (sizeof(Level) == 1) {
#pragma unroll
                for (int k = 0; k < 4; ++k)
                    low[k] = quads == 1 ? unreached_codes(low[k]) : unreached_bytes(low[k]);
                store(to, make_uint4(low[0], low[1], low[2], low[3]), left, aligned);
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
__global__ void emit_sources(const ManyPlanes p, Level* levels, u32 pitch, const i64* rows) {
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < p.source_count) levels[row_of(p, rows, j) * pitch + p.sources[j]] = 0;
}
