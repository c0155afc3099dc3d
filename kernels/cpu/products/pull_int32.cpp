// Pulls over INT32: pull_arithmetic.h.
#include "cpu/products/pull_arithmetic.h"

namespace spbfs::pull {

SPBFS_PULL_OVER(, std::int32_t);

}  // namespace spbfs::pull
