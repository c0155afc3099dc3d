"""What the command line accepts."""

from __future__ import annotations

import argparse
from typing import Any, NoReturn

from spbfs.cli.parsing import help as said
from spbfs.cli.parsing.arguments import (
    address,
    at_least,
    device_list,
    ending,
    file_name,
    force,
    graph_arguments,
    json,
    names,
    output_arguments,
    positive,
    run_arguments,
    samples,
    search_arguments,
    size,
    table_arguments,
    threads,
    vertices,
)
from spbfs.cli.parsing.generators import GENERATORS, generator_arguments

__all__ = ["build_parser"]


class Parser(argparse.ArgumentParser):
    """An argument parser whose complaint is one line."""

    def __init__(self, **options: Any) -> None:
        options.setdefault("formatter_class", argparse.RawDescriptionHelpFormatter)
        options.setdefault("allow_abbrev", False)
        super().__init__(**options)

    def _get_values(self, action: argparse.Action, arg_strings: list[str]) -> Any:
        # Of "--top=--" argparse makes an empty list, whatever the option takes.
        if action.nargs is None and arg_strings == ["--"]:
            self.error(f"argument {'/'.join(action.option_strings)}: expected one value, got '--'")
        return super()._get_values(action, arg_strings)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        # A command complains itself of what it does not know, and names its own --help.
        namespace, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self.error(f"unrecognized arguments: {' '.join(unknown)}")
        return namespace, unknown

    def print_help(self, file: Any = None) -> None:
        # argparse's own passes over it when nobody takes what is printed.
        print(self.format_help(), end="", file=file)

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
    _plot(commands)
    info = commands.add_parser("info", help="describe a graph", description=said.INFO)
    graph_arguments(info)
    json(info)
    convert = commands.add_parser(
        "convert",
        help="read one format, write another",
        description="Read the graph IN and write it to OUT; the extensions say the formats.",
        epilog=said.CONVERT_EPILOG,
    )
    graph_arguments(convert, "IN")
    convert.add_argument("output", metavar="OUT", help="file to write, or -")
    convert.add_argument(
        "--memory",
        metavar="SIZE",
        type=size,
        help="work in so many bytes, 128M or more: of a list of edges to .csr (default: half of"
        " what is free)",
    )
    convert.add_argument(
        "--transpose",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="have the graph by columns in the folder, too (default: where it differs)",
    )
    output_arguments(convert)
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
        output_arguments(one)
    return parser


def _bfs(commands: Any) -> None:
    bfs = commands.add_parser(
        "bfs", help="breadth-first search", description=said.BFS, epilog=said.BFS_EPILOG
    )
    search_arguments(bfs, ("auto", "cpu", "cuda", "reference"))
    bfs.add_argument(
        "--output",
        metavar="FILE",
        type=ending(".npz", ".csv", ".parquet", ".npy", stream=True),
        help="write levels and parents: arrays (.npz) or a table (.csv, .parquet); - prints the "
        "table alone; with --distributed levels only (.npy)",
    )
    force(bfs)
    elsewhere = bfs.add_mutually_exclusive_group()
    _gpus(elsewhere)
    elsewhere.add_argument(
        "--distributed",
        action="store_true",
        help="this is one of the processes of mpirun: each has a part of the graph",
    )
    bfs.add_argument("--verify", action="store_true", help="check the result against the graph")


def _trace(commands: Any) -> None:
    trace = commands.add_parser(
        "trace",
        help="the same, level by level",
        description="Search GRAPH and print one line for every level.",
        epilog=said.TRACE_EPILOG,
    )
    search_arguments(trace, ("auto", "cpu", "cuda", "cpu+cuda"))
    _gpus(trace)
    ways = trace.add_mutually_exclusive_group()
    ways.add_argument(
        "--direction",
        choices=("auto", "push", "pull"),
        default="auto",
        help="force one direction on every level (default: auto)",
    )
    ways.add_argument(
        "--strategy",
        metavar="NAMES",
        type=names,
        help="direction and device of every level: auto, or TC,BC,... the last for all that follow",
    )


