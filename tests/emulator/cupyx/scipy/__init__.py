"""Stands in for CuPy's functions of SciPy."""
