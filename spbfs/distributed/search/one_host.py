"""What ranks that are processes of one host know in a search: in memory that all of them see.

Nothing is sent.  Who is on the frontier and who was found are bits that all ranks read, a rank
writes what its edges find where the owner will look, and what remains of messages are two meetings
a level (``kernels/cpu/ranks/bfs_one_host.h``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.base.memory import available_bytes
from spbfs.base.threads import resolve_threads
from spbfs.distributed.exchange.host_memory import arrays_of_all
from spbfs.distributed.exchange.ranks import settled, sums
from spbfs.distributed.parts.storage import DistributedMatrix
from spbfs.distributed.search.slots import Laid, Slots
from spbfs.distributed.search.steps import Step
from spbfs.engines.cpu.bfs.ranks import Room
from spbfs.engines.cpu.native import kernels
from spbfs.planner.search_cpu import CPU_SEARCH
from spbfs.storage.arrays import nbytes_of
from spbfs.storage.data import MatrixData

if TYPE_CHECKING:
    from spbfs.distributed.engine import DistributedEngine

__all__ = ["OneHost", "in_one_host"]

Array = Any
_NOTHING = np.empty(0, np.int64)
#: Vertices of a word of bits, and the most slots that there are numbers for.
_BITS, _MOST = 64, np.iinfo(np.int32).max
#: A push of so many edges, at all ranks, for each word of slots works on copies of what is known.
_MANY = 2
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
        *self.bits, self.parents, self.names, self._by_place = shared
        own = np.arange(slots.own[2])
        self.names[slots.mine] = engine.vertices(own)
        self._by_place[own + engine.first] = slots.mine
        self.degrees = degrees[slots.elements]
        self._laid: dict[int, tuple[MatrixData, Laid]] = {}

    @staticmethod
    def shared(slots: Slots) -> list[tuple[int, Any]]:
        """Sizes and types of what all ranks see: three sets of vertices, parents, what a user calls
        the vertex of every slot, and the slot of every place."""
        return [(slots.count // _BITS, np.uint64)] * 3 + [(slots.count, np.int32)] * 3

    @property
    def nbytes(self) -> int:
        """Bytes of this rank, of what is common its share."""
        laid = sum(made.nbytes for _, made in self._laid.values())
        return self._share + self._room.nbytes + self.slots.nbytes + self.degrees.nbytes + laid

    def laid(self, A: DistributedMatrix, threads: int) -> Laid:
        """The edges of the matrix, or of its transpose; collective."""
        if id(A.part) not in self._laid:
            lay_out = self.slots.lay_out
            made = settled(self._ranks, lambda: lay_out(A, self._by_place, threads))
            self._laid[id(A.part)] = A.part, made
        return self._laid[id(A.part)][1]

    def words(self, sets: int) -> Array:
        """Words for so many sets of vertices."""
        return self._room.array("sets", sets * self.slots.count // _BITS, np.uint64)

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
    wanted = CommonRoom.shared(slots)
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


class OneHost:
    """Levels of a rank's own vertices; the frontier, whom it found, and parents are common.

    Parameters
    ----------
    engine : DistributedEngine
    A : DistributedMatrix
        What is searched: it keeps the room.
    degrees : int64 array
    sources : int64 array
        Elements: one or none.
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
        self._engine, self._common, self._threads = engine, A.room, resolve_threads(threads)
        room, slots = self._common, self._common.slots
        self._front, self._next, self._visited = room.bits
        self._found, self._edges = sources.shape[0], int(degrees[sources].sum())
        #: By the order of slots.
        self._levels = room.numbers("levels", slots.own[2])
        source = -1
        if sources.shape[0]:
            source = int(slots.mine[sources[0]])
        kernels.one_host_begin(
            *(*room.bits, room.parents, self._levels, slots.own, source, self._threads)
        )
        self._levels[slots.position[sources]] = 0

    @property
    def levels(self) -> Array:
        """Levels of own vertices; made when they are asked for."""
        slots = self._common.slots
        levels = np.empty_like(self._levels)
        kernels.restore(self._levels, slots.position, None, levels, self._threads)
        return levels

    def counts(self) -> tuple[int, int]:
        """Vertices of the frontier, and their out-edges."""
        return self._found, self._edges

    def predict(self, step: Step, frontier: int, out_edges: int) -> int | None:
        """Bytes that all ranks will send for a level: none."""
        return 0

    def show(self, step: Step) -> None:
        """Nothing is kept with a step."""

    def has(self, vertex: int) -> bool:
        """Whether an own vertex was found."""
        return bool(self._levels[self._common.slots.position[vertex]] >= 0)

    def expand(self, step: Step, others: list[Step], depth: int, code: int, out_edges: int) -> None:
        """Find the next level, by one step; all have met since the frontier was found."""
        room, slots, threads = self._common, self._common.slots, self._threads
        if out_edges < CPU_SEARCH.serial_edges and slots.count < _ALONE and not step.pull:
            threads = 1
        laid = room.laid(step.matrix, self._threads)
        parents = room.parents if step.named_parents else room.parents[:0]
        common = self._front, self._next, self._visited, parents
        if step.pull:
            kernels.one_host_pull(
                *(laid.edges, laid.likeliest, laid.active, slots.own, common, threads)
            )
        else:
            many = out_edges * _BITS >= _MANY * slots.count
            copies = room.words(threads if many else 0)
            todo = room.numbers("rows", laid.edges[2].shape[0])
            kernels.one_host_push(laid.edges, slots.own, copies, todo, common, threads)
        self._engine.ranks.reduce(_NOTHING, "sum")  # all have found what they will find
        self._front, self._next = self._next, self._front
        self._found, self._edges = kernels.one_host_collect(
            *(self._next, self._front, self._visited, slots.own, room.degrees),
            *(self._levels, depth, threads),
        )

    def parents(self, steps: list[Step], source: int) -> Array:
        """The parent of each vertex, -1 where not reached."""
        room, parents = self._common, np.empty_like(self._levels)
        kernels.restore(room.parents, room.slots.mine, room.names, parents, self._threads)
        parents[self._engine.own_elements(np.array([source]))[1]] = source
        return parents
