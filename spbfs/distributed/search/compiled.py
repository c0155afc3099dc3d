"""What a rank knows of its vertices in a search that its CPU makes: `Listed`, by compiled loops.

The messages are those of `Listed`, so that ranks whose part lies on a GPU take part.  The frontier
is in no order, levels tell which own vertices are known, and bits of lists go as they are from
loops to messages and back: nothing goes through all vertices, or through a list of them, but
compiled loops of all threads.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.distributed.exchange.ranks import Pending
from spbfs.distributed.exchange.wire import packs_bits, padded
from spbfs.distributed.parts.sides import Side
from spbfs.distributed.parts.storage import DistributedMatrix
from spbfs.distributed.search.found import ByLevels, level_type
from spbfs.distributed.search.steps import Step
from spbfs.engines.cpu.bfs.ranks import RankVertices, Room, bytes_of, positions
from spbfs.engines.cpu.graph.transpose import likeliest
from spbfs.planner.many import skewed
from spbfs.planner.products import HUBS_AFTER_PULLS

if TYPE_CHECKING:
    from spbfs.distributed.engine import DistributedEngine

__all__ = ["Compiled"]

Array = Any
#: Entries that are counted at once.
_COUNTED = 1 << 22
#: Of others' vertices one of so many is found by a level that is returned as bits, without a list.
_FEW = 32


class Compiled(ByLevels):
    """Levels, by whom vertices were found, and the frontier as a list; in host memory.

    Parameters
    ----------
    engine : DistributedEngine
    A : DistributedMatrix
        What is searched: it keeps the room.
    degrees : int64 array
    sources : int64 array
        Elements.
    threads : int or None
    """

    def __init__(
        self,
        engine: DistributedEngine,
        A: DistributedMatrix,
        degrees: Array,
        sources: Array,
        threads: int | None,
    ) -> None:
        if A.room is None:
            A.room = Room()
        self._engine, self._room = engine, A.room
        dtype = level_type(engine.partition.n)
        self._own = RankVertices(degrees, sources, dtype, threads, self._room)
        self.levels = self._own.levels

    def counts(self) -> tuple[int, int]:
        """Vertices of the frontier, and their out-edges."""
        return self._own.frontier.shape[0], self._own.edges

    def predict(self, step: Step, frontier: int, out_edges: int) -> int | None:
        """Bytes that all ranks will send for a level, where that can be told."""
        return step.predict(frontier, out_edges)

    def show(self, step: Step) -> None:
        """Give a step that is new its room; which vertices have a level it sees."""
        name, size = "pull" if step.pull else "push", step.target.size
        step.seen = self._own.unseen(name, size).view(np.bool_)
        if step.named_parents:
            step.via = self._room.array(f"via {name}", size, np.int32)

    def expand(self, step: Step, others: list[Step], depth: int, code: int) -> None:
        """Find the next level, by one step; `code` is its number times that of ranks."""
        own, finder = self._own, code + self._engine.ranks.rank
        seen = step.seen.view(np.uint8)
        own.begin(depth)
        if step.pull:
            present = self._present(step.source, depth - 1)
            hubs = _asked_first(step.matrix, own.threads)
            found = own.pull(step.matrix.part, present, hubs, finder, seen, step.via)
        else:
            found = own.push(step.matrix.part, self._pushed(step.source), finder, seen, step.via)
        if step.target.between:
            pending = self._give(step, seen, found)
            for rank, message in enumerate(_arrived(pending, step.target.lent)):
                if message is not None:
                    own.take(step.target.lent[rank], message, code + rank)
        own.end()

    # -- the frontier to who has edges of it -----------------------------------------------------
    def _present(self, side: Side, depth: int) -> Array:
        """Bits of a side's vertices that are on a level."""
        own, bits = self._own, np.zeros(bytes_of(side.size), np.uint8)
        own.on_level(depth, bits[: bytes_of(side.own)])
        if side.between:
            for message, begin, end in self._brought(side, bits):
                own.place(message, end - begin, bits, side.own + begin)
        return bits

    def _pushed(self, side: Side) -> Array:
        """The frontier, and others' vertices on it, as a list."""
        own = self._own
        if not side.between:
            return own.frontier
        bits = np.zeros(bytes_of(side.own), np.uint8)
        own.place(own.frontier, side.own, bits, 0)
        pieces = [own.frontier]
        for message, begin, end in self._brought(side, bits):
            pieces.append(_listed(message, end - begin) + np.int32(side.own + begin))
        return np.concatenate(pieces)

    def _brought(self, side: Side, present: Array) -> list[tuple[Array, int, int]]:
        """What owners say of others' vertices, and which of these are each's."""
        sent = [_message(*self._own.lent(listed, present), listed.shape[0]) for listed in side.lent]
        pending = side.ranks.begin([part for _, part in sent], [head for head, _ in sent])
        cuts = list(pairwise(side.bounds.tolist()))
        messages = _arrived(pending, [range(b - a) for a, b in cuts])
        return [(m, a, b) for m, (a, b) in zip(messages, cuts, strict=True) if m is not None]

    # -- what was found, to the owners -----------------------------------------------------------
    def _give(self, step: Step, seen: Array, found: Array) -> Pending:
        """Name others' vertices to their owners."""
        side = step.target
        step.named += found.shape[0]
        if _FEW * found.shape[0] <= side.foreign.shape[0]:
            seen[found] = True
            return side.give(np.sort(found), None).pending
        sent = [
            _message(*self._own.fresh(seen[side.own + a : side.own + b]), b - a)
            for a, b in pairwise(side.bounds.tolist())
        ]
        return side.ranks.begin([part for _, part in sent], [head for head, _ in sent])

    # -- parents ---------------------------------------------------------------------------------
    def parents(self, steps: list[Step], source: int) -> Array:
        """The parent of each vertex, -1 where not reached; collective."""
        engine, own = self._engine, self._own
        ranks, parents = engine.ranks, np.empty_like(self.levels)
        if not steps:
            parents.fill(-1)
        for number, step in enumerate(steps):
            base, names = number * ranks.size, engine.names(step.source)
            own.name_parents(base + ranks.rank, step.via, names, parents, number == 0)
            if step.target.between:
                self._ask(step, base, names, parents)
        parents[engine.own_elements(np.array([source]))[1]] = source
        return parents

    def _ask(self, step: Step, base: int, names: Array, parents: Array) -> None:
        """Write the parents of own vertices that other ranks have found, who are asked for them."""
        side, via = step.target, step.via
        assert via is not None
        asked = [self._own.found_by(listed, base + rank) for rank, listed in enumerate(side.lent)]
        sent = [
            _message(*bits, listed.shape[0]) for bits, listed in zip(asked, side.lent, strict=True)
        ]
        pending = side.ranks.begin([part for _, part in sent], [head for head, _ in sent])
        cuts = list(pairwise(side.bounds.tolist()))
        answers = []
        for message, (a, b) in zip(
            _arrived(pending, [range(b - a) for a, b in cuts]), cuts, strict=True
        ):
            numbers = np.empty(0, np.int32) if message is None else _listed(message, b - a)
            answers.append(padded(np, names[via[numbers + np.int32(side.own + a)]]))
        arrived = side.ranks.begin(answers).wait()
        for (bits, count), listed, answer in zip(asked, side.lent, arrived, strict=True):
            if count:
                parents[listed[positions(bits, count)]] = answer.view(names.dtype)[:count]


