// SipHash-1-3 (Aumasson and Bernstein, 2012) under a key that nobody foresees: who writes a file
// cannot choose strings that fall together.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

#include "cpu/numbers/mixed.h"

namespace spbfs::text {

class KeyedHash {
  public:
    uint64_t operator()(std::string_view s) const {
        State v{k0_ ^ 0x736f6d6570736575u, k1_ ^ 0x646f72616e646f6du, k0_ ^ 0x6c7967656e657261u,
                k1_ ^ 0x7465646279746573u};
        const char* p = s.data();
        const char* const whole = p + s.size() / 8 * 8;
        for (; p < whole; p += 8) {
            uint64_t word;
            std::memcpy(&word, p, 8);
            v.take(word);
        }
        uint64_t last = uint64_t{s.size()} << 56;
        for (size_t i = 0; i < s.size() % 8; ++i)
            last |= uint64_t{static_cast<unsigned char>(p[i])} << 8 * i;
        v.take(last);
        v.c ^= 0xff;
        for (int i = 0; i < 3; ++i) v.round();
        return v.a ^ v.b ^ v.c ^ v.d;
    }

  private:
    struct State {
        uint64_t a, b, c, d;

        void take(uint64_t word) {
            d ^= word;
            round();
            a ^= word;
        }
        void round() {
            a += b, b = left(b, 13) ^ a, a = left(a, 32);
            c += d, d = left(d, 16) ^ c;
            a += d, d = left(d, 21) ^ a;
            c += b, b = left(b, 17) ^ c, c = left(c, 32);
        }
        static uint64_t left(uint64_t x, int by) { return (x << by) | (x >> (64 - by)); }
    };

    const uint64_t k0_ = random_key(), k1_ = random_key();
};

}  // namespace spbfs::text
