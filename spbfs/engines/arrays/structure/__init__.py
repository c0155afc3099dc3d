"""Entries in other places: built, moved, multiplied out, and the same for hypersparse ones."""
