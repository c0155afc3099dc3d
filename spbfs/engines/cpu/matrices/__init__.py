"""Matrices on the CPU: made of entries, combined, cut, written over."""
