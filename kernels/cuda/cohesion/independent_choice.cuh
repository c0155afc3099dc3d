// A vertex's decision in maximal_independent_set.cu: what it waits for along its row, and whom it
// puts out.
#pragma once
#include "cuda/cohesion/in_order.cuh"

namespace spbfs {

constexpr unsigned kOut = 0, kChosen = 1, kFirst = 2;
// Entries that a lane looks at together, and rows that it takes alone; lanes that share the rest of
// a row, several such rows side by side, and rests that the whole warp takes.
constexpr int kTogether = 4, kAlone = 8, kTeam = 4, kLong = 256;

// What was known of a vertex a while ago, from the multiprocessor's own cache: what is decided
// there is.  Who has many neighbours is asked for by most vertices, which one slice of the L2 would
// have to answer.
__device__ __forceinline__ unsigned once_known(const unsigned char* at) { return __ldca(at); }

// A vertex that waits, and the entry of its row that it waits at.
struct Waiting {
    int vertex, at;
};

// `Places` are asked for two vertices whose bytes are equal: whether the first one is earlier.
template <typename Offset, class Places>
struct Choice {
    const Offset* indptr;
    const int* indices;
    const Places& places;
    unsigned char* status;

    __device__ bool waits(int v, unsigned mine, int u, unsigned its) const {
        return its >= kFirst && (its < mine || (its == mine && places.rise(u, v)));
    }

    // What is known of a neighbour: whoever waits has to see what is new some day.
    __device__ unsigned known(int u, bool near) const {
        return near ? once_known(status + u) : peek(status + u);
    }

    // Goes on along the row of a vertex, one a lane or none; false for those that are decided.  A
    // row of more than `most` entries is left for later.
    __device__ bool look(Waiting& w, int most, bool near) const {
        const int v = max(w.vertex, 0);
        const unsigned mine = w.vertex < 0 ? kOut : peek(status + v);
        const Offset begin = indptr[v];
        const int size = static_cast<int>(indptr[v + 1] - begin);
        bool going = mine >= kFirst && size <= most, beaten = false;
        const int alone = min(size, w.at + kAlone);
        while (going && w.at < alone) {
            int u[kTogether];
            unsigned its[kTogether];
#pragma unroll
            for (int k = 0; k < kTogether; ++k)
                u[k] = w.at + k < size ? indices[begin + w.at + k] : v;
#pragma unroll
            for (int k = 0; k < kTogether; ++k) its[k] = known(u[k], near);
#pragma unroll
            for (int k = 0; k < kTogether; ++k) {
                beaten |= its[k] == kChosen;
                going = going && !waits(v, mine, u[k], its[k]);
                w.at += going;
            }
            going &= !beaten;
        }
        const int rest = going ? size - w.at : 0;
        together<kTeam>(__ballot_sync(kAll, rest > 0 && rest <= kLong), w, mine, begin, size, going,
                        beaten, near);
        together<kWarp>(__ballot_sync(kAll, rest > kLong), w, mine, begin, size, going, beaten,
                        near);
        going &= w.at >= size;
        choose(going, v, begin, size);
        if (beaten) post(status + v, kOut);
        return mine >= kFirst && !going && !beaten;
    }

    // Of the lanes in `left`, whose row a team takes next, or -1: the first ones, one a team.
    template <int lanes>
    __device__ static int next_owner(unsigned& left) {
        int owner = -1;
#pragma unroll
        for (int k = 0; k < kWarp / lanes; ++k, left &= left - 1)
            if (k == lane_of() / lanes) owner = __ffs(left) - 1;
        return owner;
    }

    // The rest of the rows of the lanes in `left`, which have nobody to wait for yet.
    template <int lanes>
    __device__ void together(unsigned left, Waiting& w, unsigned mine, Offset begin, int size,
                             bool& going, bool& beaten, bool near) const {
        const int lane = lane_of(), shift = lane / lanes * lanes;
        const auto of_team = [&](bool is) {
            return __ballot_sync(kAll, is) >> shift & kAll >> (kWarp - lanes);
        };
        while (left != 0) {
            unsigned owners = left;
            const int owner = next_owner<lanes>(left), from = max(owner, 0);
            const int v = __shfl_sync(kAll, w.vertex, from);
            const unsigned its_own = __shfl_sync(kAll, mine, from);
            const Offset row = __shfl_sync(kAll, begin, from);
            int end = __shfl_sync(kAll, size, from), at = __shfl_sync(kAll, w.at, from);
            if (owner < 0) end = at = 0;
            // -1 where the vertex is out, or where its row has been looked at up to.
            int outcome = end;
            while (__any_sync(kAll, at < end)) {
                int u[kTogether];
                unsigned its[kTogether];
#pragma unroll
                for (int k = 0; k < kTogether; ++k) {
                    const int mine_at = at + k * lanes + lane - shift;
                    u[k] = mine_at < end ? indices[row + mine_at] : v;
                }
#pragma unroll
                for (int k = 0; k < kTogether; ++k) its[k] = u[k] == v ? kOut : known(u[k], near);
                at += kTogether * lanes;
                bool won = false;
#pragma unroll
                for (int k = kTogether - 1; k >= 0; --k) {
                    const unsigned stopped = of_team(waits(v, its_own, u[k], its[k]));
                    if (stopped != 0) outcome = at - (kTogether - k) * lanes + __ffs(stopped) - 1;
                    won |= its[k] == kChosen;
                }
                if (of_team(won) != 0) outcome = -1;
                if (outcome < end) at = end;
            }
#pragma unroll 1
            for (int k = 0; k < kWarp / lanes; ++k, owners &= owners - 1) {
                const int found = __shfl_sync(kAll, outcome, k * lanes);
                if (owners == 0 || lane != __ffs(owners) - 1) continue;
                beaten = found < 0;
                going = found == size;
                w.at = max(found, 0);
            }
        }
    }

    // Those that win, whose neighbours are out: a lane tells those of a short row, teams others.
    __device__ void choose(bool wins, int v, Offset begin, int size) const {
        if (wins) post(status + v, kChosen);
        if (wins && size <= kAlone) put_out(v, begin, 0, 1, size);
        put_out<kTeam>(__ballot_sync(kAll, wins && size > kAlone && size <= kLong), v, begin, size);
        put_out<kWarp>(__ballot_sync(kAll, wins && size > kLong), v, begin, size);
    }

    template <int lanes>
    __device__ void put_out(unsigned left, int v, Offset begin, int size) const {
        while (left != 0) {
            const int owner = next_owner<lanes>(left), from = max(owner, 0);
            const int chosen = __shfl_sync(kAll, v, from), its = __shfl_sync(kAll, size, from);
            const Offset row = __shfl_sync(kAll, begin, from);
            put_out(chosen, row, lane_of() % lanes, lanes, owner < 0 ? 0 : its);
        }
    }

    // Every so many entries of a row; who is known to be out is not told again.
    __device__ void put_out(int chosen, Offset row, int at, int step, int end) const {
        for (; at < end; at += kTogether * step) {
            int u[kTogether];
            unsigned its[kTogether];
#pragma unroll
            for (int k = 0; k < kTogether; ++k)
                u[k] = at + k * step < end ? indices[row + at + k * step] : chosen;
#pragma unroll
            for (int k = 0; k < kTogether; ++k)
                its[k] = u[k] == chosen ? kOut : once_known(status + u[k]);
#pragma unroll
            for (int k = 0; k < kTogether; ++k)
                if (its[k] != kOut) post(status + u[k], kOut);
        }
    }
};

}  // namespace spbfs
