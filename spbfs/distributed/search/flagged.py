"""What a rank knows of its vertices in a search that lists nothing: where time is waiting.

A rank on a GPU has a flag for each of its vertices and for each that it refers to.  Flags cross as
bits, a bit for every vertex of the lists that ranks know of one another, whatever their number: on
the way between GPUs all of them take less time than to count them, which the host would wait for.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.distributed.exchange.ranks import Pending
from spbfs.distributed.exchange.wire import padded
from spbfs.distributed.parts.sides import Side
from spbfs.distributed.search.found import ByLevels, level_type
from spbfs.distributed.search.steps import Step
from spbfs.engines.arrays.patterns.sets import true_at
from spbfs.planner.exchange import Lists, flags_bytes
from spbfs.storage.data import VectorData

if TYPE_CHECKING:
    from spbfs.distributed.engine import DistributedEngine

__all__ = ["FlagLists", "Flagged"]

Array = Any
#: Bits to which a list is filled up, as messages are of whole words.
_WORD = 64


class FlagLists:
    """The lists of a side end to end, each filled up to whole words.

    Parameters
    ----------
    side : Side
        On the GPU.
    """

    def __init__(self, side: Side) -> None:
        xp, self._side = side.ranks.xp, side
        lent = [listed.shape[0] for listed in side.lent]
        self._foreign = np.diff(side.bounds).tolist()
        #: Where the list of each rank begins, and the end.
        self.begins, self._foreign_begins = _begins(lent), _begins(self._foreign)
        #: The vertices that are lent; what fills up is one behind the last.
        self.vertices = xp.full(self.begins[-1], side.own, np.int32)
        for begin, listed in zip(self.begins, side.lent, strict=False):
            self.vertices[begin : begin + listed.shape[0]] = listed

    @property
    def nbytes(self) -> int:
        """Bytes of the lists."""
        return int(self.vertices.nbytes)

    def bring(self, flags: Array, into: Array) -> None:
        """Have flags of others' vertices come from the owners, into those of the whole side.

        `flags` are this rank's, and one more that is not set.
        """
        pending = self.lend(flags[self.vertices])
        self.lent(pending, into[self._side.own :])

    def lend(self, flags: Array) -> Pending:
        """Tell borrowers a flag for every one of `vertices`."""
        return self._begin(flags, self.begins)

    def lent(self, pending: Pending, into: Array) -> None:
        """Those that owners have told of others' vertices, into flags of these."""
        told = self._unpacked(pending)
        for rank, count in enumerate(self._foreign):
            begin, at = self._foreign_begins[rank], int(self._side.bounds[rank])
            into[at : at + count] = told[begin : begin + count]

    def give(self, flags: Array) -> Pending:
        """Return flags of others' vertices, in a side's order, to their owners."""
        side = self._side
        filled = side.ranks.xp.zeros(self._foreign_begins[-1], np.bool_)
        for rank, count in enumerate(self._foreign):
            begin, at = self._foreign_begins[rank], int(side.bounds[rank])
            filled[begin : begin + count] = flags[at : at + count]
        return self._begin(filled, self._foreign_begins)

    def given(self, pending: Pending) -> Array:
        """A flag for every one of `vertices`, whether its borrower has set it."""
        return self._unpacked(pending)

    def answer(self, flags: Array, values: Array) -> Pending:
        """Return a value for every one of others' vertices that has a flag."""
        side, xp = self._side, self._side.ranks.xp
        at = true_at(flags)
        cuts = xp.searchsorted(at, xp.asarray(side.bounds)).tolist()
        chosen = values[at]
        return side.ranks.begin([padded(xp, chosen[a:b]) for a, b in pairwise(cuts)])

    def answered(self, pending: Pending, flags: Array, values: Array) -> None:
        """Write what was returned, for every one of `vertices` that was asked for by a flag, into
        values of this rank's vertices."""
        for part, (a, b) in zip(pending.wait(), pairwise(self.begins), strict=True):
            if part.shape[0]:
                vertices = self.vertices[a:b][flags[a:b]]
                values[vertices] = part.view(values.dtype)[: vertices.shape[0]]

    def _begin(self, flags: Array, begins: Sequence[int]) -> Pending:
        ranks = self._side.ranks
        bits = ranks.xp.packbits(flags)
        parts = [bits[a // 8 : b // 8] for a, b in pairwise(begins)]
        return ranks.begin(parts)

    def _unpacked(self, pending: Pending) -> Array:
        xp = self._side.ranks.xp
        return xp.unpackbits(xp.concatenate(pending.wait())).view(np.bool_)


def _begins(lengths: list[int]) -> list[int]:
    return list(accumulate((-(-length // _WORD) * _WORD for length in lengths), initial=0))


class Flagged(ByLevels):
    """Levels, by whom vertices were found, and the frontier as flags; on the GPU.

    Parameters
    ----------
    engine : DistributedEngine
    degrees : int64 array
    sources : int64 array
        Elements.
    """

    def __init__(self, engine: DistributedEngine, degrees: Array, sources: Array) -> None:
        self._engine, self._degrees, own = engine, degrees, engine.own
        xp = self._xp = engine.staging.xp
        # One more than there are vertices: what fills up lists is written there.
        self._levels = xp.full(own + 1, -1, level_type(engine.partition.n))
        self._finders = xp.full(own + 1, -1, np.int32)
        self._frontier = xp.zeros(own + 1, np.bool_)
        self._levels[sources], self._frontier[sources] = 0, True
        self.levels, self.finders = self._levels[:own], self._finders[:own]

    def counts(self) -> tuple[int, int]:
        """Vertices of the frontier, and their out-edges."""
        flags = self._frontier[:-1]
        edges = int(self._xp.where(flags, self._degrees, 0).sum())
        return self._engine.staging.count_true(flags), edges

    def predict(self, step: Step, frontier: int, out_edges: int) -> int:
        """Bytes that all ranks will send for a level."""
        sides = step.source, step.target
        return round(sum(flags_bytes(Lists(side.between, side.pairs)) for side in sides))

    def show(self, step: Step) -> None:
        """Tell a step that is new which vertices have a level."""
        step.see_nothing()
        step.seen[: self.levels.shape[0]] = self.levels >= 0

    def expand(self, step: Step, others: list[Step], depth: int, code: int) -> None:
        """Find the next level, by one step; `code` is its number times that of ranks."""
        xp, own, target = self._xp, self._engine.own, step.target
        new = self._found(step)
        crossing = None
        if target.between:
            lists = self._engine.flag_lists(target)
            crossing = lists.give(new[own:])
        # What was found here is written down while the others' messages are under way.
        self._frontier[:own] = new[:own]
        self.levels[...] = xp.where(new[:own], depth, self.levels)
        self.finders[...] = xp.where(new[:own], code + self._engine.ranks.rank, self.finders)
        if crossing is not None:
            at = lists.vertices
            fresh = lists.given(crossing) & (self._levels[at] < 0)
            reached = xp.where(fresh, at, own)
            for rank, (a, b) in enumerate(pairwise(lists.begins)):
                self._finders[reached[a:b]] = code + rank
            self._levels[reached], self._frontier[reached] = depth, True
            self._levels[own] = self._finders[own] = -1
            self._frontier[own] = False
        for other in others:
            other.seen[:own] |= self._frontier[:own]

    def parents(self, steps: Sequence[Step], source: int) -> Array:
        """The parent of each vertex, -1 where not reached; collective."""
        engine, xp, own = self._engine, self._xp, self._engine.own
        ranks = engine.ranks
        parents = xp.full(own, -1, self._levels.dtype)
        for number, step in enumerate(steps):
            base = number * ranks.size
            named = engine.names(step.source)[step.via]
            parents = xp.where(self.finders == base + ranks.rank, named[:own], parents)
            if step.target.between:
                lists = engine.flag_lists(step.target)
                finders = self._finders[lists.vertices]
                asked = xp.empty(finders.shape[0], np.bool_)
                for rank, (a, b) in enumerate(pairwise(lists.begins)):
                    asked[a:b] = finders[a:b] == base + rank
                wanted = xp.empty(step.target.size - own, np.bool_)
                lists.lent(lists.lend(asked), wanted)
                lists.answered(lists.answer(wanted, named[own:]), asked, parents)
        parents[engine.staging.asarray(engine.own_elements(np.array([source]))[1])] = source
        return parents

    def _found(self, step: Step) -> Array:
        """Which vertices this rank finds of those that it refers to."""
        engine, source, xp = self._engine, step.source, self._xp
        present = xp.empty(source.size, np.bool_)
        present[: engine.own] = self._frontier[:-1]
        if source.between:
            engine.flag_lists(source).bring(self._frontier, present)
        ones = engine.staging.constant(True, np.dtype(np.bool_), source.size)
        w = engine.staging.to_bitmap(step.multiply(VectorData(source.size, ones, present=present)))
        new = engine.staging.present(w)
        step.seen |= new
        if step.via is not None:
            step.via[...] = xp.where(new, w.values, step.via)
        return new
