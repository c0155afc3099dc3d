// Rows of one to sixteen words of bits.
#pragma once

#include <atomic>
#include <stdexcept>

#include "common/bits.h"

namespace spbfs {

// f.operator()<W>() for a number of words known only now.
template <class F>
void with_words(int words, F&& f) {
    switch (words) {
        case 1:
            return f.template operator()<1>();
        case 2:
            return f.template operator()<2>();
        case 4:
            return f.template operator()<4>();
        case 8:
            return f.template operator()<8>();
        case 16:
            return f.template operator()<16>();
        default:
            throw std::invalid_argument("kernel: words must be 1, 2, 4, 8 or 16");
    }
}

// Sets bits of `word`; returns those that were not set before.  Where `test_first`, not before
// testing whether any has to be: mostly there is nothing to set, and a read costs far less than an
// update.
template <bool Shared>
inline Word give_bits(Word& word, Word bits, bool test_first = true) {
    if constexpr (!Shared) {
        const Word fresh = bits & ~word;
        word |= bits;
        return fresh;
    } else {
        std::atomic_ref<Word> shared(word);
        if (test_first && (bits & ~shared.load(std::memory_order_relaxed)) == 0) return 0;
        return bits & ~shared.fetch_or(bits, std::memory_order_relaxed);
    }
}

}  // namespace spbfs
