// Masked matrix products over operators that are programs.
#include "cpu/products/mxm_program.h"

#include "cpu/products/mxm_arrays.h"

namespace spbfs {
namespace {

template <class S, class I>
Run<S, I> run_of_programs(Method method) {
    using V = typename S::Value;
    if (method == Method::Dense) return multiply<ProgramRows<S, I, DenseAccumulator<V, I>>>;
    return multiply<ProgramRows<S, I, HashAccumulator<V, I>>>;
}

nb::tuple mxm_program(Input a_indptr, Input a_indices, Input a_values, Input b_indptr,
                      Input b_indices, Input b_values, std::int64_t columns, std::int64_t inner,
                      const Program& multiply, const Program* add, const std::string& monoid,
                      Maybe<Input> mask_indptr, Maybe<Input> mask_indices, bool complement,
                      const std::string& method, int threads) {
    const int size = multiply.out_size();
    if (static_cast<int>(a_values.itemsize()) != multiply.in_size() ||
        static_cast<int>(b_values.itemsize()) != multiply.in_size() ||
        (add != nullptr && (add->in_size() != size || add->out_size() != size)))
        throw std::invalid_argument("kernel: a product of programs that do not fit");
    Result result;
    Interrupt interrupt;
    auto run = [&]<class I, class V>(I, V) {
        using S = ProgramSemiring<V>;
        const S s{&multiply,
                  add,
                  segment_function(monoid, multiply.out()),
                  {a_values.data(), stride(a_values), b_values.data(), stride(b_values)}};
        const auto task = task_of<I>(a_indptr, a_indices, b_indptr, b_indices, mask_indptr,
                                     mask_indices, complement, columns, inner, b_values);
        Unlocked unlocked;
        product(run_of_programs<S, I>(method_of(method)), s, task, false, sizeof(V), threads,
                result, interrupt);
    };
    with_size(size, [&](auto v) {
        a_indices.itemsize() == 4 ? run(std::int32_t{}, v) : run(std::int64_t{}, v);
    });
    interrupt.check();
    return arrays_of(result, length(a_indptr), static_cast<std::size_t>(size),
                     a_indices.itemsize());
}

}  // namespace
}  // namespace spbfs

void bind_mxm_program(nanobind::module_& m) {
    using namespace nanobind::literals;
    m.def("mxm_program", &spbfs::mxm_program, "a_indptr"_a, "a_indices"_a, "a_values"_a,
          "b_indptr"_a, "b_indices"_a, "b_values"_a, "columns"_a, "inner"_a, "multiply"_a,
          "add"_a.none(), "monoid"_a, "mask_indptr"_a.none(), "mask_indices"_a.none(),
          "complement"_a, "method"_a, "threads"_a, "As mxm, with programs for its operators.");
}
