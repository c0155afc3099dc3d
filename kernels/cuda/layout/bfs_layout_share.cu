// The entries of a graph that one of several GPUs has, without the graph: the rows of the vertices
// that it owns, entry by entry in whatever order they come, and the same entries once more by
// column, which are the graph by which it pushes; `cuda/graph/shares.py` says in which order these
// run.
//
// Entries come as keys, (row << 32 | place of the neighbour), of some rows at a time; sorted, and
// each once, they are these rows.  A bit a key says whether it is the first of its kind, and counts
// of bits say where it goes.
#include "cuda/layout/share_keys.cuh"

// A warp a group of kBlock rows: their entries, of those that the GPU owns.
template <typename Offset>
__global__ void share_groups(const Offset* indptr, int n, const int* rank, int shift, int gpus,
                             int place, i64* entries) {
    const i64 groups = (static_cast<i64>(n) + kBlock - 1) / kBlock;
    for (i64 g = thread_number() / 32; g < groups; g += thread_count() / 32) {
        i64 own = 0;
        for (int k = threadIdx.x & 31; k < kBlock; k += 32) {
            const i64 u = g * kBlock + k;
            if (u < n && is_own(rank ? rank[u] : static_cast<int>(u), shift, gpus, place))
                own += static_cast<i64>(length_of(indptr, u));
        }
        for (int by = 16; by; by /= 2) own += __shfl_xor_sync(kFull, own, by);
        if ((threadIdx.x & 31) == 0) entries[g] = own;
    }
}

// Keys of the entries [begin, end), whose columns begin at `columns`, of the rows [first, last)
// that the GPU owns.
template <typename Offset>
__global__ void share_keys(const Offset* indptr, i64 first, i64 last, i64 begin, i64 end,
                           const int* columns, const int* rank, const int* place_of, int shift,
                           int gpus, int place, u64* keys, u64 room, u64* found) {
    __shared__ u64 stages[kKeyWarps][kKeysStaged];
    KeyWriter writer(keys, room, found, stages);
    const int lane = threadIdx.x & 31;
    const i64 run = (thread_number() / 32) * kRun, stride = (thread_count() / 32) * kRun;
    for (i64 from = begin + run; from < end; from += stride) {
        const i64 to = min(end, from + kRun);
        const i64 top = last_not_above(indptr, first, last - 1, from);
        const i64 bottom = last_not_above(indptr, top, last - 1, to - 1);
        for (i64 e = from + lane; e - lane < to; e += 32) {
            const bool is_entry = e < to;
            const i64 u = is_entry ? last_not_above(indptr, top, bottom, e) : 0;
            const ShareKey entry(static_cast<int>(u), is_entry ? columns[e - begin] : 0, rank,
                                 place_of, shift, gpus, place, is_entry);
            writer.add(entry.own, entry.key);
        }
    }
    writer.finish();
}

// Word by word of 32 sorted keys: which of them differ from the one before, and how many.
__global__ void share_distinct(const u64* keys, i64 count, u32* flags, int* counts) {
    const i64 words = (count + 31) / 32;
    for (i64 w = thread_number() / 32; w < words; w += thread_count() / 32) {
        const i64 i = w * 32 + (threadIdx.x & 31);
        const bool first = i < count && (i == 0 || keys[i] != keys[i - 1]);
        const u32 flag = __ballot_sync(kFull, first);
        if ((threadIdx.x & 31) == 0) {
            flags[w] = flag;
            counts[w] = __popc(flag);
        }
    }
}

// Distinct keys before one; `upto`: those in a word and before it.
__device__ __forceinline__ i64 distinct_before(const u32* flags, const i64* upto, i64 i) {
    const i64 w = i / 32;
    const u32 below = flags[w] & ((1u << (i & 31)) - 1);
    return upto[w] - __popc(flags[w]) + __popc(below);
}

// How many distinct keys come before a row's first one.
__global__ void share_starts(const u64* keys, i64 count, const u32* flags, const i64* upto,
                             int* starts) {
    for (i64 i = thread_number(); i < count; i += thread_count())
        if (i == 0 || keys[i] >> 32 != keys[i - 1] >> 32)
            starts[keys[i] >> 32] = static_cast<int>(distinct_before(flags, upto, i));
}

// The rows' lengths ...
__global__ void share_lengths(const u64* keys, i64 count, const u32* flags, const i64* upto,
                              const int* starts, int* lengths) {
    for (i64 i = thread_number(); i < count; i += thread_count())
        if (i + 1 == count || keys[i] >> 32 != keys[i + 1] >> 32) {
            const i64 before = distinct_before(flags, upto, i) + (flags[i / 32] >> (i & 31) & 1);
            lengths[keys[i] >> 32] = static_cast<int>(before) - starts[keys[i] >> 32];
        }
}

// ... and the rows, where `indptr` says; `order`: the neighbours by their places.
template <typename Offset>
__global__ void share_rows(const u64* keys, i64 count, const u32* flags, const i64* upto,
                           const int* starts, const Offset* indptr, const int* order,
                           int* indices) {
    for (i64 i = thread_number(); i < count; i += thread_count()) {
        if (!(flags[i / 32] >> (i & 31) & 1)) continue;
        const i64 row = keys[i] >> 32;
        indices[indptr[row] + distinct_before(flags, upto, i) - starts[row]] =
            order[keys[i] & kFull];
    }
}

// Entries of every column.
__global__ void share_columns(const int* indices, i64 entries, int* counts) {
    for (i64 e = thread_number(); e < entries; e += thread_count())
        atomicAdd(counts + indices[e], 1);
}

// Keys of the entries of the columns [first, last) as rows from `first` on; `indptr` and `indices`
// are rows of what the GPU owns.
template <typename Offset>
__global__ void share_turned(const Offset* indptr, const int* indices, i64 rows, i64 entries,
                             int first, int last, const int* place_of, int shift, int gpus,
                             int place, u64* keys, u64 room, u64* found) {
    __shared__ u64 stages[kKeyWarps][kKeysStaged];
    KeyWriter writer(keys, room, found, stages);
    const int lane = threadIdx.x & 31;
    const i64 run = (thread_number() / 32) * kRun, stride = (thread_count() / 32) * kRun;
    for (i64 from = run; from < entries; from += stride) {
        const i64 to = min(entries, from + kRun);
        const i64 top = last_not_above(indptr, i64{0}, rows - 1, from);
        const i64 bottom = last_not_above(indptr, top, rows - 1, to - 1);
        for (i64 e = from + lane; e - lane < to; e += 32) {
            const int w = e < to ? indices[e] : -1;
            const bool wanted = w >= first && w < last;
            u64 key = 0;
            if (wanted) {
                const i64 row = last_not_above(indptr, top, bottom, e);
                const i64 id = id_of_own(row, shift, gpus, place);
                key = static_cast<u64>(w - first) << 32 | static_cast<u32>(place_of[id]);
            }
            writer.add(wanted, key);
        }
    }
    writer.finish();
}

// The labels of the vertices that the GPU owns, in their order.
__global__ void share_labels(const int* label, int own, int shift, int gpus, int place,
                             int* labels) {
    for (i64 r = thread_number(); r < own; r += thread_count()) {
        const i64 v = id_of_own(r, shift, gpus, place);
        labels[r] = label ? label[v] : static_cast<int>(v);
    }
}

// An element of each of them, by internal ids.
__global__ void share_spread(const int* values, int own, int shift, int gpus, int place,
                             int* by_id) {
    for (i64 r = thread_number(); r < own; r += thread_count())
        by_id[id_of_own(r, shift, gpus, place)] = values[r];
}
