"""Matrices and vectors of other libraries, under python-graphblas's names."""
