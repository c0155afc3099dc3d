"""Benchmarks of the CPU engine, a file each, their graphs and the packages compared with."""
