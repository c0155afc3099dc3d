// The sum over a row, in an order that its length alone decides.
#pragma once

#include <algorithm>
#include <cstdint>

#include "cpu/memory/entry_stream.h"

namespace spbfs {

constexpr std::int64_t kLongRow = 32;
// Terms of a long row that are added in their own type, before their sum is one of doubles and what
// rounding takes from it is kept: of floats no more than lose a few bits.
template <class Score>
constexpr std::int64_t kSumBlock = sizeof(Score) == 4 ? 128 : 1024;

// A sum of sums, and what rounding took from it: a hub has more terms than a sum has bits for.
class KeptSum {
  public:
    void add(double part) {
        const double whole = sum_ + part, taken = whole - sum_;
        lost_ += (sum_ - (whole - taken)) + (part - taken);
        sum_ = whole;
    }
    double value() const { return sum_ + lost_; }

  private:
    double sum_ = 0, lost_ = 0;
};

// The sum of term(k), finite as scores of PageRank are, for k < count; of long rows four sums side
// by side: an addition takes several cycles, and the next one need not wait for it.  In short rows
// the second loop would be one end more that no predictor knows.  Of long rows fetch(k) fetches
// entries k that are far ahead.
template <class Score, class Term, class Fetch>
[[gnu::always_inline]] inline Score summed(std::int64_t count, const Term& term,
                                           const Fetch& fetch) {
    if (count < kLongRow) {
        Score sum = 0;
        for (std::int64_t k = 0; k < count; ++k) sum += term(k);
        return sum;
    }
    const auto block = [&](std::int64_t k, std::int64_t end) __attribute__((always_inline)) {
        Score a = 0, b = 0, c = 0, d = 0;
        const auto add_four = [&]() __attribute__((always_inline)) {
            a += term(k);
            b += term(k + 1);
            c += term(k + 2);
            d += term(k + 3);
            k += 4;
        };
        while (k + kStreamStep <= end) {
            fetch(k + kStreamAhead);
            for (std::int64_t i = 0; i < kStreamStep; i += 4) add_four();
        }
        while (k + 4 <= end) add_four();
        for (; k < end; ++k) a += term(k);
        return (a + b) + (c + d);
    };
    if (count <= kSumBlock<Score>) return block(0, count);
    KeptSum sum;
    for (std::int64_t k = 0; k < count; k += kSumBlock<Score>)
        sum.add(block(k, std::min(count, k + kSumBlock<Score>)));
    return static_cast<Score>(sum.value());
}

}  // namespace spbfs
