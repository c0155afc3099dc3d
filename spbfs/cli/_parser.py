"""What the command line accepts."""

from __future__ import annotations

import argparse
from typing import Any, NoReturn

from spbfs.cli import _help as said
from spbfs.cli._generators import GENERATORS, generator_arguments

__all__ = ["build_parser"]


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
        import spbfs

        print("spbfs", spbfs.__version__)
        parser.exit()


def build_parser() -> argparse.ArgumentParser:
    """The whole command line; the namespace it gives names the command in `command`."""
    parser = Parser(prog="spbfs", description=said.DESCRIPTION, epilog=said.EPILOG)
    parser.add_argument("--version", action=ShowVersion, nargs=0, help="print the version and exit")
    commands = parser.add_subparsers(
        dest="command", metavar="COMMAND", required=True, parser_class=Parser
    )
    _bfs(commands)
    _trace(commands)
    _many(commands)
    _closeness(commands)
    _khop(commands)
    _calibrate(commands)
    info = commands.add_parser("info", help="describe a graph", description=said.INFO)
    _graph_arguments(info)
    _json(info)
    convert = commands.add_parser(
        "convert",
        help="read one format, write another",
        description="Read the graph IN and write it to OUT; the extensions say the formats.",
        epilog=said.CONVERT_EPILOG,
    )
    _graph_arguments(convert, "IN")
    convert.add_argument("output", metavar="OUT", help="file to write, or -")
    _output_arguments(convert)
    generate = commands.add_parser(
        "generate",
        help="make a graph",
        description="Make a graph and write it to a file.",
        epilog=said.GENERATE_EPILOG,
    )
    kinds = generate.add_subparsers(dest="kind", metavar="KIND", required=True, parser_class=Parser)
    for kind, (what, positional, options) in GENERATORS.items():
        one = kinds.add_parser(kind, help=what, description=what)
        generator_arguments(one, positional, options)
        one.add_argument(
            "-o", "--output", metavar="FILE", required=True, help="file to write, or -"
        )
        _output_arguments(one)
    return parser


def _bfs(commands: Any) -> None:
    bfs = commands.add_parser(
        "bfs", help="breadth-first search", description=said.BFS, epilog=said.BFS_EPILOG
    )
    _search_arguments(bfs, ("auto", "cpu", "cuda", "reference"))
    bfs.add_argument(
        "--output",
        metavar="FILE",
        type=_ending(".npz", ".csv"),
        help="write levels and parents: arrays (.npz) or text (.csv); - prints the text alone",
    )
    _force(bfs)
    bfs.add_argument("--verify", action="store_true", help="check the result against the graph")


def _trace(commands: Any) -> None:
    trace = commands.add_parser(
        "trace",
        help="the same, level by level",
        description="Search GRAPH and print one line for every level.",
        epilog=said.TRACE_EPILOG,
    )
    _search_arguments(trace, ("auto", "cpu", "cuda"))
    trace.add_argument(
        "--direction",
        choices=("auto", "push", "pull"),
        default="auto",
        help="force one direction on every level (default: auto)",
    )


def _many(commands: Any) -> None:
    many = commands.add_parser(
        "many",
        help="searches from many sources at once",
        description=said.MANY,
        epilog=said.MANY_EPILOG,
    )
    _graph_arguments(many)
    _vertices(many, "vertices to start from; all of them by default")
    _samples(many, "start from so many random vertices")
    many.add_argument("--depth", metavar="N", type=_at_least(0), help="go no further than level N")
    _run_arguments(many, ("auto", "cpu", "cuda", "reference"))
    many.add_argument(
        "--levels",
        metavar="FILE",
        type=_ending(".npy"),
        help="write the distances, a row a source; goes on with a file that was interrupted",
    )
    _table_arguments(many)


def _closeness(commands: Any) -> None:
    closeness = commands.add_parser(
        "closeness",
        help="who is near to all others",
        description=said.CLOSENESS,
        epilog=said.CLOSENESS_EPILOG,
    )
    _graph_arguments(closeness)
    _vertices(closeness, "vertices to tell it of; all of them by default")
    _samples(closeness, "estimate it from so many random vertices; exact by default")
    closeness.add_argument(
        "--harmonic", action="store_true", help="the sum of 1 / distance instead"
    )
    _run_arguments(closeness, ("auto", "cpu", "cuda", "reference"))
    _table_arguments(closeness)


def _khop(commands: Any) -> None:
    khop = commands.add_parser(
        "khop",
        help="how many vertices are within k hops",
        description=said.KHOP,
        epilog=said.KHOP_EPILOG,
    )
    _graph_arguments(khop)
    khop.add_argument("--hops", metavar="K", type=_at_least(0), required=True, help="hops")
    _vertices(khop, "vertices to tell it of; all of them by default")
    _run_arguments(khop, ("auto", "cpu", "cuda", "reference"))
    _table_arguments(khop)


