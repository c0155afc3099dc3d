// The direction that a search is asked to take, by the name that Python gives it.
#pragma once

#include <stdexcept>
#include <string_view>

namespace spbfs {

enum class Direction { kAuto, kPush, kPull };

inline Direction direction_of(std::string_view name) {
    if (name == "auto") return Direction::kAuto;
    if (name == "push") return Direction::kPush;
    if (name == "pull") return Direction::kPull;
    throw std::invalid_argument("kernel: no such direction");
}

}  // namespace spbfs
