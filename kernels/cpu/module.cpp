// The Python face of the CPU kernels: every launcher is registered here, one line a kernel.
#include <nanobind/nanobind.h>

namespace nb = nanobind;

void bind_bfs(nb::module_&);
void bind_convert(nb::module_&);
void bind_mxm(nb::module_&);
void bind_pull(nb::module_&);
void bind_push(nb::module_&);
void bind_transpose(nb::module_&);

NB_MODULE(_cpu, m) {
    m.doc() = "spbfs CPU kernels";
    bind_bfs(m);
    bind_convert(m);
    bind_mxm(m);
    bind_pull(m);
    bind_push(m);
    bind_transpose(m);
}
