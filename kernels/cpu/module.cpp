// The Python face of the CPU kernels: every launcher is registered here, one line a kernel.
#include <nanobind/nanobind.h>

namespace nb = nanobind;

void bind_betweenness(nb::module_& m);
void bind_bfs(nb::module_& m);
void bind_bfs_many(nb::module_& m);
void bind_bfs_listed(nb::module_& m);
void bind_convert(nb::module_& m);
void bind_bfs_as_given(nb::module_& m);
void bind_format(nb::module_& m);
void bind_hubs(nb::module_& m);
void bind_mapped(nb::module_& m);
void bind_mxm(nb::module_& m);
void bind_packed(nb::module_& m);
void bind_parse(nb::module_& m);
void bind_parse_adjacency(nb::module_& m);
void bind_pull(nb::module_& m);
void bind_push(nb::module_& m);
void bind_relabel(nb::module_& m);
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
    bind_bfs_listed(m);
    bind_convert(m);
    bind_bfs_as_given(m);
    bind_format(m);
    bind_hubs(m);
    bind_mapped(m);
    bind_mxm(m);
    bind_packed(m);
    bind_parse(m);
    bind_parse_adjacency(m);
    bind_pull(m);
    bind_push(m);
    bind_relabel(m);
    bind_threads(m);
    bind_transpose(m);
}
