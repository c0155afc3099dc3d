// Entries of a list summed into a vector that has an element of memory for each of its own.
#include <algorithm>
#include <cstdint>

#include "cpu/operators/row_values.h"

namespace spbfs {
namespace {

// Values at `indices`, none of them twice, become what the program makes of them and of those of
// the list, or these alone where nothing was present; returns how many were absent before.
std::int64_t accumulate(const Program* program, Output values, Maybe<Output> present, Input indices,
                        Input source) {
    const std::int64_t count = length(indices), n = length(values), step = stride(source);
    const auto* at = data<std::int64_t>(indices, count);
    auto* flags = present ? writable<std::uint8_t>(*present, n) : nullptr;
    const auto size = static_cast<std::size_t>(program->in_size());
    if (program->out_size() != program->in_size() || source.itemsize() != size ||
        values.itemsize() != size ||
        (step == 0 ? std::min<std::int64_t>(count, 1) : count) > length(source))
        throw std::invalid_argument("kernel: values do not fit the program");
    return with_size(program->in_size(), [&]<class V>(V) {
        V* to = writable<V>(values, n);
        const V* from = static_cast<const V*>(source.data());
        Unlocked unlocked;
        Evaluator evaluate(*program);
        V old[kBlock], given[kBlock], made[kBlock];
        std::int64_t added = 0;
        for (std::int64_t begin = 0; begin < count; begin += kBlock) {
            const std::int64_t many = std::min<std::int64_t>(kBlock, count - begin);
            const std::int64_t* where = at + begin;
            for (std::int64_t t = 0; t < many; ++t) {
                given[t] = from[(begin + t) * step];
                // What is absent is no number to calculate with.
                old[t] = flags == nullptr || flags[where[t]] != 0 ? to[where[t]] : given[t];
            }
            evaluate(old, given, made, many);
            for (std::int64_t t = 0; t < many; ++t) {
                const bool is_new = flags != nullptr && flags[where[t]] == 0;
                to[where[t]] = is_new ? given[t] : made[t];
                if (flags != nullptr) flags[where[t]] = 1;
                added += is_new;
            }
        }
        return added;
    });
}

}  // namespace
}  // namespace spbfs

void bind_accumulate(nanobind::module_& m) {
    using namespace nanobind::literals;
    m.def("accumulate", &spbfs::accumulate, "program"_a, "values"_a, "present"_a.none(),
          "indices"_a, "source"_a);
}
