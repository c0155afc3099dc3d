"""What the command line accepts, and the help that teaches it."""

from __future__ import annotations

import argparse
from typing import Any, NoReturn

__all__ = ["GENERATORS", "build_parser"]

DESCRIPTION = """\
Breadth-first search and sparse linear algebra over graphs, on CPU and GPU.

A GRAPH is a file; its extension says what is in it, with or without .gz on top:

  .mtx                       Matrix Market
  .txt .el .edges .wel       edge list as of SNAP: "source target [weight]", # comments
  .csv .tsv                  the same with a header line
  .gr                        DIMACS shortest-path format
  .graph                     METIS
  .npz                       scipy.sparse.save_npz
  .sg .wsg                   GAP benchmark suite, binary

Vertices are numbered from 0, also where the file counts from 1."""

EPILOG = """\
examples:
  spbfs generate kronecker 20 -o kron.sg          a Graph500 graph of a million vertices
  spbfs info kron.sg                              what is in it
  spbfs bfs kron.sg --source 0                    search it
  spbfs bfs kron.sg --source 0 --json --verify    for programs, and checked
  spbfs trace kron.sg --source 0                  level by level: push or pull, edges, seconds
  spbfs convert kron.sg kron.mtx.gz               another format

exit codes:
  0 done   1 failed (unreadable file, no such device, out of memory, ...)   2 wrong usage
  130 interrupted   141 the reader of the output went away
Errors are one line on standard error; SPBFS_DEBUG=1 in the environment adds the traceback.
"spbfs COMMAND --help" explains one command."""

BFS = """\
Search GRAPH breadth first and say how far everything is from the source.

The time is that of the search alone, reading and moving to the device excluded.  TEPS, traversed
edges per second, counts the stored entries of the vertices reached: an undirected edge is two."""

BFS_EPILOG = """\
examples:
  spbfs bfs graph.mtx --source 0
  spbfs bfs graph.mtx --source 0 --output levels.npz    numpy.load("levels.npz")["levels"]
  spbfs bfs graph.mtx --source 0 --source 33            distance to the nearest of two
  spbfs bfs graph.mtx --source 0 --depth 2              the vertices within two steps
  spbfs bfs graph.mtx --source 0 --json | jq .teps"""

TRACE_EPILOG = """\
Push expands the frontier along out-edges; pull lets every unvisited vertex look for a parent
along its in-edges and stop at the first.  The engine chooses, level by level; edges are those out
of the frontier, whichever way was taken.  "none" is a last level that nothing can lie behind.

example:
  spbfs trace graph.mtx --source 0"""

INFO = """\
Describe GRAPH: vertices, stored entries, degree quantiles, weakly connected components, and the
bytes it takes in memory."""

CONVERT_EPILOG = """\
examples:
  spbfs convert web.txt.gz web.npz
  spbfs convert roads.gr roads.wsg"""

GENERATE_EPILOG = """\
examples:
  spbfs generate kronecker 20 --seed 7 -o kron.sg
  spbfs generate grid2d 1500 -o grid.mtx
  spbfs generate road 1000000 -o road.npz
"spbfs generate KIND --help" explains one kind."""

#: kind -> what it is, positional arguments, options; each (name, type, default, help).  The names
#: are those of the functions of `spbfs.generate`.
GENERATORS: dict[
    str, tuple[str, list[tuple[str, type, Any, str]], list[tuple[str, type, Any, str]]]
]
_SCALE = ("scale", int, None, "2**SCALE vertices")
_N = ("n", int, None, "number of vertices")
_EDGE_FACTOR = ("edge-factor", float, 16.0, "edges drawn per vertex")
_SEED = ("seed", int, 0, "same seed, same graph")
GENERATORS = {
    "kronecker": ("power law, with the parameters of Graph500", [_SCALE], [_EDGE_FACTOR, _SEED]),
    "rmat": (
        "power law, quadrant probabilities of your own",
        [_SCALE],
        [
            _EDGE_FACTOR,
            ("a", float, 0.57, "probability of the top left quadrant"),
            ("b", float, 0.19, "of the top right"),
            ("c", float, 0.19, "of the bottom left"),
            ("directed", bool, False, "keep edges as drawn, not both ways"),
            _SEED,
        ],
    ),
    "uniform": (
        "ends of every edge drawn evenly",
        [_N, ("degree", float, None, "mean degree")],
        [("directed", bool, False, "keep edges as drawn, not both ways"), _SEED],
    ),
    "small_world": (
        "a ring of near neighbours, some edges rewired",
        [_N],
        [
            ("k", int, 10, "nearest neighbours at the start, even"),
            ("p", float, 0.1, "probability that an edge is rewired"),
            _SEED,
        ],
    ),
    "grid2d": (
        "lattice in the plane (5-point stencil)",
        [("nrows", int, None, "lattice rows"), ("ncols", int, "nrows", "lattice columns")],
        [],
    ),
    "grid3d": (
        "lattice in space (7-point stencil)",
        [
            ("nx", int, None, "points along the first axis"),
            ("ny", int, "nx", "along the second"),
            ("nz", int, "nx", "along the third"),
        ],
        [],
    ),
    "delaunay": ("triangulation of random points", [_N], [_SEED]),
    "road": (
        "planar, sparse and thousands of levels deep",
        [_N],
        [("degree", float, 2.8, "mean degree, from 2 to 6"), _SEED],
    ),
    "path": ("a line, as deep as can be", [_N], []),
    "star": ("a hub and its leaves", [_N], []),
    "complete": ("every vertex joined to every other", [_N], []),
    "tree": (
        "complete tree, root 0",
        [
            ("branching", int, None, "children of an inner vertex"),
            ("depth", int, None, "level of the leaves"),
        ],
        [],
    ),
}


