// C<M> = A B by dots: for every entry (i, j) of a mask that is not complemented, row j of B' is
// looked up in row i of A, whose entries are marked beforehand - better when the mask is much
// sparser than the product.  Of a row of B' that is much longer than that of A it is the other way
// round: around a hub every row would look through all of its neighbours.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <type_traits>

#include "cpu/memory/clones.h"
#include "cpu/memory/fetch.h"
#include "cpu/memory/zeroed.h"
#include "cpu/operators/product_semiring.h"
#include "cpu/products/mxm_task.h"

namespace spbfs {

// How many of some columns have their bit set.
template <class I>
SPBFS_CLONES std::int64_t count_marked(const std::uint64_t* words, const I* columns,
                                       std::int64_t count) {
    std::int64_t marked = 0;
    for (std::int64_t t = 0; t < count; ++t)
        marked += static_cast<std::int64_t>(words[columns[t] >> 6] >> (columns[t] & 63) & 1);
    return marked;
}

// Whether the entries of a row of A are found in a row of B' by bisection, as each costs as much as
// so many that are looked at one after the other.
constexpr std::int64_t kBisected = 64;
inline bool bisects(std::int64_t a, std::int64_t b) { return a * kBisected < b; }

// Entries that a dot of rows of so many looks at, at most.
inline std::int64_t lookups_of(std::int64_t a, std::int64_t b) {
    return bisects(a, b) ? a * std::bit_width(static_cast<std::uint64_t>(b)) : b;
}

// Which columns the row at hand has entries in, and, where products read them, which entries.
template <bool Positions>
class Marks {
  public:
    explicit Marks(std::int64_t columns)
        : count_(Positions ? columns : columns / 64 + 1), words_(count_) {}

    void mark(std::int64_t k, std::int64_t entry) {
        if constexpr (Positions)
            words_[k] = static_cast<std::uint64_t>(entry) + 1;
        else
            words_[k >> 6] |= std::uint64_t{1} << (k & 63);
    }
    // Takes away those of a row.
    template <class I>
    void clear(std::span<const I> row) {
        if (static_cast<std::int64_t>(row.size()) > count_ / 8)
            std::fill_n(&words_[0], count_, std::uint64_t{0});
        else
            for (I k : row) words_[Positions ? k : k >> 6] = 0;
    }
    template <class I>
    std::int64_t count(std::span<const I> row) const {
        return count_marked(&words_[0], row.data(), static_cast<std::int64_t>(row.size()));
    }
    bool has(std::int64_t k) const {
        return Positions ? words_[k] != 0 : (words_[k >> 6] >> (k & 63) & 1) != 0;
    }
    std::int64_t entry(std::int64_t k) const {
        return Positions ? static_cast<std::int64_t>(words_[k]) - 1 : 0;
    }

  private:
    std::int64_t count_;
    Zeroed<std::uint64_t> words_;
};

// Whether a sum is how many products there are.
template <class S>
inline constexpr bool counts = false;
template <class T, bool Pattern>
inline constexpr bool counts<Semiring<PlusMonoid<T>, MultiplyOne<T>, Pattern>> =
    std::is_integral_v<T>;

template <class S, class I>
class DotMethod {
  public:
    DotMethod(const S& s, const MxmTask<I>& task) : s_(s), task_(task), marks_(task.inner) {}

    std::int64_t most(std::int64_t begin, std::int64_t end) const {
        return task_.mask->indptr[end] - task_.mask->indptr[begin];
    }

    template <class Emit>
    std::int64_t row(std::int64_t i, Emit&& emit) {
        const std::span<const I> a = row_of(task_.A, i), mask = row_of(*task_.mask, i);
        if (a.empty() || mask.empty()) return 0;
        std::int64_t lookups = 0;
        emit.expect(mask.size());
        for (std::size_t t = 0; t < a.size(); ++t)
            marks_.mark(a[t], task_.A.indptr[i] + static_cast<std::int64_t>(t));
        for (std::size_t m = 0; m < mask.size(); ++m) {
            const I j = mask[m];
            if (m + 1 < mask.size()) fetch(row_of(task_.B, mask[m + 1]));
            typename S::Value sum{};
            const std::int64_t ours = std::ssize(a), theirs = std::ssize(row_of(task_.B, j));
            lookups += lookups_of(ours, theirs);
            if (bisects(ours, theirs) ? bisected(i, j, sum) : dot(i, j, sum)) emit(j, sum);
        }
        marks_.clear(a);
        return lookups;
    }

  private:
    // How much of the row that is looked up next is fetched: where it lies nobody can guess.
    static constexpr std::size_t kFetched = 64, kLine = 64 / sizeof(I);

    SPBFS_FETCHES static void fetch(std::span<const I> row) {
        for (std::size_t t = 0; t < std::min(row.size(), kFetched); t += kLine)
            __builtin_prefetch(row.data() + t);
    }

    bool dot(std::int64_t i, I j, typename S::Value& sum) const {
        const Matrix<I>& B = task_.B;
        if constexpr (counts<S>) {
            // Whether an entry is marked cannot be guessed.
            const std::int64_t count = marks_.count(row_of(B, j));
            sum = static_cast<typename S::Value>(count);
            return count != 0;
        }
        bool found = false;
        for (std::int64_t r = B.indptr[j]; r < B.indptr[j + 1]; ++r) {
            const I k = B.indices[r];
            if (!marks_.has(k)) continue;
            const auto product = s_.product(marks_.entry(k), r, i, k, j);
            sum = found ? s_.sum(sum, product) : product;
            found = true;
            if (S::any || s_.done(sum)) return true;
        }
        return found;
    }

    // The same products in the same order.
    bool bisected(std::int64_t i, I j, typename S::Value& sum) const {
        const Matrix<I>& A = task_.A;
        const std::span<const I> row = row_of(task_.B, j);
        auto at = row.begin();
        bool found = false;
        for (std::int64_t p = A.indptr[i]; p < A.indptr[i + 1]; ++p) {
            const I k = A.indices[p];
            at = std::lower_bound(at, row.end(), k);
            if (at == row.end()) break;
            if (*at != k) continue;
            const auto product = s_.product(p, task_.B.indptr[j] + (at - row.begin()), i, k, j);
            sum = found ? s_.sum(sum, product) : product;
            found = true;
            if (S::any || s_.done(sum)) return true;
        }
        return found;
    }

    const S& s_;
    const MxmTask<I>& task_;
    Marks<S::reads_matrix> marks_;
};

}  // namespace spbfs
