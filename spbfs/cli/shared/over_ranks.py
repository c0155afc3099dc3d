"""``spbfs bfs --distributed``: one of the processes of mpirun, each with a part of the graph."""

from __future__ import annotations

import argparse
import time
from typing import Any

from spbfs.base.wording import counted
from spbfs.cli.parsing.errors import reason
from spbfs.cli.shared import formatting as text
from spbfs.cli.shared.files import STANDARD, check_is_another, check_place
from spbfs.cli.shared.reading import as_numbers
from spbfs.cli.shared.search import search_record
from spbfs.cli.shared.search_report import level_sizes, report
from spbfs.exceptions import InvalidValue

__all__ = ["run_over_ranks"]

#: Options of one process, by what they are when they are not given.
_ALONE = {
    "compact": False,
    "columns": None,
    "format": None,
    "energy": False,
    "memory": None,
    "rates": None,
}


def run_over_ranks(arguments: argparse.Namespace) -> None:
    """Read, search and report; rank 0 prints, every rank reads and writes its part."""
    import spbfs

    with spbfs.distributed.job(report=reason) as comm:
        _check(arguments, comm.rank)
        begin = time.perf_counter()
        D = spbfs.distributed.read(
            arguments.graph,
            comm,
            directed=not arguments.undirected,
            weights=arguments.weights,
            one_based=True if arguments.one_based else None,
            devices="cpu" if arguments.device == "auto" else arguments.device,
        )
        read_seconds = time.perf_counter() - begin
        sources = as_numbers(arguments.source)
        options: dict[str, Any] = {"max_depth": arguments.depth, "threads": arguments.threads}
        found = spbfs.bfs(D, sources if len(sources) > 1 else sources[0], **options)
        record = search_record(arguments, D, found, sources)
        record.update(read_seconds=read_seconds, ranks=comm.size)
        spread = D._engine.spread
        by = "" if spread is None else spread.exchange
        record["device"] = counted(comm.size, "rank") + (f" that exchange {by}" if by else "")
        if arguments.verify:
            spbfs.verify.bfs_tree(D, sources, found, max_depth=arguments.depth)
            record["verified"] = True
        if arguments.output:
            found.levels.to_file(arguments.output)
            record["output"] = arguments.output
        sizes = _level_sizes(found)
        if comm.rank == 0 and arguments.json:
            text.print_json(record)
        elif comm.rank == 0:
            print(report(record) + "\n\n" + level_sizes(sizes))


def _check(arguments: argparse.Namespace, rank: int) -> None:
    """Refuse what only one process can do; rank 0 alone looks for a place for the output."""
    for option, absent in _ALONE.items():
        if getattr(arguments, option) != absent:
            raise InvalidValue(f"--{option}: not with --distributed")
    if arguments.graph == STANDARD:
        raise InvalidValue("graph: expected a file with --distributed, got '-'")
    if arguments.device == "reference":
        raise InvalidValue("device: expected auto, cpu or cuda with --distributed, got 'reference'")
    output = arguments.output
    if output and not output.endswith(".npy"):
        raise InvalidValue(f"output: expected a name ending in .npy, got {output!r}")
    if output and rank == 0:
        check_is_another(output, arguments.graph)
        check_place(output, arguments.force)


def _level_sizes(found: Any) -> Any:
    """How many vertices every level has, at all ranks."""
    import numpy as np

    _, mine = found.levels.local.to_coo()
    counts = np.bincount(mine, minlength=found.depth + 1)
    ranks = found.levels._engine.ranks
    return ranks.reduce(counts.astype(np.int64), "sum")
