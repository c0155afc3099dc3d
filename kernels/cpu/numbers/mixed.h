// Numbers that tell one thing from another as random ones would, and keys that nobody foresees: for
// sums that are equal where two sets are, and else once in 2^64, whatever the sets.
#pragma once

#include <cstdint>
#include <random>

namespace spbfs {

// The finaliser of splitmix64.
inline std::uint64_t mixed(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

inline std::uint64_t random_key() {
    std::random_device random;
    return (std::uint64_t{random()} << 32) | random();
}

}  // namespace spbfs
