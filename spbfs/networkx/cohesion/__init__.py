"""How close neighbours are: triangles, cores, degrees, links to come."""
