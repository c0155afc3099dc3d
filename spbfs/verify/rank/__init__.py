"""Scores of vertices checked by the equations that they solve."""
