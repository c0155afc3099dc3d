"""Ranks: what everybody is worth whom worthy ones point at, by the powers of the matrix."""
