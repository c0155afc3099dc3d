"""Vertices dealt into sets checked: independent ones, colours, communities."""
