// Rows of bytes that nobody reads soon, written side by side 64 bytes of each at a time: whole
// lines of memory, not through the caches, wherever in a line a row begins.
//
// A line that is written in part costs more than two whole ones, so what does not fill a line waits
// for what comes next.  Other threads see what was written once the writer has called written().
#pragma once

#include <cstdint>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace spbfs {

constexpr int kLineBytes = 64;
using LineBytes [[gnu::vector_size(kLineBytes)]] = std::uint64_t;

[[gnu::always_inline]] inline void write_line(std::uint8_t* to, const LineBytes& bytes) {
#ifdef __SSE2__
    __m128i parts[4];
    std::memcpy(parts, &bytes, sizeof parts);
    for (int i = 0; i < 4; ++i) _mm_stream_si128(reinterpret_cast<__m128i*>(to) + i, parts[i]);
#else
    std::memcpy(to, &bytes, sizeof bytes);
#endif
}

inline void written() {
#ifdef __SSE2__
    _mm_sfence();
#endif
}

// 64 rows.
class Lines {
  public:
    static constexpr int kRows = 64;

    void start(int row, std::uint8_t* to) {
        const auto into = reinterpret_cast<std::uintptr_t>(to) % kLineBytes;
        before_[row] = waiting_[row] = static_cast<std::int32_t>(into);
        line_[row] = to - into;
    }

    // The next bytes of a row, the first `size` of `bytes`.
    [[gnu::always_inline]] void put(int row, const LineBytes& bytes, std::int32_t size) {
        std::uint8_t* line = line_[row];
        if (waiting_[row] == 0 && size == kLineBytes) {
            write_line(line, bytes);
            line_[row] = line + kLineBytes;
            return;
        }
        std::uint8_t* bytes_waiting = bytes_[row];
        std::memcpy(bytes_waiting + waiting_[row], &bytes, sizeof bytes);
        if ((waiting_[row] += size) < kLineBytes) return;
        LineBytes whole;
        std::memcpy(&whole, bytes_waiting, sizeof whole);
        if (before_[row] == 0)
            write_line(line, whole);
        else
            copy(row, kLineBytes);
        line_[row] = line + kLineBytes;
        waiting_[row] -= kLineBytes;
        before_[row] = 0;
        std::memcpy(bytes_waiting, bytes_waiting + kLineBytes, kLineBytes);
    }

    // No more of a row is to come.
    void end(int row) { copy(row, waiting_[row]); }

  private:
    void copy(int row, std::int32_t end) {
        const std::int32_t begin = before_[row];
        std::memcpy(line_[row] + begin, bytes_[row] + begin, end - begin);
    }

    std::uint8_t* line_[kRows];    // where the line begins whose bytes wait in `bytes_`
    std::int32_t waiting_[kRows];  // how many bytes wait, and ...
    std::int32_t before_[kRows];   // ... how many of these belong to somebody else
    alignas(kLineBytes) std::uint8_t bytes_[kRows][2 * kLineBytes];
};

}  // namespace spbfs
