"""Vectors on a GPU written into: in place, accumulated, under masks."""
