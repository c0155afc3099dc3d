// Levels in the caller's labels.
//
// Levels are the transpose of bit planes into bytes.  A CTA brings the rows of 256 vertices, 256
// searches wide, to shared memory, a vertex a thread, of 512 or 1024 where there are 128 or 64;
// from there a lane takes eight vertices and eight searches, turns their bits in registers into
// codes of four, and these into levels, so that a warp writes 256 levels of a search in a row. Code
// 0 stands for unreached; the sources, whose level is 0 as well, are put in at the end.
//
// Memory is written by sectors of 32 bytes, and one that is written in parts takes longer than
// several that are whole.  Where rows begin within sectors, tiles of one vertex a thread, and those
// of levels of two bytes, have 32 vertices in common with the next: a warp writes the 224 levels of
// its 256 that begin with the first whole sector.  Larger tiles, of few searches, lose by that.
#include "cuda/bfs_many/bfs_many_planes.cuh"

// Vertices of a CTA, for each of a thread, and sources.
constexpr int kTile = 256;
constexpr int kGroup = 256;
// Vertices of a lane, and searches at a time; planes that a code has bits of.
constexpr int kEach = 8;
constexpr int kCode = 4;
// Words that the rows of a thread have in shared memory: of four planes, of a group.
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

// Whether tiles have vertices in common where rows begin within sectors.
template <typename Level, int kVertices>
constexpr bool kShares = kVertices == 1 || sizeof(Level) == 2;
constexpr int kSector = 32;  // bytes

// Stores eight levels, or the first `left` of them.
template <typename Level>
__device__ __forceinline__ void store_some(Level* to, const u32 (&x)[2 * sizeof(Level)], int left) {
#pragma unroll
    for (int i = 0; i < kEach; ++i)
        if (i < left)
            to[i] = static_cast<Level>(x[i * sizeof(Level) / 4] >> (i * sizeof(Level) % 4 * 8));
}

// Stores eight levels at a multiple of their bytes.
template <typename Level>
__device__ __forceinline__ void store_all(Level* to, const u32 (&x)[2 * sizeof(Level)]) {
    if constexpr (sizeof(Level) == 1)
        __stcs(reinterpret_cast<uint2*>(to), make_uint2(x[0], x[1]));
    else
        __stcs(reinterpret_cast<uint4*>(to), make_uint4(x[0], x[1], x[2], x[3]));
}

// What lies `by` elements further on in the levels of a warp, eight of each lane; the last lanes
// have nothing.
template <typename Level>
__device__ __forceinline__ void move_on(u32 (&x)[2 * sizeof(Level)], int by) {
    constexpr int kWords = 2 * sizeof(Level);
    const int lane = (threadIdx.x & 31) + by / kEach, bytes = by % kEach * sizeof(Level);
    u32 y[2 * kWords];
#pragma unroll
    for (int i = 0; i < kWords; ++i) {
        y[i] = __shfl_sync(kFull, x[i], lane & 31);
        y[kWords + i] = __shfl_sync(kFull, x[i], lane + 1 & 31);
    }
#pragma unroll
    for (int step = 1; step < kWords; step *= 2)
#pragma unroll
        for (int i = 0; i + step < 2 * kWords; ++i)
            if (bytes / 4 & step) y[i] = y[i + step];
#pragma unroll
    for (int i = 0; i < kWords; ++i) x[i] = __funnelshift_r(y[i], y[i + 1], 8 * (bytes % 4));
}

