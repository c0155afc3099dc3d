// Elements of a vector that are asked for most often, in shared memory.
//
// Every entry of a matrix asks for an element.  L1 answers a line a cycle, hence a warp's request
// in up to 32 cycles, and what it has not got is a sector of L2; shared memory takes as many cycles
// as its busiest bank has elements, three or four.  So where columns are numbered with those of
// hubs first (hubs_first.cu), a CTA that has a multiprocessor to itself copies as many elements of
// these as it has room for.
#pragma once
#include "cuda/grid/counts.cuh"

namespace spbfs {

// The first `count` elements of a vector; `some` says whether there are any.
template <typename T, bool some>
struct HubElements {
    const T* kept = nullptr;  // in shared memory
    int count = 0;

    // Element `at`, by one load from wherever it lies: in both by turns for the lanes of a warp.
    template <typename Index>
    __device__ __forceinline__ T of(const T* all, Index at) const {
        if constexpr (some) {
            const T* const from = at < count ? kept + at : all + at;
            return *from;
        } else {
            return all[at];
        }
    }
};

// Copies the first `count` elements, by all of the CTA's threads, where its launch has room for
// them; what lay there before is not read any more.
template <typename T, bool some>
__device__ HubElements<T, some> keep_hubs(const T* all, int count) {
    if constexpr (some) {
        extern __shared__ __align__(16) unsigned char hub_memory[];
        T* const kept = reinterpret_cast<T*>(hub_memory);
        __syncthreads();
        for (int i = threadIdx.x; i < count; i += kThreads) kept[i] = all[i];
        __syncthreads();
        return {kept, count};
    } else {
        return {};
    }
}

}  // namespace spbfs
