// by_length(): rows with their short edges before their long ones, for delta-stepping;
// same_both_ways(): whether the edge (v, u) is there with the same length wherever (u, v) is.
//
// The caller guarantees canonical CSR, and outputs as long as their inputs.
#include <atomic>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "cpu/numbers/mixed.h"
#include "cpu/paths/sssp_bins.h"
#include "cpu/python/bindings.h"
#include "cpu/threads/interrupt.h"
#include "cpu/threads/parallel.h"

namespace spbfs::sssp {
namespace {

constexpr std::int64_t kRowGrain = 1024;

// f for the type that lengths have.
template <class F>
auto with_lengths(const Input& weights, F&& f) {
    const auto type = weights.dtype();
    if (type == nb::dtype<std::int32_t>()) return f(std::int32_t{});
    if (type == nb::dtype<std::int64_t>()) return f(std::int64_t{});
    if (type == nb::dtype<float>()) return f(float{});
    return f(double{});
}

// Rows in the order of their edges' classes, by counting.  Returns how many edges are long.
template <class O, class I, class Weight>
std::int64_t by_length(const Csr<O, I>& csr, const Weight* weights, double width, I* out_indices,
                       Weight* out_weights, O* heavy, Team& team, Interrupt& interrupt) {
    using Length = std::conditional_t<std::is_integral_v<Weight>, std::uint64_t, double>;
    const Width<Length> classes(width);
    auto class_of = [&](O k) { return classes.length_class(static_cast<Length>(weights[k])); };
    std::atomic<std::int64_t> heavy_edges{0};
    auto order_rows = [&](std::int64_t begin, std::int64_t end) -> std::int64_t {
        std::int64_t found = 0;
        for (std::int64_t u = begin; u < end; ++u) {
            O place[Width<Length>::kClasses + 1] = {};
            for (O k = csr.indptr[u]; k < csr.indptr[u + 1]; ++k) ++place[class_of(k) + 1];
            place[0] = csr.indptr[u];
            for (std::uint64_t c = 0; c < Width<Length>::kClasses; ++c) place[c + 1] += place[c];
            heavy[u] = place[1];
            found += csr.indptr[u + 1] - place[1];
            for (O k = csr.indptr[u]; k < csr.indptr[u + 1]; ++k) {
                const O to = place[class_of(k)]++;
                out_indices[to] = csr.indices[k];
                out_weights[to] = weights[k];
            }
        }
        heavy_edges.fetch_add(found, std::memory_order_relaxed);
        return csr.indptr[end] - csr.indptr[begin] + end - begin;
    };
    team.for_chunks(csr.rows, kRowGrain, [&](std::int64_t begin, std::int64_t end, int worker) {
        interrupt.strips(begin, end, kRowsPerStrip, worker, order_rows);
    });
    return heavy_edges.load();
}

// Edges to greater vertices and edges to lesser ones, mirrored, have the same sum of numbers.
template <class O, class I, class Weight>
bool same_both_ways(const Csr<O, I>& csr, const Weight* weights, Team& team, Interrupt& interrupt) {
    const std::uint64_t key = random_key(), factor = random_key() | 1;
    std::atomic<std::uint64_t> difference{0};
    auto add_rows = [&](std::int64_t begin, std::int64_t end) -> std::int64_t {
        std::uint64_t sum = 0;
        for (std::int64_t row = begin; row < end; ++row) {
            const auto i = static_cast<std::uint64_t>(row);
            for (O k = csr.indptr[row]; k < csr.indptr[row + 1]; ++k) {
                const auto j = static_cast<std::uint64_t>(csr.indices[k]);
                if (i == j) continue;
                std::uint64_t length = 0;
                std::memcpy(&length, weights + k, sizeof(Weight));
                const std::uint64_t ends = i < j ? i * factor + j : j * factor + i;
                const std::uint64_t number = mixed(mixed(key + ends) + length);
                sum += i < j ? number : -number;
            }
        }
        difference.fetch_add(sum, std::memory_order_relaxed);
        return csr.indptr[end] - csr.indptr[begin] + end - begin;
    };
    team.for_chunks(csr.rows, kRowGrain, [&](std::int64_t begin, std::int64_t end, int worker) {
        interrupt.strips(begin, end, kRowsPerStrip, worker, add_rows);
    });
    return difference.load() == 0;
}

// f(csr, team, interrupt) without Python's lock.
template <class F>
auto unlocked(const Input& indptr, const Input& indices, int threads, F&& f) {
    Interrupt interrupt;
    auto found = with_csr(indptr, indices, [&](auto csr) {
        Unlocked released;
        Team team(threads);
        return f(csr, team, interrupt);
    });
    interrupt.check();
    return found;
}

}  // namespace
}  // namespace spbfs::sssp

namespace nb = nanobind;

void bind_sssp_edges(nb::module_& m) {
    using namespace spbfs;
    m.def(
        "by_length",
        [](Input indptr, Input indices, Input weights, double width, Output out_indices,
           Output out_weights, Output heavy, int threads) {
            return sssp::with_lengths(weights, [&](auto zero) {
                using Weight = decltype(zero);
                const std::int64_t m = length(indices);
                const Weight* from = data<Weight>(weights, m);
                Weight* to = writable<Weight>(out_weights, m);
                return sssp::unlocked(
                    indptr, indices, threads,
                    [&]<class O, class I>(const Csr<O, I>& csr, Team& team, Interrupt& interrupt) {
                        return sssp::by_length(csr, from, width, writable<I>(out_indices, m), to,
                                               writable<O>(heavy, csr.rows), team, interrupt);
                    });
            });
        },
        nb::arg("indptr").noconvert(), nb::arg("indices").noconvert(),
        nb::arg("weights").noconvert(), nb::arg("width"), nb::arg("out_indices").noconvert(),
        nb::arg("out_weights").noconvert(), nb::arg("heavy").noconvert(), nb::arg("threads"));
    m.def(
        "same_both_ways",
        [](Input indptr, Input indices, Input weights, int threads) {
            return sssp::with_lengths(weights, [&](auto zero) {
                const auto* from = data<decltype(zero)>(weights, length(indices));
                return sssp::unlocked(indptr, indices, threads,
                                      [&](const auto& csr, Team& team, Interrupt& interrupt) {
                                          return sssp::same_both_ways(csr, from, team, interrupt);
                                      });
            });
        },
        nb::arg("indptr").noconvert(), nb::arg("indices").noconvert(),
        nb::arg("weights").noconvert(), nb::arg("threads"));
}
