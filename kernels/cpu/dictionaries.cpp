// dictionaries(): one of Python's a row, from objects that entries name by their numbers.
//
// Nothing is made but the dictionaries, which are filled in the order of the entries.  Keys may be
// objects of people's own: their methods run, and what these raise is raised.  The caller
// guarantees offsets that rise, and numbers below the lengths of the lists.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <vector>

namespace nb = nanobind;

namespace spbfs {
namespace {

template <class T>
using Array = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// Entries between two looks for Ctrl-C.
constexpr std::int64_t kStrip = 1 << 18;

// What a list holds, whatever keys' methods do
// to it.
std::vector<nb::object> held(const nb::list& list) {
    std::vector<nb::object> objects;
    objects.reserve(nb::len(list));
    for (nb::handle object : list) objects.push_back(nb::borrow(object));
    return objects;
}

template <class Offset, class Index>
nb::list dictionaries(Array<const Offset> indptr, Array<const Index> heads, const nb::list& names,
                      Array<const Index> edges, const nb::list& data) {
    const std::vector<nb::object> keys = held(names), values = held(data);
    const auto n = static_cast<std::int64_t>(indptr.shape(0)) - 1;
    nb::list made;
    std::int64_t since_look = 0;
    for (std::int64_t u = 0; u < n; ++u) {
        nb::dict row;
        const Offset begin = indptr.data()[u], end = indptr.data()[u + 1];
        for (Offset k = begin; k < end; ++k)
            if (PyDict_SetItem(row.ptr(), keys[heads.data()[k]].ptr(),
                               values[edges.data()[k]].ptr()) != 0)
                throw nb::python_error();
        made.append(std::move(row));
        if ((since_look += end - begin) >= kStrip) {
            since_look = 0;
            if (PyErr_CheckSignals() != 0) throw nb::python_error();
        }
    }
    return made;
}

template <class Offset, class Index>
void bind_as(nb::module_& m) {
    m.def("dictionaries", &dictionaries<Offset, Index>, nb::arg("indptr").noconvert(),
          nb::arg("heads").noconvert(), nb::arg("names"), nb::arg("edges").noconvert(),
          nb::arg("data"));
}

}  // namespace
}  // namespace spbfs

void bind_dictionaries(nb::module_& m) {
    using std::int32_t, std::int64_t;
    spbfs::bind_as<int32_t, int32_t>(m);
    spbfs::bind_as<int64_t, int64_t>(m);
}
