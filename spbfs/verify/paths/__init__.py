"""Paths and distances checked: from one vertex, to one, widest, and what is computed of them."""
