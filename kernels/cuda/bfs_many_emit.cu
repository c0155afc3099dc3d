// Levels in the caller's labels.
//
// Levels are the transpose of bit planes into bytes.  A warp takes 32 vertices and turns a 32 x 32
// square of each of four planes by shuffles, after which a lane is a source and holds 4-bit codes;
// the squares meet in shared memory, so that every source's row is written in runs of 256 bytes.
// Lane l takes vertex 8 (l % 4) + l / 4 of the 32, which leaves eight codes in a row in every word.
// Code 0 stands for unreached; the sources, whose level is 0 as well, are put in at the end.
//
// A lane that holds 32 bits of a source in each plane also counts them, where levels have no more
// than four planes: then nobody has to read the planes again for `sum_rows`.
#include "bfs_many_planes.cuh"

// Vertices and sources of a CTA at a time, for rows of output in runs of 256 bytes; four CTAs a
// multiprocessor have room (docs/performance-notes-many.md, third version, rows on the emission).
constexpr int kTile = 256;
constexpr int kGroup = 256;
// Planes of levels that are summed up while they are written.
constexpr int kSummedPlanes = 4;

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

// What a CTA finds of a source: vertices that it reaches in the upper half, the sum of their levels
// in the lower, which 2^12 vertices of levels below 16 do not fill.
constexpr int kMostTiles = 8;
static_assert(kMostTiles * kTile <= 1 << 12);

// The codes of 32 vertices and 32 sources from the same word of four planes, and their sums.
__device__ __forceinline__ uint4 square(u32 a, u32 b, u32 c, u32 d, bool has_fourth, u32* found) {
    a = transpose(a), b = transpose(b), c = transpose(c);
    if (has_fourth) d = transpose(d);
    if (found) {
        const int levels = __popc(a) + 2 * __popc(b) + 4 * __popc(c) + 8 * __popc(d);
        atomicAdd(found, static_cast<u32>(__popc(a | b | c | d) << 16 | levels));
    }
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

// Bits that are set in any of four planes.
__device__ __forceinline__ int bits_of(const uint4 (&x)[4]) {
    return __popc(x[0].x | x[1].x | x[2].x | x[3].x) + __popc(x[0].y | x[1].y | x[2].y | x[3].y) +
           __popc(x[0].z | x[1].z | x[2].z | x[3].z) + __popc(x[0].w | x[1].w | x[2].w | x[3].w);
}

// Adds the sum over a warp.
__device__ __forceinline__ void add_warp(u64* to, u64 x) {
#pragma unroll
    for (int d = 16; d; d >>= 1) x += __shfl_xor_sync(kFull, x, d);
    if ((threadIdx.x & 31) == 0) atomicAdd(to, x);
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

// levels[row_of(j) * pitch + v], unreached = the greatest Level.  Grid: runs of `tiles` tiles of
// 256 vertices, for each all groups of 256 sources, so that those who want parts of a line are at
// work together.  Added to `sums` unless null, where levels have few planes: what `sum_rows` does,
// sources themselves left to `emit_sources`.
template <typename Level, typename Offset>
__global__ void __launch_bounds__(kEmitThreads, 3)
    emit_levels(const ManyPlanes p, Level* levels, u32 pitch, const i64* rows, int tiles,
                const Offset* out_indptr, u64* sums) {
    __shared__ uint4 codes[256][9];  // [quad, source][32 vertices, or padding against conflicts]
    __shared__ u32 place[kGroup];    // rows of the output
    __shared__ u32 found[kGroup];
    __shared__ u64 edges;
    const int warp = threadIdx.x >> 5, lane = threadIdx.x & 31;
    const int groups = (p.source_count + kGroup - 1) / kGroup, run = blockIdx.x / groups;
    const int group = blockIdx.x % groups;
    const int begin = group * kGroup, end = min(begin + kGroup, p.source_count);
    for (int j = begin + threadIdx.x; j < end; j += kEmitThreads)
        place[j - begin] = static_cast<u32>(row_of(p, rows, j));
    const int planes = planes_for(__ldg(p.depth));
    constexpr int kQuads = 2 * sizeof(Level);
    const int quads = planes <= 4 ? 1 : kQuads;
    const int batch = 256 / quads;  // sources at a time
    const bool summed = sums && planes <= kSummedPlanes;
    found[threadIdx.x] = 0;
    if (threadIdx.x == 0) edges = 0;
    const int piece = threadIdx.x & 15;
    const bool aligned =
        (pitch * sizeof(Level) | reinterpret_cast<unsigned long long>(levels)) % 16 == 0;
    const int last = min((run + 1) * tiles, (p.caller_n + kTile - 1) / kTile);
    for (int tile = run * tiles; tile < last; ++tile) {
        const int v = tile * kTile + warp * 32 + 8 * (lane & 3) + (lane >> 2);
        const int id = v >= p.caller_n ? -1 : p.rank ? __ldg(p.rank + v) : v;
        const int at = tile * kTile + 16 * piece, left = p.caller_n - at;
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
                if (summed) {
                    const int reached = bits_of(chunk[0]) + bits_of(chunk[1]);
                    const Offset* const row = out_indptr + id;
                    add_warp(&edges, reached ? u64(__ldg(row + 1) - __ldg(row)) * reached : 0);
                }
                uint4* const to = &codes[quad * batch + lane][warp];
#pragma unroll
                for (int half = 0; half < 2; ++half) {
                    const uint4(&x)[4] = chunk[half];
                    const auto put = [&](int part, u32 a, u32 b, u32 c, u32 d) {
                        const int source = begin + half * 128 + 32 * part - first;
                        if (source >= 0 && source < here)
                            to[source * 9] = square(a, b, c, d, has_fourth,
                                                    summed ? found + source + lane : nullptr);
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
    if (!summed) return;
    __syncthreads();
    if (threadIdx.x < end - begin && found[threadIdx.x]) {
        atomicAdd(sums + begin + threadIdx.x, u64{found[threadIdx.x] >> 16});
        atomicAdd(sums + 32 * p.words + begin + threadIdx.x, u64{found[threadIdx.x] & 0xffff});
    }
    if (threadIdx.x == 0 && edges) atomicAdd(sums + 64 * p.words, edges);
}

// Level 0 of the sources, isolated ones too; `sums` as above.
template <typename Level, typename Offset>
__global__ void emit_sources(const ManyPlanes p, Level* levels, u32 pitch, const i64* rows,
                             const Offset* out_indptr, u64* sums) {
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= p.source_count) return;
    const int source = p.sources[j];
    levels[row_of(p, rows, j) * pitch + source] = 0;
    if (!sums || planes_for(__ldg(p.depth)) > kSummedPlanes) return;
    atomicAdd(sums + j, u64{1});
    const int id = p.rank ? p.rank[source] : source;
    if (id >= 0)
        atomicAdd(sums + 64 * p.words, static_cast<u64>(out_indptr[id + 1] - out_indptr[id]));
}
