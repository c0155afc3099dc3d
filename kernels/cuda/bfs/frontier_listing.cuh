// Rows on their way into the list of a frontier.
#pragma once
#include "cuda/bfs/frontier_queue.cuh"

// Edges in a list of finds: none, or as many as there are.
constexpr i64 kListNothing = 0;
constexpr i64 kListAll = i64{1} << kEdgeBits;

// Whether and how far a level's finds are listed.  To give a list up is always right: one that
// misses vertices makes a pull follow.
struct ListPolicy {
    // kListNothing, kListAll, or so many edges that the next level pulls and needs no list.
    i64 most_edges;
    bool beyond_stage = true;         // whether a CTA lists what it has no room to stage
    float pull_certain_from = 1e30f;  // vertices found in all that make a pull certain

    __device__ bool lists() const { return most_edges > kListNothing; }
};

// Where rows are listed.
struct Sink {
    int4* rows;
    FrontierSize* size;
    int capacity;
    ListPolicy list;
    int shortest = 1;  // entries of the shortest row that is listed

    __device__ bool fits(u64 queued) const {
        return rows_of(queued) <= capacity && static_cast<i64>(edges_of(queued)) <= list.most_edges;
    }

    // Whether a pull is certain, by what those CTAs found that have reported it by now (a quarter
    // at least; those that find nothing report nothing), or because somebody has given the list up.
    // Others add meanwhile: what is read is a hint, and either answer is right.
    __device__ bool is_useless() const {
        const u64 reports = __ldcg(&size->reports);
        const bool given_up = __ldcg(&size->overflow) != 0;
        const u32 ctas = static_cast<u32>(reports >> kReportBits);
        const float expected = static_cast<float>(vertices_of(reports)) * gridDim.x;
        return given_up || (4 * ctas >= gridDim.x && expected > list.pull_certain_from * ctas);
    }
};

__device__ __forceinline__ u64 row_of_length(u64 length) { return (u64{1} << kEdgeBits) + length; }

// Up to K rows of every lane of a warp, on their way into a list.
template <typename Offset, int K>
struct Listing {
    int vertex[K];
    Offset begin[K];
    Offset length[K];  // 0: no row
    u64 own;           // (rows, edges) of this lane
    u64 upto;          // and of it and the lanes below

    __device__ __forceinline__ void count() {
        own = 0;
#pragma unroll
        for (int k = 0; k < K; ++k)
            if (length[k] > 0) own += row_of_length(length[k]);
        upto = scan_warp(own);
    }

    // Their rows by vertex; all bounds are asked for together.  Among several GPUs `indptr` has the
    // lengths themselves, and where a row begins each looks up for its own part.
    __device__ __forceinline__ void look_up(const Offset* indptr, const bool (&active)[K],
                                            int shortest) {
#pragma unroll
        for (int k = 0; k < K; ++k) {
            begin[k] = length[k] = 0;
            if (!kPeers) load_if(active[k], indptr + vertex[k], begin[k]);
            load_if(active[k], indptr + vertex[k] + !kPeers, length[k]);  // its end
        }
#pragma unroll
        for (int k = 0; k < K; ++k) {
            length[k] -= begin[k];
            if (length[k] < shortest) length[k] = 0;
        }
        count();
    }

    // `base`: what the list held before this lane's rows.
    __device__ __forceinline__ void store(int4* to, u64 base) const {
#pragma unroll
        for (int k = 0; k < K; ++k)
            if (length[k] > 0) {
                QueuedRow<Offset>{vertex[k], begin[k], static_cast<Offset>(edges_of(base))}.store(
                    to + rows_of(base));
                base += row_of_length(length[k]);
            }
    }

    // With one atomic on `queued`.  False when the list is given up; `unlisted` then says where it
    // ends, since from the first that does not fit on nothing does.
    __device__ __forceinline__ bool append(const Sink& sink, u64* queued,
                                           u64* unlisted = nullptr) const {
        u64 base = 0;
        if ((threadIdx.x & 31) == 31 && upto) base = atomicAdd(queued, upto);
        base = __shfl_sync(kFull, base, 31);
        if (!sink.fits(base + __shfl_sync(kFull, upto, 31))) {
            if (unlisted && (threadIdx.x & 31) == 0) atomicMax(unlisted, ~base);
            return false;
        }
        store(sink.rows, base + upto - own);
        return true;
    }
};

// The same for one vertex a lane, at once.
template <typename Offset>
__device__ __forceinline__ void enqueue_warp(const Sink& sink, const Offset* indptr, int v,
                                             bool active) {
    Listing<Offset, 1> row;
    row.vertex[0] = v;
    const bool is[1] = {active};
    row.look_up(indptr, is, sink.shortest);
    if (!row.append(sink, &sink.size->queued) && (threadIdx.x & 31) == 0) sink.size->overflow = 1;
}

// The rows of a warp's lanes, `length` entries from `begin` each (none where 0), with one atomic.
// False when the list is given up.
template <typename Offset>
__device__ __forceinline__ bool list_rows(const Sink& sink, u64* queued, int v, Offset begin,
                                          Offset length) {
    Listing<Offset, 1> row;
    row.vertex[0] = v;
    row.begin[0] = begin;
    row.length[0] = length;
    row.count();
    return row.append(sink, queued);
}
