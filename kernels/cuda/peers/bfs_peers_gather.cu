// What several GPUs have found in one search, an output as one array: each label from the GPU that
// owns its vertex; -1 where it has no entries.
#include "cuda/layout/share_keys.cuh"
#include "cuda/memory/predicated_loads.cuh"

// Labels of a thread that are asked for together.
constexpr int kGathered = 4;

// The labels [first, last).
__global__ void gather_results(const int* const* shares, const int* rank, i64 first, i64 last,
                               int shift, int gpus, int* out) {
    const SharedResults results(shares, rank, shift, gpus);
    const i64 stride = thread_count();
    for (i64 base = first + thread_number(); base < last; base += kGathered * stride) {
        int id[kGathered], value[kGathered];
#pragma unroll
        for (int k = 0; k < kGathered; ++k) {
            const i64 u = base + k * stride;
            id[k] = u < last && !rank ? static_cast<int>(u) : -1;
            load_if(u < last && rank, rank + u, id[k]);
        }
#pragma unroll
        for (int k = 0; k < kGathered; ++k) {
            value[k] = -1;
            load_if(id[k] >= 0, results.address(max(id[k], 0), base + k * stride), value[k]);
        }
#pragma unroll
        for (int k = 0; k < kGathered; ++k) {
            const i64 u = base + k * stride;
            if (u < last) out[u - first] = value[k];
        }
    }
}
