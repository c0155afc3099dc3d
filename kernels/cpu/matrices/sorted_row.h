// Entries of a row put in the order of their columns: a column and a number of 32 bits each make
// one key.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace spbfs {

inline constexpr int kColumnShift = 32;

// Equal columns stay as they are, if their numbers rise.
inline void sort_keys(std::uint64_t* keys, std::int64_t count, std::vector<std::uint64_t>& spare) {
    // Below this a few comparisons beat everything, above the other digits beat comparisons.
    constexpr std::int64_t kFew = 24, kMany = 1024;
    constexpr int kBits = 8;
    if (count <= kFew) {
        for (std::int64_t i = 1; i < count; ++i) {
            const std::uint64_t key = keys[i];
            std::int64_t at = i;
            for (; at > 0 && keys[at - 1] > key; --at) keys[at] = keys[at - 1];
            keys[at] = key;
        }
        return;
    }
    if (count < kMany) {
        std::sort(keys, keys + count);
        return;
    }
    std::uint64_t largest = 0;
    for (std::int64_t i = 0; i < count; ++i) largest = std::max(largest, keys[i]);
    spare.resize(static_cast<std::size_t>(count));
    std::uint64_t *from = keys, *to = spare.data();
    for (int shift = kColumnShift; shift < 64 && largest >> shift != 0; shift += kBits) {
        std::int64_t place[(1 << kBits) + 1] = {};
        for (std::int64_t i = 0; i < count; ++i) ++place[((from[i] >> shift) & 0xff) + 1];
        for (int d = 0; d < 1 << kBits; ++d) place[d + 1] += place[d];
        for (std::int64_t i = 0; i < count; ++i) to[place[(from[i] >> shift) & 0xff]++] = from[i];
        std::swap(from, to);
    }
    if (from != keys) std::copy_n(from, count, keys);
}

class SortedRow {
  public:
    static std::int64_t column(std::uint64_t key) {
        return static_cast<std::int64_t>(key >> kColumnShift);
    }
    static std::int64_t number(std::uint64_t key) {
        return static_cast<std::int64_t>(key & 0xffffffffu);
    }

    void clear() { keys_.clear(); }
    // Numbers rise.
    void add(std::int64_t column, std::int64_t number) {
        keys_.push_back(static_cast<std::uint64_t>(column) << kColumnShift |
                        static_cast<std::uint64_t>(number));
    }
    std::span<const std::uint64_t> sorted() {
        sort_keys(keys_.data(), static_cast<std::int64_t>(keys_.size()), spare_);
        return keys_;
    }

  private:
    std::vector<std::uint64_t> keys_, spare_;
};

}  // namespace spbfs
