"""What a search over very many ranks would exchange and take, by formulas of counts alone.

The lists between ranks follow from degrees: a vertex is on the list of every other rank that has an
edge of it.  Those of Graph500's Kronecker graphs are a sum over numbers of bits, so that no graph
of that size is needed.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb, exp, log2

from spbfs.distributed.parts.partition import grid_of
from spbfs.planner.exchange import Lists, brought_bytes, returned_bytes

__all__ = ["ASSUMED", "Level", "Machine", "lists", "search"]

#: Graph500's probabilities that a bit of either end of an edge is 0.
_ZERO = 0.57 + 0.19


@dataclass(frozen=True)
class Machine:
    """What a rank and its network do: assumptions, not measurements."""

    #: Entries a second that a rank looks at or passes over in its part.
    entries: float
    #: Bytes a second that a rank sends, and seconds until a message arrives.
    bandwidth: float
    latency: float
    #: Seconds that a rank is busy with one message, however short.
    overhead: float


#: A GPU whose searches alone reach 400 GTEPS (stored entries), a 200 Gbit/s port each.
ASSUMED = Machine(entries=400e9, bandwidth=25e9, latency=4e-6, overhead=0.4e-6)


@dataclass(frozen=True)
class Level:
    """A level as a share of all vertices and of all entries, and its direction."""

    vertices: float
    entries: float
    pull: bool


def _referring(scale: int, edge_factor: int, parts: int) -> float:
    """Pairs of a vertex and one of `parts` among which its edges are dealt out, that has some."""
    entries = 2 * edge_factor * 2**scale
    total = 0.0
    for zeros in range(scale + 1):
        degree = entries * _ZERO**zeros * (1 - _ZERO) ** (scale - zeros)
        total += comb(scale, zeros) * parts * (1 - exp(-degree / parts))
    return total


def lists(scale: int, edge_factor: int, ranks: int, cut: str) -> tuple[Lists, Lists]:
    """The lists between ranks, those of the rows of parts and those of the columns."""

    def among(parts: int) -> Lists:
        # Of the ranks that refer to a vertex one may be its own.
        length = _referring(scale, edge_factor, parts) * (parts - 1) / parts
        return Lists(round(length), ranks * (parts - 1))

    rows, columns = grid_of(ranks) if cut == "grid" else (ranks, 1)
    return among(columns), among(rows)


def search(
    levels: list[Level], scale: int, edge_factor: int, ranks: int, cut: str, machine: Machine
) -> dict[str, float]:
    """Bytes and seconds of a search whose levels are such shares, and what a rank holds."""
    vertices, entries = 2**scale, 2 * edge_factor * 2**scale
    row_lists, column_lists = lists(scale, edge_factor, ranks, cut)
    partners = (row_lists.pairs + column_lists.pairs) / ranks
    rounds = 2 * log2(ranks) * machine.latency
    sent, seconds, named = 0.0, 0.0, 0.0
    for level in levels:
        # A pull brings along the columns and returns along the rows, a push the other way round.
        source, target = (column_lists, row_lists)[:: 1 if level.pull else -1]
        frontier = max(1, round(level.vertices * vertices))
        out = level.entries * entries
        crossing = brought_bytes(frontier, vertices, source)
        crossing += returned_bytes(out, round(named * target.length), target)
        named = min(1.0, named + level.vertices)
        sent += crossing
        work = out / ranks / machine.entries
        network = crossing / ranks / machine.bandwidth + rounds + partners * machine.overhead
        seconds += work + network
    foreign = (row_lists.length + column_lists.length) / ranks
    held = 4 * entries / ranks + 12 * foreign + 13 * vertices / ranks
    return {
        "bytes": sent,
        "seconds": seconds,
        "gteps": entries / 2 / seconds / 1e9,
        "numbered": vertices / ranks + foreign,
        "gigabytes": held / 1e9,
    }
