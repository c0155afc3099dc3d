"""Delayed scalars, and their arithmetic, which is that of vectors of one element."""
