"""One direction of a search over ranks: a level expanded along the edges that each rank has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.distributed.exchange.ranks import sums
from spbfs.distributed.parts.storage import DistributedMatrix
from spbfs.engines.bfs import SearchRequest
from spbfs.engines.protocol import Hints, MaskData
from spbfs.operators.dtypes import BOOL
from spbfs.operators.tables.builtin import SEMIRING
from spbfs.planner.exchange import Lists, brought_bytes, returned_bytes
from spbfs.storage.data import VectorData

if TYPE_CHECKING:
    from spbfs.distributed.engine import DistributedEngine

__all__ = ["Step"]

Array = Any
#: The frontier's vertex by which another is found: it is the index summed over.
_VIA = {True: SEMIRING["any_firstj"], False: SEMIRING["any_secondi"]}


class Step:
    """A push along the edges of a matrix, or a pull along those of its transpose.

    Parameters
    ----------
    engine : DistributedEngine
    A : DistributedMatrix
        Whose rows are the sources of edges, or with `pull` their targets.
    pull : bool
    request : SearchRequest
    """

    def __init__(
        self, engine: DistributedEngine, A: DistributedMatrix, pull: bool, request: SearchRequest
    ) -> None:
        self._engine, self.matrix, self.pull = engine, A, pull
        ends = engine.ends(A)
        self.source, self.target = (ends.columns, ends.rows) if pull else (ends.rows, ends.columns)
        self._hints = Hints("pull" if pull else "push", request.threads)
        #: Vertices that need not be found: this rank's that have a level, others' that were named.
        self.seen: Array = None
        #: The number, on the side of sources, of the vertex by which each was found here, where
        #: parents are asked for.
        self.via: Array | None = None
        self.named_parents = bool(request.parents)
        semiring = _VIA[pull] if request.parents else SEMIRING["any_pair"]
        self._semiring = semiring.resolve(BOOL, BOOL)
        #: Of others' vertices, how many were named to them.
        self.named = 0
        self._leaving = 0
        if request.traced and self.target.between:
            part, own = A.part, self.target.own
            leaving = part.nvals - int(part.indptr[own])
            if not pull:
                leaving = engine.local.count_true(part.indices >= own)
            (self._leaving,) = sums(engine.ranks, leaving)

    def see_nothing(self) -> None:
        """Have arrays for what is seen and found, where this rank exchanges."""
        xp = self._engine.staging.xp
        self.seen = xp.zeros(self.target.size, np.bool_)
        if self.named_parents:
            self.via = xp.zeros(self.target.size, np.int32)

    def multiply(self, u: VectorData) -> VectorData:
        """Of a frontier, and others' vertices on it, what this rank's edges find that is not seen;
        where its engine works."""
        engine, size = self._engine, self.target.size
        ones = engine.staging.constant(True, np.dtype(np.bool_), size)
        seen = engine.from_staging(VectorData(size, ones, present=self.seen))
        of = self.matrix.part, self._semiring, not self.pull, not self.pull
        w: VectorData = engine.local.mxv(of, u, MaskData(seen, True, True), self._hints)
        return w

    # -- what the model says of it -------------------------------------------------------------
    def predict(self, frontier: int, out_edges: int) -> int | None:
        """Bytes that all ranks will send for a level, as the planner's model has it."""
        source, target = self.source, self.target
        expected = brought_bytes(frontier, self.matrix.nrows, Lists(source.between, source.pairs))
        if not target.between or not self._leaving:
            return round(expected)
        edges = out_edges * self._leaving / max(self.matrix.nvals, 1)
        (named,) = sums(self._engine.ranks, self.named)
        lists = Lists(target.between, target.pairs)
        return round(expected + returned_bytes(edges, named, lists))
