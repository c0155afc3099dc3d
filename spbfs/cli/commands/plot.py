"""``spbfs plot``: a picture of a graph or of a search, into a file."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from spbfs.cli.shared.files import check_is_another, check_place
from spbfs.cli.shared.reading import read_graph
from spbfs.cli.shared.search import all_levels, graph_on_device, search

__all__ = ["run"]


def run(arguments: argparse.Namespace) -> None:
    from spbfs.base.packages import package
    from spbfs.base.pictures.canvas import AS_IT_IS

    check_is_another(arguments.output, arguments.graph)
    check_place(arguments.output, arguments.force)
    # A figure of its own, not one of pyplot's: nothing looks for a screen.
    figure = package("matplotlib.figure", "plot").Figure(layout="constrained")
    if arguments.kind == "frontier":
        graph, _ = graph_on_device(arguments)
        all_levels(search(graph, arguments, trace=True)).plot(figure)
    elif arguments.kind == "degrees":
        read_graph(arguments).matrix.degree_plot(figure)
    else:
        read_graph(arguments, square=False).matrix.spy(figure)
    figure.suptitle(_title(arguments), fontsize="medium", **AS_IT_IS)
    _write(figure, Path(arguments.output))
    print(arguments.output)


def _title(arguments: argparse.Namespace) -> str:
    name = Path(arguments.graph).name
    if arguments.kind != "frontier":
        return name
    return f"{name}, from {', '.join(map(str, arguments.source))}"


def _write(figure: Any, path: Path) -> None:
    """Write the picture, of the same bytes for the same numbers."""
    from matplotlib import rc_context

    from spbfs.io.files.sink import Sink

    kind = path.suffix[1:]
    dated = {"svg": "Date", "pdf": "CreationDate"}.get(kind)
    metadata = None if dated is None else {dated: None}
    with rc_context({"svg.hashsalt": "spbfs"}), Sink(path, 0) as sink:
        figure.savefig(sink.stream, format=kind, dpi=150, metadata=metadata)
