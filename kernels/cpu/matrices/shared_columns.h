// The columns that two rows have both: walked at once without a branch that depends on who is
// ahead; where one row is much longer it is searched, and short ones are compared all with all.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace spbfs {

// A row: where its columns stand in those of its matrix.
template <class I>
struct Line {
    const I* columns;
    std::int64_t begin, end;

    std::int64_t size() const { return end - begin; }
};

// found(i, j, whether) for entries of both rows, and for some that are not of both.
template <class I, class Found>
void walk(Line<I> a, Line<I> b, Found&& found) {
    while (a.begin < a.end && b.begin < b.end) {
        const I p = a.columns[a.begin], q = b.columns[b.begin];
        found(a.begin, b.begin, p == q);
        a.begin += p <= q;
        b.begin += q <= p;
    }
}

template <class I, class Found>
void search(Line<I> few, Line<I> many, Found&& found) {
    for (; few.begin < few.end; ++few.begin) {
        const I* at = std::lower_bound(many.columns + many.begin, many.columns + many.end,
                                       few.columns[few.begin]);
        many.begin = at - many.columns;
        if (many.begin == many.end) return;
        if (*at == few.columns[few.begin]) found(few.begin, many.begin, true);
    }
}

// Columns that are compared at once, and how long a row of them may be.
template <class I>
using Columns [[gnu::vector_size(16)]] = I;
constexpr std::int64_t kShortRow = 8;

// Whether short rows have no column in common: what random ones mostly have not, which a walk would
// find out by as many steps as they have entries, each waiting for the one before.  `b` can be read
// to kShortRow entries, and what of these is not its own may say that there is one.
template <class I>
bool apart(Line<I> a, Line<I> b) {
    constexpr std::int64_t kLanes = sizeof(Columns<I>) / sizeof(I);
    Columns<I> others[kShortRow / kLanes], equal{};
    std::memcpy(others, b.columns + b.begin, sizeof others);
    for (std::int64_t i = a.begin; i < a.end; ++i)
        for (const Columns<I>& other : others) equal |= other == a.columns[i];
    std::uint64_t words[2];
    std::memcpy(words, &equal, sizeof words);
    return (words[0] | words[1]) == 0;
}

// As walk().  The columns of b's matrix can be read up to entry `readable`.
template <class I, class Found>
void shared(Line<I> a, Line<I> b, std::int64_t readable, Found&& found) {
    // A row this many times longer than the other is searched, not walked.
    constexpr std::int64_t kMuchLonger = 16;
    if (a.size() * kMuchLonger < b.size()) {
        search(a, b, found);
    } else if (b.size() * kMuchLonger < a.size()) {
        search(b, a, [&](std::int64_t j, std::int64_t i, bool is) { found(i, j, is); });
    } else {
        const bool few = a.size() <= kShortRow && b.size() <= kShortRow;
        if (few && b.begin + kShortRow <= readable && apart(a, b)) return;
        walk(a, b, found);
    }
}

}  // namespace spbfs
