"""Products of matrices and vectors on the CPU, and sums of rows, which are products."""
