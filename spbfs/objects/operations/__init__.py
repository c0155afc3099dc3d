"""One operation a module: its operands are checked, and it is delayed."""
