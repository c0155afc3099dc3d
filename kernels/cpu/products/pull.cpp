// Pull: w<m> = M u by rows.  Every row that the mask admits scans its entries for members of the
// frontier and stops where the monoid cannot change any more, at the first hit for `any`.
//
// Rows are independent, so no atomics.  The mask's bytes are read eight at a time: late in a
// traversal most rows are visited and this scan of the mask is most of the work.
#include <nanobind/stl/pair.h>

#include "cpu/products/pull_arithmetic.h"
#include "cpu/products/pull_launch.h"

namespace spbfs::pull {
namespace {

// Whether one of a row's products is true; false where no loop is compiled for them.
template <class F>
bool pull_logical(const ProductName& name, const Operands& o, F&& pull) {
    using T = LorMonoid::Value;
    if (name.monoid != "lor" || name.in != Type::Bool || name.out != Type::Bool) return false;
    const bool is_true = o.x_stride == 0 && element<T>(o.x, 0) != 0;
    if (name.multiply == "second" || (name.multiply == "land" && is_true))
        return detail::call<Semiring<LorMonoid, MultiplySecond<T>>>(o, pull);
    if (name.multiply == "land")
        return detail::call<Semiring<LorMonoid, MultiplyBoth<T, Land>>>(o, pull);
    if (name.multiply == "first")
        return detail::call<Semiring<LorMonoid, MultiplyFirst<T>>>(o, pull);
    return false;
}

// With the best loop there is; false where the product is not built in.
template <class O, class I>
bool pull_product(const ProductName& name, const Operands& operands, const Csr<O, I>& M,
                  const Task& task, Outcome& outcome) {
    const auto pull = [&](const auto& s) { outcome = pull_rows(s, M, task); };
    if (name.monoid == "any" && name.multiply == "pair")
        return detail::call<Semiring<AnyMonoid<bool>, MultiplyOne<bool>, true>>(operands, pull);
    if (name.monoid == "any") {
        if (detail::specialised_any<Specialise::Many>(name, operands, pull)) return true;
    } else if (pull_logical(name, operands, pull) ||
               pull_arithmetic(name, operands, M, task, outcome)) {
        return true;
    }
    InterpretedSemiring interpreted;
    if (!interpret(name, operands, interpreted)) return false;
    pull(interpreted);
    return true;
}

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
    const ProductName name{monoid, multiply, Type{in_type}, Type{out_type}};
    const Operands operands{matrix_values.data(), stride(matrix_values), vector_values.data(),
                            stride(vector_values)};
    const Arguments given{indptr, indices,    filled, size,    frontier_list, frontier_bytes,
                          mask,   complement, rows,   present, values,        size_of(name.out),
                          threads};
    return with_task(given, hubs, [&](const auto& M, const Task& task) {
        Outcome outcome{};
        if (!pull_product(name, operands, M, task, outcome))
            throw std::invalid_argument("kernel: no such product");
        return outcome;
    });
}

bool has_product(const std::string& monoid, const std::string& multiply, int in_type,
                 int out_type) {
    return with_semiring({monoid, multiply, Type{in_type}, Type{out_type}}, {}, [](const auto&) {});
}

// Whether a pull has a loop over a row that is compiled for the product.
bool is_compiled(const std::string& monoid, const std::string& multiply, int in_type,
                 int out_type) {
    return detail::specialised<Specialise::Most>({monoid, multiply, Type{in_type}, Type{out_type}},
                                                 {}, [](const auto&) {});
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
    m.def("is_compiled", &spbfs::pull::is_compiled, "monoid"_a, "multiply"_a, "in_type"_a,
          "out_type"_a, "Whether pull has a loop of its own for it.");
}
