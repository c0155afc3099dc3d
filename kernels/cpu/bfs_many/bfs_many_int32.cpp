// bfs_many() for graphs of fewer than 2^31 vertices and entries.
#include "cpu/bfs_many/bfs_many_launch.h"

template void spbfs::many::bind_searches<std::int32_t, std::int32_t>(nanobind::module_&);
