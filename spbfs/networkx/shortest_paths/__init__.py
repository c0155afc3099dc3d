"""Paths by counted edges and by weights, a module for each of NetworkX's."""
