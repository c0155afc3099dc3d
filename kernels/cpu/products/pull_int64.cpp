// Pulls over INT64: pull_arithmetic.h.
#include "cpu/products/pull_arithmetic.h"

namespace spbfs::pull {

SPBFS_PULL_OVER(, std::int64_t);

}  // namespace spbfs::pull
