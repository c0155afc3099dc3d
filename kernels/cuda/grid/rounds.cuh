// Rounds of a cooperative kernel, each of which adds to a list that the next one takes from.
//
// What a round leaves is counted in one of three places, in turn: one that is complete and read,
// one that is added to, and one that is cleared for the round after; no round waits for a reader.
#pragma once
#include "cuda/grid/counts.cuh"
#include "cuda/grid/grid_barrier.cuh"

namespace spbfs {

struct __align__(16) RoundCounts {
    unsigned found;            // listed for the next round; added to together with
    unsigned kept;             // what is listed for later ones
    unsigned long long taken;  // of what the kernel counts
    unsigned long long most;   // of what the kernel looks for
};

struct Rounds {
    u32 barrier;
    unsigned padding[3];
    RoundCounts counts[3];
};
// STATE_BYTES of cuda/algorithms/rows.py.
SHARED_STRUCT(Rounds, 112, FIELD(barrier, 0));

// One CTA's place in the rounds; the same everywhere.
class Round {
  public:
    __device__ explicit Round(Rounds* rounds) : rounds_(rounds) {}

    // What this round adds to.
    __device__ RoundCounts* adding() const { return rounds_->counts + (number_ + 1) % 3; }

    // Called by all before anything of a round is added.
    __device__ void begin() const {
        if (thread_of() == 0) rounds_->counts[(number_ + 2) % 3] = {};
    }
    // Ends a round in which every thread has taken so much, and found so much at most; then(counts)
    // is run by one thread of every CTA before its others go on.
    template <class Then>
    __device__ void end(unsigned long long taken, unsigned long long most, Then&& then) {
        constexpr int kWarps = kThreads / kWarp;
        __shared__ unsigned long long mosts[kWarps], takens[kWarps];
        for (int by = kWarp / 2; by > 0; by /= 2) {
            taken += __shfl_down_sync(kAll, taken, by);
            most = max(most, __shfl_down_sync(kAll, most, by));
        }
        if (lane_of() == 0) {
            takens[threadIdx.x / kWarp] = taken;
            mosts[threadIdx.x / kWarp] = most;
        }
        __syncthreads();
        if (threadIdx.x == 0) {
            for (int i = 1; i < kWarps; ++i) {
                taken += takens[i];
                most = max(most, mosts[i]);
            }
            if (taken != 0) atomicAdd(&adding()->taken, taken);
            if (most != 0) atomicMax(&adding()->most, most);
        }
        ++number_;
        grid_barrier(&rounds_->barrier, [&] {
            const RoundCounts* const counts = rounds_->counts + number_ % 3;
            const uint2 lists = __ldcg(reinterpret_cast<const uint2*>(counts));
            then(RoundCounts{lists.x, lists.y, __ldcg(&counts->taken), __ldcg(&counts->most)});
        });
    }
    __device__ void end() {
        end(0, 0, [](const RoundCounts&) {});
    }

  private:
    Rounds* rounds_;
    int number_ = 0;
};

}  // namespace spbfs
