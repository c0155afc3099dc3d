// The rounds of pagerank(): every vertex pulls what comes along its in-edges.
//
// A round reads one array of shares and writes another, rows apart from each other: no two workers
// write the same element, and none reads what another writes before the round has ended.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>

#include "cpu/matrices/row_order.h"
#include "cpu/memory/fetch.h"
#include "cpu/operators/row_sum.h"
#include "cpu/python/bindings.h"
#include "cpu/threads/interrupt.h"
#include "cpu/threads/parallel.h"
#include "cpu/threads/strip_sums.h"

namespace spbfs::pagerank {

// Strips that a worker takes together, where that leaves kTurns turns for each of them: rows that
// are near each other in memory, of the matrix and of four arrays, are then fetched ahead.  A round
// on a grid of 1500 x 1500 takes two threads 9.2 ms by single strips, which is nearly what one
// takes alone, 7.9 by 4, 7.1 by 16 and 5.9 by 64; on a Kronecker graph of scale 18 5.0 and 4.7
// (wall time, the least of a hundred rounds each in turns, 2-core AMD EPYC, 2026-11-23).
constexpr std::int64_t kStrips = 64, kTurns = 8;

// What the walk is given; arrays may be absent, and are then the same everywhere, or degrees.
struct Walk {
    const double* weights;  // of all out-edges
    const double* restart;  // sum 1
    const double* start;    // sum 1
    double damping;
    double tolerance;  // below 0: none
    std::int64_t iterations;
};

struct Outcome {
    std::int64_t rounds;
    double change;
    bool converged;
};

template <bool weighted, class Score, class O, class I>
class Rounds {
  public:
    // The vertices of `in`'s entries go by the numbers that `rank` gives them, unless it is
    // nullptr.
    Rounds(const Csr<O, I>& in, const I* rank, const Score* weights, const O* out, const Walk& walk,
           Score* scores, int threads, Interrupt& interrupt)
        : in_(in),
          rank_(rank),
          weights_(weights),
          walk_(walk),
          scores_(scores),
          interrupt_(interrupt),
          team_(threads),
          grain_(kRows * std::clamp<std::int64_t>(in.rows / (kRows * kTurns * team_.workers()), 1,
                                                  kStrips)),
          sums_(in.rows),
          room_(new Score[3 * in.rows]),
          flow_(room_.get()),
          share_(flow_ + in.rows),
          next_(share_ + in.rows) {
        begin(out);
    }

    Outcome run() {
        Outcome outcome{0, 0.0, false};
        double total = 1.0;
        while (outcome.rounds < walk_.iterations && !outcome.converged && !interrupt_.stopped()) {
            const auto [change, sum] = round();
            total = sum;
            outcome.change = change / total;
            outcome.converged = walk_.tolerance >= 0.0 && outcome.change <= walk_.tolerance;
            ++outcome.rounds;
            interrupt_.advance(1, in_.indptr[in_.rows]);
        }
        if (outcome.rounds == 0) total = sum([&](std::int64_t v) { return scores_[v]; });
        const auto scale = static_cast<Score>(1.0 / total);
        rows([&](std::int64_t v) { scores_[v] *= scale; });
        return outcome;
    }

  private:
    // f(begin, end, worker) for all strips.
    template <class F>
    void strips(F&& f) {
        team_.for_chunks(in_.rows, grain_, [&](std::int64_t first, std::int64_t last, int worker) {
            for (std::int64_t begin = first; begin < last; begin += kRows)
                f(begin, std::min(begin + kRows, last), worker);
        });
    }

    // f(v) for all vertices.
    template <class F>
    void rows(F&& f) {
        strips([&](std::int64_t begin, std::int64_t end, int) {
            for (std::int64_t v = begin; v < end; ++v) f(v);
        });
    }

    // The sum of f(v) over all vertices.
    template <class F>
    double sum(F&& f) {
        strips([&](std::int64_t begin, std::int64_t end, int) {
            double sum[kLanes] = {}, none[kLanes] = {};
            for (std::int64_t v = begin; v < end; ++v) sum[v % kLanes] += f(v);
            sums_.set(begin, sum, none);
        });
        return sums_.all().first;
    }

    // Who has no in-edges is where the fixed point has it, other components keep what they have.
    double started(std::int64_t v) const {
        if (walk_.start != nullptr) return walk_.start[v];
        const double its =
            walk_.restart != nullptr ? walk_.restart[v] : 1.0 / static_cast<double>(in_.rows);
        return in_.indptr[v] < in_.indptr[v + 1] ? its : (1.0 - walk_.damping) * its;
    }

