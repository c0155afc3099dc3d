"""``python -m benchmarks bfs [...]``: run a benchmark and write what it measured."""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmarks import bfs, composed, many
from spbfs.engines import get_engine
from spbfs.exceptions import BackendUnavailable

RESULTS = Path(__file__).parent / "results"


def _count(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1")
    return int(text)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks")
    commands = parser.add_subparsers(dest="command", required=True)
    p = commands.add_parser(
        "bfs",
        help="breadth-first search against other packages, the same graphs and sources",
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    p.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    p.add_argument("--graphs", nargs="+", help="by name; all that the device's benchmark knows")
    p.add_argument(
        "--scale", type=int, default=None, help="log2 of the vertices of every graph, instead"
    )
    p.add_argument("--threads", nargs="+", type=_count, default=[1, 2])
    p.add_argument("--sources", type=_count, default=16, help="sources a graph, drawn from a seed")
    p.add_argument("--repeats", type=_count, default=3, help="searches from every source")
    p.add_argument(
        "--peers",
        nargs="*",
        help="packages to compare with; on cuda none unless asked for, and all that are installed "
        "where no name is given",
    )
    p.add_argument(
        "--trace", action="store_true", help="cuda: also what every level of a search did"
    )
    p.add_argument("--sweep", action="store_true", help="cuda: also other layouts and constants")
    p.add_argument(
        "--limit", type=float, default=5.0, help="leave a peer out where one search takes longer, s"
    )
    p.add_argument("--output", type=Path, default=RESULTS, help="folder for JSON and Markdown")
    c = commands.add_parser(
        "composed",
        help="the search written as six lines of algebra against the fused one",
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    c.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    c.add_argument("--graphs", nargs="+", help="by name; some that the device's benchmark knows")
    c.add_argument("--scale", type=int, default=None, help="log2 of the vertices, instead")
    c.add_argument("--threads", nargs="+", type=_count, default=[1, 2])
    c.add_argument("--sources", type=_count, default=16, help="sources a graph, drawn from a seed")
    c.add_argument("--repeats", type=_count, default=3, help="searches from every source")
    c.add_argument("--output", type=Path, default=RESULTS, help="folder for JSON and Markdown")
    m = commands.add_parser(
        "many",
        help="many searches at once against one after the other, and each technique left out",
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    m.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    m.add_argument("--graphs", nargs="+", help="by name; the device's own by default")
    m.add_argument("--scale", type=int, default=None, help="log2 of the vertices, instead")
    m.add_argument("--sources", nargs="+", type=_count, help="64 512, on cuda 256 1024 by default")
    m.add_argument("--threads", type=_count, default=2)
    m.add_argument("--repeats", type=_count, default=3)
    m.add_argument("--techniques", action="store_true", help="also with each of them left out")
    m.add_argument("--grouped", type=_count, default=4096, help="sources to choose groups from")
    m.add_argument("--output", type=Path, default=RESULTS, help="folder for JSON and Markdown")
    e = commands.add_parser(
        "expansion",
        help="the published ways of pushing on a GPU, a table for each paper",
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    tables = ["organisations", "strategies", "couplings", "warps"]
    e.add_argument("--tables", nargs="+", choices=tables, default=tables)
    e.add_argument("--graphs", nargs="+", default=[], help="only these, by name")
    e.add_argument("--sources", type=_count, default=8, help="sources a graph, drawn from a seed")
    e.add_argument("--repeats", type=_count, default=3, help="searches from every source")
    e.add_argument("--output", type=Path, default=RESULTS, help="folder for JSON")
    options = parser.parse_args()
    if options.command == "expansion" or options.device == "cuda":
        try:
            get_engine("cuda")
        except BackendUnavailable as error:
            parser.exit(1, f"{parser.prog}: {error}\n")
    if options.command == "expansion":
        from benchmarks import expansion  # needs CuPy

        benchmark = expansion.run
    else:
        benchmark = {"bfs": bfs.run, "composed": composed.run, "many": many.run}[options.command]
    for path in benchmark(options):
        print(f"wrote {path}")


if __name__ == "__main__":
    main()
