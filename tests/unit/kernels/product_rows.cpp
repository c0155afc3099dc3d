// Rows of matrix products against sums by column in a map: sets of columns, strips, and marks of
// rows whose numbers begin again.  Compiled by test_product_rows.py.
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <vector>

#include "cpu/products/mxm_rows.h"

using namespace spbfs;

namespace {

std::mt19937_64 random_bits(7);

std::int64_t below(std::int64_t n) { return static_cast<std::int64_t>(random_bits() % n); }

void expect(bool holds, const char* what, std::int64_t at) {
    if (holds) return;
    std::printf("%s: %lld\n", what, static_cast<long long>(at));
    std::exit(1);
}

// Sets of so many of the columns, one after the other in the same object.
void check_columns(std::int64_t columns) {
    ColumnSet set(columns);
    std::vector<int> room;
    for (const std::int64_t many : {std::int64_t{0}, std::int64_t{1}, std::int64_t{2},
                                    std::int64_t{3}, columns / 2, columns, std::int64_t{1}}) {
        std::set<int> wanted;
        if (many > 1) wanted = {0, static_cast<int>(columns - 1)};  // the ends of its words
        for (std::int64_t t = 0; t < std::min<std::int64_t>(many, 5000); ++t)
            wanted.insert(static_cast<int>(many == columns ? t % columns : below(columns)));
        std::vector<int> given(wanted.begin(), wanted.end());
        std::shuffle(given.begin(), given.end(), random_bits);
        for (const int j : given) set.add(j);
        expect(set.size() == static_cast<std::int64_t>(wanted.size()), "size", columns);
        room.assign(wanted.size() + ColumnSet::kSlack + 1, -7);
        const auto taken = set.take(room.data());
        expect(std::equal(taken.begin(), taken.end(), wanted.begin(), wanted.end()),
               "columns in rising order", columns);
        expect(room.back() == -7, "nothing is written behind the slack", columns);
        expect(set.size() == 0, "it is left empty", columns);
    }
}

struct Pattern {
    std::vector<std::int64_t> indptr{0};
    std::vector<int> indices;

    void add_row(const std::set<int>& columns) {
        indices.insert(indices.end(), columns.begin(), columns.end());
        indptr.push_back(static_cast<std::int64_t>(indices.size()));
    }
    Matrix<int> view() const {
        return {static_cast<std::int64_t>(indptr.size()) - 1, indptr.data(), indices.data()};
    }
};

// Products that tell which entries they are of: a sum that began with what another row has left
// is another one.
template <bool Interpreted>
struct PositionSemiring {
    using Value = std::int64_t;
    static constexpr bool any = false, interpreted = Interpreted;
    Value product(std::int64_t p, std::int64_t r, std::int64_t, std::int64_t, std::int64_t) const {
        return (p + 1) * 1'000'003 + (r + 1) * (r + 1);
    }
    Value sum(Value a, Value b) const { return a + b; }
};

std::set<int> some(std::int64_t many, std::int64_t columns) {
    std::set<int> chosen;
    if (many >= columns)
        for (std::int64_t j = 0; j < columns; ++j) chosen.insert(static_cast<int>(j));
    while (static_cast<std::int64_t>(chosen.size()) < std::min(many, columns))
        chosen.insert(static_cast<int>(below(columns)));
    return chosen;
}

struct Row {
    std::vector<std::pair<int, std::int64_t>> entries;
    void expect(std::size_t) {}
    void operator()(int j, std::int64_t sum) { entries.emplace_back(j, sum); }
    void set(std::int64_t number, int j, std::int64_t sum) {
        made.resize(static_cast<std::size_t>(number) + 1);
        made.back() = {j, sum};
    }
    void add(std::int64_t number, std::int64_t product) {
        made.at(static_cast<std::size_t>(number)).second += product;
    }
    void take(std::int64_t count) {
        made.resize(static_cast<std::size_t>(count));
        entries.insert(entries.end(), made.begin(), made.end());
    }

