"""What ranks that are processes of one host know in a search: in memory that all of them see.

Nothing is sent.  Who is on the frontier and who was found are bits that all ranks read, a rank
writes what its edges find where the owner will look, and what remains of messages are two meetings
a level (``kernels/cpu/ranks/bfs_one_host_search.h``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.base.memory import available_bytes
from spbfs.base.threads import resolve_threads
from spbfs.distributed.algebra.transpose import in_edges
from spbfs.distributed.exchange.host_memory import PATIENCE, Meetings, arrays_of_all
from spbfs.distributed.exchange.ranks import Ranks, settled, sums
from spbfs.distributed.parts.storage import DistributedMatrix
from spbfs.distributed.search.found import FoundOverRanks
from spbfs.distributed.search.slots import Laid, Slots
from spbfs.engines.bfs import DIRECTIONS, LevelTrace, SearchRequest
from spbfs.engines.cpu.bfs.ranks import Room
from spbfs.engines.cpu.native import kernels
from spbfs.planner.search import PARTS_ALPHA, PARTS_BETA
from spbfs.planner.search_cpu import CPU_SEARCH
from spbfs.storage.arrays import nbytes_of
from spbfs.storage.data import MatrixData

if TYPE_CHECKING:
    from spbfs.distributed.engine import DistributedEngine

__all__ = ["in_one_host", "search_one_host"]

Array = Any
_Stop = kernels.OneHostSearch.Stop
#: Vertices of a word of bits, and the most slots that there are numbers for.
_BITS, _MOST = 64, np.iinfo(np.int32).max
#: Sets of fewer slots are gone through by one thread where little was found: others would have to
#: be woken.
_ALONE = 1 << 22


class CommonRoom:
    """What searches of one matrix have one after the other.

    Parameters
    ----------
    engine : DistributedEngine
    slots : Slots
    degrees : int64 array
        Of the rank's vertices.
    shared : list of arrays
        As `shared` says; zeros.
    """

    def __init__(
        self, engine: DistributedEngine, slots: Slots, degrees: Array, shared: list[Array]
    ) -> None:
        self._ranks, self._room = engine.ranks, Room()
        self.slots, self._share = slots, nbytes_of(*shared) // slots.own[1]
        #: Three sets of vertices and parents, which a search begins anew, and names.
        self.sets = tuple(shared[:5])
        self._by_place, lines = shared[5:]
        self.meetings = Meetings(engine.ranks, lines)
        own = np.arange(slots.own[2])
        self._names[slots.mine] = engine.vertices(own)
        self._by_place[own + engine.first] = slots.mine
        self.degrees = degrees[slots.elements]
        #: What was laid out, by whether pulls go along it.
        self._laid: dict[bool, tuple[MatrixData, Laid]] = {}

    @property
    def _names(self) -> Array:
        return self.sets[4]

    @staticmethod
    def shared(ranks: Ranks, slots: Slots) -> list[tuple[int, Any]]:
        """Sizes and types of what all ranks see: three sets of vertices, parents, what a user calls
        the vertex of every slot, the slot of every place, and where they meet."""
        sets, by_slot = (slots.count // _BITS, np.uint64), (slots.count, np.int32)
        return [sets] * 3 + [by_slot] * 3 + [(Meetings.room(ranks), np.uint8)]

    @property
    def nbytes(self) -> int:
        """Bytes of this rank, of what is common its share."""
        laid = {id(made): made.nbytes for _, made in self._laid.values()}
        own = self._room.nbytes + self.slots.nbytes + self.degrees.nbytes
        return self._share + own + sum(laid.values())

    def lay_out(self, pull: bool, A: DistributedMatrix, threads: int) -> None:
        """Have the edges of the matrix, or for pulls of its transpose; collective."""
        other = self._laid.get(not pull)
        if other is not None and other[0] is A.part:
            self._laid[pull] = other
            return
        of = A, self._by_place, self._names, threads
        self._laid[pull] = A.part, settled(self._ranks, lambda: self.slots.lay_out(*of))

    def laid(self, threads: int) -> list[tuple[Any, ...]]:
        """What was laid out, as a search wants it; with room for pushes: all rows, and a copy of
        what is found for each thread."""
        made = []
        for pull, (_, laid) in self._laid.items():
            rows, copies = (0, 0) if pull else (laid.edges[2].shape[0], threads)
            words = self._room.array(
                f"copies {pull}", copies * self.slots.count // _BITS, np.uint64
            )
            made.append((pull, *laid, self.numbers(f"rows {pull}", rows), words))
        return made

    def numbers(self, name: str, size: int) -> Array:
        """Room for so many numbers."""
        return self._room.array(name, size, np.int32)


def in_one_host(engine: DistributedEngine, A: DistributedMatrix) -> bool:
    """Whether searches of a matrix go by memory that all ranks see; it keeps that.  Collective."""
    if A.room is None:
        made = None if engine.ranks.apart else _made(engine, A)
        A.room = Room() if made is None else made
    return isinstance(A.room, CommonRoom)


def _made(engine: DistributedEngine, A: DistributedMatrix) -> CommonRoom | None:
    """The room of a matrix; None where there is no such memory, or not enough."""
    ranks, partition = engine.ranks, engine.partition
    slots = settled(ranks, lambda: Slots(partition, ranks.rank, A.degrees))
    wanted = CommonRoom.shared(ranks, slots)
    if slots.count > _MOST or not _fits(engine, A, wanted):
        return None
    shared = arrays_of_all(ranks, *wanted)
    if shared is None:
        return None
    # Behind it names and slots are complete.
    return settled(ranks, lambda: CommonRoom(engine, slots, A.degrees, shared))


def _fits(engine: DistributedEngine, A: DistributedMatrix, wanted: list[tuple[int, Any]]) -> bool:
    """Whether there is memory for what is common, and for copies of both directions of all
    parts."""
    (part,) = sums(engine.ranks, A.part.indptr.nbytes + A.part.indices.nbytes)
    common = sum(size * np.dtype(dtype).itemsize for size, dtype in wanted)
    fits = 2 * part + common <= available_bytes()
    return bool(engine.ranks.reduce(np.array([int(fits)]), "min")[0])


def search_one_host(
    engine: DistributedEngine, A: DistributedMatrix, request: SearchRequest, source: int
) -> FoundOverRanks:
    """Levels and any tree from one source, by the room that `in_one_host` has made; collective."""
    room, slots, threads = A.room, A.room.slots, resolve_threads(request.threads)
    by_slot = room.numbers("levels", slots.own[2])
    levels, parents = (
        np.empty(slots.own[2] if wanted else 0, np.int32)
        for wanted in (request.levels, request.parents)
    )
    search = kernels.OneHostSearch(
        *(room.meetings.native, room.sets, (room.degrees, by_slot), slots.own),
        (slots.position, slots.mine, levels, parents),
        *(_position(engine, slots, vertex) for vertex in (source, request.target)),
        A.nrows if request.max_depth is None else request.max_depth,
        bool(request.parents),
        *_directions(request),
        *((A.nrows, A.nvals), (PARTS_ALPHA, PARTS_BETA), (CPU_SEARCH.serial_edges, _ALONE)),
    )
    for laid in room.laid(threads):
        search.lay(*laid)
    while (stop := _go(engine.ranks, room, search, threads)) != _Stop.ENDED:
        if stop == _Stop.LATE:
            room.meetings.wait(engine.ranks.listen)
            continue
        pull = stop == _Stop.NO_IN_EDGES
        room.lay_out(pull, in_edges(engine, A) if pull else A, threads)
        for laid in room.laid(threads):
            search.lay(*laid)
    arrays = {
        "levels": levels if request.levels else None,
        "parents": parents if request.parents else None,
        "owners": None,
    }
    return FoundOverRanks(arrays, search.depth, search.reached, search.edges, _trace(search.levels))


def _go(ranks: Ranks, room: CommonRoom, search: Any, threads: int) -> Any:
    """Have a search go on; ranks hear of the meetings that it came to."""
    before = room.meetings.native.number
    try:
        return search.go(PATIENCE, threads)
    finally:
        ranks.met(room.meetings.native.number - before)


def _position(engine: DistributedEngine, slots: Slots, vertex: int | None) -> int:
    """Where a vertex is in the order of own slots; -1 where it is another rank's."""
    own = np.empty(0, np.int64) if vertex is None else engine.own_elements(np.array([vertex]))[1]
    return int(slots.position[own[0]]) if own.shape[0] else -1


def _directions(request: SearchRequest) -> tuple[list[int], int]:
    """Those of the first levels, and that of all behind them."""
    direction, first = request.directions()
    return list(first), DIRECTIONS.index(direction)


def _trace(levels: list[tuple[int, int, bool, float]]) -> list[LevelTrace]:
    """Nothing is sent, as nothing is predicted to be."""
    return [
        LevelTrace(
            *(frontier, edges, "pull" if pulled else "push", seconds, "ranks"),
            exchanged=0,
            predicted=0,
        )
        for frontier, edges, pulled, seconds in levels
    ]
