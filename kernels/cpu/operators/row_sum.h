// The sum over a row, in an order that its length alone decides.
#pragma once

#include <cstdint>

#include "cpu/memory/entry_stream.h"

namespace spbfs {

constexpr std::int64_t kLongRow = 32;

// The sum of term(k) for k < count, of long rows four sums side by side: an addition takes several
// cycles, and the next one need not wait for it.  In short rows the second loop would be one end
// more that no predictor knows.  Of long rows fetch(k) fetches entries k that are far ahead.
template <class Score, class Term, class Fetch>
[[gnu::always_inline]] inline Score summed(std::int64_t count, const Term& term,
                                           const Fetch& fetch) {
    if (count < kLongRow) {
        Score sum = 0;
        for (std::int64_t k = 0; k < count; ++k) sum += term(k);
        return sum;
    }
    Score a = 0, b = 0, c = 0, d = 0;
    std::int64_t k = 0;
    const auto add_four = [&]() __attribute__((always_inline)) {
        a += term(k);
        b += term(k + 1);
        c += term(k + 2);
        d += term(k + 3);
        k += 4;
    };
    while (k + kStreamStep <= count) {
        fetch(k + kStreamAhead);
        for (std::int64_t i = 0; i < kStreamStep; i += 4) add_four();
    }
    while (k + 4 <= count) add_four();
    for (; k < count; ++k) a += term(k);
    return (a + b) + (c + d);
}

}  // namespace spbfs
