// C<M> = A B, one row of C at a time.
//
// By rows (Gustavson): the rows of B that row i of A names are added up in an accumulator.  A mask
// that is not complemented opens the slots of its row beforehand, so products elsewhere are dropped
// at their first touch and the result comes out in the mask's order without a sort.
//
// By dots: for every entry (i, j) of such a mask, row j of B' is looked up in row i of A, whose
// entries are marked beforehand - better when the mask is much sparser than the product.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "accumulator.h"
#include "bindings.h"
#include "product_semiring.h"

namespace spbfs {

template <class I>
using Matrix = Csr<std::int64_t, I>;

template <class I>
std::span<const I> row_of(const Matrix<I>& A, std::int64_t i) {
    return {A.indices + A.indptr[i], static_cast<std::size_t>(A.indptr[i + 1] - A.indptr[i])};
}

template <class I>
struct MxmTask {
    Matrix<I> A, B;  // for dots, B is the transpose of the right operand
    std::optional<Matrix<I>> mask;
    bool complement;
    std::int64_t columns, inner;
};

// Products of pairs of entries that row i of C is the sum of, whatever the mask.
template <class I>
std::int64_t products_of(const MxmTask<I>& task, std::int64_t i) {
    std::int64_t products = 0;
    for (I k : row_of(task.A, i)) products += static_cast<std::int64_t>(row_of(task.B, k).size());
    return products;
}

// Entries that row i of C has at most.
template <class I>
std::int64_t most_entries(const MxmTask<I>& task, std::int64_t i) {
    if (task.mask && !task.complement)
        return static_cast<std::int64_t>(row_of(*task.mask, i).size());
    return std::min(products_of(task, i), task.columns);
}

// The columns that a row has products in, each once.  There is room for all before it begins: to
// ask for each would be a call a product, around which nothing stays in a register.
template <class I>
class FoundColumns {
  public:
    void begin(std::int64_t most) {
        const std::size_t room = static_cast<std::size_t>(most) + ColumnOrder::kSlack;
        if (room > columns_.size()) columns_.resize(room);
        count_ = 0;
    }
    void add(I j) { columns_[count_++] = j; }
    std::span<I> all() { return {columns_.data(), count_}; }

  private:
    std::vector<I> columns_;
    std::size_t count_ = 0;
};

// Row i of C to emit(column, sum), columns rising, once it is known how many to expect at most:
// multiply(row of A, only_mask) adds its products to `sums`, where what the mask says of columns
// stands, and lists in `found` those that have any, unless the mask lists them all.
template <class I, class Accumulator, class Multiply, class Emit>
void masked_row(const MxmTask<I>& task, std::int64_t i, Accumulator& sums, FoundColumns<I>& found,
                Multiply&& multiply, Emit&& emit) {
    const std::span<const I> a = row_of(task.A, i);
    const std::span<const I> mask = task.mask ? row_of(*task.mask, i) : std::span<const I>{};
    const bool only_mask = task.mask && !task.complement;
    if (a.empty() || (only_mask && mask.empty())) return;

    const std::int64_t most = most_entries(task, i);
    sums.reserve(most + static_cast<std::int64_t>(only_mask ? 0 : mask.size()));
    const Slot marked = only_mask ? Slot::Admitted : Slot::Refused;
    for (I j : mask) sums.state(sums.add(j)) = marked;
    found.begin(most);
    multiply(a, only_mask);

    if (only_mask) {
        emit.expect(mask.size());
        for (I j : mask) {
            const std::int64_t slot = sums.find(j);
            if (sums.state(slot) == Slot::Summed) emit(j, sums.sum(slot));
        }
    } else {
        const std::span<I> columns = found.all();
        sums.order(columns);
        emit.expect(columns.size());
        for (I j : columns) emit(j, sums.sum(sums.find(j)));
    }
    sums.clear(mask, found.all());
}

// Gives the entries of row i to emit(column, sum), columns rising, once it is known how many to
// expect at most.
template <class S, class I, class Accumulator>
class RowsMethod {
  public:
    RowsMethod(const S& s, const MxmTask<I>& task) : s_(s), task_(task), sums_(task.columns) {}

    std::int64_t most(std::int64_t i) const { return most_entries(task_, i); }
    std::int64_t work(std::int64_t i) const { return products_of(task_, i); }