def _gpus(parser: Any) -> None:
    parser.add_argument(
        "--devices",
        metavar="D,E,...",
        type=device_list,
        help="have several GPUs search together, each with a share of the graph: their numbers",
    )


def _many(commands: Any) -> None:
    many = commands.add_parser(
        "many",
        help="searches from many sources at once",
        description=said.MANY,
        epilog=said.MANY_EPILOG,
    )
    graph_arguments(many)
    vertices(many, "vertices to start from; all of them by default")
    samples(many, "start from so many random vertices")
    many.add_argument("--depth", metavar="N", type=at_least(0), help="go no further than level N")
    run_arguments(many, ("auto", "cpu", "cuda", "reference"))
    elsewhere = many.add_mutually_exclusive_group()
    elsewhere.add_argument(
        "--devices",
        metavar="D,E,...",
        type=device_list,
        help="search on several devices at once: numbers of GPUs, cuda, cpu",
    )
    elsewhere.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        type=address,
        help="have the workers of a Dask cluster search, on the --device there",
    )
    many.add_argument(
        "--levels",
        metavar="FILE",
        type=ending(".npy"),
        help="write the distances, a row a source; goes on with a file that was interrupted",
    )
    table_arguments(many)


def _closeness(commands: Any) -> None:
    closeness = commands.add_parser(
        "closeness",
        help="who is near to all others",
        description=said.CLOSENESS,
        epilog=said.CLOSENESS_EPILOG,
    )
    graph_arguments(closeness)
    vertices(closeness, "vertices to tell it of; all of them by default")
    samples(closeness, "estimate it from so many random vertices; exact by default")
    closeness.add_argument(
        "--harmonic", action="store_true", help="the sum of 1 / distance instead"
    )
    run_arguments(closeness, ("auto", "cpu", "cuda", "reference"))
    table_arguments(closeness)


def _khop(commands: Any) -> None:
    khop = commands.add_parser(
        "khop",
        help="how many vertices are within k hops",
        description=said.KHOP,
        epilog=said.KHOP_EPILOG,
    )
    graph_arguments(khop)
    khop.add_argument("--hops", metavar="K", type=at_least(0), required=True, help="hops")
    vertices(khop, "vertices to tell it of; all of them by default")
    run_arguments(khop, ("auto", "cpu", "cuda", "reference"))
    table_arguments(khop)


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
        type=file_name,
        default="spbfs-rates.json",
        help="rates file to write (default: spbfs-rates.json)",
    )
    force(calibrate)
    calibrate.add_argument(
        "--device", choices=("cpu", "cuda", "cpu+cuda"), default="cpu", help="(default: cpu)"
    )
    calibrate.add_argument(
        "--seconds",
        metavar="S",
        type=positive,
        default=60.0,
        help="how long it may take on each device (default: 60)",
    )
    threads(calibrate)
    json(calibrate)


def _plot(commands: Any) -> None:
    plot = commands.add_parser(
        "plot", help="draw a picture", description=said.PLOT, epilog=said.PLOT_EPILOG
    )
    kinds = plot.add_subparsers(dest="kind", metavar="KIND", required=True, parser_class=Parser)
    for kind, what in said.PLOTS.items():
        one = kinds.add_parser(kind, help=what, description=what)
        graph_arguments(one)
        if kind == "frontier":
            one.set_defaults(devices=None)
            vertices(one, "vertex to start from; several, or S,T,..., for the nearest", True)
            one.add_argument(
                "--depth", metavar="N", type=at_least(0), help="go no further than level N"
            )
            run_arguments(one, ("auto", "cpu", "cuda"))
        one.add_argument(
            "-o",
            "--output",
            metavar="FILE",
            type=ending(".svg", ".png", ".pdf"),
            required=True,
            help="picture to write: .svg, .png or .pdf",
        )
        force(one)
