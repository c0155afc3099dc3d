// Elements of one vector where a mask admits become those of another, 64 at a time.
#pragma once

#include <atomic>
#include <bit>
#include <cstdint>
#include <cstring>

#include "cpu/threads/parallel.h"
#include "cpu/vectors/frontier.h"

namespace spbfs {

// Elements that a worker takes at a time.
constexpr std::int64_t kBytesPerChunk = 1 << 16;

// Elements i with mask[i] != complement of one sparse vector become those of another: present or
// absent, and the value where present.  A source without `present` has every element.
template <class T>
struct Copy {
    T* values;
    std::uint8_t* present;  // nullptr: all elements are present and stay so
    const T* source;
    std::int64_t source_stride;
    const std::uint8_t* source_present;
    const std::uint8_t* mask;
    std::uint64_t complement_bytes;  // every byte 1 for a complemented mask, else 0

    void element(std::int64_t i, std::int64_t& added) const {
        if ((mask[i] != 0) == (complement_bytes != 0)) return;
        const bool stored = source_present == nullptr || source_present[i] != 0;
        if (stored) values[i] = source[i * source_stride];
        if (present == nullptr) return;
        added += stored - (present[i] != 0);
        present[i] = stored;
    }

    // Eight elements at once; returns a bit for each whose value is to be written.
    std::uint64_t eight(std::int64_t i, std::int64_t& added) const {
        const std::uint64_t wanted = nonzero_bytes(load_bytes(mask + i)) ^ complement_bytes;
        if (wanted == 0) return 0;
        const std::uint64_t stored = source_present == nullptr
                                         ? wanted
                                         : nonzero_bytes(load_bytes(source_present + i)) & wanted;
        if (present != nullptr) {
            const std::uint64_t before = nonzero_bytes(load_bytes(present + i));
            const std::uint64_t after = (before & ~wanted) | stored;
            added += std::popcount(after) - std::popcount(before);
            std::memcpy(present + i, &after, sizeof after);
        }
        return pack_bytes(stored);
    }

    // By bits, 64 elements at a time: masks have runs of nothing, and elsewhere no pattern that a
    // predictor could learn.
    void sixty_four(std::int64_t i, std::int64_t& added) const {
        std::uint64_t left = 0;
        for (int b = 0; b < 8; ++b) left |= eight(i + 8 * b, added) << (8 * b);
        for (; left != 0; left &= left - 1) {
            const std::int64_t at = i + std::countr_zero(left);
            values[at] = source[at * source_stride];
        }
    }

    std::int64_t run(std::int64_t n, int threads) const {
        std::atomic<std::int64_t> total{0};
        Team(threads).for_chunks(n, kBytesPerChunk, [&](std::int64_t begin, std::int64_t end, int) {
            std::int64_t added = 0, i = begin;
            for (; i + 64 <= end; i += 64) sixty_four(i, added);
            for (; i < end; ++i) element(i, added);
            total.fetch_add(added, std::memory_order_relaxed);
        });
        return total.load();
    }
};

}  // namespace spbfs
