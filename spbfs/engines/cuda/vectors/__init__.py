"""Vectors on a GPU: their forms and conversions."""
