// Rounds of a cooperative kernel, each of which adds to a list that the next one takes from.
//
// What a round leaves is counted in one of three places, in turn: one that is complete and read,
// one that is added to, and one that is cleared for the round after; no round waits for a reader.
#pragma once
#include "grid_barrier.cuh"
#include "whole_rows.cuh"

namespace spbfs {

struct RoundCounts {
    unsigned found;   // vertices listed for the next round
    unsigned kept;    // vertices listed for later ones
    unsigned pieces;  // of long rows, listed and taken in the same round
    int fewest;       // of what the kernel looks for: how far below the most
};

struct Rounds {
    u32 barrier;
    unsigned padding[3];
    RoundCounts counts[3];
};
// STATE_BYTES of cuda/algorithms/rows.py.
SHARED_STRUCT(Rounds, 64, FIELD(barrier, 0));

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
    // Ends a round, whose counts are returned: nobody changes them until two rounds on.
    __device__ RoundCounts end() {
        grid_barrier(&rounds_->barrier);
        return read(++number_ % 3);
    }
    // The same where a barrier has just been passed, and nobody has added anything since.
    __device__ RoundCounts passed() { return read(++number_ % 3); }
    // A barrier within the round; the pieces that were listed before it.
    __device__ unsigned pieces() const {
        grid_barrier(&rounds_->barrier);
        return __ldcg(&adding()->pieces);
    }

  private:
    __device__ RoundCounts read(int place) const {
        const uint4 words = __ldcg(reinterpret_cast<const uint4*>(rounds_->counts + place));
        return {words.x, words.y, words.z, static_cast<int>(words.w)};
    }

    Rounds* rounds_;
    int number_ = 0;
};

// A round that looks at whole rows: visit(row, p) for all entries p of row(i), i < count.
template <typename Offset, class RowOf, class Visit>
__device__ __forceinline__ RoundCounts visit_round(Round& round, const Offset* indptr, i64 count,
                                                   RowPiece* list, RowOf&& row, Visit&& visit) {
    round.begin();
    const RowPieces pieces{list, &round.adding()->pieces};
    visit_rows(indptr, count, pieces, row, visit);
    if (const unsigned listed = round.pieces(); listed != 0) {
        visit_pieces(pieces, listed, visit);
        return round.end();
    }
    // Nobody has added anything since the barrier.
    return round.passed();
}

}  // namespace spbfs
