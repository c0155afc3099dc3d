// Pulls over FP64: pull_arithmetic.h.
#include "cpu/products/pull_arithmetic.h"

namespace spbfs::pull {

SPBFS_PULL_OVER(, double);

}  // namespace spbfs::pull
