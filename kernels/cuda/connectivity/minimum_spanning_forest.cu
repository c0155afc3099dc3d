// The edges of the one minimum spanning forest, directions aside, by Boruvka's rounds: every
// component takes the least edge that leaves it, and what is joined becomes one component.
//
// Rounds work on a list of edges, once each, which hold the components that they connect.  Each
// warp has a part of the list, and keeps in it those that still connect two.  Where there are many
// edges a vertex, rounds are made over the light ones first, up to a bound that a sample gives.  Of
// the others only those are listed that connect two components then; the rows of the largest one
// need no look for that, since every edge that leaves it is in another's row, too.  Nor does the
// largest take an edge itself, which nearly all edges of a late round would be offered to: one
// component may wait in every round.
//
// Choosing makes no cycle: along edges taken ranks fall, but where two components take the same
// edge, of which then the lesser one stays a root.
//
// The caller guarantees a square CSR in canonical order that is its own transpose, values included.
// A weight that is NaN ends the call.
//
// Boruvka (1926); Osipov, Sanders, Singler: The filter-Kruskal minimum spanning tree algorithm
// (ALENEX 2009), for the light edges; Fallin, Gonzalez, Seo, Burtscher: A high-performance MST
// implementation for GPUs (SC 2023), for the list of edges.
#include "cuda/connectivity/forest_listing.cuh"
#include "cuda/grid/grid_barrier.cuh"
#include "cuda/rows/entry_runs.cuh"

using namespace spbfs;

// Entries a vertex that are light, as on the CPU.  Half of them are in the upper triangle.
constexpr int kLight = 4;

// CTAs that are to share a multiprocessor, as far as no register is spilled: the compiler takes
// more of them for the generations from 10.0 on, and a few more for those of 8.x.
template <typename Offset, typename Weight>
constexpr int kResident = __CUDA_ARCH__ >= 1000                                   ? 2
                          : !kOneWord<Offset, Weight> || __CUDA_ARCH__ / 100 == 8 ? 3
                                                                                  : 4;

// A warp's part of the rounds: of the edges listed, and of the roots.
template <bool one_word>
struct ForestRounds {
    Forest<one_word> forest;
    int* roots;  // n
    ForestState* state;
    Edge<one_word>* mine;
    int* my_roots;
    i64 size, root_count;
    int round;

    // The warp's part of so many begins here.
    __device__ static i64 begin_of(i64 count, int behind) {
        const i64 warps = static_cast<i64>(gridDim.x) * (kThreads / kWarp);
        return count * (thread_of() / kWarp + behind) / warps;
    }
    // Everybody is looked at by the next `flatten`.
    __device__ void list_all(i64 n) {
        const i64 begin = begin_of(n, 0);
        my_roots = roots + begin;
        root_count = begin_of(n, 1) - begin;
        for (i64 i = lane_of(); i < root_count; i += kWarp)
            my_roots[i] = static_cast<int>(begin + i);
        __syncwarp();
    }
    // The parent of all that are listed is a root again; others write theirs meanwhile.  Roots stay
    // listed, and what they were offered is forgotten.
    __device__ void flatten() {
        int* const parents = forest.parents;
        i64 kept = 0;
        for (i64 first = 0; first < root_count; first += kAhead * kWarp) {
            int own[kAhead], above[kAhead];
#pragma unroll
            for (int j = 0; j < kAhead; ++j) {
                const i64 i = first + j * kWarp + lane_of();
                above[j] = own[j] = i < root_count ? my_roots[i] : -1;
            }
            for (bool rises = true; rises;) {
                rises = false;
#pragma unroll
                for (int j = 0; j < kAhead; ++j) {
                    const int next = above[j] < 0 ? above[j] : __ldcg(parents + above[j]);
                    rises |= next != above[j];
                    above[j] = next;
                }
            }
            __syncwarp();
#pragma unroll
            for (int j = 0; j < kAhead; ++j) {
                if (own[j] >= 0) forest.least.forget(own[j]);
                if (above[j] != own[j]) parents[own[j]] = above[j];
                const bool stays = own[j] >= 0 && above[j] == own[j];
                const unsigned staying = __ballot_sync(kAll, stays);
                if (stays) my_roots[kept + number_among(staying)] = own[j];
                kept += __popc(staying);
            }
            __syncwarp();
        }
        root_count = kept;
    }
    // use(edge, look(edge)) for the warp's edges, of which several are looked at first.
    template <class Look, class Use>
    __device__ __forceinline__ void for_edges(Look&& look, Use&& use) const {
        for (i64 first = lane_of(); first < size; first += kAhead * kWarp) {
            Edge<one_word> its[kAhead];
            unsigned seen[kAhead];
#pragma unroll
            for (int j = 0; j < kAhead; ++j) its[j] = mine[min(first + j * kWarp, size - 1)];
#pragma unroll
            for (int j = 0; j < kAhead; ++j) seen[j] = look(its[j]);
#pragma unroll
            for (int j = 0; j < kAhead; ++j)
                if (first + j * kWarp < size) use(its[j], seen[j]);
        }
    }
    // Edges hold roots again; those within a component are dropped, others are offered to theirs.
    __device__ void renew(int skipped) {
        i64 kept = 0;
        for (i64 first = 0; first < size; first += kAhead * kWarp) {
            Edge<one_word> its[kAhead];
#pragma unroll
            for (int j = 0; j < kAhead; ++j)
                its[j] = mine[min(first + j * kWarp + lane_of(), size - 1)];
#pragma unroll
            for (int j = 0; j < kAhead; ++j) {
                its[j].a = forest.parents[its[j].a];
                its[j].b = forest.parents[its[j].b];
            }
            __syncwarp();
#pragma unroll
            for (int j = 0; j < kAhead; ++j) {
                const bool leaves = first + j * kWarp + lane_of() < size && its[j].a != its[j].b;
                const unsigned leaving = __ballot_sync(kAll, leaves);
                if (leaves) {
                    mine[kept + number_among(leaving)] = its[j];
                    forest.offer(its[j], skipped);
                }
                kept += __popc(leaving);
            }
            __syncwarp();
        }
        size = kept;
        if (kept != 0 && lane_of() == 0) state->left[round % 3] = 1;
    }
    // Rounds over edges that were listed, and offered but to the component `skipped`.
    __device__ void run(u64 listed, int skipped, i64 n) {
        const i64 edges = static_cast<i64>(listed), begin = begin_of(edges, 0);
        mine = forest.edges + begin;
        size = begin_of(edges, 1) - begin;
        for (bool any = listed != 0; any; ++round) {
            if constexpr (!one_word) {
                for_edges([](const auto&) { return 0u; },
                          [&](const auto& its, unsigned) { forest.offer_place(its, skipped); });
                grid_barrier(&state->barrier);
            }
            for_edges([&](const auto& its) { return forest.takers(its); },
                      [&](const auto& its, unsigned takers) { forest.take(its, takers); });
            if (thread_of() == 0) state->left[(round + 1) % 3] = 0;
            grid_barrier(&state->barrier);
            flatten();
            grid_barrier(&state->barrier);
            skipped = most_common(forest.parents, n);
            renew(skipped);
            grid_barrier(&state->barrier);
            any = __ldcg(&state->left[round % 3]) != 0;
        }
    }
};

