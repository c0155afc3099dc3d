"""Distributed matrices made of what each rank has: a file, edges, SciPy's arrays."""
