// A graph as the fused search reads it, built on the GPU; `cuda/layout.py` says what every array is
// for and in which order these run.  Sorting is CUB's, in between.
//
// All in one module that is compiled in a moment: the first search of a process waits for it.
#include "bisect.cuh"

using u32 = unsigned int;
using u64 = unsigned long long;
using i64 = long long;

constexpr int kNoNeighbour = -2147483647 - 1;
constexpr int kBlock = 128;  // rows whose heads lie together
constexpr int kRun = 1024;   // entries that a warp takes at a time
constexpr u32 kFull = 0xffffffffu;

__device__ __forceinline__ i64 thread_number() {
    return static_cast<i64>(blockIdx.x) * blockDim.x + threadIdx.x;
}
__device__ __forceinline__ i64 thread_count() { return static_cast<i64>(gridDim.x) * blockDim.x; }

template <typename Offset>
__device__ __forceinline__ u64 length_of(const Offset* indptr, i64 row) {
    return static_cast<u64>(indptr[row + 1] - indptr[row]);
}

// Keys that sort vertices by falling degree, both directions together (`in` is null where they are
// the same), and equals by label.
template <typename Offset>
__global__ void layout_keys(const Offset* out, const Offset* in, int n, u64* keys) {
    for (i64 v = thread_number(); v < n; v += thread_count()) {
        const u64 degree = length_of(out, v) + (in ? length_of(in, v) : 0);
        keys[v] = (kFull - min(degree, u64{kFull})) << 32 | static_cast<u64>(v);
    }
}

struct LayoutCounts {
    u64 rows;     // vertices with an entry in either direction
    u64 to_hubs;  // entries that lead to the first `hubs` by degree
    u64 longest;  // entries of the longest row, out
    u64 broad;    // rows, out, of more than four neighbours
};

// Entries of a row that lead elsewhere.
template <typename Offset>
__device__ __forceinline__ int neighbours_of(const Offset* indptr, const int* indices, i64 row) {
    int count = 0;
    for (i64 e = indptr[row]; e < indptr[row + 1]; ++e) count += indices[e] != row;
    return count;
}

template <typename Offset>
__global__ void layout_counts(const u64* keys, const Offset* out, const int* indices,
                              const Offset* in, int n, int hubs, LayoutCounts* counts) {
    u64 rows = 0, to_hubs = 0, longest = 0, broad = 0;
    for (i64 i = thread_number(); i < n; i += thread_count()) {
        const int v = static_cast<int>(keys[i] & kFull);
        rows += (keys[i] >> 32) != kFull;
        const u64 length = length_of(out, v);
        longest = max(longest, length);
        // A row has one entry of its own at most: only those of five need a look.
        broad += length > 5 || (length == 5 && neighbours_of(out, indices, v) > 4);
        if (i < hubs) to_hubs += length_of(in ? in : out, v);
    }
    if (rows) atomicAdd(&counts->rows, rows);
    if (to_hubs) atomicAdd(&counts->to_hubs, to_hubs);
    if (longest) atomicMax(&counts->longest, longest);
    if (broad) atomicAdd(&counts->broad, broad);
}

// Labels of the first `hubs` by degree ...
__global__ void layout_hubs(const u64* keys, int hubs, int* label) {
    for (i64 i = thread_number(); i < hubs; i += thread_count())
        label[i] = static_cast<int>(keys[i] & kFull);
}

// ... and their ids, in whatever order they lie by now; `rank` is -1 elsewhere.
__global__ void layout_rank(const int* label, int hubs, int* rank) {
    for (i64 i = thread_number(); i < hubs; i += thread_count())
        rank[label[i]] = static_cast<int>(i);
}

// 1 for the others that have entries, which keep their order ...
template <typename Offset>
__global__ void layout_flags(const Offset* out, const Offset* in, const int* rank, int n,
                             int* flags) {
    for (i64 v = thread_number(); v < n; v += thread_count())
        flags[v] = rank[v] < 0 && length_of(out, v) + (in ? length_of(in, v) : 0) > 0;
}

// ... by how many of them there are up to each.
__global__ void layout_tail(const int* upto, int n, int hubs, int* rank, int* label) {
    for (i64 v = thread_number(); v < n; v += thread_count()) {
        if (upto[v] == (v ? upto[v - 1] : 0)) continue;
        rank[v] = hubs + upto[v] - 1;
        label[rank[v]] = static_cast<int>(v);
    }
}

// Keys that sort internal ids by falling class of degree, and equals by id.
__global__ void layout_classes(const u64* keys, int rows, const int* rank, u64* classes) {
    for (i64 i = thread_number(); i < rows; i += thread_count()) {
        const int v = static_cast<int>(keys[i] & kFull), id = rank ? rank[v] : v;
        const u32 degree = kFull - static_cast<u32>(keys[i] >> 32);
        classes[i] = static_cast<u64>(__clz(degree) / 2) << 32 | static_cast<u32>(id);
    }
}

// Internal ids in that order, and where each stands.
__global__ void layout_order(const u64* classes, int rows, int* order, int* place) {
    for (i64 i = thread_number(); i < rows; i += thread_count()) {
        const int id = static_cast<int>(classes[i] & kFull);
        order[i] = id;
        place[id] = static_cast<int>(i);
    }
}