// Marks the entries of the forest, of `words` times 32, and counts them by words of 32.  `edges`
// has an element for every entry above the diagonal, `parents` and the like n.  0 < n.
template <typename Offset, typename Weight>
__global__ void __launch_bounds__(kThreads, kResident<Offset, Weight>)
    minimum_spanning_forest(const Offset* __restrict__ indptr, const int* __restrict__ indices,
                            const Weight* __restrict__ weights, i64 stride, i64 n, i64 entries,
                            int* parents, u64* keys, u64* least_places, int* roots, void* edges,
                            u32* marked, Offset* counts, i64 words, ForestState* state) {
    constexpr bool one_word = kOneWord<Offset, Weight>;
    __shared__ Edge<one_word> staged[kThreads / kWarp][kStaged];
    const Csr<Offset, Weight> S{indptr, indices, weights, stride, n, entries};
    const Forest<one_word> forest{
        parents, {keys, least_places}, static_cast<Edge<one_word>*>(edges), marked};
    ForestRounds<one_word> rounds{forest, roots, state, nullptr, nullptr, 0, 0, 0};
    const Stage<one_word> stage{staged[threadIdx.x / kWarp], forest, 0};

    const i64 all = static_cast<i64>(gridDim.x) * kThreads;
    for (i64 v = thread_of(); v < n; v += all) {
        parents[v] = static_cast<int>(v);
        forest.least.forget(v);
    }
    const bool some = entries > 2 * kLight * n;
    auto* const bound = reinterpret_cast<Rank<one_word>*>(state->bound);
    if (some && blockIdx.x == 0) sample_bound(S, kLight * n, bound);
    grid_barrier(&state->barrier);

    LightEdges<Offset, Weight> light{S, stage, some, *bound, state};
    visit_entry_runs(indptr, n, entries, light);
    light.stage.flush(&state->listed[0], -1);
    grid_barrier(&state->barrier);
    if (__ldcg(&state->nan) != 0) return;
    rounds.list_all(n);
    rounds.run(__ldcg(&state->listed[0]), -1, n);

    if (some) {
        rounds.list_all(n);
        rounds.flatten();
        grid_barrier(&state->barrier);
        const int largest = most_common(parents, n);
        OtherEdges<Offset, Weight> others{S, stage, largest, state};
        visit_entry_runs(indptr, n, entries, others);
        others.stage.flush(&state->listed[1], largest);
        grid_barrier(&state->barrier);
        rounds.run(__ldcg(&state->listed[1]), largest, n);
    }
    grid_barrier(&state->barrier);
    Mirrored<Offset, Weight> mirrored{S, forest};
    visit_entry_runs(indptr, n, entries, mirrored);
    grid_barrier(&state->barrier);
    for (i64 i = thread_of(); i < words; i += all) counts[i] = __popc(__ldcg(marked + i));
}
