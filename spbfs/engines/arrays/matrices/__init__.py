"""Matrices: their elements two by two, and writing into them under masks; packed ones."""