template <typename Offset>
__global__ void layout_lengths(const Offset* indptr, const int* label, int rows, Offset* lengths) {
    for (i64 r = thread_number(); r < rows; r += thread_count())
        lengths[r] = static_cast<Offset>(length_of(indptr, label ? label[r] : r));
}

// Keys that sort the entries [begin, end) of rows from `first` on: row, then place in that order.
template <typename Offset>
__global__ void layout_entry_keys(const Offset* new_indptr, int first, int rows, i64 begin, i64 end,
                                  const int* label, const int* rank, const Offset* indptr,
                                  const int* indices, const int* place, u64* keys) {
    const int lane = threadIdx.x & 31;
    const i64 run = (thread_number() / 32) * kRun, stride = (thread_count() / 32) * kRun;
    for (i64 from = begin + run; from < end; from += stride) {
        const i64 to = min(end, from + kRun);
        const i64 top = last_not_above(new_indptr, first, rows - 1, from);
        const i64 bottom = last_not_above(new_indptr, top, rows - 1, to - 1);
        for (i64 e = from + lane; e < to; e += 32) {
            const i64 row = last_not_above(new_indptr, top, bottom, e);
            const i64 source = label ? label[row] : row;
            const int v = indices[static_cast<i64>(indptr[source]) + (e - new_indptr[row])];
            const int id = rank ? rank[v] : v;
            keys[e - begin] = static_cast<u64>(row - first) << 32 | static_cast<u32>(place[id]);
        }
    }
}

__global__ void layout_entries(const u64* keys, i64 count, const int* order, int* indices) {
    for (i64 e = thread_number(); e < count; e += thread_count())
        indices[e] = order[keys[e] & kFull];
}

// The first `width` entries of every row, 1 or 4, for whole blocks.
template <typename Offset>
__global__ void layout_heads(const Offset* indptr, const int* indices, int n, int width,
                             int* heads) {
    const i64 rows = (static_cast<i64>(n) + kBlock - 1) / kBlock * kBlock;
    for (i64 r = thread_number(); r < rows; r += thread_count()) {
        const i64 begin = r < n ? indptr[r] : 0, length = r < n ? length_of(indptr, r) : 0;
        const i64 lane = r % kBlock / 4;
        const i64 at = width == 1 ? r : ((r / kBlock * 4 + r % 4) * 32 + lane) * width;
        for (int slot = 0; slot < width; ++slot) {
            const int v = slot < length ? indices[begin + slot] : kNoNeighbour;
            heads[at + slot] = slot == width - 1 && length == width ? ~v : v;
        }
    }
}

// Eight entries of every row from `skip` on; the last one is a complement where the row ends there.
template <typename Offset>
__global__ void layout_following(const Offset* indptr, const int* indices, int n, int skip,
                                 int* following) {
    constexpr int kWidth = 8;
    for (i64 i = thread_number(); i < i64{kWidth} * n; i += thread_count()) {
        const i64 r = i / kWidth, place = skip + i % kWidth;
        const i64 begin = indptr[r], length = length_of(indptr, r);
        const int v = place < length ? indices[begin + place] : kNoNeighbour;
        following[i] = place + 1 == length && i % kWidth == kWidth - 1 ? ~v : v;
    }
}

// Labels of the first entries.
template <typename Offset>
__global__ void layout_head_labels(const Offset* indptr, const int* indices, const int* label,
                                   int n, int* labels) {
    for (i64 r = thread_number(); r < n; r += thread_count())
        labels[r] = length_of(indptr, r) ? label[indices[indptr[r]]] : 0;
}

// Up to `width` neighbours of every row, itself not among them; or where a longer row lies.
template <typename Offset>
__global__ void layout_records(const Offset* indptr, const int* indices, int n, int width,
                               int* records) {
    for (i64 r = thread_number(); r < n; r += thread_count()) {
        const i64 begin = indptr[r], length = length_of(indptr, r);
        int* const record = records + r * width;
        if (length <= width + 1 && neighbours_of(indptr, indices, r) <= width) {
            int count = 0;
            for (i64 e = begin; e < begin + length; ++e)
                if (indices[e] != r) record[count++] = indices[e];
            for (; count < width; ++count) record[count] = -1;
        } else {
            record[0] = kNoNeighbour;
            record[1] = static_cast<int>(begin & kFull);
            record[2] = static_cast<int>(begin >> 32);
            record[3] = static_cast<int>(length);
        }
    }
}

// A warp a group of 32 labels: masks of those in the tail and of hubs, and the first id of either.
__global__ void layout_words(const int* rank, int n, int hubs, uint4* words) {
    const int lane = threadIdx.x & 31;
    const i64 groups = (static_cast<i64>(n) + 31) / 32;
    for (i64 g = thread_number() / 32; g < groups; g += thread_count() / 32) {
        const i64 v = g * 32 + lane;
        const int id = v < n ? rank[v] : -1;
        const u32 tail = __ballot_sync(kFull, id >= hubs);
        const u32 heads = __ballot_sync(kFull, id >= 0 && id < hubs);
        const int first = __shfl_sync(kFull, id, tail ? __ffs(tail) - 1 : 0);
        const int first_hub = __shfl_sync(kFull, id, heads ? __ffs(heads) - 1 : 0);
        if (lane == 0) words[g] = make_uint4(tail, tail ? first : 0, heads, heads ? first_hub : 0);
    }
}
