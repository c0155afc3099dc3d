"""Breadth-first searches over ranks from many sources, a bit a search.

Of a vertex that some searches have on their frontiers the words of bits are brought to whoever has
edges of it, all ranks pull by their parts, and bits found for vertices of others are returned.
They cross from host memory, wherever parts are multiplied.

Then, Kaufmann, Chirigati, Hoang-Vu, Pham, Kemper, Neumann, Vo: The more the merrier: efficient
multi-source graph traversal (VLDB 2014).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from spbfs.base.memory import require_bytes
from spbfs.distributed.algebra.transpose import in_edges
from spbfs.distributed.exchange.ranks import agree, sums
from spbfs.distributed.parts.sides import Side
from spbfs.distributed.parts.storage import DistributedMatrix, DistributedVector
from spbfs.distributed.search.found import level_type
from spbfs.distributed.search.searches import DistributedSearches
from spbfs.engines.bfs import SearchRequest
from spbfs.engines.bfs_many import FoundSpread, ManyRequest
from spbfs.engines.protocol import Hints
from spbfs.storage.data import MatrixData, VectorData
from spbfs.storage.packed import words_of

if TYPE_CHECKING:
    from spbfs.distributed.engine import DistributedEngine

__all__ = ["search_many"]

Array = Any
Ints = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]
#: Rows whose bits are spelled out at once.
_ROWS = 1 << 14


def search_many(
    engine: DistributedEngine,
    A: DistributedMatrix,
    sources: Ints,
    request: ManyRequest,
    outputs: frozenset[str],
    batch: int,
    report: Callable[[int, int], None],
) -> FoundSpread:
    """Searches from all sources, so many at once; collective.

    Parameters
    ----------
    outputs : frozenset of str
        Of "levels", "counts", "level_sums" and "parents", those that are to be made.
    report : callable
        Told after each batch, at every rank, how many searches have ended, and the edges of all.
    """
    agree(engine.ranks, "sources", blake2b(sources.tobytes(), digest_size=8).hexdigest())
    found = _Found(engine, A, sources.shape[0], outputs)
    across = in_edges(engine, A)
    for begin in range(0, sources.shape[0], batch):
        some = sources[begin : begin + batch]
        _search_batch(engine, across, some, request, found, begin)
        (edges,) = sums(engine.ranks, found.edges)
        report(begin + some.shape[0], edges)
    made = found.summed()
    if "parents" in outputs:
        made = replace(made, parents=_parents(engine, A, sources, request))
    return made


def _parents(
    engine: DistributedEngine, A: DistributedMatrix, sources: Ints, request: ManyRequest
) -> list[Any]:
    """A vector of parents for every source, each of a search of its own.

    Joined searches tell who was found and not by whom, and a vertex of each search would have to
    cross where now a bit does.
    """
    width = level_type(A.nrows)().itemsize
    require_bytes(width * sources.shape[0] * engine.own, "outputs: parents")
    searches = DistributedSearches(engine, A)
    asked = SearchRequest(
        source=0,
        levels=False,
        parents="any",
        max_depth=request.max_depth,
        target=None,
        direction=request.direction,
        threads=request.threads,
        relabel="auto",
        traced=False,
        planned=True,
    )
    found = (searches.run(A, replace(asked, source=source)) for source in sources.tolist())
    return [result.storage(result.array("parents")) for result in found]


def _search_batch(
    engine: DistributedEngine,
    A: DistributedMatrix,
    sources: Ints,
    request: ManyRequest,
    found: _Found,
    base: int,
) -> None:
    """One traversal by the rows of `A`, whose columns are where edges come from."""
    own, words = engine.own, words_of(sources.shape[0])
    #: Bits of this rank's vertices that have a level, and of others' that were named to them.
    seen = np.zeros((A.rows.size, words), np.uint64)
    searches, elements = engine.own_elements(sources)
    bits = np.uint64(1) << (searches % 64).astype(np.uint64)
    np.bitwise_or.at(seen, (elements, searches // 64), bits)
    frontier, depth = seen[:own].copy(), 0
    while True:
        active = np.flatnonzero(frontier.any(axis=1))
        if not found.note(depth, active, frontier[active], base, sources.shape[0]):
            return
        if depth == request.max_depth:
            return
        depth += 1
        everywhere = _brought(A.columns, active, frontier)
        hints = Hints("auto", request.threads)
        new = _pulled(engine, A.part, everywhere, ~seen, hints)
        seen |= new
        for numbers, told in _returned(A.rows, new):
            fresh = told & ~seen[numbers]
            seen[numbers] |= fresh
            new[numbers] |= fresh
        frontier = new[:own]


def _pulled(
    engine: DistributedEngine, part: MatrixData, bits: Words, keep: Words, hints: Hints
) -> Words:
    """What this rank's rows have, by its own engine; words are in host memory."""
    local = engine.local
    if local is engine.host:
        rows: Words = local.packed_rows(part, bits, keep, hints)
        return rows
    there = [local.asarray(words.reshape(-1)).reshape(words.shape) for words in (bits, keep)]
    found: Words = local.to_numpy(local.packed_rows(part, *there, hints).reshape(-1))
    return found.reshape(keep.shape)


