"""What Python's symbols mean, and calls of operators: ``x | y``, ``A @ B``, ``v += w``."""
