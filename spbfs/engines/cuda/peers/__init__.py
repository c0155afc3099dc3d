"""One search by several GPUs of a host, each with a part of the edges (``bfs_peers.cuh``)."""
