"""Nodes dealt into sets: sides, colours, communities, an independent set."""
