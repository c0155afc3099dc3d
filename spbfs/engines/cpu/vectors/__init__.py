"""Vectors on the CPU: their forms, their elements two by two, and writing into them."""
