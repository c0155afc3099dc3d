"""Operators, values and products as the kernels are told them: as CUDA C++."""
