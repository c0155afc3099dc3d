"""Operators and types as the kernels are told them: by codes, or as programs."""
