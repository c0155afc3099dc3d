"""Products of matrices and vectors on a GPU."""
