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
from spbfs.distributed.exchange.host_memory import PATIENCE, arrays_of_all
from spbfs.distributed.exchange.ranks import Ranks, settled, sums
from spbfs.distributed.parts.storage import DistributedMatrix
from spbfs.distributed.search.found import FoundOverRanks
from spbfs.distributed.search.slots import Laid, Slots
from spbfs.engines.bfs import DIRECTIONS, LevelTrace, SearchRequest
from spbfs.engines.cpu.bfs.ranks import Room
from spbfs.engines.cpu.native import kernels
from spbfs.exceptions import InvalidValue
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
    number : int
        By which all ranks know it.
    """

    def __init__(
        self,
        engine: DistributedEngine,
        slots: Slots,
        degrees: Array,
        shared: list[Array],
        number: int,
    ) -> None:
        self._ranks, self.slots = engine.ranks, slots
        self._share = nbytes_of(*shared) // slots.own[1]
        #: Three sets of vertices and parents, which a search begins anew, and names.
        self.sets = tuple(shared[:5])
        (self._by_place,) = shared[5:]
        self.number = number
        own = np.arange(slots.own[2])
        self._names[slots.mine] = engine.vertices(own)
        self._by_place[own + engine.first] = slots.mine
        #: Out-edges and levels of own vertices, by the order of slots.
        self.vertices = degrees[slots.elements], np.empty(slots.own[2], np.int32)
        #: What was laid out, by whether pulls go along it.
        self._laid: dict[bool, tuple[MatrixData, Laid]] = {}
        #: Of pushes, rows and copies of what is known.
        self._rows, self._copies = np.empty(0, np.int32), np.empty(0, np.uint64)

    @property
    def _names(self) -> Array:
        return self.sets[4]

    @staticmethod
    def shared(slots: Slots) -> list[tuple[int, Any]]:
        """Sizes and types of what all ranks see: three sets of vertices, parents, what a user calls
        the vertex of every slot, and the slot of every place."""
        return [(slots.count // _BITS, np.uint64)] * 3 + [(slots.count, np.int32)] * 3

    @property
    def nbytes(self) -> int:
        """Bytes of this rank, of what is common its share."""
        laid = {id(made): made.nbytes for _, made in self._laid.values()}
        own = nbytes_of(*self.vertices, self._rows, self._copies) + self.slots.nbytes
        return self._share + own + sum(laid.values())

    def lay_out(self, pull: bool, A: DistributedMatrix, threads: int) -> None:
        """Have the edges of the matrix, or for pulls of its transpose; collective."""
        other = self._laid.get(not pull)

        def made() -> Laid:
            if other is not None and other[0] is A.part:
                laid = other[1]
            else:
                laid = self.slots.lay_out(A, self._by_place, self._names, threads)
            if not pull:
                self._rows = np.empty(laid.edges[2].shape[0], np.int32)
            return laid

        self._laid[pull] = A.part, settled(self._ranks, made)

    def make_copies(self, threads: int) -> None:
        """Have room for what every thread knows in a push of many edges.

        Not collective: ranks may have different numbers of threads, and only some want more.
        """
        self._copies = np.empty(threads * self.slots.count // _BITS, np.uint64)

    def laid(self) -> list[tuple[Any, ...]]:
        """What was laid out, as a search wants it."""
        return [(pull, *laid, self._rows, self._copies) for pull, (_, laid) in self._laid.items()]


def in_one_host(engine: DistributedEngine, A: DistributedMatrix) -> bool:
    """Whether searches of a matrix go by memory that all ranks see; it keeps that.  Collective."""
    if A.room is None:
        meet = not engine.ranks.apart and engine.ranks.meetings is not None
        made = _made(engine, A) if meet else None
        A.room = Room() if made is None else made
    return isinstance(A.room, CommonRoom)


def _made(engine: DistributedEngine, A: DistributedMatrix) -> CommonRoom | None:
    """The room of a matrix; None where there is no such memory, or not enough."""
    ranks, partition = engine.ranks, engine.partition
    slots = settled(ranks, lambda: Slots(partition, ranks.rank, A.degrees))
    wanted = CommonRoom.shared(slots)
    if slots.count > _MOST or not _fits(engine, A, slots, wanted):
        return None
    shared = arrays_of_all(ranks, *wanted)
    if shared is None:
        return None
    ranks.meetings.rooms += 1
    of = engine, slots, A.degrees, shared, ranks.meetings.rooms
    # Behind it names and slots are complete.
    return settled(ranks, lambda: CommonRoom(*of))


def _fits(
    engine: DistributedEngine,
    A: DistributedMatrix,
    slots: Slots,
    wanted: list[tuple[int, Any]],
) -> bool:
    """Whether there is memory for what is common, for copies of both directions of all parts with
    four numbers a row, and for what pushes want."""
    rows, threads = A.part.indptr.shape[0] - 1, resolve_threads(None)
    copies = 2 * (A.part.indptr.nbytes + A.part.indices.nbytes + 16 * rows)
    (own,) = sums(engine.ranks, copies + 4 * rows + threads * slots.count // 8)
    common = sum(size * np.dtype(dtype).itemsize for size, dtype in wanted)
    fits = own + common <= available_bytes()
    return bool(engine.ranks.reduce(np.array([int(fits)]), "min")[0])


def search_one_host(
    engine: DistributedEngine, A: DistributedMatrix, request: SearchRequest, source: int
) -> FoundOverRanks:
    """Levels and any tree from one source, by the room that `in_one_host` has made; collective."""
    room, slots, threads = A.room, A.room.slots, resolve_threads(request.threads)
    levels, parents = (
        np.empty(slots.own[2] if wanted else 0, np.int32)
        for wanted in (request.levels, request.parents)
    )
    meetings = engine.ranks.meetings
    search = kernels.OneHostSearch(
        *(meetings.native, room.sets, room.vertices, slots.own),
        (slots.position, slots.mine, levels, parents),
        *(_position(engine, slots, vertex) for vertex in (source, request.target)),
        A.nrows if request.max_depth is None else min(request.max_depth, A.nrows),
        bool(request.parents),
        *_directions(request),
        *((A.nrows, A.nvals), (PARTS_ALPHA, PARTS_BETA), (CPU_SEARCH.serial_edges, _ALONE)),
        room.number,
    )
    _lay(search, room)
    while (stop := _go(engine.ranks, search, threads)) != _Stop.ENDED:
        if stop == _Stop.LATE:
            meetings.wait(engine.ranks.listen)
            continue
        if stop == _Stop.OTHER_ROOM:
            raise InvalidValue("A: expected the same matrix at every rank, got others at some")
        if stop == _Stop.NO_COPIES:
            room.make_copies(threads)
        else:
            pull = stop == _Stop.NO_IN_EDGES
            room.lay_out(pull, in_edges(engine, A) if pull else A, threads)
        _lay(search, room)
    arrays = {
        "levels": levels if request.levels else None,
        "parents": parents if request.parents else None,
        "owners": None,
    }
    return FoundOverRanks(arrays, search.depth, search.reached, search.edges, _trace(search.trace))


def _go(ranks: Ranks, search: Any, threads: int) -> Any:
    """Have a search go on; where ranks are is said by their call, not by what they exchanged last
    before it."""
    ranks.enter(ranks.call)
    return search.go(PATIENCE, threads)


def _lay(search: Any, room: CommonRoom) -> None:
    for laid in room.laid():
        search.lay(*laid)


def _position(engine: DistributedEngine, slots: Slots, vertex: int | None) -> int:
    """Where a vertex is in the order of own slots; -1 where it is another rank's."""
    own = np.empty(0, np.int64) if vertex is None else engine.own_elements(np.array([vertex]))[1]
    return int(slots.position[own[0]]) if own.shape[0] else -1


def _directions(request: SearchRequest) -> tuple[list[int], int]:
    """Those of the first levels, and that of all behind them."""
    direction, first = request.directions()
    return list(first), DIRECTIONS.index(direction)


def _trace(rows: list[tuple[int, int, bool, float]]) -> list[LevelTrace]:
    """Nothing is sent, as nothing is predicted to be."""
    return [
        LevelTrace(
            *(frontier, edges, "pull" if pulled else "push", seconds, "ranks"),
            exchanged=0,
            predicted=0,
        )
        for frontier, edges, pulled, seconds in rows
    ]
