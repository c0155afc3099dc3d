// set_quota(), pretend_cores(), Reservation: how many threads kernels start, and those that Python
// starts for searches counted in.
#include <nanobind/nanobind.h>

#include <utility>

#include "cpu/threads/crew_pool.h"

namespace nb = nanobind;

namespace spbfs {
namespace {

// Threads that somebody else starts, until `release`.
class Reservation {
  public:
    explicit Reservation(int wanted) : lease_(CrewPool::current().reserve(wanted)) {}
    Reservation(const Reservation&) = delete;
    ~Reservation() { release(); }

    int helpers() const { return lease_.helpers; }
    void release() { CrewPool::give(std::exchange(lease_, {})); }

  private:
    CrewPool::Lease lease_;
};

}  // namespace
}  // namespace spbfs

void bind_threads(nb::module_& m) {
    m.def("set_quota", &spbfs::Cores::set_quota, nb::arg("cores"));
    m.def("pretend_cores", &spbfs::Cores::pretend, nb::arg("cores"));
    nb::class_<spbfs::Reservation>(m, "Reservation")
        .def(nb::init<int>(), nb::arg("wanted"))
        .def_prop_ro("helpers", &spbfs::Reservation::helpers)
        .def("release", &spbfs::Reservation::release);
}
