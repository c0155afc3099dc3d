"""Vertices that are no neighbours: independent sets and colourings."""
