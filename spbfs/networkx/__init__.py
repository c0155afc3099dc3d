"""NetworkX's functions on spbfs: a backend that NetworkX finds by itself where both are installed.

``nx.bfs_edges(G, source, backend="spbfs")`` runs one call here, ``nx.config.backend_priority =
["spbfs"]`` all that are covered.  `functions` lists those, `info` is what NetworkX reads when it is
imported, and `interface` what it calls; nothing is imported before that.
"""
