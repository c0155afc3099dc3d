// The sum over a row, in an order that its length alone decides.
#pragma once

#include <cstdint>

namespace spbfs {

constexpr std::int64_t kLongRow = 32;

// The sum of term(k) for k < count, of long rows four sums side by side: an addition takes several
// cycles, and the next one need not wait for it.  In short rows the second loop would be one end
// more that no predictor knows.
template <class Score, class Term>
Score summed(std::int64_t count, Term&& term) {
    if (count < kLongRow) {
        Score sum = 0;
        for (std::int64_t k = 0; k < count; ++k) sum += term(k);
        return sum;
    }
    Score a = 0, b = 0, c = 0, d = 0;
    std::int64_t k = 0;
    for (; k + 4 <= count; k += 4) {
        a += term(k);
        b += term(k + 1);
        c += term(k + 2);
        d += term(k + 3);
    }
    for (; k < count; ++k) a += term(k);
    return (a + b) + (c + d);
}

}  // namespace spbfs
