// What several GPUs have found in one search, an output as one array: each label from the GPU that
// owns its vertex; -1 where it has no entries.
#include "cuda/layout/share_keys.cuh"

// The labels [first, last).
__global__ void gather_results(const int* const* shares, const int* rank, i64 first, i64 last,
                               int shift, int gpus, int* out) {
    const SharedResults results(shares, rank, shift, gpus);
    for (i64 u = first + thread_number(); u < last; u += thread_count()) {
        const int v = rank ? rank[u] : static_cast<int>(u);
        out[u - first] = v < 0 ? -1 : results.at(v, u);
    }
}
