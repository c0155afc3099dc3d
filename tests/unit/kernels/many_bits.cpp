// What kernels/cpu/bfs_many/bfs_many*.h does to vectors of bits, against one bit at a time.
// Compiled by test_instruction_sets.py for one instruction set after the other.
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include "cpu/bfs_many/bfs_many_levels.h"
#include "cpu/bfs_many/bfs_many_push.h"
#include "cpu/bfs_many/bfs_many_state.h"

using namespace spbfs;
using namespace spbfs::many;

namespace {

std::mt19937_64 random_bits(7);

void expect(bool holds, const char* what) {
    if (holds) return;
    std::printf("%s\n", what);
    std::exit(1);
}

// Words of which about one bit in 2^thin is set.
std::vector<Word> words(std::int64_t count, int thin) {
    std::vector<Word> made(count, ~Word{0});
    for (Word& w : made)
        for (int i = 0; i < thin; ++i) w &= random_bits();
    return made;
}

void test_rows() {
    for (const int thin : {0, 1, 6, 8}) {
        const auto a = words(kWordBits, thin), b = words(kWordBits, 1), c = words(kWordBits, thin);
        const Word wanted = random_bits();
        std::vector<Word> lack(kWordBits), got = a, next = c;
        const Word lacks = lacking(wanted, a.data(), lack.data());
        const Word without = rows_without(b.data(), a.data());
        const Word needed = take_needed(got.data(), b.data(), true, next.data());
        for (int i = 0; i < kWordBits; ++i) {
            expect(lack[i] == (wanted & ~a[i]) && test_bit(&lacks, i) == (lack[i] != 0), "lacking");
            expect(test_bit(&without, i) == ((b[i] & ~a[i]) != 0), "rows_without");
            expect(got[i] == ((a[i] & b[i]) | c[i]) && next[i] == got[i], "take_needed");
            expect(test_bit(&needed, i) == (got[i] != 0), "take_needed's rows");
        }
    }
    for (const int width : {1, 2, 4, 8, 16}) {
        const auto rows = words(kWordBits * width, 9);
        const Word some = any_rows(rows.data(), width);
        for (int i = 0; i < kWordBits; ++i)
            expect(test_bit(&some, i) == (count_bits(&rows[i * width], width) != 0), "any_rows");
    }
}

void test_lower_bound() {
    for (const int size : {0, 1, 7, 300}) {
        std::vector<int> row;
        for (int i = 0; i < size; ++i) row.push_back(3 * i);
        const int* first = row.data();
        for (int guess = 0; guess <= size; guess += 1 + size / 40)
            for (int value = -1; value <= 3 * size; value += 1 + size / 100)
                expect(lower_bound_near(first, first + size, first + guess, value) ==
                           std::lower_bound(first, first + size, value),
                       "lower_bound_near");
    }
}

template <int W>
void test_columns() {
    Columns<W> columns;
    std::vector<std::int64_t> expected(kWordBits * W), counted(kWordBits * W);
    Word alive[W] = {};
    for (int block = 0; block < 40; ++block) {
        const auto rows = words(kWordBits * W, block % 4);
        if (block % 3 != 0)
            columns.add_block(rows.data());
        else
            for (int i = 0; i < kWordBits; ++i) columns.add(&rows[i * W]);
        for (int i = 0; i < kWordBits * W; ++i)
            for_each_bit(rows[i], i % W * kWordBits, [&](std::int64_t s) { ++expected[s]; });
    }
    columns.drain(counted.data(), alive);
    expect(counted == expected, "Columns");
}

template <class T>
void test_levels(std::int64_t n, int width, int nplanes, std::int64_t searches,
                 std::int64_t entered) {
    auto visited = words((n + 1) * width, 1);
    std::fill(visited.begin() + entered * width, visited.end(), 0);
    std::vector<std::vector<Word>> planes;
    std::vector<const Word*> at;
    for (int b = 0; b < nplanes; ++b) {
        planes.push_back(words((n + 1) * width, 1));
        at.push_back(planes[b].data());
    }
    std::vector<std::int32_t> rank(n);
    std::vector<std::int64_t> rows(searches);
    for (std::int64_t v = 0; v < n; ++v) rank[v] = static_cast<std::int32_t>(n - 1 - v);
    for (std::int64_t s = 0; s < searches; ++s) rows[s] = (s + 1) % searches;
    // Rows begin anywhere in a line of memory; what others wrote beside them stays.
    constexpr std::int64_t kBeside = 5;
    const T untouched = 77;
    std::vector<T> all(searches * n + 2 * kBeside, untouched);
    T* out = all.data() + kBeside;
    const Reached<std::int32_t> reached{
        n, searches, entered, width, nplanes, visited.data(), at.data(), rank.data(), rows.data()};
    const std::int64_t middle = n * 2 / 3;
    write_levels(reached, 0, middle, out);
    write_levels(reached, middle, n, out);
    for (std::int64_t i = 0; i < kBeside; ++i)
        expect(all[i] == untouched && out[searches * n + i] == untouched, "write_levels beside");
    for (std::int64_t s = 0; s < searches; ++s)
        for (std::int64_t v = 0; v < n; ++v) {
            const std::int64_t word = rank[v] * width + s / kWordBits;
            T level = static_cast<T>(~T{0});
            if (test_bit(&visited[word], s % kWordBits)) {
                level = 0;
                for (int b = 0; b < nplanes; ++b)
                    level |= static_cast<T>(T{test_bit(&planes[b][word], s % kWordBits)} << b);
            }
            expect(out[rows[s] * n + v] == level, "write_levels");
        }
}

}  // namespace

int main() {
    test_rows();
    test_lower_bound();
    test_columns<1>();
    test_columns<4>();
    test_columns<16>();
    test_levels<std::uint8_t>(1, 1, 1, 1, 1);
    test_levels<std::uint8_t>(2500, 1, 3, 64, 2500);
    test_levels<std::uint8_t>(2560, 1, 3, 64, 1500);
    test_levels<std::uint8_t>(1025, 2, 7, 70, 1000);
    test_levels<std::uint16_t>(1100, 1, 9, 33, 1100);
    test_levels<std::uint32_t>(130, 1, 17, 64, 100);
}
