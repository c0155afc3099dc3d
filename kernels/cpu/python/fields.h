// Structs of numbers that the planner fills: read by name from its dataclasses, so that neither
// side depends on the order of the other's fields.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <stdexcept>

namespace spbfs {

// The fields of a dataclass, all of which its reader must know.
class Fields {
  public:
    Fields(nanobind::handle object, std::size_t count) : object_(object) {
        const nanobind::object fields = object.attr("__dataclass_fields__");
        if (nanobind::len(nanobind::handle(fields)) != count)
            throw std::invalid_argument("kernel: the planner has other fields than the kernel");
    }

    template <class T>
    T get(const char* name) const {
        return nanobind::cast<T>(object_.attr(name));
    }

  private:
    nanobind::handle object_;
};

}  // namespace spbfs
