// Masked sparse matrix-matrix product: launched, and its work counted beforehand.
#include <memory>
#include <utility>

#include "cpu/operators/product.h"
#include "cpu/products/mxm_arrays.h"
#include "cpu/products/mxm_dots.h"
#include "cpu/products/mxm_product.h"
#include "cpu/products/mxm_rows.h"
#include "cpu/threads/interrupt.h"

namespace spbfs {
namespace {

nb::tuple mxm(Input a_indptr, Input a_indices, Input a_values, Input b_indptr, Input b_indices,
              Input b_values, std::int64_t columns, std::int64_t inner, const std::string& monoid,
              const std::string& multiply_name, int in_type, int out_type, Maybe<Input> mask_indptr,
              Maybe<Input> mask_indices, bool complement, const std::string& method,
              bool count_only, int threads) {
    const ProductName name{monoid, multiply_name, Type{in_type}, Type{out_type}};
    const Operands operands{a_values.data(), stride(a_values), b_values.data(), stride(b_values)};
    const auto value_size = static_cast<std::size_t>(size_of(name.out));
    const std::size_t index_size = a_indices.itemsize();
    Result result;
    Interrupt interrupt;
    auto run = [&]<class I>(I) {
        const auto task = task_of<I>(a_indptr, a_indices, b_indptr, b_indices, mask_indptr,
                                     mask_indices, complement, columns, inner, b_values);
        Unlocked unlocked;
        const bool known = with_semiring<Specialise::Few>(name, operands, [&]<class S>(const S& s) {
            product(run_of<S, I>(method_of(method)), s, task, count_only, value_size, threads,
                    result, interrupt);
        });
        if (!known) throw std::invalid_argument("kernel: no such product");
    };
    index_size == 4 ? run(std::int32_t{}) : run(std::int64_t{});
    interrupt.check();

    return arrays_of(result, length(a_indptr), value_size, index_size);
}

// Products of A B; no more are counted from `enough` on.
std::int64_t mxm_products(Input a_indptr, Input a_indices, Input b_indptr, std::int64_t enough) {
    auto count = [&]<class I>(I) {
        const auto A = matrix<I>(a_indptr, a_indices);
        const auto* b = data<std::int64_t>(b_indptr, 1);
        Unlocked unlocked;
        std::int64_t products = 0;
        for (std::int64_t i = 0; i < A.rows && products < enough; ++i)
            for (I k : row_of(A, i)) products += b[k + 1] - b[k];
        return products;
    };
    return a_indices.itemsize() == 4 ? count(std::int32_t{}) : count(std::int64_t{});
}

// Entries that dots over a mask look up at most.
std::int64_t mxm_lookups(Input a_indptr, Input bt_indptr, Input mask_indptr, Input mask_indices) {
    auto count = [&]<class I>(I) {
        const auto* a = data<std::int64_t>(a_indptr, 1);
        const auto* bt = data<std::int64_t>(bt_indptr, 1);
        const auto mask = matrix<I>(mask_indptr, mask_indices);
        Unlocked unlocked;
        std::int64_t lookups = 0;
        for (std::int64_t i = 0; i < mask.rows; ++i)
            if (a[i] != a[i + 1])
                for (I j : row_of(mask, i))
                    lookups += lookups_of(a[i + 1] - a[i], bt[j + 1] - bt[j]);
        return lookups;
    };
    return mask_indices.itemsize() == 4 ? count(std::int32_t{}) : count(std::int64_t{});
}

}  // namespace
}  // namespace spbfs

void bind_mxm(nanobind::module_& m) {
    using namespace nanobind::literals;
    m.def("mxm", &spbfs::mxm, "a_indptr"_a, "a_indices"_a, "a_values"_a, "b_indptr"_a,
          "b_indices"_a, "b_values"_a, "columns"_a, "inner"_a, "monoid"_a, "multiply"_a,
          "in_type"_a, "out_type"_a, "mask_indptr"_a.none(), "mask_indices"_a.none(),
          "complement"_a, "method"_a, "count_only"_a, "threads"_a,
          "C<M> = A B as (indptr, bytes of indices, bytes of values).");
    m.def("mxm_products", &spbfs::mxm_products, "a_indptr"_a, "a_indices"_a, "b_indptr"_a,
          "enough"_a);
    m.def("mxm_lookups", &spbfs::mxm_lookups, "a_indptr"_a, "bt_indptr"_a, "mask_indptr"_a,
          "mask_indices"_a);
}
