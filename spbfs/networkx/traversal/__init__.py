"""Orders of nodes, and who is reached: breadth first, and along edges without cycles."""
