// The elements that a bitmap has one after another, and back to their places: what a function is
// evaluated on, since anything may lie in an element that is absent.
#include "cpu/operators/pairs.h"
#include "cpu/python/bindings.h"
#include "cpu/python/interpreter.h"

namespace spbfs {
namespace {

// Every element is written where the next one that is there belongs, and what was absent is
// overwritten by it: half of the elements is no pattern that a predictor could learn.
void compress(Input values, Input present, Output entries) {
    const std::int64_t n = length(present), room = length(entries);
    const auto* flags = data<std::uint8_t>(present, n);
    if (values.itemsize() != entries.itemsize())
        throw std::invalid_argument("kernel: entries are of another type");
    with_size(static_cast<int>(values.itemsize()), [&]<class T>(T) {
        const T* from = data<T>(values, n);
        T* to = writable<T>(entries, room);
        Unlocked unlocked;
        std::int64_t at = 0;
        for (std::int64_t i = 0; i < n && at < room; ++i) {
            to[at] = from[i];
            at += flags[i] != 0;
        }
    });
}

// An absent element becomes the entry behind it, or the last one.
void expand(Input entries, Input present, Output values) {
    const std::int64_t n = length(present), last = length(entries) - 1;
    const auto* flags = data<std::uint8_t>(present, n);
    if (values.itemsize() != entries.itemsize() || last < 0)
        throw std::invalid_argument("kernel: entries are of another type, or there are none");
    with_size(static_cast<int>(values.itemsize()), [&]<class T>(T) {
        const T* from = data<T>(entries, last + 1);
        T* to = writable<T>(values, n);
        Unlocked unlocked;
        std::int64_t at = 0;
        for (std::int64_t i = 0; i < n; ++i) {
            to[i] = from[at < last ? at : last];
            at += flags[i] != 0;
        }
    });
}

}  // namespace
}  // namespace spbfs

void bind_compress(nanobind::module_& m) {
    using namespace nanobind::literals;
    m.def("compress", &spbfs::compress, "values"_a, "present"_a, "entries"_a,
          "The values that are present, as many as `entries` has room for.");
    m.def("expand", &spbfs::expand, "entries"_a, "present"_a, "values"_a,
          "Entries at the places that are present; absent elements become any of them.");
}
