"""Stands in for what comes with CuPy."""