  private:
    std::vector<std::pair<int, std::int64_t>> made;
};

// A product whose rows of B have 0 to 18 entries, and some as many as a block of products and one
// more and less; rows of A have less than `most`, some are empty.  `row`: from which number rows
// are marked.
template <class S, template <class, class> class Accumulator>
void check_rows(std::int64_t columns, char mask_kind, std::uint32_t row, std::int64_t most) {
    Pattern A, B, M;
    const std::int64_t inner = 40;
    for (std::int64_t k = 0; k < inner; ++k)
        B.add_row(some(k < 19 ? k : k < 25 ? 229 + 9 * (k - 19) + k % 3 : below(12), columns));
    for (std::int64_t i = 0; i < 60; ++i) A.add_row(some(i % 7 == 0 ? 0 : below(most), inner));
    for (std::int64_t i = 0; i < 60; ++i)
        M.add_row(some(i % 5 == 0 ? 0 : i % 11 == 0 ? columns : below(columns) / 2, columns));
    const std::optional<Matrix<int>> mask =
        mask_kind == ' ' ? std::nullopt : std::optional(M.view());
    const MxmTask<int> task{A.view(), B.view(), mask, mask_kind == '~', columns, inner, nullptr, 0};
    const S s;
    auto method = std::make_unique<RowsMethod<S, int, Accumulator<std::int64_t, int>>>(
        s, task, RowMarks{row});
    for (std::int64_t i = 0; i < 60; ++i) {
        std::map<int, std::int64_t> wanted;
        const auto listed = row_of(M.view(), i);
        for (std::int64_t p = A.indptr[i]; p < A.indptr[i + 1]; ++p)
            for (std::int64_t k = A.indices[p], r = B.indptr[k]; r < B.indptr[k + 1]; ++r) {
                const bool has = std::binary_search(listed.begin(), listed.end(), B.indices[r]);
                if (mask_kind == ' ' || has == (mask_kind == '.'))
                    wanted[B.indices[r]] += s.product(p, r, i, k, B.indices[r]);
            }
        Row found;
        method->row(i, found);
        expect(
            std::equal(found.entries.begin(), found.entries.end(), wanted.begin(), wanted.end(),
                       [](auto& a, auto& b) { return a.first == b.first && a.second == b.second; }),
            "a row of a product", i);
    }
}

template <template <class, class> class Accumulator>
void check_method() {
    for (const std::int64_t columns : {1, 2, 63, 64, 65, 300, 1023, 1024, 1025, 5000})
        for (const char mask : {' ', '.', '~'})
            // Sixty rows take three hundred numbers: these begin again at none, any or the last.
            for (const std::uint32_t row : {0u, ~0u - 300u, ~0u - 150u, ~0u - 10u, ~0u - 5u})
                for (const std::int64_t most : {40, 9, 4}) {
                    check_rows<PositionSemiring<false>, Accumulator>(columns, mask, row, most);
                    check_rows<PositionSemiring<true>, Accumulator>(columns, mask, row, most);
                }
}

// Rows side by side: of each number of entries, with columns that are alike and the greatest.
void check_sorted_columns() {
    SortedColumns sorted;
    for (std::int64_t most = 0; most <= SortedColumns::kMost; ++most)
        for (const std::int64_t columns :
             {std::int64_t{1}, most + 1, SortedColumns::kMostColumns}) {
            std::vector<std::vector<std::pair<std::int64_t, std::int64_t>>> rows(
                SortedColumns::kRows);
            sorted.begin(most);
            for (std::int64_t row = 0; row < SortedColumns::kRows; ++row) {
                const std::int64_t count = row == 3 ? most : below(most + 1);
                for (std::int64_t at = 0; at < count; ++at) {
                    rows[row].emplace_back(at % 5 ? below(columns) : columns - 1, at);
                    sorted.add(row, at, rows[row].back().first);
                }
                for (std::int64_t at = 0; at < SortedColumns::kOver; ++at)
                    sorted.add(row, count + at, 0);
                sorted.end(row, count);
                std::sort(rows[row].begin(), rows[row].end());
            }
            sorted.sort();
            for (std::int64_t row = 0; row < SortedColumns::kRows; ++row)
                for (std::size_t at = 0; at < rows[row].size(); ++at)
                    expect(sorted.column(row, at) == rows[row][at].first &&
                               sorted.number(row, at) == rows[row][at].second,
                           "rows side by side", most);
        }
}

}  // namespace

int main() {
    check_sorted_columns();
    for (const std::int64_t columns :
         {1, 2, 63, 64, 65, 1023, 1024, 1025, 65535, 65536, 65537, 4194303, 4194304, 4194305})
        check_columns(columns);
    check_method<DenseAccumulator>();
    check_method<HashAccumulator>();
}
