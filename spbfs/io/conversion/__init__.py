"""Lists of edges larger than memory, sorted on the disk into a CSR folder."""
