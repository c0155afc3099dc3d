"""Searches over parts of the edges on the CPU."""
