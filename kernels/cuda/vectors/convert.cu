// Between the forms of a vector, and what is written into one under a mask: one pass each.
//
// Values are moved without a look at them, so T is any type of their size.  A queue is the list of
// entries, in no order, that a push leaves with its result; what it holds is cheaper to visit than
// every element's byte.
#include "cuda/grid/counts.cuh"

using namespace spbfs;

// Elements a thread handles, side by side: the bytes of a bitmap are read as words of four.
constexpr int kSide = 4;

// Bit k: byte i + k is set; for bytes beyond the end it is not.
__device__ inline unsigned set_bytes(const unsigned char* bytes, i64 i, i64 size) {
    unsigned set = 0;
    if (i + kSide <= size && reinterpret_cast<unsigned long long>(bytes) % kSide == 0) {
        const unsigned word = *reinterpret_cast<const unsigned*>(bytes + i);
        for (int k = 0; k < kSide; ++k)
            set |= static_cast<unsigned>((word >> 8 * k & 255) != 0) << k;
    } else {
        for (int k = 0; k < kSide && i + k < size; ++k)
            set |= static_cast<unsigned>(bytes[i + k] != 0) << k;
    }
    return set;
}

__device__ inline unsigned inside(i64 i, i64 size) {
    return size - i >= kSide ? (1u << kSide) - 1 : (1u << (size > i ? size - i : 0)) - 1;
}

// Bit i of the words: whether byte i is set.
__global__ void __launch_bounds__(kThreads)
    pack(const unsigned char* bytes, i64 size, unsigned* words) {
    const i64 i = thread_of();
    const unsigned word = __ballot_sync(kAll, i < size && bytes[i] != 0);
    if (lane_of() == 0 && i < size) words[i / kWarp] = word;
}

// The numbers of the bytes that are set, in no order; `totals->listed` is zero before.
template <class I>
__global__ void __launch_bounds__(kThreads)
    enqueue(const unsigned char* bytes, i64 size, I* queue, Totals* totals) {
    const i64 all = static_cast<i64>(gridDim.x) * kThreads;
    for (i64 i = thread_of(); i - lane_of() < size; i += all) {
        const bool set = i < size && bytes[i] != 0;
        const unsigned sets = __ballot_sync(kAll, set);
        if (sets == 0) continue;
        unsigned long long slot = 0;
        if (lane_of() == 0) slot = atomicAdd(&totals->listed, __popc(sets));
        slot = __shfl_sync(kAll, slot, 0) + __popc(sets & ((1u << lane_of()) - 1));
        if (set) queue[slot] = static_cast<I>(i);
    }
}

// How many bytes are set of a part of them, a CTA each.
__global__ void __launch_bounds__(kThreads)
    count_parts(const unsigned char* bytes, i64 size, i64 part, unsigned* counts) {
    __shared__ unsigned all;
    if (threadIdx.x == 0) all = 0;
    __syncthreads();
    const i64 begin = blockIdx.x * part, end = begin + part < size ? begin + part : size;
    unsigned found = 0;
    for (i64 i = begin + threadIdx.x * kSide; i < end; i += kThreads * kSide)
        found += __popc(set_bytes(bytes, i, end));
    for (int by = kWarp / 2; by > 0; by /= 2) found += __shfl_down_sync(kAll, found, by);
    if (lane_of() == 0 && found) atomicAdd(&all, found);
    __syncthreads();
    if (threadIdx.x == 0) counts[blockIdx.x] = all;
}

