// Levels in the caller's labels.
//
// Levels are the transpose of bit planes into bytes.  A CTA brings the rows of 256 vertices, 256
// searches wide, to shared memory, a vertex a thread; from there a lane takes eight vertices and
// eight searches, turns their bits in registers into codes of four, and these into levels, so that
// a warp writes 256 levels of a search in a row.  Code 0 stands for unreached; the sources, whose
// level is 0 as well, are put in at the end.
#include "cuda/bfs_many/bfs_many_planes.cuh"

// Vertices and sources of a CTA.
constexpr int kTile = 256;
constexpr int kGroup = 256;
// Vertices of a lane, and searches at a time; planes that a code has bits of.
constexpr int kEach = 8;
constexpr int kCode = 4;
// Words that the rows of a vertex have in shared memory: of four planes, of a group.
constexpr int kRows = kCode * kGroup / 32;
static_assert(kTile == kEmitThreads && kTile == 32 * kEach);

using Rows = u32[kRows][kTile];

// Lanes ask for eight vertices each, of which quarters of a warp otherwise had the same banks.
__device__ __forceinline__ int place_of(int vertex) { return vertex ^ (vertex >> 3 & 4); }

// Bits of `a` where bit k of the position is 1 change places with those of `b` where it is 0.
template <int k>
__device__ __forceinline__ void exchange(u32& a, u32& b) {
    constexpr int s = 1 << k;
    constexpr u32 low = k == 2 ? 0x0f0f0f0fu : k == 1 ? 0x33333333u : 0x55555555u;
    const u32 first = (a & low) | (b << s & ~low);
    b = (a >> s & low) | (b & ~low);
    a = first;
}

// A byte of each of four words; `pick` has its number, and four more in the nibble above.
__device__ __forceinline__ u32 gathered(u32 a, u32 b, u32 c, u32 d, u32 pick) {
    return __byte_perm(__byte_perm(a, b, pick), __byte_perm(c, d, pick), 0x5410);
}

// Codes of eight vertices for eight searches, which are byte `k` of words: `rows` has a word of
// every vertex for each plane.  A code of search j is a nibble of codes[j].
__device__ __forceinline__ void codes_of(const uint4 (&rows)[kCode][2], int k,
                                         u32 (&codes)[kEach]) {
    const u32 pick = k | (k + 4) << 4;
#pragma unroll
    for (int plane = 0; plane < kCode; ++plane) {
        const uint4 a = rows[plane][0], b = rows[plane][1];
        codes[plane] = gathered(a.x, a.z, b.x, b.z, pick);
        codes[kCode + plane] = gathered(a.y, a.w, b.y, b.w, pick);
    }
    // The number of a word says plane and parity of the vertex, and that of a bit the search: they
    // change places.
#pragma unroll
    for (int i = 0; i < kEach; i += 2) exchange<0>(codes[i], codes[i + 1]);
#pragma unroll
    for (int i = 0; i < kEach; i += 4) {
        exchange<1>(codes[i], codes[i + 2]);
        exchange<1>(codes[i + 1], codes[i + 3]);
    }
#pragma unroll
    for (int i = 0; i < 4; ++i) exchange<2>(codes[i], codes[i + 4]);
}

// Eight codes to bytes.
__device__ __forceinline__ uint2 spread(u32 codes) {
    const u32 even = codes & 0x0f0f0f0fu, odd = codes >> 4 & 0x0f0f0f0fu;
    return make_uint2(__byte_perm(even, odd, 0x5140), __byte_perm(even, odd, 0x7362));
}

