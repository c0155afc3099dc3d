// A frontier as packed bits, for the random probes of pull: one eighth of a bitmap vector's bytes,
// so that the frontier of a million vertices fits the nearest caches.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

#include "common/bits.h"

namespace spbfs {

constexpr std::uint64_t kEveryByte = 0x0101010101010101u;

inline std::uint64_t load_bytes(const std::uint8_t* bytes) {
    std::uint64_t word;
    std::memcpy(&word, bytes, sizeof word);
    return word;
}

// The bytes i .. i + 7 of n, those past the end zero.
inline std::uint64_t load_bytes(const std::uint8_t* bytes, std::int64_t i, std::int64_t n) {
    if (i + 8 <= n) return load_bytes(bytes + i);
    std::uint64_t word = 0;
    std::memcpy(&word, bytes + i, static_cast<std::size_t>(n - i));
    return word;
}

// 1 in every byte that was not zero.
inline std::uint64_t nonzero_bytes(std::uint64_t word) {
    word |= word >> 4;
    word |= word >> 2;
    word |= word >> 1;
    return word & kEveryByte;
}

// Bit b is byte b (little end first) of eight bytes that are 0 or 1.
inline std::uint8_t pack_bytes(std::uint64_t word) {
    return static_cast<std::uint8_t>((word * 0x0102040810204080u) >> 56);
}

class Bits {
  public:
    Bits() = default;
    explicit Bits(std::int64_t n) : words_(static_cast<std::size_t>(words_for(n))) {}

    bool operator[](std::int64_t i) const { return test_bit(words_.data(), i); }
    void set(std::int64_t i) { set_bit(words_.data(), i); }
    std::int64_t count() const {
        std::int64_t sum = 0;
        for (const Word word : words_) sum += std::popcount(word);
        return sum;
    }

    static Bits of_list(const std::int64_t* indices, std::int64_t count, std::int64_t n) {
        Bits bits(n);
        for (std::int64_t t = 0; t < count; ++t) bits.set(indices[t]);
        return bits;
    }

    static Bits of_bytes(const std::uint8_t* bytes, std::int64_t n) {
        Bits bits(n);
        auto* out = reinterpret_cast<std::uint8_t*>(bits.words_.data());
        const std::int64_t whole = n / 8;
        for (std::int64_t b = 0; b < whole; ++b)
            out[b] = pack_bytes(nonzero_bytes(load_bytes(bytes + 8 * b)));
        for (std::int64_t i = 8 * whole; i < n; ++i)
            if (bytes[i] != 0) bits.set(i);
        return bits;
    }

  private:
    std::vector<Word> words_;
};

}  // namespace spbfs