// Their numbers in order: a part's behind those of the parts before it; `totals->found` is set.
template <class I>
__global__ void __launch_bounds__(kThreads)
    list_parts(const unsigned char* bytes, i64 size, i64 part, const unsigned* counts, I* list,
               Totals* totals) {
    constexpr int kWarps = kThreads / kWarp;
    __shared__ unsigned long long before;
    __shared__ unsigned of_warps[2][kWarps];
    if (threadIdx.x == 0) before = 0;
    __syncthreads();
    unsigned long long found = 0;
    for (unsigned b = threadIdx.x; b < blockIdx.x; b += kThreads) found += counts[b];
    for (int by = kWarp / 2; by > 0; by /= 2) found += __shfl_down_sync(kAll, found, by);
    if (lane_of() == 0 && found) atomicAdd(&before, found);
    __syncthreads();
    i64 at = static_cast<i64>(before);
    const i64 begin = blockIdx.x * part, end = begin + part < size ? begin + part : size;
    int turn = 0;
    for (i64 first = begin; first < end; first += kThreads * kSide, turn ^= 1) {
        const i64 i = first + threadIdx.x * kSide;
        const unsigned set = set_bytes(bytes, i, end);
        unsigned upto = __popc(set);
        for (int by = 1; by < kWarp; by *= 2) {
            const unsigned others = __shfl_up_sync(kAll, upto, by);
            if (lane_of() >= by) upto += others;
        }
        // Warps write to one row while others may still read the row before it.
        if (lane_of() == kWarp - 1) of_warps[turn][threadIdx.x / kWarp] = upto;
        __syncthreads();
        i64 own = at + upto - __popc(set);
        for (int w = 0; w < kWarps; ++w) {
            if (w < static_cast<int>(threadIdx.x / kWarp)) own += of_warps[turn][w];
            at += of_warps[turn][w];
        }
        for (unsigned left = set; left != 0; left &= left - 1)
            list[own++] = static_cast<I>(i + __ffs(left) - 1);
    }
    if (threadIdx.x == 0 && blockIdx.x == gridDim.x - 1) totals->found = at;
}

// One value where flagged; `present` is null for a vector that has every element.
template <class T>
__global__ void __launch_bounds__(kThreads)
    fill(T* values, unsigned char* present, i64 value, const unsigned char* flags, i64 size) {
    const i64 i = thread_of() * kSide;
    for (unsigned left = set_bytes(flags, i, size); left != 0; left &= left - 1) {
        const i64 at = i + __ffs(left) - 1;
        if (values != nullptr) values[at] = static_cast<T>(value);
        if (present != nullptr) present[at] = 1;
    }
}

// The same for the entries of a queue.
template <class T, class I>
__global__ void __launch_bounds__(kThreads)
    fill_queue(T* values, unsigned char* present, i64 value, const I* queue, const Totals* totals) {
    const i64 count = static_cast<i64>(totals->found);
    for (i64 t = thread_of(); t < count; t += static_cast<i64>(gridDim.x) * kThreads) {
        if (values != nullptr) values[queue[t]] = static_cast<T>(value);
        if (present != nullptr) present[queue[t]] = 1;
    }
}

// Elements that the mask admits become those of the source, present or absent.  A null `present`,
// `source_present` or `mask` stands for every element.
template <class T>
__global__ void __launch_bounds__(kThreads)
    copy_masked(T* values, unsigned char* present, const T* source, i64 stride,
                const unsigned char* source_present, const unsigned char* mask, i64 complement,
                i64 size) {
    const i64 i = thread_of() * kSide;
    const unsigned all = inside(i, size);
    unsigned left = all;
    if (mask != nullptr) left = (set_bytes(mask, i, size) ^ (complement ? all : 0)) & all;
    const unsigned stored = source_present == nullptr ? all : set_bytes(source_present, i, size);
    for (; left != 0; left &= left - 1) {
        const int k = __ffs(left) - 1;
        const bool some = stored >> k & 1;
        if (some) values[i + k] = source[(i + k) * stride];
        if (present != nullptr) present[i + k] = some;
    }
}

// The entries of a queue become those of the source, all of them present.
template <class T, class I>
__global__ void __launch_bounds__(kThreads)
    copy_queue(T* values, unsigned char* present, const T* source, i64 stride, const I* queue,
               const Totals* totals) {
    const i64 count = static_cast<i64>(totals->found);
    for (i64 t = thread_of(); t < count; t += static_cast<i64>(gridDim.x) * kThreads) {
        const i64 at = queue[t];
        values[at] = source[at * stride];
        if (present != nullptr) present[at] = 1;
    }
}
