// Results where several GPUs search: each has those of its own vertices, in their order.
//
// Whoever wants them by label looks every label up, and the results lie one behind the other: there
// is no room between them for labels that are another GPU's, or nobody's.
#pragma once
#include "cuda/bfs/bfs_emit_runs.cuh"

// Runs of a lane that are asked for together.
constexpr int kOwnRuns = 4;

// Results [begin, end), by the cta-th of so many CTAs; `begin` is a multiple of kTogether.
__device__ __forceinline__ void emit_own(const Search& s, u32 begin, u32 end, u32 cta, u32 ctas) {
    const u32 stride = kTogether * ctas * kThreads;
    for (u32 first = begin + kTogether * (cta * kThreads + threadIdx.x); first < end;
         first += kOwnRuns * stride) {
        int id[kOwnRuns];
        Results found[kOwnRuns];
#pragma unroll
        for (int k = 0; k < kOwnRuns; ++k) {
            id[k] = vertex_of_own(s, first + k * stride);
            int bytes = 0;
            load_if(first + k * stride < end,
                    reinterpret_cast<const int*>(static_cast<const char*>(s.levels) + id[k]),
                    bytes);
            found[k].bytes = bytes;
        }
        // Most parents are the first entries of rows.
        int4 parent[kOwnRuns], first_entry[kOwnRuns];
#pragma unroll
        for (int k = 0; k < kOwnRuns; ++k) {
            const u32 reached = s.out_parents ? reached_in(found[k].bytes) : 0;
            parent[k] = first_entry[k] = make_int4(-1, -1, -1, -1);
            load_if(reached & found[k].bytes,
                    reinterpret_cast<const int4*>(s.prefix_labels + id[k]), first_entry[k]);
            load_if(reached & ~found[k].bytes, reinterpret_cast<const int4*>(s.parents + id[k]),
                    parent[k]);
        }
#pragma unroll
        for (int k = 0; k < kOwnRuns; ++k) {
            const int firsts[kTogether] = {first_entry[k].x, first_entry[k].y, first_entry[k].z,
                                           first_entry[k].w};
            const int others[kTogether] = {parent[k].x, parent[k].y, parent[k].z, parent[k].w};
            const u32 reached = reached_in(found[k].bytes);
#pragma unroll
            for (int i = 0; i < kTogether; ++i) {
                const u32 bit = u32{kParentIsFirst} << 8 * i;
                found[k].parent[i] = !(reached & bit)       ? -1
                                     : found[k].bytes & bit ? firsts[i]
                                                            : others[i];
            }
            const u32 r = first + k * stride;
            if (r < end) found[k].write(s, r, end);
        }
    }
}