def _calibrate(commands: Any) -> None:
    calibrate = commands.add_parser(
        "calibrate",
        help="measure what searches cost on this machine",
        description=said.CALIBRATE,
        epilog=said.CALIBRATE_EPILOG,
    )
    calibrate.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        default="spbfs-rates.json",
        help="rates file to write (default: spbfs-rates.json)",
    )
    _force(calibrate)
    calibrate.add_argument(
        "--device", choices=("cpu", "cuda", "cpu+cuda"), default="cpu", help="(default: cpu)"
    )
    calibrate.add_argument(
        "--seconds",
        metavar="S",
        type=_positive,
        default=60.0,
        help="how long it may take on each device (default: 60)",
    )
    _threads(calibrate)
    _json(calibrate)


def _graph_arguments(parser: argparse.ArgumentParser, name: str = "GRAPH") -> None:
    """The graph and how to read it."""
    parser.add_argument("graph", metavar=name, help="file to read, or -")
    reading = parser.add_argument_group("how to read it")
    reading.add_argument("--undirected", action="store_true", help="every edge leads both ways")
    reading.add_argument(
        "--one-based", action="store_true", help="ids of an edge list or CSV count from 1"
    )
    reading.add_argument(
        "--compact",
        action="store_true",
        help="ids have gaps, or are hashes: take the vertices that occur, call them by their ids",
    )
    reading.add_argument(
        "--weights",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="insist on weights, or pass over them (default: read them where there are any)",
    )
    reading.add_argument(
        "--format", metavar="EXT", help="what GRAPH is, whatever its name; - is txt without it"
    )


def _search_arguments(parser: argparse.ArgumentParser, devices: tuple[str, ...]) -> None:
    _graph_arguments(parser)
    _vertices(parser, "vertex to start from; several, or S,T,..., for the nearest of them", True)
    parser.add_argument(
        "--depth", metavar="N", type=_at_least(0), help="go no further than level N"
    )
    parser.add_argument(
        "--energy",
        action="store_true",
        help="repeat the search until a counter of energy says what it takes",
    )
    _run_arguments(parser, devices)
    _json(parser)


def _vertices(parser: argparse.ArgumentParser, text: str, required: bool = False) -> None:
    parser.add_argument(
        "--source",
        metavar="S",
        type=_vertex_list,
        action="extend",
        required=required,
        help=text,
    )


def _samples(parser: argparse.ArgumentParser, text: str) -> None:
    parser.add_argument("--samples", metavar="N", type=_at_least(1), help=text)
    parser.add_argument(
        "--seed", metavar="S", type=_at_least(0), default=0, help="of the sample (default: 0)"
    )


def _run_arguments(parser: argparse.ArgumentParser, devices: tuple[str, ...]) -> None:
    parser.add_argument(
        "--device",
        choices=devices,
        default="auto",
        help="engine; auto is cuda where there is one, but cpu for one search of a small graph"
        + ("; reference is slow, obvious NumPy" if "reference" in devices else ""),
    )
    _threads(parser)
    parser.add_argument(
        "--rates", metavar="FILE", help='what "spbfs calibrate" has measured on this machine'
    )


def _threads(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--threads", metavar="N", type=_at_least(1), help="CPU threads (default: all cores)"
    )


def _table_arguments(parser: argparse.ArgumentParser) -> None:
    """What a table of vertices is told with."""
    parser.add_argument(
        "--output",
        metavar="FILE",
        type=_ending(".csv"),
        help="write the whole table; - prints it alone",
    )
    _force(parser)
    parser.add_argument(
        "--top", metavar="N", type=_at_least(0), default=10, help="lines to print (default: 10)"
    )
    _json(parser)


def _output_arguments(parser: argparse.ArgumentParser) -> None:
    _force(parser)
    parser.add_argument("--to", metavar="EXT", help="format of -, such as mtx (default: txt)")


def _force(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--force", action="store_true", help="overwrite a file that is there")


def _json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON object")


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


def _positive(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number") from None
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError(f"{text} is not above 0")
    return number


def _vertex_list(text: str) -> list[int]:
    return [_at_least(0)(part) for part in text.split(",")]


def _ending(*endings: str) -> Any:
    def check(text: str) -> str:
        if text != "-" and not text.endswith(endings):
            raise argparse.ArgumentTypeError(f"{text!r} does not end in {' or '.join(endings)}")
        return text

    return check
