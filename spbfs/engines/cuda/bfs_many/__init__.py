"""Breadth-first searches from many sources at once on a GPU."""
