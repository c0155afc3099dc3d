"""Options that several commands share, and the types of their values."""

from __future__ import annotations

import argparse
import csv
from typing import Any

__all__ = [
    "address",
    "at_least",
    "device_list",
    "ending",
    "extension",
    "file_name",
    "force",
    "graph_arguments",
    "integer",
    "json",
    "names",
    "output_arguments",
    "positive",
    "real",
    "run_arguments",
    "samples",
    "search_arguments",
    "size",
    "table_arguments",
    "threads",
    "vertices",
    "whole",
]

#: Digits of a number that may be one of a vertex; Python makes no number of thousands of them.
_MOST_DIGITS = 64


def graph_arguments(parser: argparse.ArgumentParser, name: str = "GRAPH") -> None:
    """The graph and how to read it."""
    parser.add_argument("graph", metavar=name, help="file to read, or -")
    reading = parser.add_argument_group("how to read it")
    reading.add_argument("--undirected", action="store_true", help="every edge leads both ways")
    reading.add_argument(
        "--one-based",
        action="store_true",
        help="ids of an edge list or CSV count from 1; vertices here count from 0 still",
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
        "--columns",
        metavar="U,V[,W]",
        type=listed,
        help="columns of a CSV or Parquet file with sources, targets and perhaps weights",
    )
    reading.add_argument(
        "--format",
        metavar="EXT",
        type=extension,
        help="what GRAPH is, whatever its name; - is txt without it",
    )


def search_arguments(parser: argparse.ArgumentParser, devices: tuple[str, ...]) -> None:
    graph_arguments(parser)
    vertices(parser, "vertex to start from; several, or S,T,..., for the nearest of them", True)
    parser.add_argument("--depth", metavar="N", type=at_least(0), help="go no further than level N")
    parser.add_argument(
        "--energy",
        action="store_true",
        help="repeat the search until a counter of energy says what it takes",
    )
    run_arguments(parser, devices)
    json(parser)


def names(text: str) -> str | list[str]:
    names = text.split(",")
    return names if len(names) > 1 else text


def vertices(parser: argparse.ArgumentParser, text: str, required: bool = False) -> None:
    parser.add_argument(
        "--source",
        metavar="S",
        type=vertex_list,
        action="extend",
        required=required,
        help=text,
    )


def samples(parser: argparse.ArgumentParser, text: str) -> None:
    parser.add_argument("--samples", metavar="N", type=at_least(1), help=text)
    parser.add_argument(
        "--seed", metavar="S", type=at_least(0), default=0, help="of the sample (default: 0)"
    )


def run_arguments(parser: argparse.ArgumentParser, devices: tuple[str, ...]) -> None:
    parser.add_argument(
        "--device",
        choices=devices,
        default="auto",
        help="engine; auto is cuda where there is one, but cpu for one search of a small graph"
        + ("; reference is slow, obvious NumPy" if "reference" in devices else ""),
    )
    parser.add_argument(
        "--memory",
        choices=("device", "pinned", "auto"),
        help="of a graph on cuda: its entries on the GPU, in memory of the host that the GPU "
        "reads, or there where the GPU has no room (default: device)",
    )
    threads(parser)
    parser.add_argument(
        "--rates",
        metavar="FILE",
        type=file_name,
        help='what "spbfs calibrate" has measured on this machine',
    )


def threads(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--threads",
        metavar="N",
        type=at_least(1),
        help="CPU threads (default: as many as cores that the process may use)",
    )


def table_arguments(parser: argparse.ArgumentParser) -> None:
    """What a table of vertices is told with."""
    parser.add_argument(
        "--output",
        metavar="FILE",
        type=ending(".csv", ".parquet", stream=True),
        help="write the whole table; - prints it alone",
    )
    force(parser)
    parser.add_argument(
        "--top", metavar="N", type=at_least(0), default=10, help="lines to print (default: 10)"
    )
    json(parser)


def output_arguments(parser: argparse.ArgumentParser) -> None:
    force(parser)
    parser.add_argument(
        "--to", metavar="EXT", type=extension, help="format of -, such as mtx (default: txt)"
    )


def force(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--force", action="store_true", help="overwrite a file that is there")


def json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def at_least(least: int) -> Any:
    def convert(text: str) -> int:
        number = integer(text)
        if number < least:
            raise argparse.ArgumentTypeError(f"{number} is below {least}")
        return number

    return convert


def size(text: str) -> int:
    """Bytes, perhaps as K, M, G or T."""
    number, unit = text.rstrip("BbiI"), 1
    if number and number[-1].upper() in "KMGT":
        unit = 1 << 10 * (1 + "KMGT".index(number[-1].upper()))
        number = number[:-1]
    try:
        wanted = positive(number) * unit
    except argparse.ArgumentTypeError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a finite size above 0") from None
    if wanted == float("inf"):
        raise argparse.ArgumentTypeError(f"{text} is more than a number can be")
    return int(wanted)


def integer(text: str) -> int:
    number = whole(text.removeprefix("-"))
    if number is None:
        raise argparse.ArgumentTypeError(f"{text!r} is not an integer")
    return -number if text.startswith("-") else number


def real(text: str) -> float:
    try:
        if text.isascii() and "_" not in text:
            return float(text)
    except ValueError:
        pass
    raise argparse.ArgumentTypeError(f"{text!r} is not a number")


def positive(text: str) -> float:
    number = real(text)
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError(f"{text} is not a finite number above 0")
    return number


def device_list(text: str) -> list[int | str]:
    """Names of devices, and numbers of GPUs."""
    numbers = ((name, whole(name)) for name in text.split(","))
    return [name if number is None else number for name, number in numbers]


def listed(text: str) -> list[str]:
    """What commas part; one that is in a name is between quotes with it, as in CSV."""
    if '"' not in text:
        return text.split(",")
    try:
        (parts,) = csv.reader([text], strict=True)
    except (csv.Error, ValueError):
        raise argparse.ArgumentTypeError(f"{text!r} is not quoted as a line of CSV is") from None
    return parts


def vertex_list(text: str) -> list[int | str]:
    return [vertex(part) for part in listed(text)]


def vertex(text: str) -> int | str:
    """A number, or a name where the text is none, or none that it would come back from.

    Which of the two is wrong only the graph says.
    """
    number = whole(text)
    return text if number is None or str(number) != text else number


def whole(text: str) -> int | None:
    """The number that digits are; Python's `int` takes all scripts, spaces and underscores."""
    plain = text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS
    return int(text) if plain else None


def file_name(text: str) -> str:
    """The name of a file that no stream can take the place of."""
    if text in ("", "-"):
        raise argparse.ArgumentTypeError(f"expected a file, got {text!r}")
    return text


def address(text: str) -> str:
    """Where somebody is to be found."""
    if not text:
        raise argparse.ArgumentTypeError("expected an address, got ''")
    return text


def extension(text: str) -> str:
    """What says a format at the end of a name, and nothing of where the file is."""
    if not text or "/" in text or not text.isprintable():
        raise argparse.ArgumentTypeError(f"{text!r} is no extension, as mtx and txt.gz are")
    return text


def ending(*endings: str, stream: bool = False) -> Any:
    """The name of a file by its endings; where a `stream` does as well, also ``-``."""

    def check(text: str) -> str:
        if stream and text == "-":
            return text
        if not file_name(text).endswith(endings):
            raise argparse.ArgumentTypeError(f"{text!r} does not end in {' or '.join(endings)}")
        return text

    return check
