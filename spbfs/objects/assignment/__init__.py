"""What ``C(mask, accum) << x`` and ``C[I, J] << x`` write, and what of it may wait."""
