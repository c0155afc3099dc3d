"""spbfs."""
