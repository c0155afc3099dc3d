// Pull: w<m> = M u by rows.  Every row that the mask admits scans its entries for members of the
// frontier and stops where the monoid cannot change any more, at the first hit for `any`.
//
// Rows are independent, so no atomics.  The mask's bytes are read eight at a time: late in a
// traversal most rows are visited and this scan of the mask is most of the work.
#include <nanobind/stl/pair.h>

#include <utility>

#include "bindings.h"
#include "frontier.h"
#include "interrupt.h"
#include "product.h"
#include "pull_rows.h"

namespace spbfs::pull {
namespace {

// Of a vector with more than one element in so many, rows are read whole: with fewer the branches
// are foreseen more often, and elements that are not there need not be fetched
// (docs/performance-notes-products.md).
constexpr std::int64_t kCrowd = 3;

std::pair<std::int64_t, std::int64_t> launch(Input indptr, Input indices, Input filled,
                                             Input matrix_values, std::int64_t size,
                                             Maybe<Input> frontier_list,
                                             Maybe<Input> frontier_bytes, Input vector_values,
                                             const std::string& monoid, const std::string& multiply,
                                             int in_type, int out_type, Maybe<Input> mask,
                                             bool complement, Maybe<Input> rows, Maybe<Input> hubs,
                                             Output present, Maybe<Output> values, int threads) {
    if (!values && !(monoid == "any" && multiply == "pair"))
        throw std::invalid_argument("kernel: this product has values to store");
    const std::int64_t nrows = length(indptr) - 1;
    const std::int64_t listed = frontier_list ? length(*frontier_list) : 0;
    const std::int64_t wanted = rows ? length(*rows) : nrows;
    const ProductName name{monoid, multiply, Type{in_type}, Type{out_type}};
    const Operands operands{matrix_values.data(), stride(matrix_values), vector_values.data(),
                            stride(vector_values)};
    const auto* list = data<std::int64_t>(frontier_list, listed);
    const auto* bytes = data<std::uint8_t>(frontier_bytes, size);
    void* out = nullptr;
    if (values) {
        check_dense(*values, wanted, static_cast<std::size_t>(size_of(name.out)));
        out = values->data();
    }
    const void* hub_data = nullptr;
    if (hubs) {
        check_dense(*hubs, nrows, indices.itemsize());
        hub_data = hubs->data();
    }
    Interrupt interrupt;
    Task task{data<std::int64_t>(rows, wanted),
              wanted,
              data<std::uint8_t>(filled, (nrows + 7) / 8),
              nullptr,
              false,
              data<std::uint8_t>(mask, nrows),
              complement,
              hub_data,
              writable<std::uint8_t>(present, wanted),
              out,
              threads,
              &interrupt};
    Outcome outcome{};
    {
        Unlocked unlocked;
        Bits frontier;
        if (list != nullptr || bytes != nullptr) {
            frontier =
                list != nullptr ? Bits::of_list(list, listed, size) : Bits::of_bytes(bytes, size);
            task.frontier = &frontier;
            task.crowded = frontier.count() * kCrowd > size;
        }
        with_csr(indptr, indices, [&](const auto& M) {
            const bool known = with_semiring(
                name, operands, [&](const auto& s) { outcome = pull_rows(s, M, task); });
            if (!known) throw std::invalid_argument("kernel: no such product");
        });
    }
    interrupt.check();
    return {outcome.present, outcome.touched};
}

bool has_product(const std::string& monoid, const std::string& multiply, int in_type,
                 int out_type) {
    return with_semiring({monoid, multiply, Type{in_type}, Type{out_type}}, {}, [](const auto&) {});
}

}  // namespace
}  // namespace spbfs::pull

void bind_pull(nanobind::module_& m) {
    namespace nb = nanobind;
    using namespace nanobind::literals;
    m.def("pull", &spbfs::pull::launch, "indptr"_a, "indices"_a, "filled"_a, "matrix_values"_a,
          "size"_a, "frontier_list"_a.none(), "frontier_bytes"_a.none(), "vector_values"_a,
          "monoid"_a, "multiply"_a, "in_type"_a, "out_type"_a, "mask"_a.none(), "complement"_a,
          "rows"_a.none(), "hubs"_a.none(), "present"_a, "values"_a.none(), "threads"_a,
          "w<m> = M u by rows; fills present and values, returns how many are present and how many "
          "entries of M were probed.");
    nb::list types;
    for (const char* name : spbfs::kTypeNames) types.append(name);
    m.attr("TYPES") = nb::tuple(types);
    m.def("has_product", &spbfs::pull::has_product, "monoid"_a, "multiply"_a, "in_type"_a,
          "out_type"_a, "Whether the product kernels know this semiring.");
}