class Parser(argparse.ArgumentParser):
    """An argument parser whose complaint is one line."""

    def __init__(self, **options: Any) -> None:
        options.setdefault("formatter_class", argparse.RawDescriptionHelpFormatter)
        options.setdefault("allow_abbrev", False)
        super().__init__(**options)

    def error(self, message: str) -> NoReturn:
        told = " ".join(message.split())
        self.exit(2, f'spbfs: error: {told} (see "{self.prog} --help")\n')


class ShowVersion(argparse.Action):
    """Looks the version up only when it is asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *unused: Any) -> NoReturn:
        from importlib.metadata import version

        print("spbfs", version("spbfs"))
        parser.exit()


def build_parser() -> argparse.ArgumentParser:
    """The whole command line; the namespace it gives names the command in `command`."""
    parser = Parser(prog="spbfs", description=DESCRIPTION, epilog=EPILOG)
    parser.add_argument("--version", action=ShowVersion, nargs=0, help="print the version and exit")
    commands = parser.add_subparsers(
        dest="command", metavar="COMMAND", required=True, parser_class=Parser
    )

    bfs = commands.add_parser(
        "bfs", help="breadth-first search", description=BFS, epilog=BFS_EPILOG
    )
    _search_arguments(bfs, ("auto", "cpu", "cuda", "reference"))
    bfs.add_argument("--output", metavar="FILE.npz", type=_npz, help="write levels and parents")
    bfs.add_argument("--verify", action="store_true", help="check the result against the graph")

    trace = commands.add_parser(
        "trace",
        help="the same, level by level",
        description="Search GRAPH and print one line for every level.",
        epilog=TRACE_EPILOG,
    )
    _search_arguments(trace, ("auto", "cpu", "cuda"))
    trace.add_argument(
        "--direction",
        choices=("auto", "push", "pull"),
        default="auto",
        help="force one direction on every level (default: auto)",
    )

    info = commands.add_parser("info", help="describe a graph", description=INFO)
    info.add_argument("graph", metavar="GRAPH", help="file to read")
    info.add_argument("--json", action="store_true", help="print one JSON object")

    convert = commands.add_parser(
        "convert",
        help="read one format, write another",
        description="Read the graph IN and write it to OUT; the extensions say the formats.",
        epilog=CONVERT_EPILOG,
    )
    convert.add_argument("input", metavar="IN", help="file to read")
    convert.add_argument("output", metavar="OUT", help="file to write")

    generate = commands.add_parser(
        "generate",
        help="make a graph",
        description="Make a graph and write it to a file.",
        epilog=GENERATE_EPILOG,
    )
    kinds = generate.add_subparsers(dest="kind", metavar="KIND", required=True, parser_class=Parser)
    for kind, (what, positional, options) in GENERATORS.items():
        _generator_arguments(
            kinds.add_parser(kind, help=what, description=what), positional, options
        )
    return parser


def _search_arguments(parser: argparse.ArgumentParser, devices: tuple[str, ...]) -> None:
    parser.add_argument("graph", metavar="GRAPH", help="file to read")
    parser.add_argument(
        "--source",
        metavar="S",
        type=_at_least(0),
        action="append",
        required=True,
        help="vertex to start from, counted from 0; repeat it for the nearest of several",
    )
    parser.add_argument(
        "--depth", metavar="N", type=_at_least(0), help="go no further than level N"
    )
    parser.add_argument(
        "--device",
        choices=devices,
        default="auto",
        help="engine; auto is cuda where there is one, else cpu"
        + ("; reference is slow, obvious NumPy" if "reference" in devices else ""),
    )
    parser.add_argument(
        "--threads", metavar="N", type=_at_least(1), help="CPU threads (default: all cores)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _generator_arguments(
    parser: argparse.ArgumentParser,
    positional: list[tuple[str, type, Any, str]],
    options: list[tuple[str, type, Any, str]],
) -> None:
    for name, kind, default, text in positional:
        if default is not None:
            parser.add_argument(
                name,
                type=kind,
                nargs="?",
                metavar=name.upper(),
                help=f"{text} (default: {default})",
            )
        else:
            parser.add_argument(name, type=kind, metavar=name.upper(), help=text)
    for name, kind, default, text in options:
        if kind is bool:
            parser.add_argument(f"--{name}", action="store_true", help=text)
        else:
            parser.add_argument(
                f"--{name}",
                type=kind,
                default=default,
                metavar=name[0].upper(),
                help=f"{text} (default: {default:g})",
            )
    parser.add_argument("-o", "--output", metavar="FILE", required=True, help="file to write")


def _at_least(least: int) -> Any:
    def convert(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{text!r} is not an integer") from None
        if number < least:
            raise argparse.ArgumentTypeError(f"{number} is below {least}")
        return number

    return convert


def _npz(text: str) -> str:
    if not text.endswith(".npz"):
        raise argparse.ArgumentTypeError(f"{text!r} does not end in .npz")
    return text
