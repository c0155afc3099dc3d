"""The fused breadth-first search on a GPU."""
