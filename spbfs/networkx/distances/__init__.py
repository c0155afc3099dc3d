"""Distances of many pairs, summed up."""
