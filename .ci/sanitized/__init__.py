"""Cases that launch every CUDA kernel once, small enough for tools a hundred times slower."""
