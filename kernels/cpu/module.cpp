// The Python face of the CPU kernels: every launcher is registered here, one line a kernel.
#include <nanobind/nanobind.h>

namespace nb = nanobind;

void bind_betweenness(nb::module_& m);
void bind_bfs(nb::module_& m);
void bind_bfs_many(nb::module_& m);
void bind_bfs_many_bytes(nb::module_& m);
void bind_bfs_listed(nb::module_& m);
void bind_bfs_parts(nb::module_& m);
void bind_convert(nb::module_& m);
void bind_coo(nb::module_& m);
void bind_extract(nb::module_& m);
void bind_bfs_as_given(nb::module_& m);
void bind_bfs_resumed(nb::module_& m);
void bind_evaluate(nb::module_& m);
void bind_ewise(nb::module_& m);
void bind_ewise_dense(nb::module_& m);
void bind_format(nb::module_& m);
void bind_hubs(nb::module_& m);
void bind_kronecker(nb::module_& m);
void bind_mapped(nb::module_& m);
void bind_mxm(nb::module_& m);
void bind_mxm_program(nb::module_& m);
void bind_packed(nb::module_& m);
void bind_parse(nb::module_& m);
void bind_parse_adjacency(nb::module_& m);
void bind_program(nb::module_& m);
void bind_pull(nb::module_& m);
void bind_pull_program(nb::module_& m);
void bind_push(nb::module_& m);
void bind_relabel(nb::module_& m);
void bind_scaled(nb::module_& m);
void bind_threads(nb::module_& m);
void bind_transpose(nb::module_& m);

NB_MODULE(_cpu, m) {
    m.doc() = "spbfs CPU kernels";
    // A daemon thread that sleeps in a kernel when the interpreter exits keeps what it was called
    // with, of which people need not hear.
    nb::set_leak_warnings(false);
    bind_betweenness(m);
    bind_bfs(m);
    bind_bfs_many(m);
    bind_bfs_many_bytes(m);
    bind_bfs_listed(m);
    bind_bfs_parts(m);
    bind_convert(m);
    bind_coo(m);
    bind_extract(m);
    bind_bfs_as_given(m);
    bind_bfs_resumed(m);
    bind_evaluate(m);
    bind_ewise(m);
    bind_ewise_dense(m);
    bind_format(m);
    bind_hubs(m);
    bind_kronecker(m);
    bind_mapped(m);
    bind_mxm(m);
    bind_mxm_program(m);
    bind_packed(m);
    bind_parse(m);
    bind_parse_adjacency(m);
    bind_program(m);
    bind_pull(m);
    bind_pull_program(m);
    bind_push(m);
    bind_relabel(m);
    bind_scaled(m);
    bind_threads(m);
    bind_transpose(m);
}
