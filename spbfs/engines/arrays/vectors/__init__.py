"""Vectors: their forms, their elements two by two, and writing into them under masks."""
