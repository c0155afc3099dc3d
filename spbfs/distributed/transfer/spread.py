"""How objects get to ranks and back: spread, gathered, this rank's part, and into one file."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from spbfs.distributed.algebra.matrix_elements import positions_of
from spbfs.distributed.exchange.agreement import key_of, shown
from spbfs.distributed.exchange.ranks import agree_all, everyones, settled
from spbfs.distributed.parts.build import Edges, arranged, deal
from spbfs.distributed.parts.storage import DistributedMatrix, DistributedVector
from spbfs.distributed.search.many import search_many
from spbfs.engines.arrays.patterns.sets import locate
from spbfs.engines.bfs_many import FoundSpread, ManyRequest
from spbfs.exceptions import DimensionMismatch, NotImplementedException
from spbfs.storage.data import VectorData, is_iso, iso_array
from spbfs.storage.entries import matrix_entries, take, vector_entries

if TYPE_CHECKING:
    from spbfs.distributed.engine import DistributedEngine

__all__ = ["SpreadOver"]

#: Elements of which a checksum is taken at once.
_BLOCK = 1 << 16


class SpreadOver:
    """See `spbfs.engines.protocol.Spread`."""

    def __init__(self, engine: DistributedEngine, devices: tuple[str, ...], exchange: str) -> None:
        self._engine, self.devices = engine, tuple(sorted(set(devices)))
        #: Which of the graphs that its ranks have made this is: the same number at all of them.
        self.serial = engine.ranks.graphs
        self.exchange = exchange

    def agree(self, values: dict[str, Any]) -> None:
        """See `spbfs.engines.protocol.Spread`."""
        keys = {name: key_of(value) for name, value in values.items()}
        call = str(values.get("the function", ""))
        agree_all(self._engine.ranks, keys, lambda name: shown(values[name]), call)

    def _enter(self, call: str, *objects: Any) -> None:
        """Begin a call that is no algorithm: all ranks have the same, of alike objects."""
        alike = [f"{x.kind} of {' x '.join(map(str, x.shape))}, {x.dtype}" for x in objects]
        self.agree({"the function": call, "the object": alike})

    def settle(self, work: Callable[[], Any]) -> Any:
        """See `spbfs.engines.protocol.Spread`."""
        return settled(self._engine.ranks, work)

    def any_of(self, here: bool) -> bool:
        """See `spbfs.engines.protocol.Spread`."""
        return bool(self._engine.ranks.reduce(np.array([int(here)]), "max")[0])

    def scatter(self, x: Any) -> Any:
        """Every rank keeps what is its own of an object that all have; it is the same at all."""
        if not isinstance(x, VectorData):
            return self._scattered_matrix(x)
        vertices, values = vector_entries(x)
        self._agree_on_whole(x, {"indices": vertices, "values": values})
        return self.keep(x)

    def keep(self, x: VectorData) -> DistributedVector:
        """See `spbfs.engines.protocol.Spread`."""
        self._check_shape(x)
        engine = self._engine
        vertices, values = vector_entries(x)
        mine, elements = engine.own_elements(vertices)
        order = np.argsort(elements)
        part = VectorData(engine.own, take(values, mine[order]), indices=elements[order])
        made = engine.host.choose_form(part, shrink=False)
        return DistributedVector(engine.partition, engine.on_device(made), vertices.shape[0])

    def _check_shape(self, x: Any) -> None:
        """Refuse an object that is not of the size of the graph."""
        engine, n = self._engine, self._engine.partition.n
        if set(x.shape) == {n}:
            return
        shape = " x ".join(map(str, x.shape))
        if len(x.shape) == 2 and n in x.shape:
            raise NotImplementedException(
                f"device: matrices on {engine.name!r} are {n} x {n}, got {shape}"
            )
        raise DimensionMismatch(
            f"device: objects on {engine.name!r} have {n} elements or {n} x {n}, got {shape}"
        )

    def _agree_on_whole(self, x: Any, arrays: dict[str, Any]) -> None:
        """Begin to spread an object of which every rank has these arrays."""
        # Of the shape as well: a rank that refused its own alone would leave the others waiting.
        keys: dict[str, Any] = {"the function": "to(device)", "the shape": x.shape}
        for name, array in arrays.items():
            keys[name] = array.dtype.str, array.shape, _crc32(array)
        agree_all(
            self._engine.ranks, keys, lambda name: shown(arrays.get(name, keys[name])), "to(device)"
        )

    def _scattered_matrix(self, A: Any) -> DistributedMatrix:
        rows, columns, values = matrix_entries(A)
        self._agree_on_whole(A, {"rows": rows, "columns": columns, "values": values})
        self._check_shape(A)
        ranks = self._engine.ranks
        some = slice(ranks.rank, None, ranks.size)  # who sends what does not matter
        return self.assembled(rows[some], columns[some], values[some])

    def assembled(self, rows: Any, columns: Any, values: Any) -> DistributedMatrix:
        """See `spbfs.engines.protocol.Spread`."""
        self._engine.ranks.enter("a matrix of entries")
        engine, places = self._engine, self._engine.partition.numbering.places
        # Equal values may be stored once at a rank and spelled out at another, and one that gives
        # no entries may be brought some: it does not know their value.
        told = everyones(engine.ranks, (is_iso(values), values[:1].copy()))
        iso = all(once for once, _ in told)
        value = next((one for _, one in told if one.shape[0]), np.ones(1, values.dtype))
        edges = Edges(places(rows), places(columns), None if iso else np.ascontiguousarray(values))
        return engine.matrix_on_device(arranged(engine.ranks, engine.partition, edges, value, None))

    def gather(self, x: Any) -> Any:
        """The whole of an object at every rank: for small ones."""
        self._enter("gather", x)
        whole = self._engine.host
        if isinstance(x, DistributedMatrix):
            value = self._engine.one_value(x)
            given = self._named(x) if x.iso else [*self._named(x), self._values(x)]
            rows, columns, *rest = self._everywhere(given)
            values = rest[0] if rest else iso_array(value, rows.shape[0])
            return whole.build_matrix(x.nrows, x.ncols, rows, columns, values, None)
        vertices, values = self._everywhere(list(self._entries(x)))
        return whole.build_vector(x.size, vertices, values, None)

    def local(self, x: Any) -> Any:
        """What this rank has, by the numbers that a user knows."""
        whole = self._engine.host
        if isinstance(x, DistributedMatrix):
            places = self._named(x)
            return whole.build_matrix(x.nrows, x.ncols, *places, self._values(x), None)
        return whole.build_vector(x.size, *self._entries(x), None)

    def search_many(
        self,
        A: Any,
        sources: Any,
        request: ManyRequest,
        outputs: frozenset[str],
        batch: int,
        report: Callable[[int, int], None],
    ) -> FoundSpread:
        """See `spbfs.distributed.search.many.search_many`."""
        return search_many(self._engine, A, sources, request, outputs, batch, report)

    def element(self, x: Any, index: int) -> Any:
        """The value of one element of a vector at every rank, None where there is none."""
        self._engine.ranks.enter(f"element {index}")
        _, elements = self._engine.own_elements(np.array([index]))
        at, values = vector_entries(self._engine.on_host(x.part))
        place, found = locate(np, at, elements)
        mine = values[place[found]]
        values = [v for some in everyones(self._engine.ranks, np.array(mine)) for v in some]
        return values[0] if values else None

    def path(self, x: Any, index: int) -> list[int]:
        """See `spbfs.engines.protocol.Spread`; an exchange a step."""
        found = [index]
        while True:
            following = self.element(x, found[-1])
            if following is None:
                return []
            if int(following) == found[-1]:
                return found
            found.append(int(following))

    def compare(self, x: Any, y: Any, same: Any) -> bool:
        """See `spbfs.engines.protocol.Spread`."""
        self._enter("isequal or isclose", x, y)
        *mine, values = self._in_order(x)
        *theirs, others = self._in_order(y)
        equal = all(map(np.array_equal, mine, theirs)) and bool(np.all(same(values, others)))
        return bool(self._engine.ranks.reduce(np.array([int(equal)]), "min")[0])

    def _in_order(self, x: Any) -> list[Any]:
        """The places of this rank's entries, rising, and their values."""
        if not isinstance(x, DistributedMatrix):
            return list(vector_entries(self._engine.on_host(x.part)))
        rows, columns = self._named(x)
        order = np.lexsort((columns, rows))
        return [rows[order], columns[order], take(self._values(x), order)]

    def write_file(self, x: Any, path: Any, fill: Any) -> None:
        """A dense ``.npy`` file, every rank writing a part of it."""
        # What writes files loads compiled code.
        from spbfs.distributed.transfer.files import write_dense

        self._enter("to_file", x)
        write_dense(self._engine, x, path, fill, self._entries(x))

    def _entries(self, x: DistributedVector) -> tuple[Any, Any]:
        elements, values = vector_entries(self._engine.on_host(x.part))
        return self._engine.vertices(elements), values

    def _named(self, A: DistributedMatrix) -> list[Any]:
        """Rows and columns of this rank's entries, by the numbers that a user knows."""
        return list(positions_of(self._engine, A))

    def _values(self, A: DistributedMatrix) -> Any:
        """The values of this rank's entries."""
        return self._engine.on_host(A.part).values

    def _everywhere(self, columns: list[Any]) -> list[Any]:
        """Rows of a table that every rank has some of, at all of them."""
        ranks = self._engine.ranks
        to = np.repeat(np.arange(ranks.size), columns[0].shape[0])
        return deal(ranks, to, [np.tile(column, ranks.size) for column in columns])


def _crc32(array: Any) -> int:
    """Of the elements, a block at a time: values that are all one are not spelled out for it."""
    found = 0
    for first in range(0, array.shape[0], _BLOCK):
        block = np.ascontiguousarray(array[first : first + _BLOCK])
        found = zlib.crc32(block.view(np.uint8), found)
    return found
