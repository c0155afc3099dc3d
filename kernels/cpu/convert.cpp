// Between the forms of a vector, and the counts that the choice of a direction is made from.
#include <algorithm>
#include <atomic>
#include <bit>
#include <vector>

#include "bindings.h"
#include "frontier.h"
#include "operators.h"
#include "parallel.h"

namespace spbfs {
namespace {

constexpr std::int64_t kBytesPerChunk = 1 << 16;

std::int64_t count_set(const std::uint8_t* bytes, std::int64_t begin, std::int64_t end) {
    std::int64_t count = 0;
    for (std::int64_t i = begin; i < end; ++i) count += bytes[i] != 0;
    return count;
}

std::int64_t count_bytes(Input present, int threads) {
    const std::int64_t n = length(present);
    const auto* bytes = data<std::uint8_t>(present, n);
    nb::gil_scoped_release release;
    std::atomic<std::int64_t> total{0};
    Team(threads).for_chunks(n, kBytesPerChunk, [&](std::int64_t begin, std::int64_t end, int) {
        total.fetch_add(count_set(bytes, begin, end), std::memory_order_relaxed);
    });
    return total.load();
}

// Positions of the bytes that are set, at most as many as `indices` has room for.
std::int64_t bytes_to_list(Input present, Output indices) {
    const std::int64_t n = length(present), room = length(indices);
    const auto* bytes = data<std::uint8_t>(present, n);
    auto* list = writable<std::int64_t>(indices, room);
    nb::gil_scoped_release release;
    std::int64_t count = 0;
    for (std::int64_t i = 0; i < n && count < room; i += 8) {
        std::uint64_t word = 0;
        if (i + 8 <= n)
            word = nonzero_bytes(load_bytes(bytes + i));
        else
            for (std::int64_t b = 0; i + b < n; ++b)
                word |= static_cast<std::uint64_t>(bytes[i + b] != 0) << (8 * b);
        for (; word != 0 && count < room; word &= word - 1)
            list[count++] = i + std::countr_zero(word) / 8;
    }
    return count;
}

// Entries of the rows that a frontier lists.
std::int64_t list_edges(Input indptr, Input frontier) {
    const std::int64_t count = length(frontier), rows = length(indptr) - 1;
    const auto* list = data<std::int64_t>(frontier, count);
    auto sum = [&](const auto* offsets) {
        std::int64_t edges = 0;
        for (std::int64_t t = 0; t < count; ++t) edges += offsets[list[t] + 1] - offsets[list[t]];
        return edges;
    };
    return indptr.itemsize() == 4 ? sum(data<std::int32_t>(indptr, rows + 1))
                                  : sum(data<std::int64_t>(indptr, rows + 1));
}

// The same of a bitmap frontier.
std::int64_t bytes_edges(Input indptr, Input present, int threads) {
    const std::int64_t rows = length(indptr) - 1;
    const auto* bytes = data<std::uint8_t>(present, rows);
    std::atomic<std::int64_t> total{0};
    auto sum = [&](const auto* offsets) {
        nb::gil_scoped_release release;
        Team(threads).for_chunks(rows, kBytesPerChunk,
                                 [&](std::int64_t begin, std::int64_t end, int) {
                                     std::int64_t edges = 0;
                                     for (std::int64_t i = begin; i < end; ++i)
                                         edges += bytes[i] != 0 ? offsets[i + 1] - offsets[i] : 0;
                                     total.fetch_add(edges, std::memory_order_relaxed);
                                 });
        return total.load();
    };
    return indptr.itemsize() == 4 ? sum(data<std::int32_t>(indptr, rows + 1))
                                  : sum(data<std::int64_t>(indptr, rows + 1));
}

// values[i], present[i] = value, true wherever the mask admits; returns how many became present.
template <class T>
std::int64_t fill(T* values, std::uint8_t* present, const std::uint8_t* mask, bool complement,
                  T value, std::int64_t n, int threads) {
    std::atomic<std::int64_t> total{0};
    const std::uint64_t refused = complement ? kEveryByte : 0;
    Team(threads).for_chunks(n, kBytesPerChunk, [&](std::int64_t begin, std::int64_t end, int) {
        std::int64_t added = 0;
        for (std::int64_t i = begin; i < end; ++i) {
            if (i % 8 == 0)
                while (i + 8 <= end && load_bytes(mask + i) == refused) i += 8;
            if (i == end) break;
            if ((mask[i] != 0) == complement) continue;
            values[i] = value;
            if (present != nullptr) {
                added += present[i] == 0;
                present[i] = 1;
            }
        }
        total.fetch_add(added, std::memory_order_relaxed);
    });
    return total.load();
}

std::int64_t masked_fill(Output values, Maybe<Output> present, Input mask, bool complement,
                         Input value, int threads) {
    const std::int64_t n = length(mask);
    const auto* bytes = data<std::uint8_t>(mask, n);
    auto* flags = present ? writable<std::uint8_t>(*present, n) : nullptr;
    auto run = [&]<class T>(T) {
        auto* out = writable<T>(values, n);
        const T one = *data<T>(value, 1);
        nb::gil_scoped_release release;
        return fill(out, flags, bytes, complement, one, n, threads);
    };
    switch (values.itemsize()) {
        case 1:
            return run(std::uint8_t{});
        case 2:
            return run(std::uint16_t{});
        case 4:
            return run(std::uint32_t{});
        default:
            return run(std::uint64_t{});
    }
}

}  // namespace

}  // namespace spbfs

void bind_convert(nanobind::module_& m) {
    using namespace nanobind::literals;
    m.def("count_bytes", &spbfs::count_bytes, "present"_a, "threads"_a);
    m.def("bytes_to_list", &spbfs::bytes_to_list, "present"_a, "indices"_a);
    m.def("list_edges", &spbfs::list_edges, "indptr"_a, "frontier"_a);
    m.def("bytes_edges", &spbfs::bytes_edges, "indptr"_a, "present"_a, "threads"_a);
    m.def("masked_fill", &spbfs::masked_fill, "values"_a, "present"_a.none(), "mask"_a,
          "complement"_a, "value"_a, "threads"_a);
}
