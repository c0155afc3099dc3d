"""What stands for a matrix or a vector: stored, transposed or delayed."""