    template <class Emit>
    void row(std::int64_t i, Emit&& emit) {
        masked_row(
            task_, i, sums_, found_,
            [&](std::span<const I> a, bool only_mask) { multiply_row(i, a, only_mask); }, emit);
    }

  private:
    void multiply_row(std::int64_t i, std::span<const I> a, bool only_mask) {
        const Matrix<I>& B = task_.B;
        for (std::size_t t = 0; t < a.size(); ++t) {
            const std::int64_t k = a[t], p = task_.A.indptr[i] + static_cast<std::int64_t>(t);
            for (std::int64_t r = B.indptr[k]; r < B.indptr[k + 1]; ++r) {
                const I j = B.indices[r];
                const std::int64_t slot = only_mask ? sums_.find(j) : sums_.add(j);
                if (slot < 0) continue;
                Slot& state = sums_.state(slot);
                if (state == Slot::Summed) {
                    if constexpr (!S::any)
                        sums_.sum(slot) = s_.sum(sums_.sum(slot), s_.product(p, r, i, k, j));
                } else if (state == (only_mask ? Slot::Admitted : Slot::Empty)) {
                    state = Slot::Summed;
                    sums_.sum(slot) = s_.product(p, r, i, k, j);
                    if (!only_mask) found_.add(j);
                }
            }
        }
    }

    const S& s_;
    const MxmTask<I>& task_;
    Accumulator sums_;
    FoundColumns<I> found_;
};

// Which columns the row at hand has entries in, and, where products read them, which entries.
template <bool Positions>
class Marks {
  public:
    // Zeroed by the system, page by page as rows touch them.
    explicit Marks(std::int64_t columns)
        : words_(static_cast<std::uint64_t*>(
              std::calloc(static_cast<std::size_t>(Positions ? columns + 1 : columns / 64 + 1),
                          sizeof(std::uint64_t)))) {
        if (!words_) throw std::bad_alloc();
    }

    void mark(std::int64_t k, std::int64_t entry) {
        if constexpr (Positions)
            words_[k] = static_cast<std::uint64_t>(entry) + 1;
        else
            words_[k >> 6] |= std::uint64_t{1} << (k & 63);
    }
    void clear(std::int64_t k) { words_[Positions ? k : k >> 6] = 0; }
    bool has(std::int64_t k) const {
        return Positions ? words_[k] != 0 : (words_[k >> 6] >> (k & 63) & 1) != 0;
    }
    std::int64_t entry(std::int64_t k) const {
        return Positions ? static_cast<std::int64_t>(words_[k]) - 1 : 0;
    }

  private:
    struct Free {
        void operator()(void* p) const { std::free(p); }
    };
    std::unique_ptr<std::uint64_t[], Free> words_;
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

    std::int64_t most(std::int64_t i) const {
        return static_cast<std::int64_t>(row_of(*task_.mask, i).size());
    }
    std::int64_t work(std::int64_t i) const {
        std::int64_t lookups = 0;
        for (I j : row_of(*task_.mask, i))
            lookups += static_cast<std::int64_t>(row_of(task_.B, j).size());
        return lookups;
    }

    template <class Emit>
    void row(std::int64_t i, Emit&& emit) {
        const std::span<const I> a = row_of(task_.A, i), mask = row_of(*task_.mask, i);
        if (a.empty() || mask.empty()) return;
        emit.expect(mask.size());
        for (std::size_t t = 0; t < a.size(); ++t)
            marks_.mark(a[t], task_.A.indptr[i] + static_cast<std::int64_t>(t));
        for (I j : mask) {
            typename S::Value sum{};
            if (dot(i, j, sum)) emit(j, sum);
        }
        for (I k : a) marks_.clear(k);
    }

  private:
    bool dot(std::int64_t i, I j, typename S::Value& sum) const {
        const Matrix<I>& B = task_.B;
        if constexpr (counts<S>) {
            // Whether an entry is marked cannot be guessed.
            std::int64_t count = 0;
            for (I k : row_of(B, j)) count += marks_.has(k);
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

    const S& s_;
    const MxmTask<I>& task_;
    Marks<S::reads_matrix> marks_;
};

}  // namespace spbfs
