"""Algorithms in a call of the GPU's own, a file each: the fields of `engines.fused.Fused`."""
