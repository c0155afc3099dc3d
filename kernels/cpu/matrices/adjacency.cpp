// adjacency(): a graph's rows as dictionaries of Python's, from objects that edges name by their
// numbers.
//
// Edges are added in their order, each to the row of u and, without directions or in rows of its
// own, to that of v; both have one dictionary of the edge, that which is given or a new one.  So
// nothing need be put in order before, and a dictionary of an edge is in the cache for both.
//
// Keys may be objects of people's own: their methods run, and what these raise is raised.  The
// caller guarantees as many u as v, all below the length of `names`, and each edge once.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <vector>

namespace nb = nanobind;

namespace spbfs {
namespace {

template <class T>
using Array = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// Edges between two looks for Ctrl-C.
constexpr std::int64_t kStrip = 1 << 18;

using Objects = std::vector<nb::object>;

// What a list holds, whatever keys' methods do to it.
Objects held(const nb::list& list) {
    Objects objects;
    objects.reserve(nb::len(list));
    for (nb::handle object : list) objects.push_back(nb::borrow(object));
    return objects;
}

Objects empty_rows(std::size_t count) {
    Objects rows(count);
    for (nb::object& row : rows) row = nb::dict();
    return rows;
}

nb::list listed(const Objects& objects) {
    nb::list list;
    for (const nb::object& object : objects) list.append(object);
    return list;
}

void put(nb::handle row, nb::handle key, nb::handle value) {
    if (PyDict_SetItem(row.ptr(), key.ptr(), value.ptr()) != 0) throw nb::python_error();
}

// Rows along the edges and, with directions, against them; edges behind the last of `data` have
// empty dictionaries.
template <class Index>
nb::tuple adjacency(const nb::list& names, Array<const Index> u, Array<const Index> v,
                    const nb::list& data, bool directed) {
    const Objects keys = held(names);
    const Objects along = empty_rows(keys.size()), against = empty_rows(directed ? keys.size() : 0);
    const auto edges = static_cast<std::int64_t>(u.shape(0));
    const auto given = static_cast<std::int64_t>(nb::len(data));
    for (std::int64_t k = 0; k < edges; ++k) {
        const Index tail = u.data()[k], head = v.data()[k];
        // Looked up with its bounds: see above.
        const nb::object edge = k < given ? nb::object(data[k]) : nb::object(nb::dict());
        put(along[tail], keys[head], edge);
        if (directed)
            put(against[head], keys[tail], edge);
        else if (tail != head)
            put(along[head], keys[tail], edge);
        if (k % kStrip == kStrip - 1 && PyErr_CheckSignals() != 0) throw nb::python_error();
    }
    return nb::make_tuple(listed(along), listed(against));
}

template <class Index>
void bind_as(nb::module_& m) {
    m.def("adjacency", &adjacency<Index>, nb::arg("names"), nb::arg("u").noconvert(),
          nb::arg("v").noconvert(), nb::arg("data"), nb::arg("directed"));
}

}  // namespace
}  // namespace spbfs

void bind_adjacency(nb::module_& m) {
    spbfs::bind_as<std::int32_t>(m);
    spbfs::bind_as<std::int64_t>(m);
}
