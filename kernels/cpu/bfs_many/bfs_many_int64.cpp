// bfs_many() for graphs with more vertices than 32 bits count.
#include "cpu/bfs_many/bfs_many_launch.h"

template void spbfs::many::bind_searches<std::int64_t, std::int64_t>(nanobind::module_&);
