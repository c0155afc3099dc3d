"""The generators of graphs on the command line: their names, arguments and defaults."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from spbfs.cli.parsing.arguments import integer, real

__all__ = ["GENERATORS", "generator_arguments"]

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


#: What reads a value of a type.
_READ_BY: dict[type, Callable[[str], Any]] = {int: integer, float: real}


def generator_arguments(
    parser: argparse.ArgumentParser,
    positional: list[tuple[str, type, Any, str]],
    options: list[tuple[str, type, Any, str]],
) -> None:
    for name, kind, default, text in positional:
        if default is not None:
            parser.add_argument(
                name,
                type=_READ_BY[kind],
                nargs="?",
                metavar=name.upper(),
                help=f"{text} (default: {default})",
            )
        else:
            parser.add_argument(name, type=_READ_BY[kind], metavar=name.upper(), help=text)
    for name, kind, default, text in options:
        if kind is bool:
            parser.add_argument(f"--{name}", action="store_true", help=text)
        else:
            parser.add_argument(
                f"--{name}",
                type=_READ_BY[kind],
                default=default,
                metavar=name[0].upper(),
                help=f"{text} (default: {default:g})",
            )