def _brought(side: Side, active: Ints, frontier: Words) -> Words:
    """The frontier's bits of all vertices that this rank refers to."""
    words = frontier.shape[1]
    rows = np.zeros((side.size, words), np.uint64)
    rows[: side.own] = frontier
    if side.between:
        for numbers, values in side.bring(active, _as_values(frontier[active])).wait():
            rows[numbers] = _as_words(values, words)
    return rows


def _returned(side: Side, new: Words) -> list[tuple[Ints, Words]]:
    """What others have found for this rank's vertices."""
    if not side.between:
        return []
    others = side.own + np.flatnonzero(new[side.own :].any(axis=1))
    crossing = side.give(others, _as_values(new[others]))
    return [(numbers, _as_words(values, new.shape[1])) for numbers, values in crossing.wait()]


def _as_values(words: Words) -> Array:
    """A row of words as one value."""
    return np.ascontiguousarray(words).view(f"V{8 * words.shape[1]}").reshape(-1)


def _as_words(values: Array, words: int) -> Words:
    return np.ascontiguousarray(values).view(np.uint64).reshape(-1, words)


class _Found:
    """What the searches have found so far, as one rank knows it."""

    def __init__(
        self,
        engine: DistributedEngine,
        A: DistributedMatrix,
        searches: int,
        outputs: frozenset[str],
    ) -> None:
        self._engine, self._degrees, self._outputs = engine, A.degrees, outputs
        #: Of the vertices that this rank has, those that searches followed.
        self.edges = 0
        #: A row a level: how many vertices every search has there.
        self._sizes = np.zeros((0, searches), np.int64)
        require_bytes(4 * searches * engine.own if "levels" in outputs else 0, "outputs: levels")
        shape = (searches if "levels" in outputs else 0, engine.own)
        self._levels = np.full(shape, -1, np.int32)
        self._counts = np.zeros(engine.own, np.int64) if "counts" in outputs else None
        self._sums = np.zeros(engine.own, np.int64) if "level_sums" in outputs else None

    def note(self, depth: int, active: Ints, bits: Words, base: int, searches: int) -> bool:
        """Take down a level of a batch; whether any rank has a vertex there."""
        mine = np.zeros(searches, np.int64)
        for begin in range(0, active.shape[0], _ROWS):
            vertices = active[begin : begin + _ROWS]
            row_bytes = np.ascontiguousarray(bits[begin : begin + _ROWS]).view(np.uint8)
            flags = np.unpackbits(row_bytes, axis=1, bitorder="little")[:, :searches]
            mine += flags.sum(axis=0, dtype=np.int64)
            counts = flags.sum(axis=1, dtype=np.int64)
            self.edges += int(self._degrees[vertices] @ counts)
            if self._levels.shape[0]:
                at, search = flags.nonzero()
                self._levels[base + search, vertices[at]] = depth
            if self._counts is not None:
                self._counts[vertices] += counts
            if self._sums is not None:
                self._sums[vertices] += depth * counts
        sizes = self._engine.ranks.reduce(mine, "sum")
        if not sizes.any():
            return False
        if depth == self._sizes.shape[0]:
            self._sizes = np.pad(self._sizes, ((0, 1), (0, 0)))
        self._sizes[depth, base : base + searches] = sizes
        return True

    def summed(self) -> FoundSpread:
        """The numbers of all ranks, and vectors over them."""
        (edges,) = sums(self._engine.ranks, self.edges)
        levels = None
        if "levels" in self._outputs:
            levels = [self._vector(row, row >= 0) for row in self._levels]
        counted: dict[str, Any] = {"counts": self._counts, "level_sums": self._sums}
        vectors = {k: self._vector(x, None) for k, x in counted.items() if x is not None}
        return FoundSpread(self._sizes.T.copy(), edges, levels, vectors)

    def _vector(self, values: Array, present: Array | None) -> DistributedVector:
        engine = self._engine
        part = VectorData(engine.own, values.copy(), present=present)
        return engine.vector(engine.on_device(engine.host.choose_form(part)))
