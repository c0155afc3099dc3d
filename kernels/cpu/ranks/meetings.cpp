// The Python face of meetings.
#include "cpu/ranks/meetings.h"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <new>
#include <stdexcept>

#include "cpu/python/interpreter.h"

namespace nb = nanobind;

namespace spbfs {
namespace {

using Lines = nb::ndarray<std::int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Numbers = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// Keeps nothing alive: its owner does.
void make(Meetings* made, Lines lines, std::int64_t rank) {
    const auto ranks = static_cast<std::int64_t>(lines.shape(0));
    if (lines.shape(1) != Meetings::kLine || rank < 0 || rank >= ranks)
        throw std::invalid_argument("meetings: a line of sixteen numbers for each rank");
    new (made) Meetings(lines.data(), ranks, rank);
}

void tell(Meetings& meetings, Numbers numbers, std::int64_t key) {
    const auto count = static_cast<std::int64_t>(numbers.shape(0));
    if (count > Meetings::kMost) throw std::invalid_argument("meetings: six numbers at most");
    meetings.tell(numbers.data(), count, key);
}

bool wait(const Meetings& meetings, std::int64_t milliseconds) {
    Unlocked unlocked;
    return meetings.wait(milliseconds);
}

}  // namespace
}  // namespace spbfs

void bind_meetings(nb::module_& m) {
    using spbfs::Meetings;
    nb::class_<Meetings>(m, "Meetings")
        .def("__init__", &spbfs::make, nb::arg("lines").noconvert(), nb::arg("rank"))
        .def_ro_static("MOST", &Meetings::kMost)
        .def_prop_ro("number", &Meetings::number)
        .def("tell", &spbfs::tell, nb::arg("numbers").noconvert(), nb::arg("key") = 0)
        .def("alike", &Meetings::alike)
        .def_prop_ro("place", &Meetings::place)
        .def("here", &Meetings::here)
        .def("wait", &spbfs::wait, nb::arg("milliseconds"));
}
