// What the launchers of pulls are given by Python, as a Task.
#pragma once

#include <cstdint>
#include <utility>

#include "cpu/products/pull_rows.h"
#include "cpu/python/bindings.h"
#include "cpu/threads/interrupt.h"
#include "cpu/vectors/frontier.h"

namespace spbfs::pull {

struct Arguments {
    const Input &indptr, &indices, &filled;
    std::int64_t size;  // of the vector, of which there are a list, bytes, or all elements
    const Maybe<Input>&frontier_list, &frontier_bytes;
    const Maybe<Input>& mask;
    bool complement;
    const Maybe<Input>& rows;
    const Output& present;
    const Maybe<Output>& values;
    int value_size;
    int threads;
};

// f(M, task), without the interpreter's lock; returns its outcome.
template <class F>
std::pair<std::int64_t, std::int64_t> with_task(const Arguments& given, const Maybe<Input>& hubs,
                                                F&& f) {
    const std::int64_t nrows = length(given.indptr) - 1;
    const std::int64_t listed = given.frontier_list ? length(*given.frontier_list) : 0;
    const std::int64_t wanted = given.rows ? length(*given.rows) : nrows;
    const auto* list = data<std::int64_t>(given.frontier_list, listed);
    const auto* bytes = data<std::uint8_t>(given.frontier_bytes, given.size);
    void* out = nullptr;
    if (given.values) {
        check_dense(*given.values, wanted, static_cast<std::size_t>(given.value_size));
        out = given.values->data();
    }
    const void* hub_data = nullptr;
    if (hubs) {
        check_dense(*hubs, nrows, given.indices.itemsize());
        hub_data = hubs->data();
    }
    Interrupt interrupt;
    Task task{data<std::int64_t>(given.rows, wanted),
              wanted,
              data<std::uint8_t>(given.filled, (nrows + 7) / 8),
              nullptr,
              false,
              false,
              data<std::uint8_t>(given.mask, nrows),
              given.complement,
              hub_data,
              writable<std::uint8_t>(given.present, wanted),
              out,
              given.threads,
              &interrupt};
    Outcome outcome{};
    {
        Unlocked unlocked;
        Bits frontier;
        if (list != nullptr || bytes != nullptr) {
            frontier = list != nullptr ? Bits::of_list(list, listed, given.size)
                                       : Bits::of_bytes(bytes, given.size);
            task.frontier = &frontier;
            const std::int64_t count = frontier.count();
            task.crowded = count * kCrowd > given.size;
            task.full = count * 10 > given.size * kMany;
        }
        with_csr(given.indptr, given.indices, [&](const auto& M) { outcome = f(M, task); });
    }
    interrupt.check();
    return {outcome.present, outcome.touched};
}

}  // namespace spbfs::pull
