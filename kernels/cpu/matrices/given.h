// A CSR that nobody has checked: rows are, each before it is followed.
#pragma once

#include <cstdint>
#include <type_traits>

namespace spbfs {

// `n` rows; the caller guarantees n + 1 offsets.
template <class Offset, class Index>
struct Given {
    const Offset* indptr;
    const Index* indices;
    std::int64_t n, entries;

    // What there is of columns, of which arrays may hold more than the offsets say.
    static Given of(const Offset* indptr, const Index* indices, std::int64_t n,
                    std::int64_t columns) {
        const std::int64_t last = n >= 0 ? indptr[n] : -1;
        return {indptr, indices, n, last <= columns ? last : -1};
    }

    bool plausible() const { return n > 0 && entries >= 0 && indptr[0] == 0; }

    bool valid_row(std::int64_t u) const {
        using Unsigned = std::make_unsigned_t<Offset>;
        const auto begin = static_cast<Unsigned>(indptr[u]);
        const auto end = static_cast<Unsigned>(indptr[u + 1]);
        return begin <= end && end <= static_cast<std::uint64_t>(entries);
    }
};

}  // namespace spbfs
