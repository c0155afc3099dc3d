// The products of a short row of C = A B, in the order of their columns: the rows of B that they
// come from are in order already and are merged two by two, from both ends, without a branch that
// depends on which is ahead.
//
// No accumulator is touched, which for more columns than a cache holds is a miss a product.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "cpu/matrices/sorted_row.h"

namespace spbfs {

class MergedRow {
  public:
    // Products of four rows of four take 8 ns each, of eight rows of eight 12, where an accumulator
    // took 11 that stays in the nearest cache and 50 in others (plus_times of FP64 over 1,000 and
    // 100,000 columns, one thread of a 2-core AMD EPYC that others kept busy, 2026-11-23).  Since
    // it takes less in the nearest cache (mxm_gather.h), compiled operators merge nothing there.
    static std::size_t most_rows(std::int64_t columns, std::size_t near_rows) {
        constexpr std::int64_t kNear = 1 << 14, kPacked = std::int64_t{1} << 32;
        if (columns > kPacked) return 0;
        return columns <= kNear ? near_rows : kMostRows;
    }
    static constexpr std::int64_t kMost = 256;  // products
    static constexpr std::size_t kMostRows = 16;

    void begin() {
        rows_ = 0;
        keys_[0][0] = kFirst;
        end_ = keys_[0] + 1;
        starts_[0] = 1;
    }
    // The next entry of a row; numbers rise.
    void add(std::int64_t column, std::int64_t number) {
        *end_++ =
            static_cast<std::uint64_t>(column) << kColumnShift | static_cast<std::uint64_t>(number);
    }
    void end_row() {
        end_ = closed(end_);
        starts_[++rows_] = static_cast<std::int32_t>(end_ - keys_[0]);
    }

    // Keys (`SortedRow`) of all entries.
    std::span<const std::uint64_t> merged() {
        std::uint64_t *from = keys_[0], *to = keys_[1];
        for (std::int32_t rows = rows_; rows > 1; std::swap(from, to)) {
            const std::int32_t odd = rows % 2, pairs = rows / 2;
            std::uint64_t* end = to;
            *end++ = kFirst;
            for (std::int32_t t = 0; t < pairs; ++t) {
                const std::int32_t a = starts_[2 * t], b = starts_[2 * t + 1];
                end =
                    merge(from + a, b - a - kMarks, from + b, starts_[2 * t + 2] - b - kMarks, end);
                starts_[t + 1] = static_cast<std::int32_t>(end - to);
            }
            if (odd != 0) {
                end = std::copy(from + starts_[rows - 1], from + starts_[rows], end);
                starts_[pairs + 1] = static_cast<std::int32_t>(end - to);
            }
            rows = pairs + odd;
            merged_ = to;
        }
        if (rows_ < 2) merged_ = keys_[0];
        return {merged_ + 1, static_cast<std::size_t>(rows_ == 0 ? 0 : starts_[1] - 1 - kMarks)};
    }

  private:
    // Behind every row, and no less than all of its keys, and before every row, and no greater: who
    // has come to an end stays behind.
    static constexpr std::uint64_t kLast = ~std::uint64_t{0}, kFirst = 0;
    static constexpr std::int32_t kMarks = 2;

    static std::uint64_t* closed(std::uint64_t* end) {
        *end++ = kLast;
        *end++ = kFirst;
        return end;
    }

    // From both ends at once: what comes next depends on what came before, and the two ends wait
    // for one another no more than they must.
    static std::uint64_t* merge(const std::uint64_t* a, std::int32_t a_count,
                                const std::uint64_t* b, std::int32_t b_count, std::uint64_t* to) {
        const std::int64_t count = std::int64_t{a_count} + b_count, half = count / 2;
        const std::uint64_t *a_last = a + a_count - 1, *b_last = b + b_count - 1;
        std::uint64_t* const last = to + count - 1;
        std::int64_t i = 0, j = 0;  // of a, from either end
        for (std::int64_t t = 0; t < half; ++t) {
            const std::uint64_t x = a[i], y = b[t - i], u = a_last[-j], v = b_last[j - t];
            to[t] = std::min(x, y);
            i += x < y;
            last[-t] = std::max(u, v);
            j += u > v;
        }
        if (count % 2 != 0) to[half] = std::min(a[i], b[half - i]);
        return closed(to + count);
    }

    std::int32_t rows_ = 0, starts_[kMostRows + 1] = {};
    std::uint64_t *end_ = nullptr, *merged_ = nullptr,
                  keys_[2][1 + kMost + kMarks * static_cast<std::int64_t>(kMostRows)];
};

}  // namespace spbfs
