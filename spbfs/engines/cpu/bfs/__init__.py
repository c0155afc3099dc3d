"""The breadth-first search on the CPU, in one native call, and what is made of its result."""
