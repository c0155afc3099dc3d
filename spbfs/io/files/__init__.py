"""One file: read as a stranger's, within bounds, and written whole or not at all."""
