// Push: w<m> = u' M by the rows of M that the frontier lists.  Every entry of such a row sends its
// product to one element of w, if the mask admits that element.
//
// Two ways to meet there, the same result.  `push` adds into a dense w (push_dense.h): right when
// the frontier has edges enough to touch a good part of it.  `push_list` collects pairs and sorts
// them (push_sorted.h): its work depends on the edges alone, which is what thousands of small
// levels need.  The planner says which, and the rest: see spbfs.planner.products.
#include <type_traits>

#include "cpu/operators/product.h"
#include "cpu/products/push_dense.h"
#include "cpu/products/push_sorted.h"
#include "cpu/python/bindings.h"
#include "cpu/threads/interrupt.h"

namespace spbfs::push {
namespace {

// Everything that both launchers are given; f(s, M, task) runs the kernel.
template <class F>
std::int64_t with_task(const Input& indptr, const Input& indices, const Input& matrix_values,
                       const Input& frontier, const Input& vector_values, const ProductName& name,
                       const Maybe<Input>& mask, bool complement, std::int64_t columns, int threads,
                       F&& f) {
    const std::int64_t count = length(frontier);
    const Operands operands{matrix_values.data(), stride(matrix_values), vector_values.data(),
                            stride(vector_values)};
    Interrupt interrupt;
    const Task task{data<std::int64_t>(frontier, count),
                    count,
                    data<std::uint8_t>(mask, columns),
                    complement,
                    threads,
                    &interrupt};
    std::int64_t found = 0;
    {
        Unlocked unlocked;
        with_csr(indptr, indices, [&](const auto& M) {
            const bool known =
                with_semiring(name, operands, [&](const auto& s) { found = f(s, M, task); });
            if (!known) throw std::invalid_argument("kernel: no such product");
        });
    }
    interrupt.check();
    return found;
}

void* values_of(const Maybe<Output>& values, std::int64_t least, const ProductName& name) {
    if (values) {
        check_dense(*values, least, static_cast<std::size_t>(size_of(name.out)));
        return values->data();
    }
    if (name.monoid == "any" && name.multiply == "pair") return nullptr;
    throw std::invalid_argument("kernel: this product has values to store");
}

std::int64_t launch(Input indptr, Input indices, Input matrix_values, Input frontier,
                    Input vector_values, const std::string& monoid, const std::string& multiply,
                    int in_type, int out_type, Maybe<Input> mask, bool complement, Output present,
                    Maybe<Output> values, bool sweep, std::int64_t blocks, int threads) {
    const ProductName name{monoid, multiply, Type{in_type}, Type{out_type}};
    const std::int64_t columns = length(present);
    auto* bytes = writable<std::uint8_t>(present, columns);
    void* out = values_of(values, columns, name);
    return with_task(indptr, indices, matrix_values, frontier, vector_values, name, mask,
                     complement, columns, threads, [&](const auto& s, const auto& M, Task task) {
                         using S = std::remove_cvref_t<decltype(s)>;
                         if constexpr (S::pattern)
                             if (sweep) return push_pattern(M, task, bytes, columns);
                         if constexpr (S::any)
                             if (task.threads > 1) return push_claim(s, M, task, bytes, out);
                         return push_blocks(s, M, task, blocks, bytes, out, columns);
                     });
}

std::int64_t launch_list(Input indptr, Input indices, Input matrix_values, Input frontier,
                         Input vector_values, const std::string& monoid,
                         const std::string& multiply, int in_type, int out_type,
                         std::int64_t columns, Maybe<Input> mask, bool complement,
                         Output out_indices, Maybe<Output> values) {
    const ProductName name{monoid, multiply, Type{in_type}, Type{out_type}};
    const std::int64_t room = length(out_indices);
    auto* list = writable<std::int64_t>(out_indices, room);
    void* out = values_of(values, room, name);
    return with_task(indptr, indices, matrix_values, frontier, vector_values, name, mask,
                     complement, columns, 1, [&](const auto& s, const auto& M, Task task) {
                         return push_sorted(s, M, task, list, out, room);
                     });
}

}  // namespace
}  // namespace spbfs::push

void bind_push(nanobind::module_& m) {
    using namespace nanobind::literals;
    m.def("push", &spbfs::push::launch, "indptr"_a, "indices"_a, "matrix_values"_a, "frontier"_a,
          "vector_values"_a, "monoid"_a, "multiply"_a, "in_type"_a, "out_type"_a, "mask"_a.none(),
          "complement"_a, "present"_a, "values"_a.none(), "sweep"_a, "blocks"_a, "threads"_a,
          "w<m> = u' M into zeroed `present` and `values`; returns how many are present.");
    m.def("push_list", &spbfs::push::launch_list, "indptr"_a, "indices"_a, "matrix_values"_a,
          "frontier"_a, "vector_values"_a, "monoid"_a, "multiply"_a, "in_type"_a, "out_type"_a,
          "columns"_a, "mask"_a.none(), "complement"_a, "out_indices"_a, "values"_a.none(),
          "w<m> = u' M as a sorted list; `out_indices` has room for every edge of the frontier.");
}
