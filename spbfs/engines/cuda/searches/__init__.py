"""Who owns the searches of a matrix: in one launch, resumed, over parts, by several GPUs."""
