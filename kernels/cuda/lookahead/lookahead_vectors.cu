// Sparse vectors as statements of q<~v> = q A, v<q> = x would have left them, from the levels of a
// search that ran ahead.
//
//   frontier_after  q after `depth` steps: the vertices of that level
//   visited_after   v after them: the vertices of levels up to it become entries
//   spread_list     v before them, where it was a list
#include "cuda/lookahead/lookahead.cuh"

// `values` take the parents where it is not null.
__global__ void __launch_bounds__(kThreads)
    frontier_after(const int* levels, const int* parents, i64 size, i64 depth,
                   unsigned char* present, i64* values) {
    for (i64 i = thread_of() * kSide; i < size; i += threads_of() * kSide) {
        const int4 four = levels_at(levels, i, size);
        const int now = static_cast<int>(depth);
        const unsigned char here[kSide] = {four.x == now, four.y == now, four.z == now,
                                           four.w == now};
        if (i + kSide <= size) {
            *reinterpret_cast<uchar4*>(present + i) =
                make_uchar4(here[0], here[1], here[2], here[3]);
        } else {
#pragma unroll
            for (int k = 0; k < kSide; ++k)
                if (i + k < size) present[i + k] = here[k];
        }
        for (int k = 0; k < kSide; ++k)
            if (values && here[k]) values[i + k] = parents[i + k];
    }
}

template <typename Value>
struct alignas(4 * sizeof(Value) < 16 ? 4 * sizeof(Value) : 16) Four {
    Value value[kSide];
};

// Entries of the levels from `first` to `last`: the parent, or what the table has for the level;
// a null `values` has the one value already.  A `fresh` vector has no other entries, and nothing
// in its arrays.
template <typename Value>
__global__ void __launch_bounds__(kThreads)
    visited_after(const int* levels, const int* parents, const Value* table, i64 size, i64 first,
                  i64 last, i64 fresh, unsigned char* present, Value* values) {
    for (i64 i = thread_of() * kSide; i < size; i += threads_of() * kSide) {
        const int4 four = levels_at(levels, i, size);
        const int level[kSide] = {four.x, four.y, four.z, four.w};
        bool here[kSide];
        Four<Value> made;
#pragma unroll
        for (int k = 0; k < kSide; ++k) {
            here[k] = level[k] >= first && level[k] <= last;
            made.value[k] = Value{};
            if (values && here[k])
                made.value[k] =
                    parents ? static_cast<Value>(parents[i + k]) : table[level[k] - first];
        }
        const bool all = here[0] && here[1] && here[2] && here[3];
        if (i + kSide <= size && (fresh || all)) {
            *reinterpret_cast<uchar4*>(present + i) =
                make_uchar4(here[0], here[1], here[2], here[3]);
            if (values) *reinterpret_cast<Four<Value>*>(values + i) = made;
            continue;
        }
#pragma unroll
        for (int k = 0; k < kSide; ++k) {
            if (i + k >= size || !(fresh || here[k])) continue;
            present[i + k] = here[k];
            if (values) values[i + k] = made.value[k];
        }
    }
}

// The entries of a list set in a bitmap but where it has some; a null `values` has the one value.
template <typename Value>
__global__ void __launch_bounds__(kThreads)
    spread_list(const i64* list, const Value* from, i64 stride, i64 count, unsigned char* present,
                Value* values) {
    for (i64 i = thread_of(); i < count; i += threads_of()) {
        if (present[list[i]]) continue;
        present[list[i]] = 1;
        if (values) values[list[i]] = from[i * stride];
    }
}
