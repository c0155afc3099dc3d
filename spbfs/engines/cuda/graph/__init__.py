"""A graph as the searches on a GPU read it."""
