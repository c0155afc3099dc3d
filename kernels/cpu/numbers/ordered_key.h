// Numbers as unsigned integers of the same order, and back.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <type_traits>

namespace spbfs {

template <class V>
using KeyOf = std::conditional_t<sizeof(V) == 4, std::uint32_t, std::uint64_t>;

template <class V>
constexpr KeyOf<V> kSign = KeyOf<V>{1} << (8 * sizeof(V) - 1);

// Both zeros of floating-point numbers have the same key; NaN has none of use.
template <class V>
inline KeyOf<V> key_of(V x) {
    if constexpr (std::floating_point<V>) {
        const auto bits = std::bit_cast<KeyOf<V>>(x + V{0});
        return bits & kSign<V> ? ~bits : bits | kSign<V>;
    } else if constexpr (std::signed_integral<V>) {
        return static_cast<KeyOf<V>>(x) ^ kSign<V>;
    } else {
        return x;
    }
}

template <class V>
inline V value_of(KeyOf<V> key) {
    if constexpr (std::floating_point<V>)
        return std::bit_cast<V>(key & kSign<V> ? key ^ kSign<V> : ~key);
    else if constexpr (std::signed_integral<V>)
        return static_cast<V>(key ^ kSign<V>);
    else
        return key;
}

}  // namespace spbfs
