// path_lists(): the way to every vertex of a search, as a list of Python's a path, each from that
// to the vertex before.
//
// every_path_list(): all shortest ways to every vertex, a list of such lists each, from those to
// the vertices before it, one after the other.
//
// Vertices are told by their places in an order in which others come behind those before them;
// whoever is before himself, or has nobody before him, is where a path begins.  Nothing runs but
// what makes lists.  The caller guarantees places in range, offsets that rise, and a name a vertex.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <utility>

namespace nb = nanobind;

namespace spbfs {
namespace {

template <class T>
using Array = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// Paths between two looks for Ctrl-C.
constexpr std::int64_t kStrip = 1 << 16;

class Looks {
  public:
    void count() {
        if (++paths_ % kStrip == 0 && PyErr_CheckSignals() != 0) throw nb::python_error();
    }

  private:
    std::int64_t paths_ = 0;
};

// The path before a vertex, if any, and the vertex.
nb::object extended(PyObject* before, PyObject* node) {
    const Py_ssize_t length = before ? PyList_Size(before) : 0;
    PyObject* const path = PyList_New(length + 1);
    if (!path) throw nb::python_error();
    for (Py_ssize_t k = 0; k <= length; ++k) {
        PyObject* const item = k < length ? PyList_GetItem(before, k) : node;
        Py_INCREF(item);
        PyList_SetItem(path, k, item);
    }
    return nb::steal(path);
}

template <class Index>
nb::list path_lists(const nb::list& names, Array<const Index> before) {
    nb::list made;
    Looks looks;
    const auto n = static_cast<std::int64_t>(before.shape(0));
    for (std::int64_t at = 0; at < n; ++at, looks.count()) {
        const auto from = static_cast<std::int64_t>(before.data()[at]);
        made.append(extended(from == at ? nullptr : PyList_GetItem(made.ptr(), from),
                             PyList_GetItem(names.ptr(), at)));
    }
    return made;
}

template <class Offset, class Index>
nb::list every_path_list(const nb::list& names, Array<const Offset> begins,
                         Array<const Index> tails) {
    nb::list made;
    Looks looks;
    const auto n = static_cast<std::int64_t>(begins.shape(0)) - 1;
    for (std::int64_t at = 0; at < n; ++at) {
        PyObject* const node = PyList_GetItem(names.ptr(), at);
        nb::list paths;
        const Offset begin = begins.data()[at], end = begins.data()[at + 1];
        if (begin == end) paths.append(extended(nullptr, node));
        for (Offset k = begin; k < end; ++k) {
            PyObject* const nearer = PyList_GetItem(made.ptr(), tails.data()[k]);
            const Py_ssize_t count = PyList_Size(nearer);
            for (Py_ssize_t i = 0; i < count; ++i, looks.count())
                paths.append(extended(PyList_GetItem(nearer, i), node));
        }
        made.append(std::move(paths));
    }
    return made;
}

}  // namespace
}  // namespace spbfs

void bind_path_lists(nb::module_& m) {
    using std::int32_t, std::int64_t;
    m.def("path_lists", &spbfs::path_lists<int32_t>, nb::arg("names"),
          nb::arg("before").noconvert());
    m.def("path_lists", &spbfs::path_lists<int64_t>, nb::arg("names"),
          nb::arg("before").noconvert());
    m.def("every_path_list", &spbfs::every_path_list<int32_t, int32_t>, nb::arg("names"),
          nb::arg("begins").noconvert(), nb::arg("tails").noconvert());
    m.def("every_path_list", &spbfs::every_path_list<int64_t, int32_t>, nb::arg("names"),
          nb::arg("begins").noconvert(), nb::arg("tails").noconvert());
    m.def("every_path_list", &spbfs::every_path_list<int64_t, int64_t>, nb::arg("names"),
          nb::arg("begins").noconvert(), nb::arg("tails").noconvert());
}
