"""A graph as the searches on the CPU read it: transposed, laid out, its vertices renumbered."""
