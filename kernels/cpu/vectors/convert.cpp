// Between the forms of a vector, and the counts that the choice of a direction is made from.
#include <algorithm>
#include <bit>
#include <vector>

#include "cpu/operators/operators.h"
#include "cpu/operators/pairs.h"
#include "cpu/python/bindings.h"
#include "cpu/python/interpreter.h"
#include "cpu/vectors/frontier.h"
#include "cpu/vectors/masked_copy.h"

namespace spbfs {
namespace {

// Vertices between the fetch of a row's bounds and their use.
constexpr std::int64_t kAhead = 16;

// Positions of the bytes that are set, at most as many as `indices` has room for.
std::int64_t bytes_to_list(Input present, Output indices) {
    const std::int64_t n = length(present), room = length(indices);
    const auto* bytes = data<std::uint8_t>(present, n);
    auto* list = writable<std::int64_t>(indices, room);
    Unlocked unlocked;
    std::int64_t count = 0;
    for (std::int64_t i = 0; i < n && count < room; i += 8) {
        std::uint64_t word = nonzero_bytes(load_bytes(bytes, i, n));
        for (; word != 0 && count < room; word &= word - 1)
            list[count++] = i + std::countr_zero(word) / 8;
    }
    return count;
}

// A bit a row, set where it holds entries; returns how many do.
std::int64_t filled_rows(Input indptr, Output bits) {
    const std::int64_t rows = length(indptr) - 1;
    auto* out = writable<std::uint8_t>(bits, (rows + 7) / 8);
    auto fill = [&](const auto* offsets) {
        Unlocked unlocked;
        std::int64_t count = 0;
        for (std::int64_t i = 0; i < rows; i += 8) {
            unsigned byte = 0;
            for (std::int64_t b = 0; b < std::min<std::int64_t>(8, rows - i); ++b)
                byte |= static_cast<unsigned>(offsets[i + b] != offsets[i + b + 1]) << b;
            out[i / 8] = static_cast<std::uint8_t>(byte);
            count += std::popcount(byte);
        }
        return count;
    };
    return indptr.itemsize() == 4 ? fill(data<std::int32_t>(indptr, rows + 1))
                                  : fill(data<std::int64_t>(indptr, rows + 1));
}

// Entries of the rows that a frontier lists.
std::int64_t list_edges(Input indptr, Input frontier) {
    const std::int64_t count = length(frontier), rows = length(indptr) - 1;
    const auto* list = data<std::int64_t>(frontier, count);
    auto sum = [&](const auto* offsets) {
        std::int64_t edges = 0;
        for (std::int64_t t = 0; t < count; ++t) {
            if (t + kAhead < count) __builtin_prefetch(&offsets[list[t + kAhead]]);
            edges += offsets[list[t] + 1] - offsets[list[t]];
        }
        return edges;
    };
    return indptr.itemsize() == 4 ? sum(data<std::int32_t>(indptr, rows + 1))
                                  : sum(data<std::int64_t>(indptr, rows + 1));
}

// The same of a bitmap frontier of `count` vertices, estimated from a sample where there are many:
// blocks of vertices spread evenly, about `sample` members in all.
constexpr std::int64_t kSampleBlock = 128;

std::int64_t bytes_edges(Input indptr, Input present, std::int64_t count, std::int64_t sample) {
    const std::int64_t rows = length(indptr) - 1;
    const auto* bytes = data<std::uint8_t>(present, rows);
    auto sum = [&](const auto* offsets) {
        Unlocked unlocked;
        const std::int64_t step = kSampleBlock * std::max<std::int64_t>(1, count / sample);
        std::int64_t edges = 0, members = 0;
        for (std::int64_t block = 0; block < rows; block += step) {
            const std::int64_t end = std::min(block + kSampleBlock, rows);
            for (std::int64_t i = block; i < end; i += 8) {
                std::uint64_t word = 0;
                std::memcpy(&word, bytes + i,
                            static_cast<std::size_t>(std::min<std::int64_t>(8, end - i)));
                for (word = nonzero_bytes(word); word != 0; word &= word - 1) {
                    const std::int64_t k = i + std::countr_zero(word) / 8;
                    edges += offsets[k + 1] - offsets[k];
                    ++members;
                }
            }
        }
        const double scale = members > 0 ? static_cast<double>(count) / members : 0.0;
        return static_cast<std::int64_t>(static_cast<double>(edges) * scale);
    };
    return indptr.itemsize() == 4 ? sum(data<std::int32_t>(indptr, rows + 1))
                                  : sum(data<std::int64_t>(indptr, rows + 1));
}

std::int64_t put(Output values, Maybe<Output> present, Input indices, Input source) {
    const std::int64_t count = length(indices), n = length(values), step = stride(source);
    const auto* at = data<std::int64_t>(indices, count);
    auto* flags = present ? writable<std::uint8_t>(*present, n) : nullptr;
    if (source.itemsize() != values.itemsize() ||
        (step == 0 ? std::min<std::int64_t>(count, 1) : count) > length(source))
        throw std::invalid_argument("kernel: what is put does not fit");
    return with_size(static_cast<int>(values.itemsize()), [&]<class T>(T) {
        T* to = writable<T>(values, n);
        const T* from = static_cast<const T*>(source.data());
        Unlocked unlocked;
        std::int64_t added = 0;
        for (std::int64_t t = 0; t < count; ++t) {
            to[at[t]] = from[t * step];
            if (flags == nullptr) continue;
            added += flags[at[t]] == 0;
            flags[at[t]] = 1;
        }
        return added;
    });
}

std::int64_t masked_copy(Output values, Maybe<Output> present, Input source,
                         Maybe<Input> source_present, Input mask, bool complement, int threads) {
    const std::int64_t n = length(mask), step = stride(source);
    const auto* bytes = data<std::uint8_t>(mask, n);
    const auto* from = data<std::uint8_t>(source_present, n);
    auto* flags = present ? writable<std::uint8_t>(*present, n) : nullptr;
    if (source.itemsize() != values.itemsize() || (step == 0 ? 1 : n) > length(source))
        throw std::invalid_argument("kernel: the source of a copy does not fit");
    return with_size(static_cast<int>(values.itemsize()), [&]<class T>(T) {
        const Copy<T> copy{writable<T>(values, n),
                           flags,
                           static_cast<const T*>(source.data()),
                           step,
                           from,
                           bytes,
                           complement ? kEveryByte : 0};
        Unlocked unlocked;
        return copy.run(n, threads);
    });
}

}  // namespace

}  // namespace spbfs

void bind_convert(nanobind::module_& m) {
    using namespace nanobind::literals;
    m.def("bytes_to_list", &spbfs::bytes_to_list, "present"_a, "indices"_a);
    m.def("filled_rows", &spbfs::filled_rows, "indptr"_a, "bits"_a);
    m.def("list_edges", &spbfs::list_edges, "indptr"_a, "frontier"_a);
    m.def("bytes_edges", &spbfs::bytes_edges, "indptr"_a, "present"_a, "count"_a, "sample"_a);
    m.def("masked_copy", &spbfs::masked_copy, "values"_a, "present"_a.none(), "source"_a,
          "source_present"_a.none(), "mask"_a, "complement"_a, "threads"_a,
          "Elements that the mask admits become those of the source; returns how many more are "
          "present than before.");
    m.def("put", &spbfs::put, "values"_a, "present"_a.none(), "indices"_a, "source"_a,
          "Elements at indices become those of the source; returns how many were absent before.");
}
