"""Searches over parts of the edges, on the GPU or brought to it one by one."""
