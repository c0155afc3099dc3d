// numbering(): a permutation of 0 .. n-1 that is computed, not stored, forward or backward.
//
// The numbers that have as many bits as n - 1 are permuted by a Feistel network, whose halves may
// differ by a bit in width; followed from a number below n until it is below n again, that is a
// permutation of these.
//
// The caller owns both arrays and guarantees: numbers from 0 to n - 1, and n of at least 3.
//
// Luby, Rackoff: How to construct pseudorandom permutations from pseudorandom functions (1988).
// Black, Rogaway: Ciphers with arbitrary finite domains (2002).
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <bit>
#include <cstdint>
#include <utility>

#include "cpu/python/interpreter.h"
#include "cpu/threads/parallel.h"

namespace nb = nanobind;

namespace spbfs {
namespace {

template <class T>
using Array = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Word = std::uint64_t;

// Even, so that the halves have their widths again after the last.
constexpr int kRounds = 4;
constexpr std::int64_t kGrain = 1 << 14;

Word mixed(Word half, Word key) {
    half = (half + key) * 0xBF58476D1CE4E5B9u;
    return ((half ^ (half >> 29)) * 0x94D049BB133111EBu) >> 20;
}

struct Network {
    int high, low;  // bits of the halves
    Word seed;

    Word key(int round) const { return seed + 0x9E3779B97F4A7C15u * static_cast<Word>(round + 1); }

    // Every round puts the low half in front, and behind it the high one with the low mixed in.
    Word forward(Word number) const {
        int left = high, right = low;
        for (int round = 0; round < kRounds; ++round) {
            const Word back = number & ((Word{1} << right) - 1), front = number >> right;
            const Word made = (front ^ mixed(back, key(round))) & ((Word{1} << left) - 1);
            number = back << left | made;
            std::swap(left, right);
        }
        return number;
    }

    Word backward(Word number) const {
        int left = high, right = low;
        for (int round = kRounds - 1; round >= 0; --round) {
            std::swap(left, right);
            const Word made = number & ((Word{1} << left) - 1), back = number >> left;
            const Word front = (made ^ mixed(back, key(round))) & ((Word{1} << left) - 1);
            number = front << right | back;
        }
        return number;
    }
};

void numbering(Array<const std::int64_t> numbers, std::int64_t n, Word seed, bool backward,
               Array<std::int64_t> out, int threads) {
    const int bits = static_cast<int>(std::bit_width(static_cast<Word>(n - 1)));
    const Network network{bits - bits / 2, bits / 2, seed};
    const Word limit = static_cast<Word>(n);
    Unlocked unlocked;
    parallel_for(threads, static_cast<std::int64_t>(numbers.shape(0)), kGrain,
                 [&](std::int64_t i, std::int64_t end, int) {
                     for (; i < end; ++i) {
                         Word number = static_cast<Word>(numbers.data()[i]);
                         do {
                             number = backward ? network.backward(number) : network.forward(number);
                         } while (number >= limit);
                         out.data()[i] = static_cast<std::int64_t>(number);
                     }
                 });
}

}  // namespace
}  // namespace spbfs

void bind_numbering(nb::module_& m) {
    m.def("numbering", &spbfs::numbering, nb::arg("numbers").noconvert(), nb::arg("n"),
          nb::arg("seed"), nb::arg("backward"), nb::arg("out").noconvert(), nb::arg("threads"));
}
