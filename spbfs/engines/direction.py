"""Push or pull: what the engines tell the planner of a product."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from spbfs.engines.protocol import MaskData
from spbfs.engines.specialise import ProductKey
from spbfs.planner import products as planner
from spbfs.storage.data import MatrixData
from spbfs.storage.derived import Ledger

__all__ = ["Counts", "choose_direction"]


@dataclass(slots=True)
class Counts:
    """What an engine has counted, or knows at most, of the operands of a product."""

    #: Entries of the vector, and of the matrix's rows (columns when it is transposed) that they
    #: meet; -1 where those were not counted.
    frontier: int
    edges: int
    #: Rows with entries of the matrix that a pull walks.
    filled: int
    #: Entries of the mask.
    stored: int
    #: Whether the vector can be pushed as it is, and need not be listed.
    listed: bool = True


def choose_direction(
    A: MatrixData,
    across: MatrixData | None,
    transpose: bool,
    key: ProductKey,
    mask: MaskData | None,
    counts: Counts,
    ledger: Ledger,
    rates: planner.Rates,
    threads: int = 1,
) -> Literal["push", "pull"]:
    """What the planner chooses for ``w<mask> = A u`` (``A' u`` when `transpose`).

    `across` is the transpose where it is there, and `ledger` is brought up to date.  A valued mask
    is taken as if structural, and what it holds as rows with entries: so it is where it says what a
    traversal has visited.
    """
    entries = A.indices.shape[0]
    rows, cols = (A.ncols, A.nrows) if transpose else (A.nrows, A.ncols)
    edges, admitted = counts.edges, counts.filled
    if edges < 0:
        edges = entries * counts.frontier // max(cols, 1)
    if mask is not None:
        stored = counts.stored
        admitted = max(0, admitted - stored) if mask.complement else min(stored, admitted)
    costs = planner.product_costs(
        rows=rows,
        frontier=counts.frontier,
        frontier_edges=edges,
        admitted=admitted,
        entries=entries,
        stops_early=key.stops_early,
        pattern=key.is_pattern,
        threads=threads,
        listed=counts.listed,
        rates=rates,
    )
    there = across is not None
    ready = {"push": transpose or there, "pull": there or not transpose}
    direction, ledger.regret = planner.direction(costs, ready, entries, ledger.regret, rates)
    return direction
