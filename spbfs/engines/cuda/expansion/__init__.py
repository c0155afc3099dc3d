"""The published ways of pushing a frontier on a GPU, for comparison."""
