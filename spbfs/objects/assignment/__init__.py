"""What ``C(mask, accum) << x`` and ``C[I, J] << x`` write, and what ``setdiag`` does."""
