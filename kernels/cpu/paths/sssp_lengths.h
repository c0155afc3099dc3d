// Edges with lengths as Python hands them over, for the types that delta-stepping is made for.
#pragma once

#include <nanobind/stl/tuple.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <tuple>
#include <type_traits>

#include "cpu/paths/sssp_state.h"
#include "cpu/python/bindings.h"

namespace spbfs::sssp {

// A CSR with lengths; the last is where edges of the width or longer begin.
using Rows = std::tuple<Input, Input, Input, Maybe<Input>>;

template <class State>
typename State::Rows edges_of(const Rows& rows) {
    using Offset = typename State::Offset;
    const auto& [indptr, indices, weights, heavy] = rows;
    const std::int64_t n = length(indptr) - 1, m = length(indices);
    return {data<Offset>(indptr, n + 1), data<typename State::Index>(indices, m),
            data<typename State::Weight>(weights, m), data<Offset>(heavy, n)};
}

// Distances as they are returned.
template <class Distance>
using LengthOf = std::conditional_t<std::is_integral_v<Distance>, std::int64_t, double>;

// The least distance that is more than a limit.
template <class Distance, class Length>
Distance above(Length limit) {
    if constexpr (std::is_integral_v<Distance>)
        return static_cast<Distance>(limit) + 1;
    else
        return std::nextafter(limit, std::numeric_limits<Distance>::infinity());
}

// f.operator()<State>() of the types of the rows, and of distances: of integers that fit 32 bits
// `wide` ones, or also of 32 bits.
template <class F>
auto with_lengths(const Rows& rows, bool wide, F&& f) {
    return with_csr(std::get<0>(rows), std::get<1>(rows), [&](auto csr) {
        using O = std::remove_cvref_t<decltype(*csr.indptr)>;
        using I = std::remove_cvref_t<decltype(*csr.indices)>;
        const auto type = std::get<2>(rows).dtype();
        if (type == nb::dtype<float>()) return f.template operator()<State<O, I, float, double>>();
        if (type == nb::dtype<double>())
            return f.template operator()<State<O, I, double, double>>();
        if (type == nb::dtype<std::int64_t>())
            return f.template operator()<State<O, I, std::int64_t, std::uint64_t>>();
        return wide ? f.template operator()<State<O, I, std::int32_t, std::uint64_t>>()
                    : f.template operator()<State<O, I, std::int32_t, std::uint32_t>>();
    });
}

}  // namespace spbfs::sssp
