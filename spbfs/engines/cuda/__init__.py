"""The engine of NVIDIA GPUs: CuPy, and our own kernels for whatever follows edges."""
