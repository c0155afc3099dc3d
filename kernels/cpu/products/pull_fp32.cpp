// Pulls over FP32: pull_arithmetic.h.
#include "cpu/products/pull_arithmetic.h"

namespace spbfs::pull {

SPBFS_PULL_OVER(, float);

}  // namespace spbfs::pull
