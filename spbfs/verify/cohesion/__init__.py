"""What neighbours have in common checked: cores, triangles, trusses, similarities, closures."""
