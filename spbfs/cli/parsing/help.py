"""What ``--help`` says beside the lists of options."""

from __future__ import annotations

DESCRIPTION = """\
Breadth-first search and sparse linear algebra over graphs, on CPU and GPU.

A GRAPH is a file; its extension says what is in it, with or without .gz on top:

  .mtx                       Matrix Market
  .txt .el .edges .wel       edge list as of SNAP: "source target [weight]", # comments
  .csv .tsv                  the same with a header line; vertices may have names
  .parquet                   columns of numbers or names (needs pyarrow, and no .gz)
  .gr                        DIMACS shortest-path format
  .graph                     METIS
  .npz                       scipy.sparse.save_npz
  .sg .wsg                   GAP benchmark suite, binary

"-" is standard input or output.  Vertices are numbered from 0, also where the file counts from 1;
with --compact they keep the file's own ids.  Those with names go by their names; one with a
comma in it is between double quotes, as in CSV: --source '"Smith, John",bob'."""

EPILOG = """\
examples:
  spbfs generate kronecker 20 -o kron.sg          a Graph500 graph of a million vertices
  spbfs info kron.sg                              what is in it
  spbfs bfs kron.sg --source 0                    search it
  spbfs bfs kron.sg --source 0 --json --verify    for programs, and checked
  spbfs trace kron.sg --source 0                  level by level: push or pull, edges, seconds
  spbfs many kron.sg --samples 256                from many sources at once
  spbfs closeness kron.sg --samples 64            who is near to all others
  spbfs khop kron.sg --hops 2                     how many are within two steps
  spbfs plot degrees kron.sg -o degrees.svg       a picture: frontier, degrees or spy
  spbfs convert kron.sg kron.mtx.gz               another format

exit codes:
  0 done   1 failed (unreadable file, no such device, out of memory, ...)   2 wrong usage
  130 interrupted   141 the reader of the output went away   143 terminated, by SIGTERM
Errors are one line on standard error; SPBFS_DEBUG=1 in the environment adds the traceback.
"spbfs COMMAND --help" explains one command."""

BFS = """\
Search GRAPH breadth first and say how far everything is from the source.

The time is that of the search alone, reading and moving to the device excluded.  TEPS, traversed
edges per second, counts the stored entries of the vertices reached: an undirected edge is two.

With --energy the search is repeated until a counter has moved often enough: RAPL's, of all
processors and their memory, or NVML's, of the whole graphics card.  What an idle machine takes is
in it, and is said apart.  TEPS/W are edges a joule."""

BFS_EPILOG = """\
examples:
  spbfs bfs graph.mtx --source 0
  spbfs bfs graph.mtx --source 0 --output levels.npz    numpy.load("levels.npz")["levels"]
  spbfs bfs graph.mtx --source 0 --output -             vertex,level,parent as CSV
  spbfs bfs people.csv --source alice --output levels.parquet
  spbfs bfs likes.csv --columns who,whom --source bob   of columns called otherwise
  spbfs bfs graph.mtx --source 0,33                     distance to the nearest of two
  spbfs bfs graph.mtx --source 0 --depth 2              the vertices within two steps
  spbfs bfs kron.sg --source 0 --devices 0,1            by two GPUs together
  spbfs bfs graph.mtx --source 0 --json | jq .teps
  spbfs bfs graph.mtx --source 0 --energy               joules of the search, TEPS a watt
  zcat edges.txt.gz | spbfs bfs - --undirected --compact --source 10071
  mpiexec -n 4 spbfs bfs graph.sg --source 0 --distributed"""

TRACE_EPILOG = """\
Push expands the frontier along out-edges; pull lets every unvisited vertex look for a parent
along its in-edges and stop at the first.  The engine chooses, level by level; edges are those out
of the frontier, whichever way was taken.  "none" is a last level that nothing can lie behind, or
that --depth ends with.

Strategies are those of Zhang et al. (2018): T top-down, which is push, or B bottom-up, on the
CPU (C) or GPU (G), BGC with the hot part of the frontier in shared memory.

examples:
  spbfs trace graph.mtx --source 0
  spbfs trace graph.mtx --source 0 --strategy TC,TC,BC,TC
  spbfs trace graph.mtx --source 0 --device cpu+cuda --strategy auto"""

MANY = """\
Search GRAPH from every one of many sources: how many vertices each reaches, how deep, how far on
average."""

MANY_EPILOG = """\
examples:
  spbfs many graph.mtx --source 0,33
  spbfs many graph.mtx --samples 256 --output found.csv
  spbfs many graph.mtx --levels levels.npy     distances from every vertex; numpy.load reads them
  spbfs many graph.mtx --devices 0,1           on two GPUs
  spbfs many graph.mtx --scheduler tcp://10.0.0.1:8786     by the workers of a Dask cluster

A levels file is written as the search goes: the same command goes on where it was interrupted, and
says how many searches were there before; its speed is that of the rest."""

CLOSENESS = """\
How near every vertex of GRAPH is to those that reach it: closeness centrality (Wasserman and
Faust), or harmonic centrality, the sum of 1 / distance."""

CLOSENESS_EPILOG = """\
examples:
  spbfs closeness graph.mtx
  spbfs closeness graph.mtx --samples 64 --harmonic
  spbfs closeness graph.mtx --output closeness.csv"""

KHOP = "How many vertices of GRAPH are at most K hops from each vertex, itself included."

KHOP_EPILOG = """\
examples:
  spbfs khop graph.mtx --hops 2
  spbfs khop graph.mtx --hops 3 --source 0,33 --json"""

CALIBRATE = """\
Measure what the levels of searches take on this machine, on generated graphs, and write a rates
file.  Directions, and with --device auto the device, are then chosen by it wherever it is named:
--rates FILE here, spbfs.set_rates in Python.  Results never depend on it.

"in use" and "paper" are two models fitted to the same levels: prices of what a level looks at, and
the averages of Zhang et al. (2018).  Regret is the time of searches as a model would choose, over
the better direction at every level."""

CALIBRATE_EPILOG = """\
examples:
  spbfs calibrate
  spbfs calibrate --device cuda --seconds 300 -o h200.json
  spbfs bfs graph.mtx --source 0 --rates spbfs-rates.json"""

PLOT = """\
Draw GRAPH, or a search of it, and write the picture.  Needs Matplotlib: pip install spbfs[plot]."""

#: What can be drawn, each for its own --help.
PLOTS = {
    "frontier": "vertices and edges of every level of a search, push and pull, and their time",
    "degrees": "which share of the vertices has so many edges or more, on logarithmic axes",
    "spy": "where the entries of the matrix lie",
}

PLOT_EPILOG = """\
examples:
  spbfs plot frontier graph.mtx --source 0 -o frontier.svg
  spbfs plot degrees graph.mtx -o degrees.png
  spbfs plot spy graph.mtx -o spy.pdf"""

INFO = """\
Describe GRAPH: vertices, stored entries, degree quantiles, weakly connected components, and the
bytes it takes in memory."""

CONVERT_EPILOG = """\
examples:
  spbfs convert web.txt.gz web.npz
  spbfs convert roads.gr roads.wsg
  spbfs convert web.txt.gz web.csr --memory 4G        a folder that is searched from the disk
  spbfs convert follows.csv - --undirected --to mtx | head"""

GENERATE_EPILOG = """\
examples:
  spbfs generate kronecker 20 --seed 7 -o kron.sg
  spbfs generate grid2d 1500 -o grid.mtx
  spbfs generate road 1000000 -o - --to txt | gzip > road.txt.gz
"spbfs generate KIND --help" explains one kind."""