// Eight codes below 8 to levels.
__device__ __forceinline__ uint2 looked_up(u32 codes) {
    constexpr u32 low = 0x030201ff, high = 0x07060504;
    return make_uint2(__byte_perm(low, high, codes), __byte_perm(low, high, codes >> 16));
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

// Eight levels of a search, from its codes of four planes each, the lowest first.
template <typename Level, int kCodes>
__device__ __forceinline__ void levels_of(const u32 (&codes)[kCodes][kEach], int j, bool below_8,
                                          u32 (&x)[2 * sizeof(Level)]) {
    uint2 low = spread(codes[0][j]), high = make_uint2(0, 0);
    if constexpr (kCodes > 1) {
        const uint2 more = spread(codes[1][j]);
        low.x |= more.x << 4, low.y |= more.y << 4;
    }
    if constexpr (kCodes > 2) {
        const uint2 more = spread(codes[3][j]);
        high = spread(codes[2][j]);
        high.x |= more.x << 4, high.y |= more.y << 4;
    }
    if constexpr (sizeof(Level) == 2) {
        x[0] = unreached_halves(__byte_perm(low.x, high.x, 0x5140));
        x[1] = unreached_halves(__byte_perm(low.x, high.x, 0x7362));
        x[2] = unreached_halves(__byte_perm(low.y, high.y, 0x5140));
        x[3] = unreached_halves(__byte_perm(low.y, high.y, 0x7362));
    } else if constexpr (kCodes > 1) {
        x[0] = unreached_bytes(low.x), x[1] = unreached_bytes(low.y);
    } else {
        if (below_8) low = looked_up(codes[0][j]);
        x[0] = below_8 ? low.x : unreached_codes(low.x);
        x[1] = below_8 ? low.y : unreached_codes(low.y);
    }
}

// A warp stores 256 levels in a byte each where the row begins at no multiple of eight: what lanes
// have is moved on by `m` bytes, so that all but the first write eight whole ones.  The first then
// has what remains at both ends, which eight lanes write.
__device__ __forceinline__ void store_moved(unsigned char* to, const u32 (&x)[2], int m) {
    const int lane = threadIdx.x & 31;
    const u32 low = __shfl_sync(kFull, x[0], (lane + 31) & 31);
    const u32 high = __shfl_sync(kFull, x[1], (lane + 31) & 31);
    const u32 a = m < 4 ? high : low, b = m < 4 ? x[0] : high, c = m < 4 ? x[1] : x[0];
    const uint2 moved = make_uint2(__funnelshift_l(a, b, 8 * m), __funnelshift_l(b, c, 8 * m));
    if (lane > 0) __stcs(reinterpret_cast<uint2*>(to - m), moved);
    const u32 ends[2] = {__shfl_sync(kFull, moved.x, 0), __shfl_sync(kFull, moved.y, 0)};
    unsigned char* const row = to - kEach * lane - m;
    if (lane < kEach)
        row[lane < m ? kTile + lane : lane] =
            static_cast<unsigned char>(ends[lane >> 2] >> 8 * (lane & 3));
}

// Stores eight levels of each lane, or what of them is inside the row.
template <typename Level>
__device__ __forceinline__ void store(Level* to, const u32 (&x)[2 * sizeof(Level)], int left) {
    const int m = static_cast<int>(reinterpret_cast<u64>(to) % (kEach * sizeof(Level)));
    if (m == 0 && left >= kEach) {
        if constexpr (sizeof(Level) == 1)
            __stcs(reinterpret_cast<uint2*>(to), make_uint2(x[0], x[1]));
        else
            __stcs(reinterpret_cast<uint4*>(to), make_uint4(x[0], x[1], x[2], x[3]));
        return;
    }
    if constexpr (sizeof(Level) == 1)
        if (m > 0 && __all_sync(kFull, left >= kEach)) return store_moved(to, x, m);
#pragma unroll
    for (int i = 0; i < kEach; ++i)
        if (i < left)
            to[i] = static_cast<Level>(x[i * sizeof(Level) / 4] >> (i * sizeof(Level) % 4 * 8));
}

// Brings `here` words of the rows of four planes, from `word`, to shared memory, where a plane has
// room for `kWords`; whether the last plane has a row of this vertex.
template <int kWords>
__device__ __forceinline__ bool bring(const ManyPlanes& p, int planes, int quad, int id, int word,
                                      int here, Rows& rows) {
    constexpr int kChunks = kWords > 4 ? 2 : 1;
    const uint4 none = make_uint4(0, 0, 0, 0);
    uint4 chunk[kCode][kChunks];
    bool is = false;
#pragma unroll
    for (int i = 0; i < kCode; ++i) {
        const int plane = kCode * quad + i;
        is = id >= 0 && plane < planes && has_row(p, planes, plane, id);
        const u32* const from = plane_of<u32>(p, plane, id) + word;
        if (here > 2) {
#pragma unroll
            for (int c = 0; c < kChunks; ++c)
                chunk[i][c] = is && 4 * c < here ? reinterpret_cast<const uint4*>(from)[c] : none;
        } else {
            const uint2 x = is ? *reinterpret_cast<const uint2*>(from) : make_uint2(0, 0);
            chunk[i][0] = make_uint4(x.x, x.y, 0, 0);
        }
    }
    const int at = place_of(threadIdx.x);
#pragma unroll
    for (int i = 0; i < kCode; ++i) {
        u32* const to = &rows[(kCode * quad + i) * kWords][at];
#pragma unroll
        for (int c = 0; c < kChunks; ++c) {
            const uint4 x = chunk[i][c];
            if (4 * c < here) to[4 * c * kTile] = x.x, to[(4 * c + 1) * kTile] = x.y;
            if (4 * c + 2 < here) to[(4 * c + 2) * kTile] = x.z, to[(4 * c + 3) * kTile] = x.w;
        }
    }
    return is;
}

// A tile of levels of fewer than 2^(4 kQuads): as many words of every row at a time as there is
// room for, of which every warp takes some bytes.
template <int kQuads, typename Level>
__device__ __forceinline__ void emit_tile(const ManyPlanes& p, int planes, int group, int tile,
                                          Rows& rows, const u32* place, Level* levels, u32 pitch) {
    constexpr int kWords = kRows / kCode / kQuads;
    const int warp = threadIdx.x >> 5, lane = threadIdx.x & 31;
    const int v = tile * kTile + threadIdx.x;
    const int id = v >= p.caller_n ? -1 : p.rank ? __ldg(p.rank + v) : v;
    const int at = tile * kTile + kEach * lane, left = p.caller_n - at;
    const int begin = group * kGroup, count = min(p.source_count - begin, kGroup);
    const int words = min(p.words - begin / 32, kGroup / 32);
    for (int first = 0; first < words; first += kWords) {
        const int here = min(kWords, words - first);
        __syncthreads();
        bool fourth = false;
#pragma unroll 1
        for (int quad = 0; quad < kQuads; ++quad)
            fourth = bring<kWords>(p, planes, quad, id, begin / 32 + first, here, rows);
        const bool below_8 = !__syncthreads_or(fourth);
        const int bytes = here * 4 / (kEmitThreads / 32);
        for (int byte = warp * bytes; byte < (warp + 1) * bytes; ++byte) {
            const int search = 32 * first + 8 * byte;
            if (search >= count) break;
            u32 codes[kQuads][kEach];
#pragma unroll
            for (int quad = 0; quad < kQuads; ++quad) {
                uint4 x[kCode][2];
#pragma unroll
                for (int i = 0; i < kCode; ++i) {
                    const int plane = kCode * quad + i;
                    const uint4* const from =
                        reinterpret_cast<const uint4*>(rows[plane * kWords + byte / 4]);
#pragma unroll
                    for (int half = 0; half < 2; ++half)
                        x[i][half] = from[place_of(kEach * lane + 4 * half) / 4];
                }
                codes_of(x, byte % 4, codes[quad]);
            }
#pragma unroll
            for (int j = 0; j < kEach; ++j) {
                if (search + j >= count) break;
                u32 made[2 * sizeof(Level)];
                levels_of<Level>(codes, j, below_8, made);
                store(levels + u64{place[search + j]} * pitch + at, made, left);
            }
        }
    }
}

// levels[row_of(j) * pitch + v], unreached = the greatest Level.  Grid: tiles of 256 vertices, for
// each all groups of 256 sources, so that those who want parts of a line are at work together.
template <typename Level>
__global__ void __launch_bounds__(kEmitThreads, sizeof(Level) == 1 ? 3 : 2)
    emit_levels(const ManyPlanes p, Level* levels, u32 pitch, const i64* rows) {
    __align__(16) __shared__ Rows bits;
    __shared__ u32 place[kGroup];  // rows of the output
    const int groups = (p.source_count + kGroup - 1) / kGroup;
    const int group = blockIdx.x % groups, tile = blockIdx.x / groups;
    const int j = group * kGroup + threadIdx.x;
    if (j < p.source_count) place[threadIdx.x] = static_cast<u32>(row_of(p, rows, j));
    const int planes = planes_for(__ldg(p.depth));
    if (planes <= kCode)
        emit_tile<1>(p, planes, group, tile, bits, place, levels, pitch);
    else
        emit_tile<2 * sizeof(Level)>(p, planes, group, tile, bits, place, levels, pitch);
}

// Level 0 of the sources, isolated ones too.
template <typename Level>
__global__ void emit_sources(const ManyPlanes p, Level* levels, u32 pitch, const i64* rows) {
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < p.source_count) levels[row_of(p, rows, j) * pitch + p.sources[j]] = 0;
}
