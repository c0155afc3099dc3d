"""Graphs and arguments of NetworkX's as arrays, and arrays as graphs of NetworkX's."""
