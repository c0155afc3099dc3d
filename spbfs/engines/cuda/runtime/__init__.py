"""Compiling, launching, memory and counters of a GPU."""