def _message(bits: Array, count: int, length: int) -> tuple[int, Array]:
    """Bits over a list of this length, of which `count` are set, as they cross; see `wire.pack`."""
    if not count:
        return 0, np.empty(0, np.uint8)
    return 2 * count, padded(np, bits if packs_bits(length, count) else positions(bits, count))


def _arrived(pending: Pending, lists: Any) -> list[Array | None]:
    """What every rank has sent over a list: bits (uint8), positions (int32), or None."""
    found: list[Array | None] = []
    for message, head, listed in zip(pending.wait(), pending.heads, lists, strict=True):
        count, length = head // 2, len(listed)
        if not count:
            found.append(None)
        elif packs_bits(length, count):
            found.append(message[: bytes_of(length)])
        else:
            found.append(message[: 4 * count].view(np.int32))
    return found


def _listed(message: Array, length: int) -> Array:
    """A message over a list of this length as positions."""
    if message.dtype == np.int32:
        return message
    return np.flatnonzero(np.unpackbits(message)[:length]).astype(np.int32)


def _asked_first(A: DistributedMatrix, threads: int) -> Array:
    """The column of every row that most of this rank's edges enter, -1 where there is none; an
    empty array as long as pulls are few, or where no column stands out."""
    A.pulls += 1
    part = A.part
    if A.likeliest is None and A.pulls == HUBS_AFTER_PULLS and part.nvals:
        longest = int(np.diff(part.indptr).max())
        if skewed(part.nrows, part.nvals, longest):
            entering = np.zeros(part.ncols, np.int64)
            for some in np.array_split(part.indices, -(-part.nvals // _COUNTED)):
                entering += np.bincount(some, minlength=part.ncols)
            A.likeliest = likeliest(part, entering, threads, alone=True)
    return np.empty(0, np.int32) if A.likeliest is None else A.likeliest
