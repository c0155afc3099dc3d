// What the layout of a graph is chosen by, and with it the kernel of the search.  A module of its
// own: before these have run it is not known what is to be compiled next.
#include "cuda/grid/shared_struct.cuh"
#include "cuda/layout/bfs_layout_common.cuh"

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
// clang-format off
SHARED_STRUCT(LayoutCounts, 32,
    FIELD(rows, 0) FIELD(to_hubs, 8) FIELD(longest, 16) FIELD(broad, 24));
// clang-format on

// `indices` is null where they are not all in one place: rows are then taken to have no entry of
// their own, which makes no difference to what is chosen for several GPUs.
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
        broad += length > 5 || (length == 5 && (!indices || neighbours_of(out, indices, v) > 4));
        if (i < hubs) to_hubs += length_of(in ? in : out, v);
    }
    if (rows) atomicAdd(&counts->rows, rows);
    if (to_hubs) atomicAdd(&counts->to_hubs, to_hubs);
    if (longest) atomicMax(&counts->longest, longest);
    if (broad) atomicAdd(&counts->broad, broad);
}