    // Scores to begin with sum to what those of the fixed point do, if as much of them is stuck.
    void begin(const O* out) {
        const double rest = 1.0 - walk_.damping;
        const double started_sum = sum([&](std::int64_t v) {
            const double weight = walk_.weights != nullptr
                                      ? walk_.weights[v]
                                      : static_cast<double>(out[v + 1] - out[v]);
            flow_[v] = static_cast<Score>(weight > 0.0 ? walk_.damping / weight : 0.0);
            return weight > 0.0 ? rest * started(v) : started(v);
        });
        const double scale = rest / started_sum;
        rows([&](std::int64_t v) {
            scores_[v] = static_cast<Score>(scale * started(v));
            share_[rank_ != nullptr ? rank_[v] : v] = flow_[v] * scores_[v];
        });
    }

    SPBFS_FETCHES void fetch_entry(std::int64_t p) const {
        __builtin_prefetch(in_.indices + p);
        if constexpr (weighted) __builtin_prefetch(weights_ + p);
    }

    // What comes along the in-edges [first, end) of a vertex.
    [[gnu::always_inline]] Score along(std::int64_t first, std::int64_t end) const {
        const Score* const share = share_;
        const std::int64_t count = end - first;
        const I* const from = in_.indices + first;
        const auto fetch = [this, first](std::int64_t k)
                               __attribute__((always_inline)) { fetch_entry(first + k); };
        if constexpr (weighted) {
            const Score* const weights = weights_ + first;
            return summed<Score>(
                count, [=](std::int64_t k) { return weights[k] * share[from[k]]; }, fetch);
        } else {
            return summed<Score>(count, [=](std::int64_t k) { return share[from[k]]; }, fetch);
        }
    }

    // A function of its own: within round() it has too few registers, and takes 8% longer.
    [[gnu::noinline]] void pull(std::int64_t begin, std::int64_t end, Score* pulled) const {
        for_rows(
            in_, begin, end,
            [this](std::int64_t p) __attribute__((always_inline)) { fetch_entry(p); },
            [=, this](std::int64_t v, std::int64_t p, std::int64_t next)
                __attribute__((always_inline)) { pulled[v - begin] = along(p, next); });
    }

    // What it changes, and what scores sum to then.
    std::pair<double, double> round() {
        const double rest = 1.0 - walk_.damping;
        const auto base = static_cast<Score>(rest / static_cast<double>(in_.rows));
        const double* const restart = walk_.restart;
        const Score* const flow = flow_;
        Score* const next = next_;
        Score* const scores = scores_;
        strips([&](std::int64_t begin, std::int64_t end, int worker) {
            if (interrupt_.poll(worker, in_.indptr[end] - in_.indptr[begin])) return;
            Score pulled[kRows], shared[kRows];
            pull(begin, end, pulled);
            Score* const share = rank_ != nullptr ? shared : next + begin;
            double change[kLanes] = {}, total[kLanes] = {};
            auto update = [&](std::int64_t v, int lane) {
                const Score score =
                    pulled[v - begin] +
                    (restart == nullptr ? base : static_cast<Score>(rest * restart[v]));
                change[lane] += std::abs(score - scores[v]);
                total[lane] += score;
                scores[v] = score;
                share[v - begin] = flow[v] * score;
            };
            std::int64_t v = begin;
            for (; v + kLanes <= end; v += kLanes)
                for (int lane = 0; lane < kLanes; ++lane) update(v + lane, lane);
            for (; v < end; ++v) update(v, 0);
            if (rank_ != nullptr)
                for (v = begin; v < end; ++v) next[rank_[v]] = shared[v - begin];
            sums_.set(begin, change, total);
        });
        std::swap(share_, next_);
        return sums_.all();
    }

    const Csr<O, I> in_;
    const I* const rank_;
    const Score* const weights_;
    const Walk walk_;
    Score* const scores_;
    Interrupt& interrupt_;
    Team team_;
    // Rows that a worker takes together.
    const std::int64_t grain_;
    StripSums sums_;
    // One array rather than three: the C library keeps it for the next call, where of several
    // it gives more back to the system than page faults are cheap.
    const std::unique_ptr<Score[]> room_;
    Score *const flow_, *share_, *next_;
};

}  // namespace spbfs::pagerank