// A warp stores `step` levels of a search, all that it has or those from its first whole sector on;
// what is before that in a row, too.  The row ends `left` levels behind `to`, where those of the
// first lane belong.
template <typename Level>
__device__ __forceinline__ void store(Level* to, u32 (&x)[2 * sizeof(Level)], int step, int left,
                                      bool begins) {
    int at = kEach * (threadIdx.x & 31);
    if (step != kTile) {
        const int before =
            static_cast<int>(-reinterpret_cast<u64>(to) & (kSector - 1)) / int{sizeof(Level)};
        if (begins) store_some(to + at, x, min(before, left) - at);
        move_on<Level>(x, before);
        if (at >= step) return;
        at += before;
    }
    if (at + kEach > left) return store_some(to + at, x, left - at);
    store_all(to + at, x);
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

// Stores the levels of a warp, eight of each lane, or what of them is inside the row.
__device__ __forceinline__ void store_tile(unsigned char* to, const u32 (&x)[2], int left) {
    const int m = static_cast<int>(reinterpret_cast<u64>(to) % kEach);
    if (m == 0 && left >= kEach) return store_all(to, x);
    if (m > 0 && __all_sync(kFull, left >= kEach)) return store_moved(to, x, m);
    store_some(to, x, left);
}

// How rows of vertices lie in shared memory, where a plane has room for kWords words of a thread:
// those of several vertices one behind the other, or of a wide row a part at a time.
template <int kQuads, int kVertices>
struct Columns {
    static constexpr int kWords = kRows / kCode / kQuads, kOfRow = kGroup / 32 / kVertices;
    static constexpr int kHere = kOfRow < kWords ? kOfRow : kWords, kEachThread = kWords / kHere;
};

// Brings words of rows, from `first` on, of four planes to shared memory, a thread those of
// vertices `step` apart; whether the last plane has a row of any of these vertices.
template <typename C>
__device__ __forceinline__ bool bring(const ManyPlanes& p, int planes, int quad, int top, int step,
                                      int first, Rows& rows) {
    using Chunk = RowChunk<C::kHere / 2>;
    constexpr int kOf = kChunkWords<Chunk>, kChunks = C::kHere / kOf;
    int ids[C::kEachThread];
#pragma unroll
    for (int k = 0; k < C::kEachThread; ++k) {
        const int v = top + k * step + threadIdx.x;
        ids[k] = v >= p.caller_n ? -1 : p.rank ? __ldg(p.rank + v) : v;
    }
    Chunk chunk[kCode][C::kEachThread][kChunks];
    bool last = false;
#pragma unroll
    for (int i = 0; i < kCode; ++i) {
        const int plane = kCode * quad + i;
#pragma unroll
        for (int k = 0; k < C::kEachThread; ++k) {
            const int id = ids[k];
            const bool is = id >= 0 && plane < planes && has_row(p, planes, plane, id);
            const Chunk* const from =
                reinterpret_cast<const Chunk*>(plane_of<u32>(p, plane, id) + first);
#pragma unroll
            for (int c = 0; c < kChunks; ++c) chunk[i][k][c] = is ? from[c] : Chunk{};
            if (i == kCode - 1) last |= is;
        }
    }
    const int at = place_of(threadIdx.x);
#pragma unroll
    for (int i = 0; i < kCode; ++i)
#pragma unroll
        for (int w = 0; w < C::kWords; ++w)
            rows[(kCode * quad + i) * C::kWords + w][at] =
                word(chunk[i][w / C::kHere][w % C::kHere / kOf], w % kOf);
    return last;
}

// Tiles of levels of fewer than 2^(4 kQuads), from `tile` on.  What is in shared memory every warp
// takes some bytes of.  Where more planes leave room for fewer vertices than the grid is made for,
// a CTA has several tiles.
template <int kQuads, int kVertices, typename Level>
__device__ __forceinline__ void emit_tiles(const ManyPlanes& p, int planes, int group, int tile,
                                           int tiles, Rows& rows, const u32* place, Level* levels,
                                           u32 pitch, int step) {
    using C = Columns<kQuads, kVertices>;
    if constexpr (!kShares<Level, kVertices>) step = kTile;
    constexpr int kBytes = C::kWords * 4 / (kEmitThreads / 32);
    const int warp = threadIdx.x >> 5, lane = threadIdx.x & 31;
    const int begin = group * kGroup, count = min(p.source_count - begin, kGroup);
    int top = tile * C::kEachThread * step;
    do {
        for (int first = 0; first < C::kOfRow; first += C::kHere) {
            __syncthreads();
            bool fourth = false;
#pragma unroll 1
            for (int quad = 0; quad < kQuads; ++quad)
                fourth = bring<C>(p, planes, quad, top, step, begin / 32 + first, rows);
            const bool below_8 = !__syncthreads_or(fourth);
#pragma unroll 1
            for (int byte = warp * kBytes; byte < (warp + 1) * kBytes; ++byte) {
                const int column = byte / 4;
                const int search = 32 * (first + column % C::kHere) + 8 * (byte % 4);
                if (search >= count) continue;
                constexpr bool shares = kShares<Level, kVertices>;
                const int at = top + column / C::kHere * step + (shares ? 0 : kEach * lane);
                const int left = p.caller_n - at;
                u32 codes[kQuads][kEach];
#pragma unroll
                for (int quad = 0; quad < kQuads; ++quad) {
                    uint4 x[kCode][2];
#pragma unroll
                    for (int i = 0; i < kCode; ++i) {
                        const int plane = kCode * quad + i;
                        const uint4* const from =
                            reinterpret_cast<const uint4*>(rows[plane * C::kWords + column]);
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
                    Level* const to = levels + u64{place[search + j]} * pitch + at;
                    if constexpr (shares)
                        store(to, made, step, left, at == 0);
                    else
                        store_tile(to, made, left);
                }
            }
        }
        top += tiles * C::kEachThread * step;
    } while (C::kEachThread < kVertices && top < p.caller_n);
}

// levels[row_of(j) * pitch + v], unreached = the greatest Level.  Grid: tiles of kVertices * step
// vertices, for each all groups of 256 sources, so that those who want parts of a line are at work
// together.  step: 256 where all rows begin with a sector, else 32 fewer.  kVertices: 1, or as many
// rows as 256 searches' words have room for.
template <typename Level, int kVertices>
__global__ void __launch_bounds__(kEmitThreads, sizeof(Level) == 1 ? 3 : 2)
    emit_levels(const ManyPlanes p, Level* levels, u32 pitch, const i64* rows, int step) {
    __align__(16) __shared__ Rows bits;
    __shared__ u32 place[kGroup];  // rows of the output
    const int groups = (p.source_count + kGroup - 1) / kGroup;
    const int group = blockIdx.x % groups, tile = blockIdx.x / groups, tiles = gridDim.x / groups;
    const int j = group * kGroup + threadIdx.x;
    if (j < p.source_count) place[threadIdx.x] = static_cast<u32>(row_of(p, rows, j));
    const int planes = planes_for(__ldg(p.depth));
    if (planes <= kCode)
        emit_tiles<1, kVertices>(p, planes, group, tile, tiles, bits, place, levels, pitch, step);
    else
        emit_tiles<2 * sizeof(Level), kVertices>(p, planes, group, tile, tiles, bits, place, levels,
                                                 pitch, step);
}

// Level 0 of the sources, isolated ones too.
template <typename Level>
__global__ void emit_sources(const ManyPlanes p, Level* levels, u32 pitch, const i64* rows) {
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < p.source_count) levels[row_of(p, rows, j) * pitch + p.sources[j]] = 0;
}
