"""Matrix, Vector, Scalar, masks and delayed expressions; every check of an argument."""
