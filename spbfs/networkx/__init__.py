"""NetworkX's functions on spbfs: a backend that NetworkX finds by itself where both are installed.

``nx.bfs_edges(G, source, backend="spbfs")`` runs one call here, ``nx.config.backend_priority =
["spbfs"]`` all that are covered.  `functions` lists those, `info` is what NetworkX reads when it is
imported, and `interface` what it calls; nothing is imported before that.  Below them are

- `conversion`: graphs and arguments of NetworkX's as arrays, and arrays as graphs of NetworkX's;
- `vertices`: what several subjects ask of vertices: degrees, places in a queue, what is around;
- `traversal`: orders of nodes, and who is reached: breadth first, and along edges without cycles;
- `shortest_paths`: paths by counted edges and by weights, a module for each of NetworkX's;
- `distances`: distances of many pairs, summed up;
- `centrality`: which nodes matter, by shortest paths and by powers of the adjacency matrix;
- `connectivity`: what hangs together: components, spanning forests, trees;
- `cohesion`: how close neighbours are: triangles, cores, degrees, links to come;
- `sets`: nodes dealt into sets: sides, colours, communities, an independent set.
"""
