// Entries of a matrix written as text: the inverse of parse.cpp, exact for every finite value.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <charconv>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "cpu/python/interpreter.h"

namespace nb = nanobind;

namespace {

// The longest number, as text: a double takes 24 characters, an int64 20, and ".0" may follow.
constexpr size_t kWidest = 32;

template <class T>
char* put(char* out, T value) {
    char* const end = std::to_chars(out, out + kWidest, value).ptr;
    if constexpr (std::is_floating_point_v<T>) {
        // "5" would come back as an integer; infinity has an 'n' and needs nothing.
        for (const char* c = out; c < end; ++c)
            if (*c == '.' || *c == 'e' || *c == 'n') return end;
        std::memcpy(end, ".0", 2);
        return end + 2;
    }
    return end;
}

// One line an entry: [keyword blank] row separator column [separator value].
template <class T>
char* format_lines(char* out, const int64_t* rows, const int64_t* cols, const T* values, int64_t n,
                   char separator, char keyword, int64_t base) {
    for (int64_t i = 0; i < n; ++i) {
        if (keyword) *out++ = keyword, *out++ = ' ';
        out = put(out, rows[i] + base);
        *out++ = separator;
        out = put(out, cols[i] + base);
        if (values) *out++ = separator, out = put(out, values[i]);
        *out++ = '\n';
    }
    return out;
}

// One line a row, METIS: neighbours counted from 1, each followed by its weight if there are any.
// A row may be cut between two calls: the last one gets its newline only when it is `closed`.
char* format_adjacency(char* out, const int64_t* indptr, int64_t nrows, const int64_t* cols,
                       const int64_t* values, bool closed) {
    for (int64_t r = 0; r < nrows; ++r) {
        for (int64_t e = indptr[r]; e < indptr[r + 1]; ++e) {
            out = put(out, cols[e] + 1);
            if (values) *out++ = ' ', out = put(out, values[e]);
            *out++ = ' ';
        }
        if (r + 1 < nrows || closed) *out++ = '\n';
    }
    return out;
}

template <class T>
using Array = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class Fill>
nb::bytes text_of(size_t room, Fill fill) {
    size_t used = 0;
    std::unique_ptr<char[]> text;
    {
        spbfs::Unlocked unlocked;
        text.reset(new char[room + 1]);
        used = static_cast<size_t>(fill(text.get()) - text.get());
    }
    return nb::bytes(text.get(), used);
}

template <class T>
nb::bytes bind_lines(Array<int64_t> rows, Array<int64_t> cols, std::optional<Array<T>> values,
                     const std::string& separator, const std::string& keyword, int64_t base) {
    const size_t n = rows.shape(0);
    if (cols.shape(0) != n || (values && values->shape(0) != n))
        throw std::invalid_argument("rows, cols and values differ in length");
    const char letter = keyword.empty() ? '\0' : keyword[0];
    const char sep = separator.empty() ? ' ' : separator[0];
    return text_of(n * 3 * kWidest, [&](char* out) {
        return format_lines<T>(out, rows.data(), cols.data(), values ? values->data() : nullptr,
                               static_cast<int64_t>(n), sep, letter, base);
    });
}

nb::bytes bind_adjacency(Array<int64_t> indptr, Array<int64_t> cols,
                         std::optional<Array<int64_t>> values, bool closed) {
    const size_t n = cols.shape(0), lines = indptr.shape(0);
    if (lines == 0 || (values && values->shape(0) != n))
        throw std::invalid_argument("indptr is empty, or cols and values differ in length");
    int64_t last = 0;
    for (size_t r = 0; r < lines; ++r) {
        if (indptr.data()[r] < last) throw std::invalid_argument("indptr decreases");
        last = indptr.data()[r];
    }
    if (indptr.data()[0] != 0 || static_cast<size_t>(last) != n)
        throw std::invalid_argument("indptr does not cover cols");
    return text_of((2 * n + lines) * kWidest, [&](char* out) {
        return format_adjacency(out, indptr.data(), static_cast<int64_t>(lines) - 1, cols.data(),
                                values ? values->data() : nullptr, closed);
    });
}

}  // namespace

void bind_format(nb::module_& m) {
    const auto lines = [&m](auto function) {
        m.def("format_lines", function, nb::arg("rows").noconvert(), nb::arg("cols").noconvert(),
              nb::arg("values").noconvert().none(), nb::arg("separator"), nb::arg("keyword"),
              nb::arg("base"));
    };
    lines(&bind_lines<int64_t>);
    lines(&bind_lines<double>);
    m.def("format_adjacency", &bind_adjacency, nb::arg("indptr").noconvert(),
          nb::arg("cols").noconvert(), nb::arg("values").noconvert().none(), nb::arg("closed"));
}
