"""``python -m benchmarks bfs [...]``: run a benchmark and write what it measured."""

from __future__ import annotations

import argparse
from importlib import import_module
from pathlib import Path

import spbfs as sb
from benchmarks.papers import command as papers

RESULTS = Path(__file__).parent / "results"


def _count(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1")
    return int(text)


def _common(p: argparse.ArgumentParser, repeats: int) -> None:
    """What every benchmark is asked in the same way."""
    p.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    p.add_argument("--scale", type=int, help="cpu: log2 of the vertices of every graph instead")
    p.add_argument("--graphs", nargs="+", help="by name; the device's own by default")
    p.add_argument("--repeats", type=_count, default=repeats, help="searches from every source")
    p.add_argument("--output", type=Path, default=RESULTS, help="folder for JSON and Markdown")


def _bfs(p: argparse.ArgumentParser) -> None:
    _common(p, repeats=3)
    p.add_argument("--threads", nargs="+", type=_count, default=[1, 2])
    p.add_argument("--sources", type=_count, default=16, help="sources a graph, drawn from a seed")
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


def _calls(p: argparse.ArgumentParser) -> None:
    p.add_argument("--device", choices=["cuda"], default="cuda")
    p.add_argument("--graphs", nargs="+", help="by name; all by default")
    p.add_argument("--sources", type=_count, default=64, help="sources a graph, drawn from a seed")
    p.add_argument("--repeats", type=_count, default=5, help="searches from every source")
    p.add_argument("--output", type=Path, default=RESULTS, help="folder for JSON and Markdown")


def _composed(p: argparse.ArgumentParser) -> None:
    _common(p, repeats=3)
    p.add_argument("--threads", nargs="+", type=_count, default=[1, 2])
    p.add_argument("--sources", type=_count, default=16, help="sources a graph, drawn from a seed")


def _many(p: argparse.ArgumentParser) -> None:
    _common(p, repeats=7)
    p.add_argument(
        "--sources", nargs="+", type=_count, help="64 512, on cuda 64 256 1024 4096 by default"
    )
    p.add_argument("--threads", type=_count, default=2)
    p.add_argument(
        "--techniques", action="store_true", help="cpu: also with each of them left out, internal"
    )
    p.add_argument(
        "--grouped", type=_count, default=4096, help="cpu: sources grouped with --techniques"
    )


def _batches(p: argparse.ArgumentParser) -> None:
    p.set_defaults(module="benchmarks.common.batches")
    p.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    p.add_argument("--scale", type=_count, help="of the Kronecker graph; 18, on cuda 24 by default")
    p.add_argument("--sources", type=_count, help="16,384, on cuda 65,536 by default")
    p.add_argument("--repeats", type=_count, default=7, help="calls of every way")
    p.add_argument("--output", type=Path, default=RESULTS, help="folder for JSON and Markdown")


def _scaling(p: argparse.ArgumentParser) -> None:
    p.add_argument("--device", choices=["cuda"], default="cuda")
    p.add_argument("--graphs", nargs="+", help="by name; five by default")
    p.add_argument("--gpus", nargs="+", type=_count, help="how many; from two to all by default")
    p.add_argument("--sources", type=_count, default=16, help="sources a graph, drawn from a seed")
    p.add_argument("--repeats", type=_count, default=5, help="searches from every source")
    p.add_argument("--checked", type=int, default=16, help="sources whose trees are checked")
    p.add_argument("--output", type=Path, default=RESULTS, help="folder for JSON and Markdown")


def _pinned(p: argparse.ArgumentParser) -> None:
    p.add_argument("--device", choices=["cuda"], default="cuda")
    p.add_argument("--graphs", nargs="+", help="kronecker, uniform; both by default")
    p.add_argument("--scale", type=_count, help="log2 of the vertices of every graph instead")
    p.add_argument("--sources", type=_count, default=4, help="sources a graph, drawn from a seed")
    p.add_argument("--repeats", type=_count, default=5, help="calls of everything")
    p.add_argument("--fraction", type=_count, default=4, help="1 of so many parts fits the GPU")
    p.add_argument("--output", type=Path, default=RESULTS, help="folder for JSON and Markdown")


def _products(p: argparse.ArgumentParser) -> None:
    _common(p, repeats=9)
    p.add_argument("--threads", nargs="+", type=_count, default=[1, 2])
    p.add_argument("--squares", action="store_true", help="products of two matrices alone")


def _statements(p: argparse.ArgumentParser) -> None:
    p.set_defaults(device="cpu")
    p.add_argument("--statements", nargs="+", help="by name; all by default")
    p.add_argument("--sizes", nargs="+", type=_count, default=[34, 1000, 100_000])
    p.add_argument("--threads", type=_count, default=2)
    p.add_argument("--repeats", type=_count, default=41, help="turns of a batch each")
    p.add_argument("--output", type=Path, default=RESULTS, help="folder for JSON and Markdown")


def _algorithms(p: argparse.ArgumentParser) -> None:
    _common(p, repeats=3)
    p.add_argument("--threads", nargs="+", type=_count, default=[2])
    p.add_argument("--rows", nargs="+", help="algorithms by name; all by default")
    p.add_argument("--gap", type=Path, help="folder with the GAP suite's compiled programs")


def _csgraph(p: argparse.ArgumentParser) -> None:
    p.set_defaults(device="cpu")
    p.add_argument("--graphs", nargs="+", help="by name; all by default")
    p.add_argument("--repeats", type=_count, default=5, help="turns of a call each")
    p.add_argument("--output", type=Path, default=RESULTS, help="folder for JSON and Markdown")


def _networkx(p: argparse.ArgumentParser) -> None:
    p.set_defaults(device="cpu")
    p.add_argument("--functions", nargs="+", help="by name; all by default")
    p.add_argument("--resume", type=Path, help="JSON of a run; what it has is not measured again")
    p.add_argument("--scale", type=_count, help="log2 of the nodes; 16 by default")
    p.add_argument("--threads", type=_count, default=2)
    p.add_argument("--repeats", type=_count, default=3, help="turns after the first call")
    p.add_argument("--output", type=Path, default=RESULTS, help="folder for JSON and Markdown")


def _disk(p: argparse.ArgumentParser) -> None:
    p.set_defaults(device="cpu")
    p.add_argument("--scale", type=_count, default=20, help="log2 of the vertices")
    p.add_argument("--sources", type=_count, default=8, help="sources, drawn from a seed")
    p.add_argument("--repeats", type=_count, default=3, help="searches from every source")
    p.add_argument("--threads", type=_count, default=2)
    p.add_argument("--memory", type=_count, default=1 << 28, help="bytes to convert in")
    p.add_argument("--folder", type=Path, help="where the graph lies meanwhile")
    p.add_argument("--output", type=Path, default=RESULTS, help="folder for JSON and Markdown")


def _distributed(p: argparse.ArgumentParser) -> None:
    p.set_defaults(device="cpu")
    p.add_argument("--scale", type=_count, default=16, help="log2 of the vertices")
    p.add_argument("--ranks", nargs="+", type=_count, default=[4, 16, 64], help="simulated")
    p.add_argument("--model", action="store_true", help="also extrapolate to 1,000 ranks and more")
    p.add_argument("--output", type=Path, default=RESULTS, help="folder for JSON and Markdown")


#: Name -> (what it is, its options).
BENCHMARKS = {
    "bfs": ("breadth-first search against other packages, the same graphs and sources", _bfs),
    "calls": ("what a call of a short search takes, and how much of it is the GPU's", _calls),
    "composed": ("the search written as six lines of algebra against the fused one", _composed),
    "algorithms": ("algorithms by their public calls against other programs", _algorithms),
    "many": ("many searches at once; on the cpu against one after the other", _many),
    "batches": ("batches of sources over two workers against one (Fig. 17 of iBFS)", _batches),
    "scaling": ("one search by several GPUs of a host against one", _scaling),
    "pinned": ("graphs in memory of the host, a fraction of which fits the GPU", _pinned),
    "products": ("matrices times vectors and matrices, against what has those", _products),
    "statements": ("single statements of the dialect against python-graphblas", _statements),
    "csgraph": ("spbfs.csgraph against scipy.sparse.csgraph, on SciPy's matrices", _csgraph),
    "disk": ("a graph on the disk against the same in memory", _disk),
    "networkx": ("NetworkX's functions against the same through the backend", _networkx),
    "distributed": ("what ranks of a search exchange, counted and by a model", _distributed),
    "papers": ("the papers' tables and figures beside ours, and their pages", papers.add_options),
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks")
    commands = parser.add_subparsers(dest="command", required=True)
    for name, (what, add_options) in BENCHMARKS.items():
        style = argparse.ArgumentDefaultsHelpFormatter
        add_options(commands.add_parser(name, help=what, formatter_class=style))
    # The module of a benchmark is that of its name in the device's folder, unless its options say.
    parser.set_defaults(module="benchmarks.{device}.{command}")
    options = parser.parse_args()
    # What was counted elsewhere is put together on any machine.
    if options.device == "cuda" and not getattr(options, "merge", False):
        try:
            sb.generate.path(2).to("cuda")
        except sb.exceptions.BackendUnavailable as error:
            parser.exit(1, f"{parser.prog}: {error}\n")
    benchmark = import_module(options.module.format(**vars(options)))
    for path in benchmark.run(options):
        print(f"wrote {path}")


if __name__ == "__main__":
    main()
