"""Benchmarks of the CUDA engine, a file each, with the graphs, clocks and checks they share."""
