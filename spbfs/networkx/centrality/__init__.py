"""Which nodes matter, by shortest paths and by powers of the adjacency matrix."""
