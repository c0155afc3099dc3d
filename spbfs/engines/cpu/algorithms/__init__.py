"""Algorithms in a call of the CPU's own, a file each: the fields of `engines.fused.Fused`, and
those that only NetworkX's functions ask for.
"""
