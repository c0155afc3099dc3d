// The Python face of the CPU kernels: every launcher is registered here, one line a kernel.
#include <nanobind/nanobind.h>

namespace nb = nanobind;

NB_MODULE(_cpu, m) { m.doc() = "spbfs CPU kernels"; }
