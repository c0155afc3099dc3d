"""Which rank has which vertices and edges, and how edges get there."""
