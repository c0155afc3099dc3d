"""What every room may use: paths of kernels, memory, threads, the trace."""
