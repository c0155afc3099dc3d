"""Kernels compiled where the package is built, ahead of their first use: no CuPy, no GPU needed."""
