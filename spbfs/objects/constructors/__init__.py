"""Matrices and vectors made of what people have: arrays, tables, what other libraries hold."""
